"""Computes digests of what vlnscope does, and compares them with those that were kept before a change.

    python tools/freeze.py                    compare everything with tests/frozen/digests.json
    python tools/freeze.py --part houses      only this part (may be repeated)
    python tools/freeze.py --only runs/tours  only the tasks whose names begin so (may be repeated)
    python tools/freeze.py --list             list the tasks
    python tools/freeze.py --write            keep what is found as the new truth
    python tools/freeze.py --keep DIR         also write what each digest was made of, to compare by eye

Modules may be moved, renamed and joined without changing a digest: everything is done through the command
line (`python -m vlnscope`) and through the names of `import vlnscope`. A difference is printed by its key,
which says where it is; exit code 1 if there is one.

Left out are times, versions, revisions, machines, and the folders that files lie in. Everything else counts
to the last digit, the order of members in JSON included. All commands run with one thread for linear algebra,
so digests do not depend on load. Probabilities and weights of learned models depend on the processor and on
torch in their last digits: digests under `weights/` and of `hamt-houses` can be compared on one machine
only. If it is another one than that of the kept file, this is said.

The part `houses` starts with an empty cache, so that it makes what it looks at. The others take the cache of
the user: with a warm one they are faster.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
KEPT = HERE / "tests" / "frozen" / "digests.json"
DATA = Path(os.environ.get("VLNSCOPE_FREEZE_DATA", HERE.parent / "shared" / "data"))
SAMPLE = HERE / "src" / "vlnscope" / "sample"
EVERYWHERE, WITH_DATA = "everywhere", "with data"

LEFT_OUT = {
    "seconds", "episodes_per_second", "started", "finished", "machine", "revision", "vlnscope", "run with",
    "python", "numpy", "system", "processors",
}  # fmt: skip
"""Members of JSON objects that say when, where and by which version something was made."""
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass
class Found:
    """The digests found so far, and where to keep what they were made of."""

    keep: Path | None
    digests: dict[str, dict[str, str]] = field(default_factory=lambda: {EVERYWHERE: {}, WITH_DATA: {}})
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, key: str, content: bytes, *, needs_data: bool) -> None:
        """Take the digest of something under a key that nothing else has."""
        with self.lock:
            section = self.digests[WITH_DATA if needs_data else EVERYWHERE]
            if key in section:
                raise ValueError(f"two things are called {key}")
            section[key] = hashlib.sha256(content).hexdigest()[:16]
        if self.keep:
            path = self.keep / key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


@dataclass(frozen=True)
class Bench:
    """A folder in which commands are run for one task, and which hands over what they make.

    Attributes:
        name: of the task; its keys begin with it.
        folder: where commands are run.
        cache: the cache folder; that of the user if None.
        needs_data: whether the task needs the data folder.
        found: what takes the digests.
    """

    name: str
    folder: Path
    cache: Path | None
    needs_data: bool
    found: Found

    def environment(self) -> dict[str, str]:
        """Return the variables that commands are run with."""
        chosen = {name: value for name, value in os.environ.items() if name != "VLNSCOPE_DATA"}
        chosen |= dict.fromkeys(ONE_THREAD, "1")
        chosen |= {"PYTHONPATH": str(HERE / "src"), "COLUMNS": "120", "NO_COLOR": "1", "TZ": "UTC"}
        if self.cache:
            chosen["VLNSCOPE_CACHE"] = str(self.cache)
        return chosen

    def call(self, *arguments: str | Path, given: str = "") -> tuple[int, str]:
        """Run a vlnscope command here; return its exit code and what it printed."""
        command = [sys.executable, "-m", "vlnscope", *map(str, arguments)]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(),
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(
                f"{self.name}: vlnscope {' '.join(map(str, arguments))}\n{done.stderr[-2000:]}"
            )
        return done.returncode, done.stdout

    def add(self, key: str, content: bytes | str) -> None:
        """Hand over something, with the names of folders put away."""
        text = content.encode() if isinstance(content, str) else content
        for path, name in ((self.folder, "FOLDER"), (DATA, "DATA"), (HERE, "HERE")):
            text = text.replace(str(path).encode(), name.encode())
        self.found.add(f"{self.name}/{key}" if key else self.name, text, needs_data=self.needs_data)

    def add_json(self, key: str, value: Any) -> None:
        """Hand over a JSON value without what differs from run to run."""
        self.add(key, as_text(scrubbed(value)))

    def add_lines(self, key: str, path: Path) -> None:
        """Hand over a file of JSON lines, sorted: the order in which cases are finished means nothing."""
        lines = [as_text(scrubbed(json.loads(line)), None) for line in read(path).splitlines()]
        self.add(key, "\n".join(sorted(lines)))

    def add_command(self, key: str, *arguments: str | Path, given: str = "") -> Any:
        """Run a command with ``--json``; hand over what it prints, and its exit code; return the former."""
        code, printed = self.call(*arguments, "--json", given=given)
        value = json.loads(printed)
        self.add_json(key, {"exit code": code, "printed": value})
        return value

    def add_folder(self, key: str, folder: Path) -> None:
        """Hand over every file of a folder, each under its name, by what it holds."""
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name not in ("run.lock", "card.md"):
                self.add_file(f"{key}/{path.relative_to(folder)}".lstrip("/"), path)

    def add_file(self, key: str, path: Path) -> None:
        """Hand over a file by what it holds."""
        name = path.name.removesuffix(".gz")
        if name == "run.json":
            record = json.loads(read(path))
            self.add_json(key, {member: record[member] for member in record if member != "config"})
        elif name == "findings.json":
            self.add_findings(key, json.loads(read(path)))
        elif name.endswith(".json"):
            self.add_json(key, json.loads(read(path)))
        elif name.endswith(".jsonl"):
            self.add_lines(key, path)
        elif name.endswith(".parquet"):
            self.add(key, rows_of(path))
        elif name.endswith(".png"):
            self.add(key, pixels_of(path))
        elif name.endswith(".html"):
            self.add_page(key, path.read_text())
        else:
            self.add(key, path.read_bytes())

    def add_findings(self, key: str, findings: dict[str, Any]) -> None:
        """Hand over findings, each benchmark and each other member on its own."""
        for member, value in findings.items():
            if member != "findings":
                self.add_json(f"{key}/{member}", value)
        for number, part in enumerate(findings["findings"]):
            for member, value in part.items():
                self.add_json(f"{key}/{number}-{part['benchmark']}/{member}", value)

    def add_page(self, key: str, page: str) -> None:
        """Hand over the data blocks of a page, packed ones unpacked, and no styles or scripts."""
        blocks = re.findall(r"<script([^>]*\bid=\"([^\"]+)\"[^>]*)>(.*?)</script>", page, re.DOTALL)
        for attributes, name, text in blocks:
            if "data-packed" in attributes:
                self.add_json(f"{key}/{name}", json.loads(gzip.decompress(base64.b64decode(text))))
            elif "application/json" in attributes:
                self.add_json(f"{key}/{name}", json.loads(text))


def scrubbed(value: Any) -> Any:
    """Return a JSON value without the members that are left out."""
    if isinstance(value, dict):
        return {name: scrubbed(part) for name, part in value.items() if name not in LEFT_OUT}
    return [scrubbed(part) for part in value] if isinstance(value, list) else value


def as_text(value: Any, indent: int | None = 1) -> str:
    """Return a JSON value as text, numbers to the last digit."""
    return json.dumps(value, indent=indent, ensure_ascii=False)


def read(path: Path) -> bytes:
    """Return what a file holds, unpacked if it is gzip."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def rows_of(path: Path) -> str:
    """Return the columns of a Parquet file, their types and its rows."""
    import duckdb

    found = duckdb.connect().execute("select * from read_parquet(?)", [str(path)])
    columns = [(name, str(kind)) for name, kind, *_ in found.description or ()]
    return "\n".join([repr(columns), *map(repr, found.fetchall())])


