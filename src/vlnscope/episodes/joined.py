"""Several prediction files that count as one, and walks that are filed under paths instead of instructions.

Programs that work through one instruction of each path at a time write a file for each,
``{path_id: [viewpoints]}``, and say in its name which instruction it is (``…_inst_0.json``). Others write a
file for each episode, or for each process. Such files are read as one as long as they share no episode.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import OnProblem, refuse
from vlnscope.episodes.reading import read_predictions
from vlnscope.types import Prediction

Sourced = tuple[Path, Prediction]
"""A prediction, and the file that it comes from."""
_INSTRUCTION = re.compile(r"(?:^|[_.\- ])inst(?:r|ruction)?s?[_.\- ]?(\d{1,3})(?=[_.\- ]|$)", re.IGNORECASE)


def files_of(predictions: object) -> tuple[Path, ...] | None:
    """Return the files that predictions are given as: one, or several in a list; None if they are none.

    Example:
        >>> [str(path) for path in files_of(["a.json", "b.json"])]
        ['a.json', 'b.json']
        >>> files_of([Prediction(episode_id="1_0", path=("a",))]) is None
        True
    """
    if isinstance(predictions, str | Path):
        return (Path(predictions),)
    if not isinstance(predictions, list | tuple) or not predictions:
        return None
    return tuple(map(Path, predictions)) if isinstance(predictions[0], str | Path) else None


def instruction_in_name(path: Path) -> int | None:
    """Return which instruction of each path the name of a file says that it holds; None if it says nothing.

    Example:
        >>> instruction_in_name(Path("r2r_val_seen_inst_2.json")), instruction_in_name(Path("a.json"))
        (2, None)
    """
    found = _INSTRUCTION.findall(path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json"))
    return int(found[-1]) if found else None


class JoinedFiles:
    """Prediction files that are read as one.

    Attributes:
        paths: the files.
        by_path: how many predictions of each file were filed under the id of a path, by the file.
        nameless: ids of paths in files whose names do not say which instruction they hold.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        self.by_path: dict[Path, int] = {}
        self.nameless: dict[str, Path] = {}

    def read(self, on_problem: OnProblem = refuse) -> Iterator[Sourced]:
        """Yield each prediction as it stands, with the file that it comes from."""
        for path in self.paths:
            for prediction in read_predictions(path, on_problem=on_problem):
                yield path, prediction

    def resolve(self, predictions: Iterable[Sourced], known: Collection[str] | None) -> Iterator[Prediction]:
        """Yield predictions under ids of episodes.

        Args:
            predictions: what `read` yields.
            known: the ids of all episodes; without them, every number is taken for the id of a path if the
                file's name says which instruction it holds.

        Raises:
            InputError: an episode is in two files.
        """
        seen: dict[str, Path] = {}
        for path, prediction in predictions:
            if known is None or prediction.episode_id not in known:
                prediction = self._by_instruction(path, prediction, known)
            if len(self.paths) > 1:
                refuse_second(seen, prediction.episode_id, path)
            yield prediction

    def _by_instruction(
        self, path: Path, prediction: Prediction, known: Collection[str] | None
    ) -> Prediction:
        name, number = prediction.episode_id, instruction_in_name(path)
        is_path = f"{name}_{number or 0}" in known if known is not None else name.isdigit()
        if not is_path:
            return prediction
        if number is None:
            self.nameless.setdefault(name, path)
            return prediction
        self.by_path[path] = self.by_path.get(path, 0) + 1
        return msgspec.structs.replace(prediction, episode_id=f"{name}_{number}")

    def notes(self) -> list[str]:
        """Say what was joined, and which ids were those of paths."""
        said = [f"{len(self.paths)} files were read as one"] if len(self.paths) > 1 else []
        for path, count in self.by_path.items():
            said.append(
                f"{path.name}: its {count} ids are of paths; by its name it holds instruction"
                f" {instruction_in_name(path)} of each"
            )
        return said

    def refuse_nameless(self) -> None:
        """Refuse ids of paths where nothing says which of the path's instructions was walked."""
        if not self.nameless:
            return
        name, path = next(iter(self.nameless.items()))
        raise InputError(
            f"{path}: its ids are those of paths ({name}), and each path has several instructions",
            expected=f"ids of instructions such as {name}_0",
            fix=f"say in the name of the file which instruction of each path was walked, as in "
            f"{path.name.split('.')[0]}_inst_0.json; or write ids such as {name}_0",
        )


def refuse_second(seen: dict[str, Path], name: str, path: Path) -> None:
    """Note which file an episode is in, and refuse it if it is in another already."""
    if name in seen:
        where = f"twice in {path}" if seen[name] == path else f"in {seen[name]} and in {path}"
        raise InputError(
            f"episode {name} is {where}",
            expected="files that share no episode, to be read as one",
            fix="leave one of them out; several runs of one agent are compared as NAME=FILE,FILE",
        )
    seen[name] = path
