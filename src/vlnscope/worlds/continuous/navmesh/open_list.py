"""The open list of a search: a binary heap that breaks ties as Detour's does."""

from __future__ import annotations

from vlnscope.core.compiled import inlined
from vlnscope.worlds.continuous.navmesh.plane import Float32s, Int32s


@inlined
def lift(heap: Int32s, at: int, item: int, keys: Float32s) -> None:
    """Put an item at a place of the heap, and move it up past all larger ones."""
    key = keys[item]
    while at > 0:
        above = (at - 1) // 2
        if not keys[heap[above]] > key:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


@inlined
def pop(heap: Int32s, size: int, keys: Float32s) -> tuple[int, int]:
    """Take the smallest item off the heap; return it and the new size.

    The hole sinks to the bottom and the last item is lifted from there, so ties break as in Detour.
    """
    first = heap[0]
    size -= 1
    hole, below = 0, 1
    while below < size:
        if below + 1 < size and keys[heap[below]] > keys[heap[below + 1]]:
            below += 1
        heap[hole] = heap[below]
        hole, below = below, 2 * below + 1
    lift(heap, hole, heap[size], keys)
    return first, size
