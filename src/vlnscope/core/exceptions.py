"""Errors that say what was wrong, what was expected and what to do.

Everything a user can cause is a `VlnscopeError`; the command line prints its three parts without a
traceback and exits with code 2. Anything else that escapes is a defect of vlnscope.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class VlnscopeError(Exception):
    """Base of all errors meant for users.

    Attributes:
        what: what was wrong, with file and episode id where they are known.
        expected: what would have been right.
        fix: what to do next, if possible a command.
    """

    def __init__(self, what: str, *, expected: str, fix: str) -> None:
        super().__init__(what)
        self.what = what
        self.expected = expected
        self.fix = fix

    def __reduce__(self) -> tuple[object, ...]:
        # errors come back from worker processes pickled, and kinds differ in what their constructors take
        return _again, (type(self), self.what, self.expected, self.fix)

    def __str__(self) -> str:
        return f"{self.what}\nexpected: {self.expected}\nfix: {self.fix}"


def _again(kind: type[VlnscopeError], what: str, expected: str, fix: str) -> VlnscopeError:
    error = kind.__new__(kind, what)
    VlnscopeError.__init__(error, what, expected=expected, fix=fix)
    return error


class InputError(VlnscopeError):
    """A file or a value that a user gave cannot be used."""


class DataNotFoundError(InputError):
    """A data set, scene or file is not where it was looked for."""


class MissingLayerError(InputError):
    """A scene lacks an optional layer (rooms, objects, …) that was asked for."""


class LossyConversionError(InputError):
    """The target format cannot carry what the source holds."""


class MissingPackageError(InputError):
    """An optional package that something needs is not installed.

    Args:
        package: what is missing.
        extra: the extra of vlnscope that brings it.
        need: who needs it, as in ``pictures need``.
        instead: what else one can do.
    """

    def __init__(self, package: str, extra: str, need: str, instead: str = "") -> None:
        install = f"pip install 'vlnscope[{extra}]'"
        super().__init__(
            f"{package} is not installed",
            expected=f"{package}, which {need}",
            fix=f"{install}, or {instead}" if instead else install,
        )


class PluginError(VlnscopeError):
    """A plug-in package cannot be loaded."""


class DuplicateNameError(VlnscopeError):
    """Two things of a kind were registered under one name."""


class UnknownNameError(InputError):
    """A name that no registered thing has; the message suggests the nearest ones.

    Example:
        >>> str(UnknownNameError("metric", "NDTW", ["nDTW", "sDTW", "SR"])).splitlines()[0]
        "there is no metric called 'NDTW'; did you mean 'nDTW'?"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], *, listed: bool = False) -> None:
        """Suggest names out of `known`; `listed` says that ``vlnscope ls`` lists things of this kind."""
        known = sorted(known)
        folded = {k.casefold(): k for k in known}
        near = [folded[c] for c in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
        near = near[:1] if near and near[0].casefold() == name.casefold() else near
        guess = f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        super().__init__(
            f"there is no {kind} called {name!r}{guess}",
            expected=f"one of {', '.join(known)}" if known else f"a registered {kind}",
            fix=f"run `vlnscope ls {kind}s` to see all of them" if listed else "choose one of these",
        )
