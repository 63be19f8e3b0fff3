"""Make the reference pages of the documentation from the code: a hook of mkdocs (see mkdocs.yml).

What the registries hold comes from ``vlnscope ls KIND --json``, the commands from the command line itself,
the Python interface from ``vlnscope.__all__``: nothing of it is written by hand, so nothing can grow old.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import json
import re
import tempfile
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import vlnscope
from vlnscope.cli.main import app

Entry = dict[str, Any]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those of the docs folder."""
    for uri, content in reference_pages(Path(config.docs_dir)):
        files.append(File.generated(config, uri, content=content))
    return files


def reference_pages(docs: Path) -> Iterator[tuple[str, str]]:
    """Yield the address and the Markdown of every generated page."""
    yield "reference/commands.md", commands_page()
    yield "reference/python.md", python_page(_documented(docs / "reference"))
    yield "reference/metrics.md", metrics_page(listed("metrics"))
    yield "reference/profiles.md", profiles_page(listed("profiles"))
    yield "reference/formats.md", formats_page(listed("formats"))
    yield "reference/datasets.md", datasets_page(listed("datasets"))
    yield "reference/agents.md", agents_page(listed("agents"))
    yield "reference/benchmarks.md", benchmarks_page(listed("benchmarks"), listed("detectors"))
    yield "reference/kinds.md", kinds_page(listed("kinds"))


def listed(kind: str) -> list[Entry]:
    """Return what ``vlnscope ls KIND --json`` lists where the data folder is empty."""
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as empty, contextlib.redirect_stdout(printed):
        _program().main(["ls", kind, "--root", empty, "--json"], standalone_mode=False)
    entries: list[Entry] = json.loads(printed.getvalue())[kind]
    return entries


@functools.cache
def _program() -> Any:
    return typer.main.get_command(app)


def commands_page() -> str:
    """Return the page of all commands with their options."""
    parts = [
        "# Commands and options",
        "Every verb of `vlnscope`, as `vlnscope VERB --help` has it. [The guides](../commands/index.md) say "
        "what each is for, and show it at work.",
        *(part for words, command in commands() for part in _command(words, command)),
    ]
    return _page(parts)


def commands() -> list[tuple[tuple[str, ...], Any]]:
    """Return all commands that can be run, with the words that call them, in the order of ``--help``."""
    return list(_leaves((), _program()))


