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
import csv
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
    "python", "numpy", "system", "processors", "growth", "action_space",
}  # fmt: skip
"""Members of JSON objects that say when, where and by which version something was made, or how fast.

``action_space`` is in ``run.json`` since runs record it, and nothing else of these files has changed.
"""
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
    """Return the tensors of each member of a checkpoint: names, types, shapes and bytes."""
    import torch

    found: dict[str, bytes] = {}

    def walk(value: Any, name: str) -> None:
        if isinstance(value, torch.Tensor):
            kind = f"{name} {value.dtype} {tuple(value.shape)}\n".encode()
            member = name.partition(".")[0]
            content = kind + value.detach().contiguous().numpy().tobytes()
            found[member] = found.get(member, b"") + content
        elif isinstance(value, dict):
            for key, part in value.items():
                walk(part, f"{name}.{key}" if name else str(key))

    walk(torch.load(path, weights_only=True, map_location="cpu"), "")
    return found


# ---------------------------------------------------------------------------------------------------- tasks


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


# ----------------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class Asked:
    """Cases to build, agents to run on them, and whether to report on the runs.

    Attributes:
        build: the arguments of ``build``, with the benchmark first.
        agents: what is run, each by a name.
        arguments: further ones of ``run``.
    """

    build: str
    agents: Sequence[str] = ()
    arguments: str = ""


ASKED = {
    "outcomes": Asked(
        "outcomes --data houses/val_unseen@3 --most 24",
        ("random", "forward", "stop", "shortest", "noisy:p=0.3", "follower", "hamt-houses"),
    ),
    "fidelity": Asked(
        "fidelity --data houses/val_unseen@2 --cases --max-episodes 12",
        ("noisy:p=0.2,follow=reference", "follower", "random", "hamt-houses"),
    ),
    "fidelity-r6r": Asked("fidelity --data houses/val_unseen@2 --variant r6r --max-paths 50 --seed 4"),
    "fidelity-r8r": Asked(
        "fidelity --data houses/val_unseen@2 --variant r8r --max-paths 20 --max-instructions 2 --operator <"
    ),
    "fidelity-as-is": Asked(
        "fidelity --data houses/val_unseen@2 --variant as-is --cases --ablations full,none --max-episodes 10",
        ("forward",),
        "--sample --seed 5 --log all",
    ),
    "tours": Asked(
        "tours --data houses-terse/val_unseen@3 --cases --max-tours 1 --max-episodes 6 --max-steps 25",
        ("follower", "follower:memory=no", "noisy", "random"),
    ),
    "tours-seen": Asked(
        "tours --data houses/val_unseen@2 --legs start-to-start --coverage viewpoints --joined r4r --cases "
        "--oracle ivln --memory kept --max-tours 2 --max-episodes 4 --seed 2",
        ("noisy",),
    ),
    "behavior": Asked(
        "behavior --data houses/val_unseen@2 --most 6", ("follower", "forward", "hamt-houses", "random")
    ),
    "behavior-released": Asked(
        "behavior --data houses/val_unseen@2 --truncations all --filters legacy --templates released "
        "--facing exact --one-hop-stop --most 5 --seed 3",
        ("follower",),
    ),
    "behavior-rooms": Asked(
        "behavior --data houses/val_unseen@2 --skill room-k --hops 1 --hops 3 --hop-rule exactly --most 8",
        ("follower",),
    ),
    "environment": Asked("environment --data houses/val_unseen@1 --paths 2", ("follower", "noisy")),
    "nuances": Asked(
        "nuances --data houses/nuances@4 --most DC=4,LR=4", ("random", "follower", "hamt-houses")
    ),
    "nuances-plain": Asked("nuances --data houses/val_unseen@3 --no-paraphrase --categories DC,RR --seed 2"),
    "errors": Asked("errors --data houses/val_unseen@3 --limit 6", ("follower", "noisy")),
    "errors-other": Asked(
        "errors --data houses/val_unseen@3 --type attribute --type ordinal --type vertical --type order "
        "--no-common-sense --priors houses --matching substring --limit 6 --seed 1",
        ("follower",),
    ),
}
ASKED_OF_DATA = {
    "outcomes": Asked("outcomes --data r2r/val_unseen --most 60", ("captions", "random", "noisy")),
    "fidelity-r4r": Asked("fidelity --data r2r/val_unseen"),
    "fidelity-2019": Asked("fidelity --data r2r/val_seen --operator < --near 2.5"),
    "fidelity": Asked(
        "fidelity --data r2r/val_unseen --cases --variant as-is --max-episodes 20", ("captions", "noisy")
    ),
    "tours": Asked(
        "tours --data r2r/val_unseen --cases --max-tours 1 --max-episodes 5", ("captions", "random")
    ),
    "behavior": Asked("behavior --data fgr2r/val_unseen --most 8", ("captions", "forward")),
    "nuances": Asked("nuances --data r2r/val_unseen --most DC=2,LR=2", ("captions", "random")),
    "errors": Asked("errors --data r2r-ce/val_unseen --limit 8 --files", ("captions",)),
}


