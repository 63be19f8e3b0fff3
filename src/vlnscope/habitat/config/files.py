"""Reads configurations: by name, or from YAML files as habitat-lab and VLN-CE have them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vlnscope.core import files
from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingPackageError
from vlnscope.habitat.config.known import (
    HOMES,
    add_parts,
    base,
    in_old_spelling,
    known,
    part_names,
    preset,
    preset_names,
)
from vlnscope.habitat.config.node import Config, merge, put
from vlnscope.habitat.coverage import NotCoveredError

CONFIG_FILE_SEPARATOR = ","
_MOST_MB = 4
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_OLD = {"SIMULATOR", "TASK", "ENVIRONMENT", "DATASET"}


def get_config(
    config_path: str | Path | Sequence[str | Path] = (),
    overrides: Sequence[Any] | None = None,
    configs_dir: str | Path | None = None,
    *,
    config_paths: str | Path | Sequence[str | Path] | None = None,
    opts: Sequence[Any] | None = None,
) -> Config:
    """Return a configuration, read-only until `read_write` or ``defrost``.

    Args:
        config_path: ``vlnce``, ``rxr-ce`` (both also with ``-0.1.7``, for the spelling of that version), a
            YAML file, or several in a list or with commas between them, of which later ones go first. A file
            of habitat-lab itself need not be there: ``benchmark/nav/vln_r2r.yaml`` is known. Without any, the
            defaults of Habitat 0.1.7 in its spelling.
        overrides: ``["habitat.seed=3", …]``, or names and values in turn, as Habitat 0.1.7 had them.
        configs_dir: where files are looked for that are named by a relative path.
        config_paths: what Habitat 0.1.7 called `config_path`.
        opts: what Habitat 0.1.7 called `overrides`.

    Raises:
        DataNotFoundError: there is no such file, and no configuration has this name.
        NotCoveredError: the file is made of parts that are not covered.

    Example:
        >>> config = get_config("vlnce", ["habitat.dataset.split=val_seen"])
        >>> config.habitat.dataset.split, config.habitat.task.measurements.success.success_distance
        ('val_seen', 3.0)
    """
    given = config_paths or config_path
    paths = given.split(CONFIG_FILE_SEPARATOR) if isinstance(given, str) else given
    names = [paths] if isinstance(paths, Path) else list(paths)
    folder = Path(configs_dir or ".")
    config = _read(str(names[0]), folder) if names else in_old_spelling(base())
    for name in names[1:]:
        merge_file(config, folder / name)
    _override(config, list(overrides or opts or ()))
    config.freeze()
    return config


def get_agent_config(sim_config: Config, agent_id: int | None = None) -> Config:
    """Return the options of the agent, given those of the simulator."""
    if agent_id not in (None, 0):
        raise NotCoveredError(f"agent {agent_id}", "one agent, number 0")
    agent: Config = sim_config.agents.main_agent if "agents" in sim_config else sim_config.AGENT_0
    return agent


def _read(name: str, folder: Path) -> Config:
    path = folder / name
    if not path.is_file():
        for known_name in preset_names():
            if name == known_name or ("/" in known_name and name.replace("\\", "/").endswith(known_name)):
                return preset(known_name)
        raise DataNotFoundError(
            f"there is no configuration {name}",
            expected=f"a YAML file, or one of {', '.join(preset_names())}",
            fix="correct the path, or take vlnce",
        )
    options = _yaml(path)
    if "TASK_CONFIG" in options:  # files of habitat_baselines keep the task there
        config = Config({"TASK_CONFIG": in_old_spelling(base())})
    else:
        config = in_old_spelling(base()) if _OLD & options.keys() else base()
    _merge_options(config, options, path)
    return config


def merge_file(config: Config, path: str | Path) -> None:
    """Put the options of a YAML file over those of a configuration.

    Raises:
        DataNotFoundError: there is no such file.
        InputError: it holds no options.
    """
    if not Path(path).is_file():
        raise DataNotFoundError(
            f"there is no file {path}", expected="a YAML file with options", fix="correct the path"
        )
    _merge_options(config, _yaml(Path(path)), Path(path))


def _yaml(path: Path) -> dict[str, Any]:
    try:
        import yaml
    except ImportError:
        raise MissingPackageError(
            "PyYAML",
            "habitat",
            f"reads {path.name}",
            "name a configuration that needs no file: vlnce, rxr-ce",
        ) from None
    try:
        options = yaml.safe_load(files.read_bytes(path, _MOST_MB))
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: is no YAML ({reason})",
            expected="a configuration of Habitat",
            fix="mend the file at that place",
        ) from None
    if not isinstance(options, dict):
        raise InputError(
            f"{path}: holds no options",
            expected="a configuration of Habitat: habitat: or SIMULATOR:, TASK:, …",
            fix="name the file of the task, or take vlnce",
        )
    return options


def _merge_options(config: Config, options: Mapping[str, Any], path: Path) -> None:
    """Put the options of a file over a configuration, and first what its `defaults` name."""
    if "habitat" not in config:
        merge(config, options)
        return
    for entry in options.get("defaults", ()):
        _add_default(config, entry, path)
    own = {name: value for name, value in options.items() if name != "defaults"}
    merge(config, own if "habitat" in own else {"habitat": own})


def _add_default(config: Config, entry: Any, path: Path) -> None:
    """Carry out an entry of a `defaults` list: a group, or parts that are listed by name."""
    groups: Iterable[tuple[str, Any]] = entry.items() if isinstance(entry, Mapping) else [("", entry)]
    for group, chosen in groups:
        kind = group.partition("@")[0].rstrip("/").rpartition("/")[2]
        names = chosen if isinstance(chosen, list) else [chosen]
        if kind in HOMES and set(names) <= {*part_names(kind), *config.habitat.task.actions}:
            add_parts(config, kind, [name for name in names if name in part_names(kind)])
        elif names[0] in known()["groups"]:
            for part_kind, parts in known()["groups"][names[0]].items():
                add_parts(config, part_kind, parts)
        elif kind not in ("dataset", "vln") and names != ["habitat_config_base"] and names != ["_self_"]:
            raise NotCoveredError(
                f"the default {group.strip('/') or names[0]}: {chosen} of {path}",
                f"{', '.join(known()['groups'])}, and single sensors and measures by name",
                "take it out of `defaults`; set what you need of it in the file itself",
            )


def _override(config: Config, overrides: list[Any]) -> None:
    if all("=" in str(entry) for entry in overrides):
        pairs = [str(entry).lstrip("+").partition("=")[::2] for entry in overrides]
        for name, text in pairs:
            put(config, name, _value(text))
        return
    config.merge_from_list([value if k % 2 == 0 else _value(value) for k, value in enumerate(overrides)])


def _value(text: Any) -> Any:
    """Return what an override means: a number, a truth value, nothing, a list, or the text itself."""
    if not isinstance(text, str) or text.lower() in _WORDS:
        return _WORDS[text.lower()] if isinstance(text, str) else text
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
