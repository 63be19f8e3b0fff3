"""Run every command of README.md with a given installation, and say which fail.

    python tools/try_readme.py VLNSCOPE --root DATA [--only TEXT]

VLNSCOPE is the command of the installation, such as /tmp/plain/bin/vlnscope. Commands of a code block run one
after the other in a folder of their own, those between ticks one by one. Files that README.md leaves to the
reader (predictions, an agent, a plan) are put there first; DATA stands for DIR. What needs an extra is left
out, and of a verb that is only named, the help is asked for.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
PREDICTIONS = "agent_predictions/PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
OTHERS = "agent_predictions/matterport3dsim_val_unseen_shortest_agent.json.gz"
EXTRAS = ("hamt-houses", "features build", "vlnscope train", "vlnscope experiment")
"""What commands say that need the extra `learn`, which README.md installs first."""
FINDS = ("vlnscope check ",)
"""Commands whose exit code 1 says that they found something."""
AGENT = """
from vlnscope.types import Decision


class MyAgent:
    def act(self, observation):
        return Decision.choose(observation, -1 if observation.step else 0)
"""
FIRST = {
    "vlnscope compare runs/follower": (
        "vlnscope build behavior --data houses/val_unseen@2 --out cases/behavior",
        "vlnscope run follower --cases cases/behavior --out runs/follower",
        "vlnscope run random --cases cases/behavior --out runs/random",
    ),
    "vlnscope report diagnosis": (
        "vlnscope diagnose stop --data sample/demo --only outcomes --out diagnosis",
    ),
    "vlnscope houses import": ("vlnscope houses generate --count 1 --out made",),
}
"""What must have been done before a command, by how it begins."""
PLACES = {
    "check-metric NAME": "check-metric SPL",
    "audit DATA": "audit houses/val_unseen@1",
    "import plan.json --out DIR": "import made/plans/house-40000.json --out imported",
    "ls metrics|profiles|formats|datasets|agents|benchmarks|detectors": "ls metrics",
}
"""What stands for something in README.md, and what is run."""


def main() -> None:
    """Run all commands, print a line each, and end with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vlnscope", type=Path)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, block in enumerate(blocks((HERE / "README.md").read_text("utf-8"))):
            if given.only in " ".join(block):
                place = Path(folder, str(number))
                prepare(place, given.root)
                failed += sum(not works(line, given.vlnscope, given.root, place) for line in block)
    sys.exit(1 if failed else 0)


def blocks(text: str) -> Iterator[list[str]]:
    """Yield the commands of each code block, then each between ticks alone, without those for extras."""
    parts = re.split(r"^```.*$", text, flags=re.M)
    for code in parts[1::2]:
        lines = [line.removeprefix("$ ").partition("  #")[0].strip() for line in code.splitlines()]
        yield [line for line in lines if runs(line)]
    known = {line for code in parts[1::2] for line in code.splitlines()}
    for inline in re.findall(r"`(vlnscope [a-z][^`]+|houses [a-z][^`]+)`", "".join(parts[0::2])):
        line = " ".join(inline.split())
        line = line if line.startswith("vlnscope") else f"vlnscope {line}"
        if runs(line) and line not in known:
            yield [line]


def runs(line: str) -> bool:
    """Say whether a line is a command of a plain installation."""
    return line.startswith("vlnscope ") and not any(extra in line for extra in EXTRAS)


def prepare(place: Path, root: Path) -> None:
    """Put the files into a folder that README.md takes for granted."""
    (place / "my_package").mkdir(parents=True)
    (place / "my_package" / "my_module.py").write_text(AGENT)
    (place / "src").symlink_to(HERE / "src")
    (place / "preds.json.gz").symlink_to((root / PREDICTIONS).resolve())
    for name, source in (
        ("preds", PREDICTIONS),
        ("predictions", PREDICTIONS),
        ("mine", PREDICTIONS),
        ("theirs", OTHERS),
    ):
        (place / f"{name}.json").write_bytes(gzip.decompress((root / source).read_bytes()))


def works(line: str, vlnscope: Path, root: Path, place: Path) -> bool:
    """Run a command and what must come before it; print how it went."""
    for sign, meant in PLACES.items():
        line = line.replace(sign, meant)
    line = re.sub(r"--root DIR\b", f"--root {shlex.quote(str(root.resolve()))}", line)
    line += " --help" if line.count(" ") == 1 and line != "vlnscope doctor" else ""
    before = next((its for begin, its in FIRST.items() if line.startswith(begin)), ())
    environment = os.environ | {"VLNSCOPE_DATA": str(root.resolve())}
    environment.pop("PYTHONPATH", None)
    start = time.perf_counter()
    for command in (*before, line):
        words = [str(vlnscope.absolute()), *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=False)
        fine = done.returncode == 0 or (done.returncode == 1 and command.startswith(FINDS))
        if not fine:
            print(f"FAILED ({done.returncode})  {command}\n{done.stderr}", flush=True)
            return False
    print(f"{time.perf_counter() - start:6.1f} s  {line}", flush=True)
    return True


if __name__ == "__main__":
    main()