def run_tasks() -> Iterable[Task]:
    """Runs: cases, evidence, scores and findings of every benchmark."""
    for name, asked in ASKED.items():
        yield Task(f"runs/houses/{name}", _asked(asked))
    yield Task("runs/ways", _ways_to_run)
    for name, asked in ASKED_OF_DATA.items():
        yield Task(f"runs/data/{name}", _asked(asked), needs_data=True)
    yield Task("runs/data/episodes", _episodes_of_data, needs_data=True)


def _asked(asked: Asked) -> Callable[[Bench], None]:
    def do(bench: Bench) -> None:
        root = ("--root", DATA) if bench.needs_data else ()
        bench.call("build", *asked.build.split(), *root, "--out", "cases")
        bench.add_folder("cases", bench.folder / "cases")
        runs = []
        for number, agent in enumerate(asked.agents):
            run = f"runs/{number}-{agent.partition(':')[0]}"
            bench.call("run", agent, "--cases", "cases", *root, *asked.arguments.split(), "--out", run)
            _add_run(bench, run)
            runs.append(run)
        if runs:
            bench.add_command("said", "report", *runs, *root, "--out", "report", "--format", "md")
            bench.add_folder("report", bench.folder / "report")

    return do


def _add_run(bench: Bench, run: str) -> None:
    for name in ("evidence.jsonl", "run.json", "tour_log.json"):
        if (path := bench.folder / run / name).exists():
            bench.add_file(f"{run}/{name}", path)


def _ways_to_run(bench: Bench) -> None:
    """Data sets as they are, tour files, shards, processes, drawing, resuming."""
    data = ("--data", "houses/val_unseen@2", "--limit", "12")
    ways = {
        "plain": (),
        "processes": ("--workers", "2"),
        "drawn": ("--sample", "--seed", "7", "--log", "all", "--max-steps", "6"),
        "shard-1": ("--shard", "1/2"),
        "shard-2": ("--shard", "2/2"),
    }
    for name, arguments in ways.items():
        bench.call("run", "follower", *data, *arguments, "--out", name)
        _add_run(bench, name)
    bench.call("merge", "shard-2", "shard-1", "--out", "merged")
    _add_run(bench, "merged")
    evidence = bench.folder / "plain" / "evidence.jsonl"
    evidence.write_bytes(b"".join(evidence.read_bytes().splitlines(keepends=True)[:5])[:-20])
    record = json.loads((bench.folder / "plain" / "run.json").read_text())
    (bench.folder / "plain" / "run.json").write_text(json.dumps(record | {"finished": None}))
    bench.call("run", "follower", *data, "--resume", "--out", "plain")
    bench.add_lines("resumed", evidence)
    bench.call("build", "tours", "--data", "houses/val_unseen@2", "--out", "tours")
    tours = ("--tours", "tours/tours_iVLN.json", "--data", "houses/val_unseen@2", "--limit", "2")
    for oracle in ("whole", "ivln"):
        bench.call("run", "noisy:p=0.2", *tours, "--oracle", oracle, "--out", f"tour-{oracle}")
        _add_run(bench, f"tour-{oracle}")
    bench.call("convert", "merged", "replayed.json", "--to", "r2r", "--drop", "stopped")
    bench.add_file("replayed.json", bench.folder / "replayed.json")
    bench.call("run", "replay:file=replayed.json", *data, "--out", "replay")
    bench.add_lines("replay", bench.folder / "replay" / "evidence.jsonl")


def _episodes_of_data(bench: Bench) -> None:
    for data, agents in {
        "r2r/val_unseen": ("captions", "random:protocol=mattersim", "forward", "stop"),
        "fgr2r/val_seen": ("captions", "noisy:p=0.5"),
        "reverie/val_unseen": ("shortest",),
    }.items():
        for agent in agents:
            name = f"{data.replace('/', '-')}-{agent.partition(':')[0]}"
            bench.call("run", agent, "--data", data, "--root", DATA, "--limit", "60", "--out", name)
            _add_run(bench, name)