def pixels_of(path: Path) -> bytes:
    """Return the size and the pixels of a picture."""
    from PIL import Image

    with Image.open(path) as picture:
        return repr((picture.size, picture.mode)).encode() + picture.tobytes()


def tensors_of(path: Path) -> dict[str, bytes]:
    """Return the tensors of a checkpoint by name, each as type, shape and bytes."""
    import torch

    found: dict[str, bytes] = {}

    def walk(value: Any, name: str) -> None:
        if isinstance(value, torch.Tensor):
            kind = f"{value.dtype} {tuple(value.shape)} ".encode()
            found[name] = kind + value.detach().contiguous().numpy().tobytes()
        elif isinstance(value, dict):
            for key, part in value.items():
                walk(part, f"{name}.{key}" if name else str(key))

    walk(torch.load(path, weights_only=True, map_location="cpu"), "")
    return found


# ------------------------------------------------------------------------------------------------------ tasks


@dataclass(frozen=True)
class Task:
    """Something to do on a bench; `name` begins with the part that it belongs to."""

    name: str
    do: Callable[[Bench], None]
    needs_data: bool = False

    @property
    def part(self) -> str:
        """The part that it belongs to."""
        return self.name.split("/")[0]


HOUSES = {"train": "train@20", "val_unseen": "val_unseen@20", "fresh": "fresh@20+777"}
"""The houses that are looked at, by split."""
WORDED = {"train": "train@6", "val_unseen": "val_unseen@6", "fresh": "fresh@6+777"}
"""Those whose instructions are read."""
REWORDED = {"train": "train@2", "val_unseen": "val_unseen@2", "fresh": "fresh@2+777"}
"""Those whose instructions are read in all registers."""
SHOWN = ("house-00003", "house-40001", "house-140778")


