"""`vlnscope ls`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from vlnscope.cli.shared import output
from vlnscope.core.exceptions import UnknownNameError

if TYPE_CHECKING:
    from vlnscope.agents.spec import AgentSpec

EPILOG = """
**Examples**

`vlnscope ls metrics`

`vlnscope ls metrics nDTW`

`vlnscope ls profiles r2r-server`

`vlnscope ls datasets --root ~/vln-data`

`vlnscope ls agents noisy`

`vlnscope ls agents my_package.my_module:MyAgent`

`vlnscope ls kinds`
"""
Entry = dict[str, Any]


class _Listing(NamedTuple):
    """A kind of thing: what it is, all of them as plain data, and which members a table shows."""

    title: str
    entries: Callable[[Path | None], list[Entry]]
    columns: Sequence[str]


def ls(
    kind: Annotated[
        str, typer.Argument(help="metrics, profiles, formats, datasets, agents, benchmarks … or kinds.")
    ],
    name: Annotated[
        str | None, typer.Argument(help="Show this one in full; of agents also MODULE:OBJECT.")
    ] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the metrics, profiles, formats, data sets, agents or benchmarks there are, or show one in full."""
    plural = kind if kind.endswith("s") else f"{kind}s"
    if plural not in _LISTINGS:
        raise UnknownNameError("kind", kind, _LISTINGS, listed=True)
    listing = _LISTINGS[plural]
    if name is not None:
        _show_one(_find(plural, name, root), json)
        return
    entries, broken = listing.entries(root), _broken(plural)
    if json:
        output.print_json({plural: entries, "broken_plugins": broken})
        return
    screen = output.console()
    rows = [[_cell(entry[column]) for column in listing.columns] for entry in entries]
    screen.print(output.table(listing.title, listing.columns, rows, texts=len(listing.columns)))
    if plural == "datasets" and not any(entry["files"] for entry in entries if entry["name"] != "sample"):
        screen.print("[dim]no data folder: add --root DIR, or set VLNSCOPE_DATA[/]")
    for plugin, reason in broken.items():
        screen.print(f"[dim]plug-in {output.plain(plugin)} left out: {output.plain(reason)}[/]")


def _show_one(entry: Entry, json: bool) -> None:
    if json:
        output.print_json(entry)
        return
    screen = output.console()
    screen.print(f"[bold]{output.plain(entry['name'])}[/]", soft_wrap=True)
    for key, value in entry.items():
        if key in ("name", "definition", "summary") or value in (None, "", [], {}):
            continue
        screen.print(f"  [bold]{key}[/] {output.plain(_cell(value))}", soft_wrap=True)
    if entry.get("definition"):
        screen.print(f"\n{output.plain(entry['definition'])}", soft_wrap=True)