# ----------------------------------------------------------------------------------------------------- json

WALKER = SAMPLE / "predictions" / "walker.json"
PROFILES = (
    "default", "google", "hamt", "ivln", "ivln-ce", "paper", "r2r-server", "r2rie", "valan", "vlnce",
    "vlnce-straight", "all",
)  # fmt: skip
KINDS = ("kinds", "metrics", "profiles", "formats", "datasets", "agents", "benchmarks", "detectors")
SENTENCES = (
    "Turn left at the red sofa and walk past the two chairs on your right.",
    "Walk past the kitchen and go upstairs. Wait by the second door on the right.",
    "Exit the bedroom, hang a sharp right, then head down the hallway until you reach the frobnicator.",
    "With the window behind you, go between the table and the couch; stop just before the third step.",
)
PREVALENT = "agent_predictions/PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
SHORTEST = "agent_predictions/matterport3dsim_val_unseen_shortest_agent.json.gz"


def json_tasks() -> Iterable[Task]:
    """What commands print as JSON, on the sample and on real data."""
    yield Task("json/score", _score_sample)
    yield Task("json/sample", _commands_on_sample)
    yield Task("json/ls", _lists)
    yield Task("json/language", _language)
    yield Task("json/check", _checks)
    yield Task("json/stats", _house_statistics)
    yield Task("json/detect", _detection)
    yield Task("json/data/score", _score_data, needs_data=True)
    yield Task("json/data/continuous", _continuous, needs_data=True)
    yield Task("json/data/other", _commands_on_data, needs_data=True)
    yield Task("json/data/language", _language_of_data, needs_data=True)


def _score_sample(bench: Bench) -> None:
    for profile in PROFILES:
        score = ("score", WALKER, "--data", "sample/demo", "--profile", profile)
        code, printed = _tried(bench, *score, "--json")
        bench.add(f"profile-{profile}", f"{code}\n{printed}")
    for interval in ("percentile", "studentised"):
        bench.add_command(
            f"interval-{interval}", "score", WALKER, "--data", "sample/demo", "--interval", interval,
            "--resamples", "200",
        )  # fmt: skip
    for name in ("rows.parquet", "rows.jsonl"):
        bench.call("score", WALKER, "--data", "sample/demo", "--per-episode", name)
        bench.add_file(name, bench.folder / name)
    bench.call("build", "tours", "--data", "sample/demo", "--out", "tours")
    for profile in ("default", "paper", "ivln"):
        bench.add_command(
            f"tours-{profile}", "score", WALKER, "--data", "sample/demo", "--profile", profile,
            "--tours", "tours/tours_iVLN.json",
        )  # fmt: skip
    bench.add("printed", bench.call("score", WALKER, "--data", "sample/demo")[1])


def _tried(bench: Bench, *arguments: str | Path) -> tuple[int, str]:
    """Run a command that may refuse; the refusal counts as what it prints."""
    try:
        return bench.call(*arguments)
    except RuntimeError as error:
        return 2, str(error).partition("\n")[2]


