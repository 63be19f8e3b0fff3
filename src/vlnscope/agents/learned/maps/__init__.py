"""Models that reason over a map which grows as they walk: DUET, ScaleVLN, BEVBert."""

from vlnscope.agents.learned.maps.bevbert import BevBert
from vlnscope.agents.learned.maps.duet import Duet, ScaleVln

__all__ = ["BevBert", "Duet", "ScaleVln"]
