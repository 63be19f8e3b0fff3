"""What agents see: the layers of a scene, presented viewpoint by viewpoint."""