def _commands_on_sample(bench: Bench) -> None:
    sample = ("--data", "sample/demo")
    bench.call("run", "noisy:p=0.2", *sample, "--out", "noisy")
    bench.call("run", "random", *sample, "--out", "random")
    bench.add_command("check", "check", WALKER, *sample)
    bench.add_command("compare", "compare", WALKER, "noisy", "random", *sample)
    bench.add_command(
        "compare-against", "compare", WALKER, "noisy", "random", *sample, "--against", "random",
        "--metric", "SPL,CLS", "--correction", "benjamini-hochberg", "--interval", "studentised",
        "--resamples", "200", "--out", "compared.jsonl",
    )  # fmt: skip
    bench.add_file("compared.jsonl", bench.folder / "compared.jsonl")
    bench.add_command("gap", "explain-gap", WALKER, "noisy", *sample)
    bench.add_command(
        "gap-profiles", "explain-gap", WALKER, *sample, "--against-profile", "hamt", "--out", "gap.parquet"
    )
    bench.add_file("gap.parquet", bench.folder / "gap.parquet")
    bench.add_command("gap-claimed", "explain-gap", WALKER, *sample, "--claimed", "SPL=56.05,SR=60.2")
    published = bench.call("explain-gap", WALKER, *sample, "--list-published")[1]
    bench.add("gap-published", published)
    bench.add_command("audit", "audit", "sample/demo", "--out", "audit")
    bench.add_folder("audit-files", bench.folder / "audit")
    bench.add_command("report", "report", WALKER, "noisy=noisy", *sample, "--baseline", "noisy", "--out", "r")
    bench.add_folder("report-files", bench.folder / "r")
    for target in ("evidence", "r2r", "r2r-by-id", "rxr", "reverie"):
        name = f"{target}.jsonl" if target in ("evidence", "rxr") else f"{target}.json"
        dropped = ("--drop", "headings,elevations") if target == "rxr" else ()
        code, printed = _tried(bench, "convert", WALKER, name, "--to", target, *dropped, "--json")
        bench.add(f"convert-{target}", f"{code}\n{printed}")
        if (made := bench.folder / name).exists():
            bench.add(f"converted-{target}", made.read_bytes())
    bench.call("convert", "sample/demo", "e.json", "--to", "r2r-episodes")
    bench.add_file("converted-episodes", bench.folder / "e.json")
    broken = json.loads(WALKER.read_text())
    longest = max(broken, key=lambda record: len(record["trajectory"]))
    longest["trajectory"] = longest["trajectory"][::2]
    (bench.folder / "broken.json").write_text(json.dumps([*broken[:40], longest]))
    bench.add_command("check-broken", "check", "broken.json", *sample)
    bench.add_command("score-partial", "score", "broken.json", *sample, "--partial")
    code, printed = _tried(bench, "score", "broken.json", *sample)
    bench.add("score-refused", f"{code}\n{printed}")


def _lists(bench: Bench) -> None:
    for kind in KINDS:
        bench.add_command(kind, "ls", kind)
        for entry in json.loads(bench.call("ls", kind, "--json")[1]).get(kind, ()):
            if kind in ("metrics", "profiles", "benchmarks"):
                bench.add_command(f"{kind}-{entry['name']}", "ls", kind, entry["name"])
    bench.add_command("features", "features", "ls")
    found = json.loads(bench.call("doctor", "--json")[1])
    told = {"self-test": "seen", "data sample": "seen", "data houses": "seen"}
    plain = [
        {"subject": each["subject"], "state": each["state"], "seen": each[told[each["subject"]]]}
        for each in found["diagnoses"]
        if each["subject"] in told
    ]
    bench.add_json("doctor", {"ok": found["ok"], "diagnoses": plain})


def _language(bench: Bench) -> None:
    for number, sentence in enumerate(SENTENCES):
        bench.add_command(f"parse-{number}", "parse", sentence)
    bench.add_command("grammar", "grammar", "show")
    bench.add_command("cover", "grammar", "cover", "--data", "houses/val_unseen@2")
    bench.add_command("cover-rxr", "grammar", "cover", "--data", "houses-rxr/val_unseen@1")
    bench.add_command(
        "build", "grammar", "build", "--data", "sample/demo", "--check", "sample/demo", "--accept-all",
        "--rounds", "1", "--least", "1", "--out", "rounds",
    )  # fmt: skip
    bench.add_folder("rounds", bench.folder / "rounds")


def _checks(bench: Bench) -> None:
    bench.add_command("metrics", "check-metric", "--all")
    bench.add_command("metrics-google", "check-metric", "CLS", "SPL", "--profile", "hamt", "--seed", "2")
    for agent in ("random", "noisy:p=0.3", "follower", "shortest", "hamt-houses"):
        bench.add_command(f"agent-{agent}", "check-agent", agent)


def _house_statistics(bench: Bench) -> None:
    bench.add_command("houses", "houses", "stats", "--count", "12", "--split", "val_unseen", "--workers", "1")
    bench.add_command("generated", "houses", "generate", "--count", "2", "--out", "made")


def _detection(bench: Bench) -> None:
    bench.call("build", "errors", "--data", "houses/val_unseen@3", "--limit", "8", "--out", "errors")
    bench.call("run", "noisy:p=0.1", "--cases", "errors", "--out", "walks")
    for detector in ("random", "alignment", "grounding"):
        bench.add_command(
            detector, "detect", "errors", "--detector", detector, "--out", f"{detector}.parquet"
        )
        bench.add_file(f"{detector}.parquet", bench.folder / f"{detector}.parquet")
    bench.add_command("walks", "detect", "errors", "--walks", "walks")
    bench.add_command("data", "detect", "houses/val_unseen@1", "--threshold", "0.5", "--limit", "40")
    bench.add_command("audit", "audit", "houses/val_unseen@1", "--limit", "60", "--top", "5", "--out", "a")
    bench.add_folder("audit-files", bench.folder / "a")


