"""What the small networks that come with vlnscope share: files of half-precision weights, and one thread.

Files are in NumPy's format and hold arrays alone, so nothing in them is ever executed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from vlnscope.core.array_file import read_arrays
from vlnscope.core.files import reading, write_whole

Network = TypeVar("Network", bound=nn.Module)
_COUNTER = "num_batches_tracked"


def save_weights(path: str | Path, network: nn.Module) -> None:
    """Write weights in half precision, whole or not at all; the same weights give the same bytes."""
    weights = {
        name: tensor.detach().numpy().astype(np.float16)
        for name, tensor in network.state_dict().items()
        if not name.endswith(_COUNTER)
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **weights)
    with write_whole(path) as stream:
        stream.write(buffer.getbuffer())


def load_weights(path: str | Path, network: Network, kind: str, command: str) -> Network:
    """Return a network with the weights of a file, ready to be used.

    Args:
        path: the file.
        network: is given the weights.
        kind: what the file is read as, for the error message.
        command: writes such files.

    Raises:
        InputError: the file is damaged, or holds something else.
    """
    expected = f"a file that `{command}` wrote"
    fix = "make it again, or install vlnscope again if it is the one that came with it"
    content = read_arrays(path, kind, expected, fix)
    with reading(path, kind, expected, fix):
        weights = {name: torch.from_numpy(array.astype(np.float32)) for name, array in content.items()}
        counters = {name: t for name, t in network.state_dict().items() if name.endswith(_COUNTER)}
        network.load_state_dict(weights | counters)
    return network.eval()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute in one thread, since sums depend on how many share them."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
