"""Make a checkpoint of half the size, as the package holds it.

``python tools/ship_weights.py RUN/best.pt src/vlnscope/agents/learned/weights/hamt_houses.pt``

Weights are rounded to half precision; the digest in the file is that of the rounded ones.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import torch

from vlnscope.agents.learned.checkpoints import load_checkpoint, save_checkpoint
from vlnscope.core.files import write_whole


def ship(source: Path, target: Path) -> str:
    """Write a checkpoint anew with weights in half precision, and return their digest."""
    loaded = load_checkpoint(source)
    told = save_checkpoint(target, loaded.model.half().float(), loaded.vocabulary, loaded.notes)
    content = torch.load(target, map_location="cpu", weights_only=True)
    content["weights"] = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in content["weights"].items()
    }
    buffer = io.BytesIO()
    torch.save(content, buffer)
    with write_whole(target) as stream:
        stream.write(buffer.getbuffer())
    return told


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), Path(sys.argv[2])))
