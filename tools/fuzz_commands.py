"""Fuzzes the command line from outside: damaged inputs, special files and odd arguments for every verb.

    python tools/fuzz_commands.py --minutes 30 --seed 1 --workers 2

Each input is a command line that runs in a process of its own, forked from one that has imported vlnscope, in
a folder of its own. No command may print a traceback or nan, end with another exit code than 0, 1 or 2, take
more than 60 s or 1 GB, change an input, replace what is no regular file, or leave a file half-written. What
is found is printed with its arguments, and its inputs are kept in a folder; `--only N` runs one input again.
Input number N is the same for a seed, whatever the time and the number of workers.
"""

from __future__ import annotations

import argparse
import atexit
import os
import re
import resource
import select
import shlex
import shutil
import signal
import sys
import tempfile
import time
import traceback
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fuzz_corpus import make_corpus
from fuzz_damage import Random, damage, make_bombs, pick, special
from fuzz_judge import SECONDS, Ended, devices, faults, look
from fuzz_values import VALUES
from vlnscope.core.rng import rng_for

ADDRESS_SPACE = 12 << 30
INPUTS, ENDED = "inputs", "ended with"
RECIPES = [
    line
    for line in Path(__file__).with_name("fuzz_recipes.txt").read_text().splitlines()
    if not line.startswith("#")
]


class Input(NamedTuple):
    """A command line that stands ready in a folder."""

    argv: list[str]
    may_change: list[str]
    full: bool


def prepare(seed: int, number: int, corpus: Path, folder: Path) -> Input:
    """Make the input of a number in an empty folder."""
    rng = rng_for(seed, "fuzz", number)
    words = _chosen_words(rng, pick(rng, RECIPES))
    inputs = [place for place, word in enumerate(words) if "<" in word]
    outputs = [place for place, word in enumerate(words) if word.startswith(">")]
    values = [place for place, word in enumerate(words) if word in VALUES]
    free = [
        place for place, word in enumerate(words) if place and not word.startswith("-") and "<" not in word
    ]
    for place in inputs:
        _copy(corpus, folder, words[place].partition("<")[2])
    trouble = pick(rng, ["input"] * 6 + ["output"] * 2 + ["value"] * 2 + ["none", "full"])
    if trouble == "input" and inputs:
        _damage_one(rng, folder / words[pick(rng, inputs)].partition("<")[2], corpus / "bombs")
    may_change: list[str] = []
    for place in outputs:
        words[place] = words[place][1:]
        if trouble == "output":
            words[place] = _odd_target(
                rng, folder, words[place], [words[i].partition("<")[2] for i in inputs]
            )
        may_change += [words[place], "real"]
    for place in values:
        words[place] = pick(rng, VALUES[words[place]])
    if trouble == "value" and free:
        words[pick(rng, free)] = pick(rng, VALUES["STR"])
    argv = [word.replace("<", "", 1) for word in words]
    if "--in-place" in argv or "--resume" in argv:
        may_change += [words[place].partition("<")[2] for place in inputs]
    return Input(argv, may_change, trouble == "full")


def _chosen_words(rng: Random, recipe: str) -> list[str]:
    """Return the words of a recipe, with some of what may be added."""
    more = re.findall(r"\[([^\]]+)\]", recipe)
    added = [part for part in more if rng.random() < min(0.5, 1.5 / len(more))]
    return [*re.sub(r"\[[^\]]+\]", "", recipe).split(), *(word for part in added for word in part.split())]


def _copy(corpus: Path, folder: Path, name: str) -> None:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if (corpus / name).is_dir():
        shutil.copytree(corpus / name, target, dirs_exist_ok=True)
    else:
        shutil.copy(corpus / name, target)


def _damage_one(rng: Random, path: Path, bombs: Path) -> None:
    """Damage a file, or one of those in a folder."""
    if path.is_dir():
        if rng.random() < 0.05:
            shutil.rmtree(path)
            special(rng, path)
            return
        path = pick(rng, sorted(one for one in path.rglob("*") if one.is_file() and one.name != "run.lock"))
    damage(rng, path, bombs)


def _odd_target(rng: Random, folder: Path, name: str, inputs: Sequence[str]) -> str:
    """Return another name for an output; what stands there is made."""
    target = folder / name
    kind = pick(
        rng,
        ["special"] * 4
        + ["there", "link", "source", "inside", "deep", "long", "empty", "-", ".", "device", "odd"],
    )
    if kind == "special":
        special(rng, target)
    elif kind == "there":
        target.write_bytes(b"{}\n")
    elif kind == "link":
        (folder / "real").write_bytes(b"{}\n")
        target.symlink_to("real")
    elif kind == "inside":
        target.write_bytes(b"{}\n")
        return f"{name}/{name}"
    else:
        return {
            "source": pick(rng, inputs) if inputs else name,
            "deep": f"new/folders/{name}",
            "long": "a" * 300 + name,
            "empty": "",
            "device": pick(rng, ["/dev/full", "/dev/null", "/dev/stdout", "/dev/stdin", "/proc/self/x.json"]),
            "odd": f"ä\n😀 {name}",
        }.get(kind, kind)
    return name