def _score_data(bench: Bench) -> None:
    root = ("--data", "r2r/val_unseen", "--root", DATA)
    for profile in ("default", "r2r-server", "hamt", "google", "valan", "paper", "all"):
        bench.add_command(f"profile-{profile}", "score", DATA / PREVALENT, *root, "--profile", profile)
    bench.call("score", DATA / PREVALENT, *root, "--per-episode", "rows.parquet")
    bench.add_file("rows.parquet", bench.folder / "rows.parquet")


def _continuous(bench: Bench) -> None:
    """Walks in continuous space, made of those that the data set holds as the right ones."""
    folder = DATA / "r2r_ce" / "R2R_VLNCE_v1-3_preprocessed" / "val_seen"
    walks = json.loads(read(folder / "val_seen_gt.json.gz"))
    made = {
        episode: [
            {"position": place, "heading": number / 7, "stop": number == len(walk["locations"][::3]) - 1}
            for number, place in enumerate(walk["locations"][::3])
        ]
        for episode, walk in walks.items()
    }
    (bench.folder / "walks.json").write_text(json.dumps(made))
    data = ("--data", "r2r-ce/val_seen", "--root", DATA)
    for profile in ("default", "vlnce", "vlnce-straight", "r2rie"):
        bench.add_command(f"score-{profile}", "score", "walks.json", *data, "--profile", profile)
    bench.add_command("check", "check", "walks.json", *data)
    targets = {"evidence.jsonl": "evidence", "positions.json": "positions-by-id", "rxrce.jsonl": "rxrce"}
    for name, target in targets.items():
        code, printed = _tried(
            bench, "convert", "walks.json", name, "--to", target, "--drop", "headings,stopped", "--json"
        )
        bench.add(f"convert-{target}", f"{code}\n{printed}")
        if (written := bench.folder / name).exists():
            bench.add(f"converted-{target}", written.read_bytes())


def _commands_on_data(bench: Bench) -> None:
    root = ("--data", "r2r/val_unseen", "--root", DATA)
    bench.add_command("check", "check", DATA / PREVALENT, *root)
    bench.add_command("check-other", "check", DATA / PREVALENT, "--data", "r2r/val_seen", "--root", DATA)
    bench.add_command("compare", "compare", f"a={DATA / PREVALENT}", f"b={DATA / SHORTEST}", *root)
    bench.add_command("gap", "explain-gap", DATA / PREVALENT, DATA / SHORTEST, *root, "--metric", "SPL,nDTW")
    bench.add_command(
        "gap-profiles", "explain-gap", DATA / PREVALENT, *root, "--profile", "r2r-server",
        "--against-profile", "hamt",
    )  # fmt: skip
    bench.add_command("datasets", "ls", "datasets", "--root", DATA)
    bench.add_command("agent-captions", "check-agent", "captions", *root)
    for name in sorted((DATA / "agent_predictions").iterdir()):
        code, printed = _tried(bench, "convert", name, "made.jsonl", "--to", "evidence", "--json")
        bench.add(f"convert/{name.name}", f"{code}\n{printed}")
        if (made := bench.folder / "made.jsonl").exists():
            bench.add(f"converted/{name.name}", made.read_bytes())
            made.unlink()


def _language_of_data(bench: Bench) -> None:
    bench.add_command("cover", "grammar", "cover", "--data", "r2r/val_unseen", "--root", DATA)
    bench.add_command("audit", "audit", "fgr2r/val_unseen", "--limit", "60", "--top", "5", "--root", DATA)
    bench.add_command("detect", "detect", "r2r/val_seen", "--limit", "60", "--root", DATA)
    bench.add_command("stats", "houses", "stats", "--count", "4", "--workers", "1", "--root", DATA)


# ----------------------------------------------------------------------------------------------------- page


def page_tasks() -> Iterable[Task]:
    """A whole diagnosis: findings, evidence, and the data inside the page."""
    yield Task("page/houses", _diagnosis)
    yield Task("page/data", _diagnosis_of_file, needs_data=True)


