"""Navigation meshes in Detour's form: Habitat's ``.navmesh`` files, and what can be asked of one."""
