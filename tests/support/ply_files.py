"""Writes binary PLY files, one number after the other."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

_LETTERS = {"int": "i", "uint": "I", "short": "h", "uchar": "B", "float": "f"}


def write_ply(
    path: Path,
    points: Sequence[Sequence[float]],
    faces: Sequence[Sequence[int]],
    labels: Mapping[str, Sequence[float]],
    *,
    kind: str = "int",
    order: str = "little",
) -> Path:
    """Write triangles whose faces have labels of a kind, as Matterport does: with normals and colours."""
    lines = [
        "ply",
        f"format binary_{order}_endian 1.0",
        "comment made by a test",
        f"element vertex {len(points)}",
    ]
    lines += [f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")]
    lines += [f"property uchar {name}" for name in ("red", "green", "blue")]
    lines += [f"element face {len(faces)}", "property list uchar int vertex_indices"]
    lines += [f"property {kind} {name}" for name in labels]
    content = "\n".join([*lines, "end_header", ""]).encode()
    sign = "<" if order == "little" else ">"
    for point in points:
        content += struct.pack(f"{sign}6f3B", *point, 0, 0, 1, 200, 100, 50)
    for row, face in enumerate(faces):
        content += struct.pack(f"{sign}B{len(face)}i", len(face), *face)
        content += struct.pack(
            sign + _LETTERS[kind] * len(labels), *(column[row] for column in labels.values())
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
