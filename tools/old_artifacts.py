"""Makes a folder with one example of every kind of file that a version of vlnscope writes.

    python tools/old_artifacts.py DIR --source OLD/src

`--source` names the code that makes them, so that `tests/test_old_artifacts.py` can check, with
VLNSCOPE_OLD_ARTIFACTS=DIR, that newer code still reads, scores, resumes and reports what older code wrote.
Only built-in houses and the sample are used; the folder is small and holds no licensed data.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

BUILDS = {
    "outcomes": "outcomes --data houses/val_unseen@2 --most 12",
    "fidelity": "fidelity --data houses/val_unseen@2 --cases --variant as-is --max-episodes 6",
    "tours": "tours --data houses-terse/val_unseen@2 --cases --max-tours 1 --max-episodes 4",
    "behavior": "behavior --data houses/val_unseen@2 --most 4",
    "environment": "environment --data houses/val_unseen@1 --paths 1",
    "nuances": "nuances --data houses/val_unseen@2 --most DC=2,LR=2",
    "errors": "errors --data houses/val_unseen@2 --limit 3",
}
AGENTS = {"follower": "follower", "noisy": "noisy:p=0.3", "random": "random"}
EXPERIMENT = """
title = "old"
validate_every = 2
save_every = 2
[data]
train = "houses/val_unseen@1"
validate = "houses/val_unseen@1"
features = "houses-views"
limit = 12
[model]
name = "rcm"
least = 1
[model.sizes]
hidden = 8
[learning]
updates = {updates}
batch = 4
max_steps = 8
"""


class Maker:
    """Runs the old code in the folder."""

    def __init__(self, folder: Path, source: Path) -> None:
        """Take the folder, and the code that fills it."""
        self.folder = folder
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(source),
            "OMP_NUM_THREADS": "1",
            "VLNSCOPE_CACHE": str(folder / "cache"),
        }

    def command(self, arguments: str) -> list[str]:
        """Return how the old code is called: by its entry point, wherever that lies."""
        start = (
            "from importlib.metadata import entry_points\n"
            "next(e for e in entry_points(group='console_scripts') if e.name == 'vlnscope').load()()"
        )
        return [sys.executable, "-c", start, *arguments.split()]

    def call(self, arguments: str) -> None:
        """Run a command of the old code; errors end the making."""
        done = subprocess.run(
            self.command(arguments),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"vlnscope {arguments}\n{done.stderr}")

    def make(self, sample: Path) -> None:
        """Make everything."""
        shutil.copy(sample / "predictions" / "walker.json", self.folder / "walker.json")
        for name, build in BUILDS.items():
            self.call(f"build {build} --out cases/{name}")
            for agent, spec in AGENTS.items():
                if name != "environment" or agent == "noisy":
                    self.call(f"run {spec} --cases cases/{name} --out runs/{name}-{agent}")
        self.call("run follower --data houses/val_unseen@2 --limit 8 --out runs/plain")
        for shard in (1, 2):
            self.call(
                f"run noisy --data houses/val_unseen@2 --limit 8 --shard {shard}/2 --out runs/shard{shard}"
            )
        self.call("run follower --cases cases/outcomes --out runs/whole")
        shutil.copytree(self.folder / "runs" / "whole", self.folder / "runs" / "killed")
        self.cut(self.folder / "runs" / "killed")
        self.call("report runs/outcomes-follower runs/outcomes-random --out report")
        self.call("diagnose noisy random --quick --only outcomes --only behavior --workers 1 --out diagnosis")
        self.call("houses generate --count 2 --glb --out houses")
        for suffix in ("json", "jsonl", "parquet"):
            self.call(f"compare runs/outcomes-follower runs/outcomes-random --out results/compared.{suffix}")
            gap = "explain-gap walker.json --data sample/demo --against-profile hamt"
            self.call(f"{gap} --out results/gap.{suffix}")
        for suffix in ("jsonl", "parquet"):
            self.call(f"score walker.json --data sample/demo --per-episode results/scores.{suffix}")
        self.call("convert walker.json results/evidence.jsonl --to evidence")
        self.call("audit sample/demo --out results/audit")
        for name, updates in {"trained": 4, "stopped": 60}.items():
            (self.folder / f"{name}.toml").write_text(EXPERIMENT.format(updates=updates))
        self.call("train trained.toml --out training/trained")
        self.kill("train stopped.toml --out training/stopped", self.folder / "training/stopped/last.pt")

    def kill(self, arguments: str, file: Path) -> None:
        """Run a command of the old code and kill it as soon as a file is there."""
        silent = subprocess.DEVNULL
        with subprocess.Popen(
            self.command(arguments), cwd=self.folder, env=self.environment, stdout=silent, stderr=silent
        ) as process:
            while process.poll() is None and not file.exists():
                time.sleep(0.02)
            process.kill()

    def cut(self, run: Path) -> None:
        """Leave a run as a kill does: some lines, the last one cut off, and no end."""
        lines = (run / "evidence.jsonl").read_bytes().splitlines(keepends=True)
        (run / "evidence.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
        record = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps(record | {"finished": None}, indent=2))


def main() -> None:
    """Do what the arguments say."""
    options = argparse.ArgumentParser(description="Make one example of every kind of file.")
    options.add_argument("folder", type=Path)
    options.add_argument("--source", type=Path, required=True, help="folder that holds the package vlnscope")
    asked = options.parse_args()
    folder = asked.folder.resolve()
    for part in ("cases", "runs", "results", "training"):
        (folder / part).mkdir(parents=True)
    Maker(folder, asked.source.resolve()).make(asked.source.resolve() / "vlnscope" / "sample")


if __name__ == "__main__":
    main()
