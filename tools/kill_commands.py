"""Kills commands at random moments, goes on, and compares what comes out with a run that nobody disturbed.

    python tools/kill_commands.py VERB [--signal SIGKILL] [--kills 10] [--seed 0]

VERB is run, train, diagnose, convert or features; each works on a small world that is made here. A kill
counts if the command was at work when the signal came: after its first sign of life, before its end. After
SIGTERM and SIGINT the exit code, the message and the absence of a traceback are checked, too.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from vlnscope.core.rng import rng_for

MAIN = (  # shells let what runs in the background ignore SIGINT
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from vlnscope.cli.main import main; main()"
)
CODES = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143, signal.SIGINT: 130}
PATIENCE = 300.0
AGENT = '''
import time
from vlnscope import Decision
from vlnscope.core.rng import rng_for


class Wanderer:
    """Walks about slowly, and alike whenever it is asked."""

    def act(self, observation):
        time.sleep(0.004)
        draw = rng_for(7, observation.episode_id, observation.step).random(len(observation.candidates) + 1)
        draw[-1] *= 0.5
        return Decision(tuple(draw / draw.sum()))
'''
EXPERIMENT = """
title = "small"
validate_every = 4
save_every = 2
[data]
train = "sample/demo"
validate = "sample/demo"
features = "small={features}"
[model]
name = "rcm"
least = 1
[model.sizes]
hidden = 16
[learning]
updates = 60
batch = 16
"""


@dataclass(frozen=True)
class World:
    """A folder with all that the commands need."""

    folder: Path

    @cached_property
    def experiment(self) -> Path:
        """An experiment that takes a few seconds."""
        from vlnscope.episodes.datasets.dataset import open_dataset

        scenes = open_dataset("sample/demo").scenes
        assert scenes is not None
        rows = []
        for scan in scenes.scans():
            for node in scenes.scene(scan).graph.nodes:
                numbers = rng_for(0, scan, node).random((36, 8)).astype("<f4").tobytes()
                rows.append(f"{scan}\t{node}\t640\t480\t60\t{base64.b64encode(numbers).decode()}\n")
        features = self.folder / "small.tsv"
        features.write_text("".join(rows))
        path = self.folder / "small.toml"
        path.write_text(EXPERIMENT.format(features=features))
        return path

    @cached_property
    def predictions(self) -> Path:
        """Predictions that take a while to convert."""
        path = self.folder / "predictions.json"
        walk = [[f"viewpoint{k:022d}", k / 7, 0.0] for k in range(12)]
        path.write_text(json.dumps([{"instr_id": f"{n}_0", "trajectory": walk} for n in range(60_000)]))
        return path

    def environment(self, out: Path, own_cache: bool) -> dict[str, str]:
        """Return the environment of a command."""
        found = os.pathsep.join([str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        cache = out / "cache" if own_cache else self.folder / "cache"
        return {**os.environ, "PYTHONPATH": found, "VLNSCOPE_CACHE": str(cache), "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Verb:
    """A command that is killed.

    Attributes:
        words: its arguments, given the world and the folder for what it makes.
        sign: a pattern of files; the first that is there shows that the command is at work.
        resumes: whether it goes on only with ``--resume``.
        own_cache: whether what it makes lies in the cache.
    """

    words: Callable[[World, Path], list[str]]
    sign: str
    resumes: bool = True
    own_cache: bool = False


VERBS = {
    "run": Verb(
        lambda world, out: [
            "run",
            "wanderer:Wanderer",
            "--data",
            "sample/demo",
            "--json",
            "--out",
            f"{out}/made",
        ],
        "made/evidence.jsonl",
    ),
    "train": Verb(
        lambda world, out: ["train", str(world.experiment), "--json", "--out", f"{out}/made"],
        "made/experiment.json",
    ),
    "diagnose": Verb(
        lambda world, out: [
            *(
                "diagnose",
                "forward",
                "stop",
                "--data",
                "houses/val_unseen@1",
                "--quick",
                "--only",
                "behavior",
            ),
            *("--workers", "2", "--json", "--out", f"{out}/made"),
        ],
        "made/diagnosis.json",
    ),
    "convert": Verb(
        lambda world, out: [
            "convert",
            str(world.predictions),
            f"{out}/made.jsonl",
            "--to",
            "evidence",
            "--json",
        ],
        ".made.jsonl.*.part",
        resumes=False,
    ),
    "features": Verb(
        lambda world, out: ["features", "build", "houses", "--data", "houses/val_unseen@1", "--json"],
        "cache/features/*/*/*.npy",
        resumes=False,
        own_cache=True,
    ),
}


class Command:
    """A verb at work in a process of its own."""

    def __init__(self, verb: str, world: World, out: Path) -> None:
        self.verb, self.out = VERBS[verb], out
        words = self.verb.words(world, out) + ["--resume"] * self.verb.resumes
        self.begun = time.monotonic()
        self._files = [(out / f".{name}").open("w+b") for name in ("stdout", "stderr")]
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, *words],
            env=world.environment(out, self.verb.own_cache),
            start_new_session=True,
            stdout=self._files[0],
            stderr=self._files[1],
        )

    def is_at_work(self, before: frozenset[Path] = frozenset()) -> bool:
        """Return whether it shows a sign of life."""
        return any(path not in before for path in self.out.glob(self.verb.sign))

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; return the exit code and what was printed."""
        code = self.process.wait(PATIENCE)
        texts = []
        for stream in self._files:
            stream.seek(0)
            texts.append(stream.read().decode().replace(str(self.out), "OUT"))
            stream.close()
        return code, texts[0], texts[1]

    def send(self, number: signal.Signals) -> bool:
        """Send a signal, Ctrl-C to the whole group as a terminal does; return whether it was in time."""
        if self.process.poll() is not None:
            return False
        if number == signal.SIGINT:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        return True


