"""What the surfaces of scanned buildings are: the semantic meshes of HM3D and MP3D."""
