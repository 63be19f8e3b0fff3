"""Agents by name: ``noisy:p=0.3,seed=1``, ``my_package.my_module:MyAgent``, ``http://127.0.0.1:8000``.

An agent that comes with vlnscope, or with a package that has an entry point in the group ``vlnscope.agent``,
has a name and perhaps options; ``vlnscope ls agents`` lists them. Any other is named by the module it is in
and what it is called there; the folder one stands in counts as a place to find modules. ``scent`` and
``scent:k=3`` mean the registered agent, ``scent:Agent`` and ``scent:Agent:k=3`` always the module.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.agents.protocol import needs_of
from vlnscope.core import registry
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError, UnknownNameError, VlnscopeError

_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_NOUNS = {int: "a whole number", float: "a number", str: "a text", bool: "yes or no"}


class Option(NamedTuple):
    """An option of an agent.

    Attributes:
        kind: its type: int, float, str or bool.
        default: its value if it is not given.
        help: what it does.
        identifies: whether agents with different values decide differently, so that their identities differ.
    """

    kind: type
    default: Any
    help: str
    identifies: bool = True


SEED = Option(int, 0, "seed of all its random choices")
DEVICE = Option(
    str, AUTO, "where it computes: cpu, cuda, mps, or auto (cuda if it is there, else mps, else cpu)", False
)
"""Option of all agents that run trained models; where it is not the CPU, their `fingerprint` says so."""


@dataclass(frozen=True, kw_only=True)
class AgentSpec:
    """How to make an agent.

    Attributes:
        name: what users call it.
        summary: one line for `vlnscope ls agents`.
        make: makes one; called with the options and with ``seed`` as keyword arguments.
        options: what can be set, besides ``seed``.
        continuous: the agent that is meant by the name where data are in continuous space; None if the same
            one walks there, along the edges of the graph.
    """

    name: str
    summary: str
    make: Callable[..., Any]
    options: Mapping[str, Option] = field(default_factory=dict)
    continuous: AgentSpec | None = None


class NamedAgent(NamedTuple):
    """An agent that was made.

    Attributes:
        name: what users call it.
        identity: name with all options that matter to what it decides, defaults included: two agents of one
            identity decide alike.
        agent: the agent.
    """

    name: str
    identity: str
    agent: Any

    @property
    def privileged(self) -> bool:
        """Whether it is told the reference."""
        return "annotation" in needs_of(self.agent)


def register_agent(spec: AgentSpec) -> AgentSpec:
    """Make an agent known under its name."""
    return registry.register("agent", spec.name, spec)


def make_agent(spec: str, *, seed: int | None = None, continuous: bool = False) -> NamedAgent:
    """Make the agent that `spec` names.

    Args:
        spec: ``NAME``, ``NAME:OPTION=VALUE,…``, ``MODULE:OBJECT``, ``MODULE:OBJECT:OPTION=VALUE,…`` or the
            address of an agent that is served over HTTP.
        seed: used unless the spec names one; 0 if neither does.
        continuous: whether it is to walk in continuous space.

    Raises:
        InputError: there is no such agent, or an option that it does not have or cannot use.

    Example:
        >>> make_agent("noisy:p=0.25", seed=3).identity
        'noisy:follow=goal,p=0.25,seed=3'
    """
    if spec.startswith(("http://", "https://")):
        from vlnscope.agents.remote.client import connect

        return connect(spec)
    name, texts = _split(spec)
    how = spec_of(name)
    if continuous and how.continuous is not None:
        how = how.continuous
    values = {"seed": SEED.default if seed is None else seed} | _values(name, how, texts)
    agent = _made(name, how, values)
    named = {key: value for key, value in values.items() if key == "seed" or how.options[key].identifies}
    settings = ",".join(f"{key}={value}" for key, value in sorted(named.items()))
    own = getattr(agent, "fingerprint", None)  # e.g. of the file that it replays
    return NamedAgent(name, f"{name}:{settings}" + (f" ({own})" if own else ""), agent)


def on_device(spec: str, device: str) -> str:
    """Return an agent's spec with the device that it is to compute on.

    Raises:
        InputError: the agent has no such option, or its spec names another device.

    Example:
        >>> on_device("hamt-houses", "cpu"), on_device("learned:file=a.pt", "cuda")
        ('hamt-houses:device=cpu', 'learned:file=a.pt,device=cuda')
    """
    remote = spec.startswith(("http://", "https://"))
    name, options = ("", {}) if remote else _split(spec)
    if remote or "device" not in spec_of(name).options:
        raise InputError(
            f"agent {spec!r} does not let others choose where it computes",
            expected="an agent that runs a trained model, such as learned",
            fix="leave --device out; an agent that is served chooses for itself",
        )
    if options.get("device", device) != device:
        raise InputError(
            f"agent {spec!r} is to compute on {device}, too",
            expected="one device",
            fix="leave out --device, or the option of the agent",
        )
    return spec if "device" in options else f"{spec}{',' if options else ':'}device={device}"


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Part a spec into what it names and the options as they are written."""
    before, equals, _ = spec.partition("=")
    cut = before.rfind(":") if equals else len(spec)
    if cut <= 0:
        raise _malformed(spec)
    name, text = spec[:cut], spec[cut + 1 :]
    options: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise _malformed(spec)
        options[key] = value
    return name, options


