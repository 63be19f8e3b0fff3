"""`vlnscope doctor`."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from vlnscope import __version__
from vlnscope.cli.shared import output
from vlnscope.core.exceptions import InputError, VlnscopeError

EPILOG = """
Exit code 0: all is fine. 1: something is wrong; the line says what to do.

**Examples**

`vlnscope doctor`

`vlnscope doctor --root ~/vln-data --json`
"""
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)[^;]*(;.*extra == ['\"](?P<extra>[^'\"]+)['\"])?")
_MARKS = {"fine": "[green]fine[/] ", "note": "[blue]note[/] ", "wrong": "[bold red]wrong[/]"}


class Diagnosis(NamedTuple):
    """One thing that was looked at: whether it is in order, what was seen, and what to do if it is not."""

    subject: str
    state: Literal["fine", "note", "wrong"]
    seen: str
    fix: str = ""


def doctor(
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Look at the installation, the cache, the data folder and the plug-ins, and score a small sample."""
    found = list(examine(root))
    healthy = all(diagnosis.state != "wrong" for diagnosis in found)
    if json:
        output.print_json({"ok": healthy, "diagnoses": [diagnosis._asdict() for diagnosis in found]})
    else:
        _show(found)
    if not healthy:
        raise typer.Exit(1)


def examine(root: Path | None) -> Iterator[Diagnosis]:
    """Yield a diagnosis of everything that vlnscope stands on."""
    yield Diagnosis("vlnscope", "fine", f"{__version__}, Python {platform.python_version()}")
    looks: dict[str, Callable[[], Iterable[Diagnosis]]] = {
        "packages": _packages,
        "cache": _cache,
        "data folder": partial(_data, root),
        "plug-ins": _plugins,
        "self-test": _sample,
        "numba cache": _kernels,
    }
    for subject, look in looks.items():
        try:
            yield from look()
        except Exception as error:  # whatever breaks, the doctor says so and goes on
            seen = error.what if isinstance(error, VlnscopeError) else f"{type(error).__name__}: {error}"
            yield Diagnosis(subject, "wrong", seen, "install vlnscope again")


def _show(found: list[Diagnosis]) -> None:
    screen = output.console()
    width = max(len(diagnosis.subject) for diagnosis in found)
    for subject, state, seen, fix in found:
        name = output.plain(f"{subject:<{width}}")
        screen.print(f"{_MARKS[state]} [bold]{name}[/] {output.plain(seen)}", soft_wrap=True)
        if fix:
            screen.print(f"      {'':<{width}} fix: {output.plain(fix)}", soft_wrap=True)


def _packages() -> Iterator[Diagnosis]:
    extras: dict[str, list[str]] = {}
    for line in metadata.requires("vlnscope") or ():
        match = _REQUIREMENT.match(line)
        if match is None or match["extra"] == "dev":
            continue
        if match["extra"]:
            extras.setdefault(match["extra"], []).append(match["name"])
        elif version := _version(match["name"]):
            yield Diagnosis(match["name"], "fine", version)
        else:
            yield Diagnosis(match["name"], "wrong", "not installed", f"pip install {match['name']}")
    for extra, names in extras.items():
        missing = [name for name in names if _version(name) is None]
        if missing:
            seen = f"not installed: {', '.join(missing)}"
            fix = f"pip install 'vlnscope[{extra}]', if you need it"
            yield Diagnosis(f"extra {extra}", "note", seen, fix)
        else:
            seen = ", ".join(f"{name} {_version(name)}" for name in names)
            yield Diagnosis(f"extra {extra}", "fine", seen)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cache() -> Iterator[Diagnosis]:
    from vlnscope.core.files import cache_dir, write_whole

    folder = cache_dir()
    probe = folder / f"probe-{os.getpid()}"
    try:
        with write_whole(probe) as stream:
            stream.write(b"vlnscope")
        probe.unlink()
    except (InputError, OSError) as error:
        fix = "name a folder that can be written to: export VLNSCOPE_CACHE=DIR"
        yield Diagnosis("cache", "wrong", str(error), fix)
        return
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    yield Diagnosis("cache", "fine", f"{folder}, {size / 1e6:.1f} MB")


