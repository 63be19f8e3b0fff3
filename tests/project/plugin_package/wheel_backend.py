"""The smallest PEP 517 backend that builds this package: standard library only, so it needs no network."""

from __future__ import annotations

import base64
import hashlib
import tomllib
from pathlib import Path
from zipfile import ZipFile


def build_wheel(
    wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of the project in the current folder and return its file name."""
    del config_settings, metadata_directory
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    content = {p.relative_to("src").as_posix(): p.read_bytes() for p in sorted(Path("src").rglob("*.py"))}
    content |= {f"{stem}.dist-info/{name}": text.encode() for name, text in _metadata(project).items()}
    record = f"{stem}.dist-info/RECORD"
    rows = [f"{name},sha256={_hash(data)},{len(data)}" for name, data in content.items()]
    content[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    wheel = f"{stem}-py3-none-any.whl"
    with ZipFile(Path(wheel_directory) / wheel, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return wheel


def _metadata(project: dict) -> dict[str, str]:
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    requires = "".join(f"Requires-Dist: {name}\n" for name in project["dependencies"])
    name = f"Name: {project['name']}\nVersion: {project['version']}\n"
    return {
        "METADATA": f"Metadata-Version: 2.1\n{name}{requires}",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "\n".join(points),
    }


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
