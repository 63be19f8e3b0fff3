"""`vlnscope ls` (about)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Root
from vlnscope.core import registry
from vlnscope.core.exceptions import UnknownNameError
from vlnscope.core.results import Block, Line, TextTable, notes

Description = dict[str, Any]


def ls(
    kind: Annotated[
        str, typer.Argument(help="metrics, profiles, formats, datasets, agents, benchmarks … or kinds.")
    ],
    name: Annotated[
        str | None, typer.Argument(help="Show this one in full; of agents also MODULE:OBJECT.")
    ] = None,
    root: Root = None,
    json: Json = False,
) -> None:
    """List the metrics, profiles, formats, data sets, agents or benchmarks there are, or show one in full.

    **Examples**

    `vlnscope ls metrics`

    `vlnscope ls metrics nDTW`

    `vlnscope ls profiles r2r-server`

    `vlnscope ls datasets --root ~/vln-data`

    `vlnscope ls agents noisy`

    `vlnscope ls agents my_package.my_module:MyAgent`

    `vlnscope ls kinds`
    """
    plural = kind if kind.endswith("s") else f"{kind}s"
    if plural not in _LISTINGS:
        raise UnknownNameError("kind", kind, _LISTINGS, listed=True)
    if name is not None:
        description = _find(plural, name, root)
        if json:
            output.print_json(description)
        else:
            output.show(*_in_full(description))
        return
    listed, singular = _listed(plural, root), plural.removesuffix("s")
    broken = registry.problems(singular) if singular in registry.kinds() else {}
    if json:
        output.print_json({plural: listed, "broken_plugins": broken})
    else:
        output.show(*_overview(plural, listed, broken))


def _overview(plural: str, listed: list[Description], broken: dict[str, str]) -> Iterator[Block]:
    title, columns, _ = _LISTINGS[plural]
    rows = [[_cell(one[column]) for column in columns] for one in listed]
    yield TextTable(title, columns, rows, texts=len(columns))
    if plural == "datasets" and not any(one["files"] for one in listed if one["name"] != "sample"):
        yield from notes(["no data folder: add --root DIR, or set VLNSCOPE_DATA"])
    yield from notes(f"plug-in {plugin} left out: {reason}" for plugin, reason in broken.items())


def _in_full(description: Description) -> Iterator[Block]:
    yield Line(description["name"], style="bold")
    for key, value in description.items():
        if key not in ("name", "definition", "summary") and value not in (None, "", [], {}):
            yield Line(f" {_cell(value)}", f"  {key}", "bold")
    if description.get("definition"):
        yield Line(f"\n{description['definition']}")


def _listed(plural: str, root: Path | None) -> list[Description]:
    if plural == "kinds":
        counts = {f"{kind}s": len(registry.names(kind)) for kind in registry.kinds()}
        return [{"name": n, "title": _LISTINGS[n].title, "count": count} for n, count in counts.items()]
    if plural == "datasets":
        return _datasets(root)
    things = registry.everything(plural.removesuffix("s"))
    if plural == "profiles":
        from vlnscope.metrics.profiles.profile import profiles

        things = profiles()  # the default one first
    describe = _LISTINGS[plural].describe
    return [{"name": name, **describe(thing, name)} for name, thing in things.items()]


def _find(plural: str, name: str, root: Path | None) -> Description:
    if plural == "agents" and ":" in name:
        from vlnscope.agents.spec import spec_of

        return {"name": name, **_agent(spec_of(name), name)}
    by_name = {one["name"]: one for one in _listed(plural, root)}
    if name not in by_name:
        kind = plural.removesuffix("s")
        if kind in registry.kinds() and registry.has(kind, name):
            registry.get(kind, name)  # raises what is wrong with the plug-in
        raise UnknownNameError(plural.removesuffix("s"), name, by_name, listed=True)
    return by_name[name]


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {_cell(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _members(thing: Any, *names: str) -> Description:
    return {name: getattr(thing, name) for name in names}


def _metric(metric: Any, name: str) -> Description:
    return {
        **_members(metric, "title", "unit", "better"),
        "low": metric.low * metric.scale,
        "high": None if metric.high is None else metric.high * metric.scale,
        **_members(metric, "per", "paper"),
        "switches": list(metric.switches),
        "summary": metric.definition.partition("\n")[0],
        "definition": inspect.cleandoc(metric.definition),
    }


def _profile(profile: Any, name: str) -> Description:
    from vlnscope.metrics.profiles.profile import get_profile

    changed = get_profile("default").switches.differences(profile.switches)
    return {
        **_members(profile, "title", "space"),
        "metrics": list(profile.metrics),
        "differs": {switch: setting for switch, (_, setting) in changed.items()},
        "switches": asdict(profile.switches),
    }


def _format(fmt: Any, name: str) -> Description:
    return {
        **_members(fmt, "holds", "title"),
        "writes": fmt.write is not None,
        "suffix": fmt.suffix,
        "carries": sorted(fmt.carries),
        "needs": sorted(fmt.needs),
    }


def _run_format(layout: Any, name: str) -> Description:
    return {
        **_members(layout, "title", "benchmark"),
        "reads": layout.read is not None,
        "options": {key: " or ".join(values) for key, values in layout.options.items()},
        "writes": layout.suffix or "a folder",
    }


def _datasets(root: Path | None) -> list[Description]:
    from vlnscope.core.data_root import data_root

    folder = data_root(root)
    descriptions = []
    for provider in registry.everything("dataset").values():
        splits = provider.splits(folder)
        files = {split: str(path) for split, path in splits.items() if path is not None}
        about = _members(provider, "name", "title")
        descriptions.append({**about, "splits": list(splits), "files": files})
    return descriptions


def _agent(thing: Any, name: str) -> Description:
    from vlnscope.agents.spec import SEED, as_spec

    spec = as_spec(name, thing)
    options = {**spec.options, "seed": SEED}
    return {
        "title": spec.summary,
        "options": {key: option.default for key, option in options.items()},
        "meaning": {key: option.help for key, option in options.items()},
    }


def _benchmark(benchmark: Any, name: str) -> Description:
    return _members(benchmark, "question", "paper")


def _exhibit(exhibit: Any, name: str) -> Description:
    return _members(exhibit, "title", "paper", "needs", "counts")


def _summary(thing: Any, name: str) -> Description:
    return {"title": getattr(thing, "summary", "")}


class _Listing(NamedTuple):
    """A kind of thing: what it is, which members a table shows, and how one of them is described."""

    title: str
    columns: tuple[str, ...] = ("name", "title")
    describe: Callable[[Any, str], Description] = _summary


_LISTINGS = {
    "metrics": _Listing("what is measured", ("name", "title", "unit", "better", "per", "summary"), _metric),
    "profiles": _Listing(
        "whose conventions can be followed", ("name", "title", "space", "differs"), _profile
    ),
    "formats": _Listing("files that can be read", ("name", "holds", "title", "writes"), _format),
    "run-formats": _Listing(
        "how runs are exchanged with the tools of others",
        ("name", "title", "benchmark", "reads", "options"),
        _run_format,
    ),
    "datasets": _Listing("data sets, with the splits found", ("name", "title", "splits")),
    "agents": _Listing("agents that can be run", ("name", "title", "options"), _agent),
    "benchmarks": _Listing("what can be asked of an agent", ("name", "question", "paper"), _benchmark),
    "detectors": _Listing("detectors of instruction errors"),
    "worlds": _Listing("where scenes come from"),
    "sights": _Listing("what agents can ask to see"),
    "feature-stores": _Listing("features that can be made"),
    "trackers": _Listing("where `vlnscope train --track` copies curves to"),
    "action-spaces": _Listing("what agents may do"),
    "exhibits": _Listing(
        "figures and tables of papers that `vlnscope paper` makes",
        ("name", "title", "paper", "needs", "counts"),
        _exhibit,
    ),
    "report-sections": _Listing("parts of a report"),
    "kinds": _Listing("what can be listed, and added by plug-ins", ("name", "count", "title")),
}