def _find(kind: str, name: str, root: Path | None) -> Entry:
    if kind == "agents" and ":" in name:
        from vlnscope.agents.spec import spec_of

        return _agent(name, spec_of(name))
    by_name = {entry["name"]: entry for entry in _LISTINGS[kind].entries(root)}
    if name not in by_name:
        raise UnknownNameError(kind.removesuffix("s"), name, by_name, listed=True)
    return by_name[name]


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {_cell(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _broken(kind: str) -> dict[str, str]:
    from vlnscope.core import registry

    singular = kind.removesuffix("s")
    return registry.problems(singular) if singular in registry.kinds() else {}


def _metrics(root: Path | None) -> list[Entry]:
    del root
    from vlnscope.core import registry

    return [
        {
            "name": metric.name,
            "title": metric.title,
            "unit": metric.unit,
            "better": metric.better,
            "low": metric.low * metric.scale,
            "high": None if metric.high is None else metric.high * metric.scale,
            "per": metric.per,
            "paper": metric.paper,
            "switches": list(metric.switches),
            "summary": metric.definition.partition("\n")[0],
            "definition": inspect.cleandoc(metric.definition),
        }
        for metric in registry.everything("metric").values()
    ]


def _profiles(root: Path | None) -> list[Entry]:
    del root
    from dataclasses import asdict

    from vlnscope.metrics.profiles.profile import profiles

    found = profiles()
    base = found["default"]
    return [
        {
            "name": profile.name,
            "title": profile.title,
            "space": profile.space,
            "metrics": list(profile.metrics),
            "differs": {
                switch: there for switch, (_, there) in base.switches.differences(profile.switches).items()
            },
            "switches": asdict(profile.switches),
        }
        for profile in found.values()
    ]


def _formats(root: Path | None) -> list[Entry]:
    del root
    from vlnscope.episodes.format import formats

    return [
        {
            "name": fmt.name,
            "holds": fmt.holds,
            "title": fmt.title,
            "writes": fmt.write is not None,
            "suffix": fmt.suffix,
            "carries": sorted(fmt.carries),
            "needs": sorted(fmt.needs),
        }
        for fmt in formats().values()
    ]


def _datasets(root: Path | None) -> list[Entry]:
    from vlnscope.core import registry
    from vlnscope.core.data_root import data_root

    folder = data_root(root)
    entries = []
    for provider in registry.everything("dataset").values():
        splits = provider.splits(folder)
        files = {split: str(path) for split, path in splits.items() if path is not None}
        entry = {"name": provider.name, "title": provider.title, "splits": list(splits), "files": files}
        entries.append(entry)
    return entries


def _agents(root: Path | None) -> list[Entry]:
    del root
    from vlnscope.agents.spec import as_spec
    from vlnscope.core import registry

    return [_agent(name, as_spec(name, thing)) for name, thing in registry.everything("agent").items()]


def _agent(name: str, spec: AgentSpec) -> Entry:
    from vlnscope.agents.spec import SEED

    options = {**spec.options, "seed": SEED}
    return {
        "name": name,
        "title": spec.summary,
        "options": {key: option.default for key, option in options.items()},
        "meaning": {key: option.help for key, option in options.items()},
    }


def _benchmarks(root: Path | None) -> list[Entry]:
    del root
    from vlnscope.core import registry

    return [
        {"name": benchmark.name, "question": benchmark.question, "paper": benchmark.paper}
        for benchmark in registry.everything("benchmark").values()
    ]


def _named(kind: str, root: Path | None) -> list[Entry]:
    """List the things of a kind that has nothing more to tell than a name and a summary."""
    del root
    from vlnscope.core import registry

    return [
        {"name": name, "title": getattr(thing, "summary", "")}
        for name, thing in registry.everything(kind).items()
    ]


def _kinds(root: Path | None) -> list[Entry]:
    del root
    from vlnscope.core import registry

    return [
        {"name": f"{kind}s", "title": _LISTINGS[f"{kind}s"].title, "count": len(registry.names(kind))}
        for kind in registry.kinds()
    ]


_LISTINGS = {
    "metrics": _Listing("what is measured", _metrics, ("name", "title", "unit", "better", "per", "summary")),
    "profiles": _Listing(
        "whose conventions can be followed", _profiles, ("name", "title", "space", "differs")
    ),
    "formats": _Listing("files that can be read", _formats, ("name", "holds", "title", "writes")),
    "datasets": _Listing("data sets, with the splits found", _datasets, ("name", "title", "splits")),
    "agents": _Listing("agents that can be run", _agents, ("name", "title", "options")),
    "benchmarks": _Listing("what can be asked of an agent", _benchmarks, ("name", "question", "paper")),
    "detectors": _Listing("detectors of instruction errors", partial(_named, "detector"), ("name", "title")),
    "worlds": _Listing("where scenes come from", partial(_named, "world"), ("name", "title")),
    "sights": _Listing("what agents can ask to see", partial(_named, "sight"), ("name", "title")),
    "feature-stores": _Listing(
        "features that can be made", partial(_named, "feature-store"), ("name", "title")
    ),
    "action-spaces": _Listing("what agents may do", partial(_named, "action-space"), ("name", "title")),
    "report-sections": _Listing("parts of a report", partial(_named, "report-section"), ("name", "title")),
    "kinds": _Listing("what can be listed, and added by plug-ins", _kinds, ("name", "count", "title")),
}
