"""Connected pieces of the ground."""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.navmesh.plane import Bools, Int32s


@compiled
def number_islands(counts: Int32s, neighbours: Int32s, flagged: Bools) -> Int32s:
    """Number the connected pieces as Habitat does.

    From each polygon that is not reached yet, whatever its flag, a new piece spreads to flagged neighbours.

    Args:
        counts: corners of each polygon.
        neighbours: (n, 6) the polygon behind each edge, negative where there is none.
        flagged: which polygons the file says to be walkable.
    """
    island = np.full(counts.size, np.int32(-1))
    waiting = np.empty(counts.size, np.int32)
    found = 0
    for start in range(counts.size):
        if island[start] >= 0:
            continue
        island[start] = found
        waiting[0] = start
        size = 1
        while size > 0:
            size -= 1
            poly = waiting[size]
            for edge in range(counts[poly]):
                other = neighbours[poly, edge]
                if other >= 0 and island[other] < 0 and flagged[other]:
                    island[other] = found
                    waiting[size] = other
                    size += 1
        found += 1
    return island