def _malformed(spec: str) -> InputError:
    return InputError(
        f"agent {spec!r} cannot be understood",
        expected="NAME, NAME:OPTION=VALUE,OPTION=VALUE or MODULE:OBJECT",
        fix="for example `noisy:p=0.3,seed=1`; `vlnscope ls agents` shows names and options",
    )


def spec_of(name: str) -> AgentSpec:
    """Return how to make the agent of a name or of ``MODULE:OBJECT``, without its options.

    Raises:
        InputError: there is no such agent.
    """
    if ":" in name:
        return as_spec(name, _imported(name))
    try:
        return as_spec(name, registry.get("agent", name))
    except UnknownNameError as error:
        raise InputError(
            error.what,
            expected=f"{error.expected}, or MODULE:OBJECT for an agent of your own",
            fix="run `vlnscope ls agents` to see all of them",
        ) from None


def as_spec(name: str, thing: Any) -> AgentSpec:
    """Take whatever a plug-in or a module offers as an agent: a spec, a class or function, or an agent.

    Options are then read off the parameters of the class or function; one called ``seed`` gets the seed.
    """
    if isinstance(thing, AgentSpec):
        return thing
    summary = (inspect.getdoc(thing) or "").partition("\n")[0]
    if callable(getattr(thing, "act", None)) and not inspect.isclass(thing):
        return AgentSpec(name=name, summary=summary, make=lambda seed: thing)
    if not callable(thing):
        raise InputError(
            f"agent {name!r} is of the type {type(thing).__name__}",
            expected="a class or a function that makes an agent, or an object with the method `act`",
            fix="name another object of the module",
        )
    return _spec_of_callable(name, summary, thing)


def _spec_of_callable(name: str, summary: str, thing: Callable[..., Any]) -> AgentSpec:
    parameters = inspect.signature(thing).parameters
    takes_seed = "seed" in parameters
    options: dict[str, Option] = {}
    for key, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or key == "seed":
            continue
        default = None if parameter.default is parameter.empty else parameter.default
        kind = type(default) if type(default) in _NOUNS else str
        options[key] = Option(kind, default, "as the agent's own documentation says")

    def make(seed: int, **values: Any) -> Any:
        return thing(**values, seed=seed) if takes_seed else thing(**values)

    return AgentSpec(name=name, summary=summary, make=make, options=options)


def _imported(name: str) -> Any:
    module, _, attribute = name.partition(":")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # and left there: the agent may import its neighbours later
    registered = registry.has("agent", module)
    if registered and not _is_module(module):
        raise _malformed(name)
    try:
        thing: Any = importlib.import_module(module)
        for part in attribute.split("."):
            thing = getattr(thing, part)
    except Exception as error:  # a module may fail in any way while it is imported
        raise InputError(
            f"agent {name!r} cannot be imported: {type(error).__name__}: {error}",
            expected="MODULE:OBJECT, where MODULE can be imported from here and has OBJECT",
            fix="install the package, or run in the folder that the module lies in"
            + (f"; the agent {module!r} takes options as {module}:OPTION=VALUE" if registered else ""),
        ) from error
    return thing


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _values(name: str, spec: AgentSpec, texts: Mapping[str, str]) -> dict[str, Any]:
    known = {**spec.options, "seed": SEED}
    if unknown := sorted(texts.keys() - known.keys()):
        raise InputError(
            f"agent {name!r} has no option {unknown[0]!r}",
            expected=f"one of {', '.join(sorted(known))}",
            fix=f"run `vlnscope ls agents {name}` to see what they mean",
        )
    values = {key: option.default for key, option in spec.options.items()}
    return values | {key: _parsed(name, key, known[key], text) for key, text in texts.items()}


def _parsed(name: str, key: str, option: Option, text: str) -> Any:
    try:
        return _YES_NO[text.casefold()] if option.kind is bool else option.kind(text)
    except (KeyError, ValueError):
        raise InputError(
            f"agent {name!r}: {key}={text!r} cannot be used",
            expected=_NOUNS.get(option.kind, option.kind.__name__),
            fix=f"for example {key}={option.default}",
        ) from None


def _made(name: str, spec: AgentSpec, values: Mapping[str, Any]) -> Any:
    try:
        agent = spec.make(**values)
    except VlnscopeError:
        raise
    except Exception as error:  # an agent of somebody else may fail in any way
        raise InputError(
            f"agent {name!r} cannot be made: {type(error).__name__}: {error}",
            expected="an agent that can be made with the options given",
            fix="give the options that it must have, or mend the agent",
        ) from error
    if not callable(getattr(agent, "act", None)):
        raise InputError(
            f"agent {name!r} makes something without the method `act`: {type(agent).__name__}",
            expected="an object with act(observation) -> Decision",
            fix="see docs/agents.md",
        )
    return agent