def house_tasks() -> Iterable[Task]:
    """Houses: plan, graph, rooms, objects, mesh, pictures, words, each house on its own."""
    for split, chosen in HOUSES.items():
        yield Task(f"houses/words-rxr/{split}", _words("houses-rxr", REWORDED[split]))
        yield Task(f"houses/words/{split}", _words("houses", WORDED[split]))
        yield Task(f"houses/files/{split}", _house_files(split, chosen))
        yield Task(f"houses/seen/{split}", _seen(chosen))
        yield Task(f"houses/words-terse/{split}", _words("houses-terse", REWORDED[split]))
    for house in SHOWN:
        yield Task(f"houses/pictures/{house}", _pictures(house))
    yield Task("houses/import", _import)


def _house_files(split: str, chosen: str) -> Callable[[Bench], None]:
    count, _, skipped = chosen.partition("@")[2].partition("+")

    def do(bench: Bench) -> None:
        seed = ("--seed", skipped) if skipped else ()
        bench.call("houses", "generate", "--split", split, "--count", count, *seed, "--glb", "--out", "made")
        bench.add_folder("", bench.folder / "made")

    return do


def _words(dataset: str, chosen: str) -> Callable[[Bench], None]:
    def do(bench: Bench) -> None:
        if dataset == "houses-rxr":
            dropped = "chunks,distance,instruction_index"
            bench.call("convert", f"{dataset}/{chosen}", "e.jsonl", "--to", "rxr-episodes", "--drop", dropped)
            records = [json.loads(line) for line in (bench.folder / "e.jsonl").read_text().splitlines()]
        else:
            bench.call("convert", f"{dataset}/{chosen}", "e.json", "--to", "fgr2r-episodes")
            records = json.loads((bench.folder / "e.json").read_text())
        for house in sorted({record["scan"] for record in records}):
            bench.add_json(house, [record for record in records if record["scan"] == house])

    return do


def _seen(chosen: str) -> Callable[[Bench], None]:
    def do(bench: Bench) -> None:
        command = [sys.executable, __file__, "--scenes", f"houses/{chosen}"]
        done = subprocess.run(
            command, cwd=bench.folder, env=bench.environment(), capture_output=True, text=True, check=True
        )
        for house, layers in json.loads(done.stdout).items():
            for layer, value in layers.items():
                bench.add_json(f"{house}/{layer}", value)

    return do


def print_scenes(name: str) -> None:
    """Print what `vlnscope.open_dataset` says of the scenes of a data set: graph, rooms, objects in sight."""
    import msgspec

    import vlnscope

    scenes = vlnscope.open_dataset(name).scenes
    assert scenes is not None
    found = {}
    for scan in scenes.scans():
        scene = scenes.scene(scan)
        graph, regions, objects = scene.graph, scene.regions, scene.objects
        assert regions is not None
        assert objects is not None
        found[scan] = {
            "graph": {
                "nodes": list(graph.nodes),
                "positions": graph.positions.tolist(),
                "ways": graph.adjacency.astype(int).tolist(),
            },
            "rooms": {node: regions.label(node) for node in graph.nodes},
            "objects": {node: msgspec.to_builtins(objects.at(node)) for node in graph.nodes},
        }
    print(as_text(found, None))


def _pictures(house: str) -> Callable[[Bench], None]:
    def do(bench: Bench) -> None:
        bench.call("houses", "show", house, "--paths", "2", "--viewpoints", "8", "--out", "look")
        bench.add_folder("show", bench.folder / "look")
        for register in ("r2r", "terse", "rxr"):
            bench.add_command(f"describe-{register}", "houses", "describe", house, "--register", register)

    return do


def _import(bench: Bench) -> None:
    bench.call("houses", "generate", "--split", "fresh", "--seed", "5", "--count", "1", "--out", "made")
    plan = next((bench.folder / "made" / "plans").iterdir())
    bench.call("houses", "import", plan, "--glb", "--out", "same")
    bench.add_folder("same", bench.folder / "same")
    empty = json.loads(plan.read_text())
    empty["items"] = []
    (bench.folder / "empty.json").write_text(json.dumps(empty))
    bench.call("houses", "import", "empty.json", "--furnish", "--seed", "3", "--out", "furnished")
    bench.add_folder("furnished", bench.folder / "furnished")


# ------------------------------------------------------------------------------------------------------- main


def tasks() -> list[Task]:
    """Return all tasks, those of one part after the other."""
    return [*house_tasks()]