def _data(root: Path | None) -> Iterator[Diagnosis]:
    from vlnscope.core.data_root import ROOT_VARIABLE, data_root
    from vlnscope.episodes.datasets.dataset import describe_root

    try:
        folder = data_root(root)
        held = describe_root(root)
    except VlnscopeError as error:
        yield Diagnosis("data folder", "wrong", error.what, error.fix)
        return
    if folder is None:
        fix = f"add --root DIR, or set {ROOT_VARIABLE}, to use data of your own"
        yield Diagnosis("data folder", "note", "none is named", fix)
    else:
        own = [
            summary
            for summary in held
            if any(path is not None and path.is_relative_to(folder) for path in summary.splits.values())
        ]
        graphs = sum(1 for _ in (folder / "connectivity").glob("*_connectivity.json*"))
        seen = f"{folder}: {len(own)} data sets, {graphs} navigation graphs"
        if own:
            yield Diagnosis("data folder", "fine", seen)
        else:
            fix = "lay it out as r2r/R2R_val_unseen.json, connectivity/SCAN_connectivity.json, …"
            yield Diagnosis("data folder", "wrong", seen, fix)
    for summary in held:
        yield Diagnosis(f"data {summary.name}", "fine", ", ".join(summary.splits))


def _plugins() -> Iterator[Diagnosis]:
    from vlnscope.core import registry

    for kind in registry.kinds():
        broken = registry.problems(kind)
        for point in sorted(metadata.entry_points(group=f"vlnscope.{kind}"), key=lambda point: point.name):
            subject = f"plug-in {kind} {point.name}"
            if point.name in broken:
                fix = "repair or uninstall the package that provides it"
                yield Diagnosis(subject, "wrong", broken[point.name], fix)
            else:
                yield Diagnosis(subject, "fine", point.value)


def _sample() -> Iterator[Diagnosis]:
    """Score the bundled sample, and a follower of its references, who must be perfect."""
    import vlnscope
    from vlnscope.episodes.datasets.dataset import open_dataset
    from vlnscope.evaluate.score.score import score
    from vlnscope.types import Prediction

    perfect, shown = ("SR", "nDTW", "CLS"), ("SR", "SPL", "nDTW", "CLS")
    dataset = open_dataset("sample/demo")
    episodes = list(dataset.episodes())
    follower = [Prediction(episode_id=e.episode_id, path=e.path) for e in episodes]
    ideal = score(follower, dataset, metrics=perfect).to_dict()["metrics"]
    walker = Path(vlnscope.__file__).parent / "sample" / "predictions" / "walker.json"
    scored = score(walker, dataset, metrics=shown)
    wrong = [name for name in perfect if abs((ideal[name]["mean"] or 0.0) - 100.0) > 1e-9]
    if wrong or scored.n != len(episodes):
        seen = f"{', '.join(wrong) or 'n'} of the sample's references is not what it must be"
        yield Diagnosis("self-test", "wrong", seen, "install vlnscope, numpy and numba again")
        return
    means = ", ".join(f"{m} {s['mean']:.2f}" for m, s in scored.to_dict()["metrics"].items())
    yield Diagnosis("self-test", "fine", f"sample/demo scored, n = {scored.n}: {means}")


def _kernels() -> Iterator[Diagnosis]:
    """Say where numba keeps compiled kernels; the self-test before has compiled some."""
    from vlnscope.metrics.kernels.loops import warping_costs

    folder = Path(warping_costs.stats.cache_path)  # type: ignore[attr-defined]
    if os.access(folder, os.W_OK) and any(folder.glob("*.nbi")):
        yield Diagnosis("numba cache", "fine", str(folder))
        return
    fix = "export NUMBA_CACHE_DIR=DIR with a folder that can be written to"
    yield Diagnosis("numba cache", "wrong", f"{folder} holds no compiled kernels: every start is slow", fix)
