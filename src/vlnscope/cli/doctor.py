"""`vlnscope doctor` (about)."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, NamedTuple

import typer

from vlnscope import __version__
from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Root
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.core.results import Block, Line, Result

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)[^;]*(;.*extra == ['\"](?P<extra>[^'\"]+)['\"])?")
_STYLES = {"fine": "green", "note": "blue", "wrong": "bold red"}


class HealthCheck(NamedTuple):
    """One thing that was looked at: whether it is in order, what was seen, and what to do if it is not."""

    subject: str
    state: Literal["fine", "note", "wrong"]
    seen: str
    fix: str = ""


class HealthReport(Result):
    """All that was looked at."""

    def __init__(self, checks: Iterable[HealthCheck]) -> None:
        self.checks = list(checks)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.state != "wrong" for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"ok": self.ok, "diagnoses": self.records()}

    def records(self) -> list[dict[str, Any]]:
        """Return one row per thing."""
        return [check._asdict() for check in self.checks]

    def display(self) -> Iterator[Block]:
        """Yield a line per thing, and what to do if it is not in order."""
        width = max(len(check.subject) for check in self.checks)
        for subject, state, seen, fix in self.checks:
            yield Line(f" {subject:<{width}} {seen}", f"{state:<5}", _STYLES[state])
            if fix:
                yield Line(f"      {'':<{width}} fix: {fix}")


def doctor(root: Root = None, json: Json = False) -> None:
    """Check the installation, the cache, the data folder and all plug-ins, and score a sample.

    Exit code 0: all is fine. 1: something is wrong; the line says what to do.

    **Examples**

    `vlnscope doctor`

    `vlnscope doctor --root ~/vln-data --json`
    """
    report = HealthReport(examine(root))
    output.print_result(report, json)
    if not report.ok:
        raise typer.Exit(1)


def examine(root: Path | None) -> Iterator[HealthCheck]:
    """Check everything that vlnscope stands on."""
    yield HealthCheck("vlnscope", "fine", f"{__version__}, Python {platform.python_version()}")
    looks: dict[str, Callable[[], Iterable[HealthCheck]]] = {
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
            yield HealthCheck(subject, "wrong", seen, "install vlnscope again")


def _packages() -> Iterator[HealthCheck]:
    extras: dict[str, list[str]] = {}
    for line in metadata.requires("vlnscope") or ():
        match = _REQUIREMENT.match(line)
        if match is None or match["extra"] == "dev":
            continue
        if match["extra"]:
            extras.setdefault(match["extra"], []).append(match["name"])
        elif version := _version(match["name"]):
            yield HealthCheck(match["name"], "fine", version)
        else:
            yield HealthCheck(match["name"], "wrong", "not installed", f"pip install {match['name']}")
    for extra, names in extras.items():
        missing = [name for name in names if _version(name) is None]
        if missing:
            seen = f"not installed: {', '.join(missing)}"
            fix = f"pip install 'vlnscope[{extra}]', if you need it"
            yield HealthCheck(f"extra {extra}", "note", seen, fix)
        else:
            seen = ", ".join(f"{name} {_version(name)}" for name in names)
            yield HealthCheck(f"extra {extra}", "fine", seen)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cache() -> Iterator[HealthCheck]:
    from vlnscope.core.files import cache_dir, write_whole

    folder = cache_dir()
    probe = folder / f"probe-{os.getpid()}"
    try:
        with write_whole(probe) as stream:
            stream.write(b"vlnscope")
        probe.unlink()
    except (InputError, OSError) as error:
        fix = "name a folder that can be written to: export VLNSCOPE_CACHE=DIR"
        yield HealthCheck("cache", "wrong", str(error), fix)
        return
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    yield HealthCheck("cache", "fine", f"{folder}, {size / 1e6:.1f} MB")


def _data(root: Path | None) -> Iterator[HealthCheck]:
    from vlnscope.core.data_root import ROOT_VARIABLE, data_root
    from vlnscope.episodes.datasets.dataset import describe_root

    try:
        folder = data_root(root)
        datasets = describe_root(root)
    except VlnscopeError as error:
        yield HealthCheck("data folder", "wrong", error.what, error.fix)
        return
    if folder is None:
        fix = f"add --root DIR, or set {ROOT_VARIABLE}, to use data of your own"
        yield HealthCheck("data folder", "note", "none is named", fix)
    else:
        own = [
            summary
            for summary in datasets
            if any(path is not None and path.is_relative_to(folder) for path in summary.splits.values())
        ]
        graphs = sum(1 for _ in (folder / "connectivity").glob("*_connectivity.json*"))
        seen = f"{folder}: {len(own)} data sets, {graphs} navigation graphs"
        if own:
            yield HealthCheck("data folder", "fine", seen)
        else:
            fix = "lay it out as r2r/R2R_val_unseen.json, connectivity/SCAN_connectivity.json, …"
            yield HealthCheck("data folder", "wrong", seen, fix)
    for summary in datasets:
        yield HealthCheck(f"data {summary.name}", "fine", ", ".join(summary.splits))


def _plugins() -> Iterator[HealthCheck]:
    from vlnscope.core import registry

    for kind in registry.kinds():
        broken = registry.problems(kind)
        for point in sorted(metadata.entry_points(group=f"vlnscope.{kind}"), key=lambda point: point.name):
            subject = f"plug-in {kind} {point.name}"
            if point.name in broken:
                fix = "repair or uninstall the package that provides it"
                yield HealthCheck(subject, "wrong", broken[point.name], fix)
            else:
                yield HealthCheck(subject, "fine", point.value)


def _sample() -> Iterator[HealthCheck]:
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
        yield HealthCheck("self-test", "wrong", seen, "install vlnscope, numpy and numba again")
        return
    means = ", ".join(f"{m} {s['mean']:.2f}" for m, s in scored.to_dict()["metrics"].items())
    yield HealthCheck("self-test", "fine", f"sample/demo scored, n = {scored.n}: {means}")


def _kernels() -> Iterator[HealthCheck]:
    """Say where numba keeps compiled kernels; the self-test before has compiled some."""
    from vlnscope.metrics.kernels.loops import warping_costs

    folder = Path(warping_costs.stats.cache_path)  # type: ignore[attr-defined]
    if os.access(folder, os.W_OK) and any(folder.glob("*.nbi")):
        yield HealthCheck("numba cache", "fine", str(folder))
        return
    fix = "export NUMBA_CACHE_DIR=DIR with a folder that can be written to"
    yield HealthCheck("numba cache", "wrong", f"{folder} holds no compiled kernels: every start is slow", fix)