def run(argv: Sequence[str], folder: Path, *, full: bool = False) -> Ended:
    """Run a command line in a forked process, and wait for it."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            os._exit(_command(argv, folder, -1 if full else out.fileno(), err.fileno()))
        watched = os.pidfd_open(child)
        hung = not select.select([watched], [], [], SECONDS)[0]
        _end_group(child)
        _, status, usage = os.wait4(child, 0)
        os.close(watched)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        printed = out.read(), err.read()
    return Ended(os.waitstatus_to_exitcode(status), *printed, seconds, usage.ru_maxrss << 10, hung)


def _end_group(leader: int) -> None:
    """End what a command has started and left behind, and itself if it hangs."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _command(argv: Sequence[str], folder: Path, out: int, err: int) -> int:
    """Be the command: what a fresh process would do, but for the imports."""
    code = 0
    weakref.finalize._registry.clear()  # type: ignore[attr-defined]  # folders of the driver stay
    try:
        os.setsid()
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open("/dev/full", os.O_WRONLY) if out < 0 else out, 1)
        os.dup2(err, 2)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
        sys.argv = ["vlnscope", *argv]
        from vlnscope.cli.main import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
        code = 1
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except OSError:
        code = 120  # as Python ends
    sys.stderr.flush()
    return code


def warm_up() -> None:
    """Import what commands import, and nothing that starts threads."""
    import msgspec  # noqa: F401
    import numpy  # noqa: F401

    import vlnscope.cli.main
    import vlnscope.episodes.convert
    import vlnscope.episodes.doctor
    import vlnscope.evaluate.compare.compare
    import vlnscope.evaluate.score.score
    import vlnscope.metrics.kernels.loops

    vlnscope.cli.main._command()


def try_one(seed: int, number: int, corpus: Path, keep: Path) -> Counter[str]:
    """Run an input; print and keep it if something is wrong. Return what is to be counted."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        folder = Path(place)
        made = prepare(seed, number, corpus, folder)
        before, known = look(folder), devices()
        ended = run(made.argv, folder, full=made.full)
        found = list(faults(made.argv, ended, folder, before, made.may_change))
        if devices() != known:
            raise SystemExit(f"a device was replaced by: vlnscope {shlex.join(made.argv)}")
    if found:
        kept = keep / f"{seed}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        prepare(seed, number, corpus, kept)
        sink = " > /dev/full" if made.full else ""
        command = f"cd {shlex.quote(str(kept))} && vlnscope {shlex.join(made.argv)}{sink}"
        text = "\n".join([command, *found, ended.err.decode(errors="replace")])
        (kept / "found.txt").write_text(text, errors="backslashreplace")
        what = "\n  ".join([*found, command[:2000]])
        print(f"input {number}: {what}".encode(errors="backslashreplace").decode(), flush=True)
    return Counter([INPUTS, f"{ENDED} {ended.code}", *map(_kind, found)])


def main() -> int:
    """Fuzz; return 1 if anything was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="how long")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=10**9, help="how many at most")
    parser.add_argument("--workers", type=int, default=1, help="processes that run commands at once")
    parser.add_argument("--only", type=int, action="append", help="run the input of this number, and end")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="folder for what is found")
    asked = parser.parse_args()
    keep = asked.keep.resolve()
    for variable in ("VLNSCOPE_DATA", "VLNSCOPE_MAX_MB"):
        os.environ.pop(variable, None)
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "110"}
    with tempfile.TemporaryDirectory(prefix="fuzz-corpus-") as place:
        corpus = Path(place)
        os.environ["VLNSCOPE_CACHE"] = str(corpus / "cache")
        warm_up()
        make_corpus(corpus, lambda argv: _reported(argv, corpus))
        make_bombs(corpus / "bombs")
        end = time.monotonic() + 60 * asked.minutes
        if asked.only:
            return _summary(sum((try_one(asked.seed, n, corpus, keep) for n in asked.only), Counter()))
        workers = [_worker(asked, k, end, corpus, keep) for k in range(asked.workers)]
        total: Counter[str] = Counter()
        for child, results in workers:
            os.waitpid(child, 0)
            for kind, count in map(_count, results.read_text().splitlines()):
                total[kind] += count
    return _summary(total)


def _summary(total: Counter[str]) -> int:
    ran = total.pop(INPUTS, 0)
    codes = {kind: total.pop(kind) for kind in sorted(total) if kind.startswith(ENDED)}
    print(", ".join(f"{count} {kind}" for kind, count in codes.items()))
    print(
        f"{ran} inputs, {sum(total.values())} findings"
        + "".join(f"\n  {n} × {k}" for k, n in total.most_common())
    )
    return int(bool(total) or not ran)


def _reported(argv: Sequence[str], folder: Path) -> int:
    ended = run(argv, folder)
    if ended.code:
        sys.stderr.write(ended.err.decode(errors="replace"))
    return ended.code


def _count(line: str) -> tuple[str, int]:
    kind, _, count = line.rpartition(" ")
    return kind, int(count)


def _worker(asked: argparse.Namespace, which: int, end: float, corpus: Path, keep: Path) -> tuple[int, Path]:
    """Start a process that runs every so-manieth input; return it and the file of what it counts."""
    results = corpus / f"worker-{which}"
    child = os.fork()
    if child:
        return child, results
    counts: Counter[str] = Counter()
    code = 0
    try:
        for number in range(which, asked.inputs, asked.workers):
            if time.monotonic() > end:
                break
            counts += try_one(asked.seed, number, corpus, keep)
    except BaseException:
        traceback.print_exc()
        counts["the driver failed"] += 1
        code = 1
    results.write_text("".join(f"{kind} {count}\n" for kind, count in counts.items()))
    os._exit(code)


def _kind(fault: str) -> str:
    return fault.partition(":")[0].partition("'")[0].strip() or "files"


if __name__ == "__main__":
    sys.exit(main())
