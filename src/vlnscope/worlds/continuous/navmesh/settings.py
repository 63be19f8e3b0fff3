"""How a navigation mesh is baked: the settings that Habitat keeps in its files."""

from __future__ import annotations

import msgspec


class NavMeshSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What decides where an agent can walk; the defaults are Habitat's, for VLN-CE's agent.

    Attributes:
        cell_size: side of a voxel along the floor, in metres.
        cell_height: height of a voxel.
        agent_height: how much headroom it needs.
        agent_radius: how near to a wall it comes.
        agent_max_climb: how high a step it takes.
        agent_max_slope: how steep a slope it walks, in degrees.
        region_min_size: patches smaller than the square of so many voxels are left out.
        region_merge_size: regions smaller than the square of so many voxels are joined to others.
        edge_max_len: edges of polygons are cut to this length, in metres.
        edge_max_error: how far an edge may leave the voxels' outline, in voxels.
        verts_per_poly: corners of a polygon, at most.
        detail_sample_dist: spacing of height samples, in voxels.
        detail_sample_max_error: how far the surface may leave the samples, in voxel heights.
        filter_low_hanging_obstacles: whether low obstacles can be stepped on.
        filter_ledge_spans: whether the rims of ledges are left out.
        filter_walkable_low_height_spans: whether ground without headroom is left out.
        include_static_objects: whether Habitat's static objects were baked too.
    """

    cell_size: float = 0.05
    cell_height: float = 0.2
    agent_height: float = 1.5
    agent_radius: float = 0.1
    agent_max_climb: float = 0.2
    agent_max_slope: float = 45.0
    region_min_size: float = 20.0
    region_merge_size: float = 20.0
    edge_max_len: float = 12.0
    edge_max_error: float = 1.3
    verts_per_poly: float = 6.0
    detail_sample_dist: float = 6.0
    detail_sample_max_error: float = 1.0
    filter_low_hanging_obstacles: bool = True
    filter_ledge_spans: bool = True
    filter_walkable_low_height_spans: bool = True
    include_static_objects: bool = False
