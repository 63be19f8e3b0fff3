"""Semantic maps of agents' surroundings, as MAP-CMA sees them, from depth, pose and semantics."""

from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.mapping.clouds import PointCloud, read_cloud, save_cloud
from vlnscope.perception.mapping.egocentric import EgocentricMap
from vlnscope.perception.mapping.mapper import KnownMaps, Mapper, MapRule
from vlnscope.perception.mapping.memory import MapMemory, MemoryMode
from vlnscope.perception.mapping.pictures import map_picture
from vlnscope.perception.mapping.semantics import InferredSemantics, MapSemantics, Segmenter, TrueSemantics
from vlnscope.perception.mapping.surveys import survey

__all__ = [
    "CLASSES",
    "EgocentricMap",
    "InferredSemantics",
    "KnownMaps",
    "MapMemory",
    "MapRule",
    "MapSemantics",
    "Mapper",
    "MemoryMode",
    "PointCloud",
    "Segmenter",
    "TrueSemantics",
    "map_picture",
    "read_cloud",
    "save_cloud",
    "survey",
]