def machine() -> dict[str, str]:
    """Return what the last digits of learned models depend on."""
    found = {"processor": platform.machine()}
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = re.findall(r"model name\s*: (.*)", info.read_text())
        found["processor"] = names[0] if names else found["processor"]
    for name in ("numpy", "scipy", "torch", "embreex", "shapely"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


def carry_out(chosen: Sequence[Task], found: Found, workers: int) -> dict[str, str]:
    """Do the tasks, several at a time; return what went wrong, by task."""
    wrong: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="vlnscope-freeze-") as folder:

        def one(task: Task) -> None:
            place = Path(folder).resolve() / task.name
            place.mkdir(parents=True)
            cache = Path(folder) / "cache" if task.part == "houses" else None
            begun = time.monotonic()
            try:
                task.do(Bench(task.name, place, cache, task.needs_data, found))
            except Exception as error:
                wrong[task.name] = f"{type(error).__name__}: {error}"
            if os.environ.get("VLNSCOPE_FREEZE_TIMES"):
                print(f"{time.monotonic() - begun:6.1f} s  {task.name}", flush=True)

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(one, chosen))
    return wrong


def kept_digests() -> dict[str, dict[str, str]]:
    """Return the digests that were kept."""
    if not KEPT.exists():
        return {EVERYWHERE: {}, WITH_DATA: {}, "machine": {}}
    read_file: dict[str, dict[str, str]] = json.loads(KEPT.read_text())
    return read_file


def of_tasks(digests: dict[str, str], chosen: Iterable[Task]) -> dict[str, str]:
    """Return the digests whose keys belong to these tasks."""
    names = tuple(task.name for task in chosen)
    return {
        key: value
        for key, value in digests.items()
        if any(key == name or key.startswith(name + "/") for name in names)
    }


def differences(kept: dict[str, str], found: dict[str, str]) -> list[str]:
    """Return a line for each key that differs."""
    lines = []
    for key in sorted(kept.keys() | found.keys()):
        if key not in found:
            lines.append(f"missing  {key}")
        elif key not in kept:
            lines.append(f"new      {key}")
        elif kept[key] != found[key]:
            lines.append(f"differs  {key}")
    return lines


def write(found: Found, chosen: Sequence[Task]) -> None:
    """Keep what was found of these tasks, and what is kept of others."""
    everything: dict[str, dict[str, str]] = {"machine": machine()}
    for section, old in kept_digests().items():
        if section == "machine":
            continue
        others = old.keys() - of_tasks(old, chosen).keys()
        everything[section] = {key: old[key] for key in others} | found.digests[section]
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(everything, indent=1, sort_keys=True) + "\n")


def main() -> int:
    """Do what the arguments say."""
    options = argparse.ArgumentParser(description="Compare what vlnscope does with what it did.")
    options.add_argument("--part", action="append", default=[], help="only this part")
    options.add_argument("--only", action="append", default=[], help="only tasks whose names begin so")
    options.add_argument("--list", action="store_true", help="list the tasks")
    options.add_argument("--write", action="store_true", help="keep what is found")
    options.add_argument("--keep", type=Path, help="folder for what each digest was made of")
    options.add_argument("--workers", type=int, default=2, help="how many tasks at a time")
    options.add_argument("--scenes", help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.scenes:
        print_scenes(asked.scenes)
        return 0
    everything = tasks()
    parts = {task.part for task in everything}
    if unknown := set(asked.part) - parts:
        options.error(f"no such part: {', '.join(unknown)}; there are {', '.join(sorted(parts))}")
    chosen = [
        task
        for task in everything
        if (not asked.part or task.part in asked.part)
        and (not asked.only or task.name.startswith(tuple(asked.only)))
    ]
    if asked.list:
        print("\n".join(f"{task.name}{'  (needs data)' if task.needs_data else ''}" for task in chosen))
        return 0
    doable = [task for task in chosen if DATA.is_dir() or not task.needs_data]
    if len(doable) < len(chosen):
        print(f"skipped {len(chosen) - len(doable)} tasks: there is no {DATA}")
    begun = time.monotonic()
    found = Found(asked.keep)
    wrong = carry_out(doable, found, asked.workers)
    for name, reason in sorted(wrong.items()):
        print(f"failed   {name}: {reason}")
    count = sum(map(len, found.digests.values()))
    took = time.monotonic() - begun
    if asked.write and not wrong:
        write(found, doable)
        print(f"{count} digests kept, {took:.0f} s")
        return 0
    kept = kept_digests()
    lines = [
        line
        for section in (EVERYWHERE, WITH_DATA)
        for line in differences(of_tasks(kept[section], doable), found.digests[section])
    ]
    print("\n".join(lines), end="\n" if lines else "")
    if lines and kept["machine"] != machine():
        print(f"the kept digests come from another machine: {kept['machine']}, here {machine()}")
    print(f"{count} digests, {len(lines)} differ, {len(wrong)} tasks failed, {took:.0f} s")
    return 1 if lines or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
