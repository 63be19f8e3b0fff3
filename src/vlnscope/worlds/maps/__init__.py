"""Floor maps as SVG."""

from vlnscope.worlds.maps.floor_map import BareMap, bare_map, floor_map, floor_maps, levels, levels_of
from vlnscope.worlds.maps.overlays import PATH_COLOURS, MapPath

__all__ = [
    "PATH_COLOURS",
    "BareMap",
    "MapPath",
    "bare_map",
    "floor_map",
    "floor_maps",
    "levels",
    "levels_of",
]
