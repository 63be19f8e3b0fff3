"""Houses that vlnscope builds itself: plans, furniture, graphs, meshes, pictures, edits."""
