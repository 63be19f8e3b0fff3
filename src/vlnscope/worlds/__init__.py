"""Worlds: navigation graphs, Matterport scans, built-in houses, and the layers of a scene.

`scene` says what a scene is, `world` which kinds of scenes there are (``builtin`` registers ours). ``graph``
holds navigation graphs, ``matterport`` reads scans, ``houses`` makes houses, ``rendering`` draws meshes and
``maps`` draws floor maps.
"""
