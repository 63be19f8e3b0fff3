"""How large a plain installation is: vlnscope and what it needs, package by package, largest first.

    python perf/install_size.py [--top N]

Counts the files of each distribution as they lie in this environment, compiled modules included, whatever
else is installed beside them. Extras are left out. Budget: 650 MB, pip and setuptools included.
"""

from __future__ import annotations

import argparse
import re
from collections import deque
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

MEGA = 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top", type=int, default=20)
    top = parser.parse_args().top
    sizes = {name: size_of(one) for name, one in plain_installation().items()}
    largest = sorted(sizes.items(), key=lambda item: -item[1])
    for name, size in largest[:top]:
        print(f"{name:<20}{size / MEGA:7.1f} MB")
    if rest := largest[top:]:
        print(f"{f'{len(rest)} others':<20}{sum(size for _, size in rest) / MEGA:7.1f} MB")
    print(f"{'all':<20}{sum(sizes.values()) / MEGA:7.1f} MB")


def plain_installation() -> dict[str, Distribution]:
    """Return vlnscope, all that it needs without extras, and what every environment has."""
    found: dict[str, Distribution] = {}
    todo = deque(["vlnscope", "pip", "setuptools"])
    while todo:
        name = todo.popleft()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system, or not in this environment
            continue
        todo.extend(needed(found[name]))
    return found


def needed(one: Distribution) -> Iterator[str]:
    """Yield the names of what a distribution needs; markers other than extras are taken as they come."""
    for line in one.requires or ():
        if "extra ==" not in line:
            match = re.match(r"[\w.-]+", line)
            assert match
            yield re.sub(r"[-_.]+", "-", match[0]).lower()


def size_of(one: Distribution) -> int:
    """Return the bytes on disk of a distribution's files; of one installed in place, of its package."""
    paths = {Path(str(one.locate_file(file))) for file in one.files or ()}
    if not any(path.suffix == ".py" for path in paths):
        import vlnscope

        paths |= set(Path(vlnscope.__file__).parent.rglob("*"))
    return sum(path.stat().st_blocks * 512 for path in paths if path.is_file())


if __name__ == "__main__":
    main()
