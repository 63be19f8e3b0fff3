"""Which model a checkpoint holds, and what is needed to run it (`vlnscope agents inspect`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vlnscope.agents.learned.checkpoints import RUN_MARK, is_ours, load_network, read_content
from vlnscope.agents.learned.cma.policy import ContinuousPolicy
from vlnscope.agents.learned.layouts import Layout
from vlnscope.agents.learned.model import ModelConfig, NavModel, PanoramaNetwork
from vlnscope.agents.learned.network import Network, NetworkConfig
from vlnscope.agents.learned.public_checkpoints import files_of, open_public, recognise, released_models
from vlnscope.agents.learned.released_files import parts_of
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, Result, TextTable

_WORDS = {
    "pieces": "word pieces of bert-base-uncased (its vocab.txt)",
    "r2r-ce": "the words of R2R-CE (instruction_vocab of its episodes), in their order",
    "words": "a vocabulary, one word per line (such as train_vocab.txt)",
}


@dataclass(frozen=True)
class Inspection(Result):
    """What is known of a checkpoint.

    Attributes:
        file: the file, or several with ``+`` between.
        model: the model that it holds.
        title: of the layout; of a file of ours, that it is one.
        sizes: of the model.
        weights: how many numbers it has.
        loaded: how many weights fitted.
        missing: weights of the model that the file lacks.
        unused: what else the file has.
        needs: what running it takes, in words, by what it is about.
        command: how to run it.
        lacking: of the missing weights, those without which it cannot be run.
    """

    file: str
    model: str
    title: str
    sizes: dict[str, Any]
    weights: int
    loaded: int
    missing: tuple[str, ...]
    unused: tuple[str, ...]
    needs: dict[str, str]
    command: str
    lacking: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            **{name: getattr(self, name) for name in self.__dataclass_fields__},
            "missing": list(self.missing),
            "unused": list(self.unused),
            "lacking": list(self.lacking),
        }

    def records(self) -> list[dict[str, Any]]:
        """Return the sizes, a row each."""
        return [{"size": name, "value": value} for name, value in self.sizes.items()]

    def display(self) -> Iterator[Block]:
        """Yield the model, what it needs, its sizes, and how the weights fitted."""
        yield Line(f": {self.title}, {self.weights:,} numbers", self.model, "bold")
        yield from (Line(f"  {text}", what) for what, text in self.needs.items())
        yield Line(f"{self.loaded} weights fit")
        for what, names in (("missing", self.missing), ("unexpected", self.unused)):
            if names:
                yield Line(f" {what}: {_some(names)}", str(len(names)), "yellow")
        if self.lacking:
            yield Line(
                f": {len(self.lacking)} of the missing weights would be random", "cannot be run", "bold red"
            )
        yield TextTable(
            "sizes", ("size", "value"), [[name, str(value)] for name, value in self.sizes.items()]
        )
        if not self.lacking:
            yield Line(f"run it: {self.command}")


def inspect_checkpoint(file: str | Path) -> Inspection:
    """Say which model a checkpoint holds, and what it needs.

    Args:
        file: of ours or of a public code; several files of one model have ``+`` between.

    Raises:
        InputError: a file cannot be read, or holds no model that is known.
    """
    contents = [read_content(path) for path in files_of(file)]
    if len(contents) == 1 and is_ours(contents[0]):
        return _ours(str(file), training=RUN_MARK in contents[0])
    if recognise(contents) is None:
        raise InputError(
            f"{file}: holds {_held(contents)}, which is no model that vlnscope knows",
            expected=f"the weights of {', '.join(released_models())}, as they are released",
            fix="name a checkpoint of one of them, or run the model in its own code (docs/agents.md)",
        )
    return _public(str(file))


def _public(file: str) -> Inspection:
    opened = open_public(file)
    model, layout = opened.model, opened.layout
    return Inspection(
        file=file,
        model=model.name,
        title=layout.title,
        sizes=model.config.to_dict(),
        weights=sum(weight.numel() for weight in model.parameters()),
        loaded=len(opened.report.loaded),
        missing=opened.report.missing,
        unused=opened.report.unexpected,
        needs=needs_of_layout(layout, model),
        command=_command(model, file, public=True),
        lacking=opened.lacks,
    )


def _ours(file: str, *, training: bool) -> Inspection:
    if training:
        raise InputError(
            f"{file}: is the state of a training run",
            expected="the weights of a model",
            fix=f"name {Path(file).parent / 'best.pt'}",
        )
    loaded = load_network(file)
    config, notes = loaded.model.config, loaded.notes
    needs = dict(loaded.model.sees)
    if isinstance(config, ModelConfig):
        needs["features"] = f"{notes.get('features') or 'not noted'}, {config.image_size} numbers per view"
        if config.patch_width:
            needs["grid"] = f"{notes.get('grid') or 'not noted'}, {config.patch_width} numbers per patch"
    needs |= {name: f"{name}:{camera}" for name, camera in notes.get("cameras", {}).items()}
    if "memory" in notes:
        needs["map"] += f"; {notes['memory']}"
    if "experiment" in notes:
        needs["trained by"] = str(notes["experiment"])
    needs["words"] = "in the file"
    return Inspection(
        file=file,
        model=loaded.model.name,
        title="written by vlnscope",
        sizes=config.to_dict(),
        weights=sum(weight.numel() for weight in loaded.model.parameters()),
        loaded=len(loaded.model.state_dict()),
        missing=(),
        unused=(),
        needs=needs,
        command=_command(loaded.model, file, public=False),
    )


def _command(model: Network, file: str, *, public: bool) -> str:
    """Return how to use a model."""
    if isinstance(model, NavModel):
        grid = "grid=NAME," if model.config.patch_width else ""
        options = f",features=NAME,{grid}words=FILE" if public else ""
        return f"vlnscope run learned:file={file}{options} --data DATA --out RUN"
    if isinstance(model, ContinuousPolicy) and not public:
        return f"vlnscope run learned:file={file} --data houses-ce/val_unseen --out RUN"
    if isinstance(model, PanoramaNetwork):
        return f"vlnscope speak {file} --data DATA --out EPISODES.json"
    function = "public_checkpoints.open_public" if public else "checkpoints.load_network"
    return f"vlnscope.agents.learned.{function}({file!r}).model, in Python"


def needs_of_layout(layout: Layout, model: Network) -> dict[str, str]:
    """Return what running a public checkpoint takes, in words, by what it is about."""
    words = _WORDS.get(layout.words, f"tokens of {layout.words}, which vlnscope cannot make")
    longest = getattr(model.config, "max_tokens", 0)
    backwards = ", read backwards" if layout.reads.backwards else ""
    needs = _views(layout, model.config) if isinstance(model, PanoramaNetwork) else dict(model.sees)
    if longest:
        needs["words"] = f"{words}, {longest} at most{backwards}"
        needs["steps"] = _steps(layout, model.config)
    if isinstance(model, PanoramaNetwork) and model.config.patch_width:
        usual = f", such as {' or '.join(layout.grids)}" if layout.grids else ""
        needs["grid"] = (
            f"{model.config.patch_width} numbers for each patch of 12 level views{usual}, and their depths"
        )
    return needs


def _views(layout: Layout, config: ModelConfig) -> dict[str, str]:
    usual = f", such as {' or '.join(layout.features)}" if layout.features else ""
    width = config.image_size
    return {
        "features": f"{width} numbers for each of 36 views{usual}; without angles, which are made here "
        f"(features=NAME@{width}=FILE takes the first {width} of a wider file)",
        "angles": str(layout.angles),
    }


def _steps(layout: Layout, config: NetworkConfig) -> str:
    """Say how many decisions there are; models with a map count them, and stop by themselves."""
    if (most := getattr(config, "max_actions", 0)) > 0:
        return f"{most} decisions at most, the last of which is to stop (learned:…,max_actions={most})"
    return f"{layout.steps} at most in the official code (run --max-steps {layout.steps})"


def _held(contents: Sequence[Any]) -> str:
    """Say which weights files hold; of what holds none, which names."""
    weights = [
        f"{part}: {_some(list(its))}" if part else _some(list(its))
        for content in contents
        for part, its in parts_of(content).items()
        if its
    ]
    names = _some([name for content in contents for name in content])
    return "; ".join(weights[:6]) or (f"no weights under {names}" if names else "nothing")


def _some(names: Sequence[Any]) -> str:
    return ", ".join(str(name) for name in names[:3]) + (" …" if len(names) > 3 else "")