@dataclass
class Tally:
    """What became of the kills of one verb by one signal."""

    kills: int = 0
    missed: int = 0
    finished: int = 0
    left: int = 0
    wrong: list[str] = field(default_factory=list)


class Undisturbed:
    """What a verb makes if nobody disturbs it, when it first shows a sign of life, and how long it takes."""

    def __init__(self, verb: str, folder: Path) -> None:
        self.verb, self.world = verb, World(folder)
        (folder / "wanderer.py").write_text(AGENT)
        for name in ("warm", "undisturbed"):  # the first fills caches
            (folder / name).mkdir()
            self._go(verb, self.world, folder / name)

    def _go(self, verb: str, world: World, out: Path) -> None:
        command = Command(verb, world, out)
        while command.process.poll() is None and not command.is_at_work():
            time.sleep(0.002)
        self.sign = time.monotonic() - command.begun
        code, self.printed, error = command.end()
        self.seconds = time.monotonic() - command.begun
        if code:
            sys.exit(f"{verb} fails undisturbed: {error}")
        self.made = dict(contents(out))


def contents(out: Path) -> Iterator[tuple[str, Any]]:
    """Yield the files that were made, without the times in them; what a kill left over is not looked at."""
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        leftover = name.startswith(".") or path.suffix in (".lock", ".part") or path.name == "run.json"
        if path.is_file() and not leftover:
            yield name, timeless(path)


def timeless(path: Path) -> Any:
    """Return what a file says, but for times."""
    data = path.read_bytes()
    if path.suffix == ".jsonl":
        return hashlib.sha256(re.sub(rb',"seconds":[^,}]*', b"", data)).hexdigest()
    if path.name == "curves.csv":
        rows = csv.DictReader(io.StringIO(data.decode()))
        return [{name: row[name] for name in row if "second" not in name} for row in rows]
    if path.suffix == ".pt":
        import torch

        return _digest(torch.load(path, weights_only=True))
    return hashlib.sha256(data).hexdigest()


def _digest(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _digest(part) for key, part in value.items() if "second" not in str(key)}
    if isinstance(value, list | tuple):
        return [_digest(part) for part in value]
    if hasattr(value, "numpy"):
        return hashlib.sha256(value.numpy().tobytes()).hexdigest()
    return value


def kill(expected: Undisturbed, number: signal.Signals, kills: int, seed: int = 0) -> Tally:
    """Kill a verb so often while it works; after one to three kills let it come to its end, and compare."""
    verb, world = expected.verb, expected.world
    tally, chance = Tally(), rng_for(seed, verb, int(number))
    while tally.kills < kills and tally.missed < 20 * kills:
        out = world.folder / f"{number.name}-{tally.finished}"
        out.mkdir()
        for _ in range(int(chance.integers(1, 4))):
            if tally.kills < kills:
                _kill_once(Command(verb, world, out), number, expected, chance.random(), tally)
        code, printed, error = Command(verb, world, out).end()
        tally.finished += 1
        tally.left += sum(1 for _ in out.rglob("*.part"))
        if code:
            tally.wrong.append(f"resumed: exit code {code}: {error[-500:]}")
        elif printed != expected.printed:
            pairs = enumerate(zip(printed, expected.printed, strict=False))
            at = next((place for place, (one, other) in pairs if one != other), 0)
            texts = (text[max(0, at - 60) : at + 160] for text in (expected.printed, printed))
            tally.wrong.append("resumed: prints, instead of {!r}, {!r}".format(*texts))
        elif dict(contents(out)) != expected.made:
            odd = {name for name, _ in set_of(contents(out)) ^ set_of(expected.made.items())}
            tally.wrong.append(f"resumed: {', '.join(sorted(odd))} differ")
    return tally


def set_of(pairs: Any) -> set[tuple[str, str]]:
    """Return files with what they say."""
    return {(name, repr(value)) for name, value in pairs}


def _kill_once(
    command: Command, number: signal.Signals, expected: Undisturbed, moment: float, tally: Tally
) -> None:
    """Send a signal at a moment between the first sign of life (0) and a while before the usual end (1)."""
    since = expected.sign * 0.9  # there may be signs of an earlier life
    while command.process.poll() is None and (
        time.monotonic() - command.begun < since or not command.is_at_work()
    ):
        time.sleep(0.002)
    time.sleep(0.7 * moment * max(0.0, expected.seconds - expected.sign))  # the last part is tidying up
    in_time = command.send(number)
    code, printed, error = command.end()
    if not in_time or code == 0 or printed == expected.printed:  # Python may still have been tidying up
        tally.missed += 1
        return
    tally.kills += 1
    if code != CODES[number]:
        tally.wrong.append(f"exit code {code} instead of {CODES[number]}: {error[-500:]}")
    if "Traceback" in error or (
        number != signal.SIGKILL and not re.search("^stopped: .*same command", error, re.M)
    ):
        tally.wrong.append(f"says: {error[-500:]}")


def main() -> None:
    """Kill, and say what became of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=sorted(VERBS))
    parser.add_argument("--signal", choices=[number.name for number in CODES], action="append")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        expected = Undisturbed(given.verb, Path(folder))
        for name in given.signal or [number.name for number in CODES]:
            tally = kill(expected, signal.Signals[name], given.kills, given.seed)
            print(
                f"{given.verb:9} {name:8} {tally.kills} kills at work ({tally.missed} too late), "
                f"{tally.finished} times resumed to the end, {tally.left} .part files left, "
                f"same bytes: {'no' if tally.wrong else 'yes'}",
                flush=True,
            )
            for line in tally.wrong:
                print("   ", line)


if __name__ == "__main__":
    main()
