"""All shortest distances of a graph, computed once and kept on disk under the graph's content hash."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import cache_dir, digest, write_whole
from vlnscope.types import Floats, Ints

_VERSION = 2
_VANISHING = 1e-300
_CHECK_SIZE = len(digest(b""))


class Geodesics(NamedTuple):
    """Shortest distances (infinity: no way) and the node before the last on each shortest path."""

    distances: Floats
    predecessors: NDArray[np.int32]


def geodesics(key: str, size: int, edges: Ints, lengths: Floats) -> Geodesics:
    """Return the geodesics of a graph from the cache, or compute and store them.

    Several processes may do so at once: files appear whole, and all writers write the same bytes. A
    cache file that is damaged is made anew; a cache that cannot be written is done without.
    """
    path = cache_dir() / "geodesics" / f"v{_VERSION}-{key}"
    found = _read(path, size)
    if found is not None:
        return found
    result = _shortest_paths(size, edges, lengths)
    with suppress(InputError):
        _write(path, result)
    return result


def _write(path: Path, result: Geodesics) -> None:
    body = result.distances.astype("<f8").tobytes() + result.predecessors.astype("<i4").tobytes()
    with write_whole(path) as stream:
        stream.write(digest(body).encode() + body)


def _read(path: Path, size: int) -> Geodesics | None:
    """Return what a cache file holds, or None if it is absent or is not what was once written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    cells = size * size
    check, body = content[:_CHECK_SIZE], content[_CHECK_SIZE:]
    if len(body) != 12 * cells or check != digest(body).encode():
        return None
    distances = np.frombuffer(body, "<f8", cells).astype(np.float64)
    predecessors = np.frombuffer(body, "<i4", cells, 8 * cells).astype(np.int32)
    return Geodesics(distances.reshape(size, size), predecessors.reshape(size, size))


def _shortest_paths(size: int, edges: Ints, lengths: Floats) -> Geodesics:
    from scipy.sparse import csr_array  # slow to import, needed only on a cold cache
    from scipy.sparse.csgraph import dijkstra

    # scipy takes an explicit zero for "no edge": two viewpoints at one place get a length that vanishes in
    # every sum, and is put back to zero below
    weights = np.maximum(lengths, _VANISHING)
    matrix = csr_array((weights, (edges[:, 0], edges[:, 1])), shape=(size, size))
    distances, predecessors = dijkstra(matrix, directed=False, return_predecessors=True)
    distances[distances < size * _VANISHING] = 0.0
    return Geodesics(np.asarray(distances), np.asarray(predecessors, dtype=np.int32))