def _leaves(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    children: Mapping[str, Any] = getattr(command, "commands", {})
    if not children:
        yield words, command
    for name, child in children.items():
        yield from _leaves((*words, name), child)


def _command(words: Sequence[str], command: Any) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [
        p for p in command.params if p.param_type_name == "option" and not p.hidden and p.name != "help"
    ]
    calls = " ".join(
        ["vlnscope", *words, *(_argument(p) for p in arguments), *(["[OPTIONS]"] if options else [])]
    )
    yield f"## {' '.join(words)} {{ #{'-'.join(words)} }}"
    yield f"```\n{calls}\n```"
    yield inspect.cleandoc(command.help or "")
    if arguments:
        yield _table(("argument", "what"), [(f"`{_argument(p)}`", p.help or "") for p in arguments])
    if options:
        rows = [
            (", ".join(f"`{o}`" for o in (*p.opts, *p.secondary_opts)), p.help or "", _default(p))
            for p in options
        ]
        yield _table(("option", "what", "if not given"), rows)
    if command.epilog:
        yield inspect.cleandoc(command.epilog)


def _argument(parameter: Any) -> str:
    name = str(parameter.metavar or parameter.name.upper()) + ("…" if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    if parameter.default is None or parameter.default is False or callable(parameter.default):
        return ""
    value = parameter.default
    shown = (
        ", ".join(map(str, value))
        if isinstance(value, (list, tuple))
        else str(getattr(value, "value", value))
    )
    return f"`{shown}`" if shown else ""


def python_page(elsewhere: Sequence[str]) -> str:
    """Return the page of the names that ``import vlnscope`` gives; some are only linked.

    Args:
        elsewhere: modules, classes and functions that other pages document.
    """
    names = [name for name in vlnscope.__all__ if not name.startswith("__")]
    full = {name: _full_name(getattr(vlnscope, name)) for name in names}
    here = [
        path for path in full.values() if not any(f"{path}.".startswith(f"{other}.") for other in elsewhere)
    ]
    parts = [
        "# Python",
        "`import vlnscope as vs`: the verbs of the command line as functions, and the words they speak in. "
        "Names are loaded when they are first used.",
        "All names: " + ", ".join(f"[`{name}`][{path}]" for name, path in full.items()),
        *(f"::: {path}" for path in here),
        "## What they take and return",
        *(f"::: {path}" for path in _unwritten([getattr(vlnscope, name) for name in names], elsewhere)),
    ]
    return _page(parts)


def spoken_of(functions: Iterable[Any]) -> list[str]:
    """Return the classes of vlnscope that functions take and return, by their full names, in order."""
    hints = [
        hint for one in functions if inspect.isroutine(one) for hint in typing.get_type_hints(one).values()
    ]
    return list(dict.fromkeys(_full_name(one) for hint in hints for one in _classes(hint)))


def _classes(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith("vlnscope."):
        yield hint
    for part in typing.get_args(hint):
        yield from (one for inner in (part if isinstance(part, list) else [part]) for one in _classes(inner))


def _unwritten(functions: Iterable[Any], elsewhere: Sequence[str]) -> Iterator[str]:
    """Yield the classes that no other page documents."""
    known = {*elsewhere, "vlnscope.metrics.profiles.switches.Switches"}  # which the page of profiles has
    for path in spoken_of(functions):
        if not any(f"{path}.".startswith(f"{other}.") for other in known):
            yield path


def _full_name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def _documented(folder: Path) -> list[str]:
    pages = sorted(folder.glob("*.md"))
    return [name for page in pages for name in re.findall(r"^::: (\S+)", page.read_text("utf-8"), re.M)]


def metrics_page(metrics: Sequence[Entry]) -> str:
    """Return the page of all metrics with definition, paper, bounds and switches."""
    rows = [
        (f"[{m['name']}](#{_anchor(m)})", m["title"], m["unit"], _better(m), _bounds(m), m["paper"])
        for m in metrics
    ]
    parts = [
        "# Metrics",
        "Values in percent are shares times 100. A metric that has no value for an episode is *undefined*, "
        "with a reason; nothing averages over it silently. `vlnscope ls metrics NAME` shows the same.",
        _table(("name", "what", "unit", "better", "bounds", "paper"), rows),
        *(part for m in metrics for part in _metric(m)),
    ]
    return _page(parts)


def _metric(entry: Entry) -> Iterator[str]:
    switches = ", ".join(f"`{switch}`" for switch in entry["switches"]) or "none"
    yield f"## {entry['name']} {{ #{_anchor(entry)} }}"
    yield f"*{entry['title']}* · {entry['paper']} · one value per {entry['per']}"
    yield entry["definition"]
    yield f"Bounds: {_bounds(entry)} {entry['unit']} · better: {_better(entry) or 'neither'} · [switches]" + (
        f"(profiles.md) that change it: {switches}"
    )


def _anchor(entry: Entry) -> str:
    return str(entry["name"]).lower()


def _better(entry: Entry) -> str:
    return {"higher": "↑ higher", "lower": "↓ lower"}.get(entry["better"], "")


def _bounds(entry: Entry) -> str:
    high = "∞" if entry["high"] is None else f"{entry['high']:g}"
    return f"{entry['low']:g} … {high}"


def profiles_page(profiles: Sequence[Entry]) -> str:
    """Return the page of all profiles: who they follow, what they report, and how each switch is set."""
    names = [f"`{p['name']}`" for p in profiles]
    switches = list(profiles[0]["switches"])
    rows = [(f"`{switch}`", *(_setting(p, profiles[0], switch) for p in profiles)) for switch in switches]
    parts = [
        "# Profiles and switches",
        "A profile says whose conventions the numbers follow: it sets every switch. "
        "`vlnscope score … --profile all` shows all that apply side by side.",
        _table(
            ("profile", "whose numbers", "where"),
            [(f"`{p['name']}`", p["title"], p["space"]) for p in profiles],
        ),
        "## How each switch is set",
        "In **bold** what differs from `default`.",
        _table(("switch", *names), rows),
        "## What each switch means",
        "::: vlnscope.metrics.profiles.switches.Switches\n    options:\n      members: []",
        "## What each profile reports",
        _table(("profile", "metrics"), [(f"`{p['name']}`", ", ".join(p["metrics"])) for p in profiles]),
    ]
    return _page(parts)


def _setting(profile: Entry, default: Entry, switch: str) -> str:
    value = profile["switches"][switch]
    shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return shown if value == default["switches"][switch] else f"**{shown}**"


def formats_page(formats: Sequence[Entry]) -> str:
    """Return the page of all file formats."""
    rows = [
        (f"`{f['name']}`", f["holds"], f["title"], "yes" if f["writes"] else "no", f["suffix"],
         ", ".join(f["carries"]), ", ".join(f["needs"]))
        for f in formats
    ]  # fmt: skip
    head = ("name", "holds", "what", "can be written", "suffix", "carries", "needs")
    lead = (
        "Files are recognised by what is in them. Any may be gzipped. `vlnscope convert` goes from one to "
        "another, and refuses to lose a field that the target does not carry unless `--drop` names it."
    )
    return _page(["# File formats", lead, _table(head, rows)])


def datasets_page(datasets: Sequence[Entry]) -> str:
    """Return the page of all data sets."""
    rows = [(f"`{d['name']}`", d["title"], ", ".join(f"`{s}`" for s in d["splits"]) or "in the data folder")
            for d in datasets]  # fmt: skip
    lead = (
        "A data set is called `NAME/SPLIT`, or by the path of an episode file. Those with splits below need "
        "no data folder; the others are looked for under `--root DIR` or `$VLNSCOPE_DATA`. "
        "`vlnscope ls datasets --root DIR` lists the splits that are there."
    )
    return _page(["# Data sets", lead, _table(("name", "what", "splits that need no folder"), rows)])


def agents_page(agents: Sequence[Entry]) -> str:
    """Return the page of all agents with their options."""
    lead = (
        "Agents that come with vlnscope. Options follow the name: `noisy:p=0.3,follow=reference`. "
        "[Your own](../tutorial/agent.md) is called by its module and class."
    )
    parts = ["# Agents that come with it", lead]
    for agent in agents:
        rows = [
            (f"`{key}`", f"`{agent['options'][key]}`", meaning) for key, meaning in agent["meaning"].items()
        ]
        parts += [f"## {agent['name']}", agent["title"], _table(("option", "if not given", "what"), rows)]
    return _page(parts)


def benchmarks_page(benchmarks: Sequence[Entry], detectors: Sequence[Entry]) -> str:
    """Return the page of all benchmarks and detectors of instruction errors."""
    parts = [
        "# Benchmarks and detectors",
        _table(
            ("name", "question", "paper"), [(f"`{b['name']}`", b["question"], b["paper"]) for b in benchmarks]
        ),
        "## Detectors of instruction errors",
        _table(("name", "what it looks at"), [(f"`{d['name']}`", d["title"]) for d in detectors]),
    ]
    return _page(parts)


def kinds_page(kinds: Sequence[Entry]) -> str:
    """Return the page of what plug-ins can add."""
    rows = [
        (f"`{kind['name']}`", kind["title"], f"`vlnscope.{kind['name'].removesuffix('s')}`") for kind in kinds
    ]
    named = [
        part
        for kind in kinds
        for part in (
            f"## {kind['name']}",
            ", ".join(f"`{e['name']}`" for e in listed(kind["name"])) or "none",
        )
    ]
    head = ("kind", "what", "entry-point group")
    return _page(["# What can be added", _table(head, rows), *named])


def _page(parts: Sequence[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")