def _diagnosis(bench: Bench) -> None:
    bench.call("diagnose", "follower", "noisy", "random", "--quick", "--workers", "2", "--out", "diagnosis")
    bench.add_folder("diagnosis", bench.folder / "diagnosis")
    bench.call("report", "diagnosis", "--baseline", "random", "--out", "paper", "--format", "latex")
    bench.add_folder("paper", bench.folder / "paper")


def _diagnosis_of_file(bench: Bench) -> None:
    root = ("--data", "r2r/val_unseen", "--root", DATA)
    bench.call("diagnose", f"prevalent={DATA / PREVALENT}", *root, "--quick", "--workers", "1", "--out", "d")
    bench.add_folder("diagnosis", bench.folder / "d")


# -------------------------------------------------------------------------------------------------- weights

EXPERIMENT = """
title = "frozen"
seed = 3
validate_every = 3
save_every = 3
[data]
train = "houses/val_unseen@1"
validate = "houses/val_unseen@1"
features = "houses-views"
limit = 24
[model]
name = "{model}"
least = 1
[model.sizes]
{sizes}
[learning]
updates = 4
batch = 6
max_steps = 8
rate = 1e-3
warmup = 2
average = 0.9
{learning}
"""
SMALL_HAMT = (
    "hidden = 16\nwide = 32\ntext_layers = 1\ncross_layers = 1\npano_layers = 0\npanorama = false\n"
    "no_lang_ca = true"
)
TRAINED = {
    "hamt": ("hamt", SMALL_HAMT, 'forcing = "either"\nteacher = 0.4\nlenient = 3.0'),
    "tour_hamt": ("tour_hamt", SMALL_HAMT, 'method = "tours"\ntour = 2\nbatch = 2'),
    "scout": ("scout", "hidden = 16\nalike_heads = 0", 'follow = "reference"\nsmoothing = 0.1'),
    "seq2seq": ("seq2seq", "hidden = 16", ""),
    "envdrop": ("envdrop", "hidden = 16", ""),
    "rcm": ("rcm", "hidden = 16", "student = 0.0"),
    "reinforce-goal": ("rcm", "hidden = 16", 'method = "reinforce"\ncloning = 1.0\nhalving = 2'),
    "reinforce-fidelity": (
        "rcm",
        "hidden = 16",
        'method = "reinforce"\nreward = "fidelity"\ncloning = 1.0\nhalving = 2',
    ),
}
"""What is trained for a few updates: model, sizes and ways to learn, by name."""


def weight_tasks() -> Iterable[Task]:
    """A few updates of training: the weights that come out, bit for bit."""
    for name in TRAINED:
        yield Task(f"weights/{name}", _trained(name))


def _trained(name: str) -> Callable[[Bench], None]:
    model, sizes, learning = TRAINED[name]

    def do(bench: Bench) -> None:
        text = EXPERIMENT.format(model=model, sizes=sizes, learning=learning)
        if "batch" in learning:
            text = text.replace("batch = 6\n", "")
        if 'method = "tours"' in learning:
            bench.call("build", "tours", "--data", "houses/val_unseen@1", "--out", "tours")
            text = text.replace("limit = 24", 'tours = "tours/tours_iVLN.json"')
        (bench.folder / "experiment.toml").write_text(text)
        bench.add_command("printed", "train", "experiment.toml", "--out", "run")
        for file in ("best.pt", "last.pt"):
            for member, content in tensors_of(bench.folder / "run" / file).items():
                bench.add(f"{file}/{member}", content)
        rows = csv.DictReader((bench.folder / "run" / "curves.csv").read_text().splitlines())
        bench.add_json("curves", list(rows))
        bench.add_file("experiment.json", bench.folder / "run" / "experiment.json")
        agent = "learned:file=run/best.pt"
        bench.call("run", agent, "--data", "houses/val_unseen@1", "--limit", "6", "--out", "walks")
        bench.add_lines("walks", bench.folder / "walks" / "evidence.jsonl")

    return do


# ----------------------------------------------------------------------------------------------------- main


def tasks() -> list[Task]:
    """Return all tasks, those of one part after the other."""
    return [*house_tasks(), *run_tasks(), *json_tasks(), *page_tasks(), *weight_tasks()]


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
        everything[section] = {key: old[key] for key in others} | of_tasks(found.digests[section], chosen)
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
    if asked.write:
        write(found, [task for task in doable if task.name not in wrong])
        print(f"digests kept but for {len(wrong)} tasks that failed, {took:.0f} s")
        return 1 if wrong else 0
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
