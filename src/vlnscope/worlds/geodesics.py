"""All shortest distances of a graph, computed once and kept on disk under the graph's content hash."""

from __future__ import annotations

import zipfile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.exceptions import InputError
from vlnscope.files import cache_dir, write_whole
from vlnscope.types import Floats, Ints

_VERSION = 1


class Geodesics(NamedTuple):
    """Shortest distances (infinity: no way) and the node before the last on each shortest path."""

    distances: Floats
    predecessors: NDArray[np.int32]


def geodesics(key: str, size: int, edges: Ints, lengths: Floats) -> Geodesics:
    """Return the geodesics of a graph from the cache, or compute and store them.

    Several processes may do so at once: files appear whole, and all writers write the same bytes. A
    cache file that is damaged is made anew; a cache that cannot be written is done without.
    """
    path = cache_dir() / "geodesics" / f"v{_VERSION}-{key}.npz"
    try:
        with np.load(path) as stored:
            found = Geodesics(stored["distances"], stored["predecessors"])
        if found.distances.shape == found.predecessors.shape == (size, size):
            return found
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        pass
    result = _shortest_paths(size, edges, lengths)
    try:
        with write_whole(path) as stream:
            np.savez(stream, distances=result.distances, predecessors=result.predecessors)
    except InputError:
        pass
    return result


def _shortest_paths(size: int, edges: Ints, lengths: Floats) -> Geodesics:
    from scipy.sparse import csr_array  # noqa: PLC0415  (slow to import, needed only on a cold cache)
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415

    # scipy takes an explicit zero for "no edge": two viewpoints at one place keep a tiny positive length
    weights = np.maximum(lengths, np.finfo(np.float64).tiny)
    matrix = csr_array((weights, (edges[:, 0], edges[:, 1])), shape=(size, size))
    distances, predecessors = dijkstra(matrix, directed=False, return_predecessors=True)
    return Geodesics(np.asarray(distances), np.asarray(predecessors, dtype=np.int32))
