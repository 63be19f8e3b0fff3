"""Numbers that somebody states, and the settings of the switches under which walks give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from itertools import combinations, product
from math import isfinite
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.evaluate.gap.settings import MeansBySetting, changed_for
from vlnscope.evaluate.score.profile_table import switches_of
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.reporting.tables.marks import counted

MOST_CHANGES = 3
"""So many switches at most are changed in search of a number; with more, almost any number can be had."""
MOST_DECIMALS = 12
KEPT = 5
EXAMPLE = "SPL=56.05,SR=60.2"


@dataclass(frozen=True)
class ClaimedNumber:
    """A number as a table prints it: shares in percent, lengths in metres, with so many decimals.

    Example:
        >>> ClaimedNumber.read("57").fits(56.6), ClaimedNumber.read("57.0").fits(56.6)
        (True, False)
        >>> ClaimedNumber.read("7.78e1")
        ClaimedNumber(value=77.8, decimals=1)
    """

    value: float
    decimals: int

    @classmethod
    def read(cls, text: str) -> ClaimedNumber:
        """Read a number; the decimals that are written say how exact it is.

        Raises:
            ValueError: it is no finite number, or has more than `MOST_DECIMALS` decimals.
        """
        try:
            exact = Decimal(text.strip())
        except InvalidOperation:
            raise ValueError(text) from None
        exponent = exact.as_tuple().exponent
        if not isinstance(exponent, int) or not isfinite(float(exact)) or -exponent > MOST_DECIMALS:
            raise ValueError(text)
        return cls(float(exact), max(0, -exponent))

    def fits(self, number: float | None) -> bool:
        """Whether a number is printed so."""
        return number is not None and abs(number - self.value) <= 0.5 * 10.0**-self.decimals + 1e-9

    def __str__(self) -> str:
        return f"{self.value:.{self.decimals}f}"


def read_claims(stated: str | Mapping[str, str | float]) -> dict[str, ClaimedNumber]:
    """Read numbers of metrics: ``SPL=56.05,SR=60.2``, or a mapping.

    Raises:
        InputError: it cannot be read, names a metric twice, or one that is none or that only tours have, or
            gives a number that the metric cannot have.

    Example:
        >>> read_claims("SPL=56.05, SR=60.2")["SR"]
        ClaimedNumber(value=60.2, decimals=1)
    """
    pairs = _pairs(stated) if isinstance(stated, str) else [(m, str(v)) for m, v in stated.items()]
    claims: dict[str, ClaimedNumber] = {}
    for metric, text in pairs:
        if get_metric(metric).per == "tour":
            raise InputError(
                f"{metric} has one value per tour, and walks are explained episode by episode",
                expected="metrics of episodes",
                fix=f"leave {metric} out; `vlnscope ls metrics` lists the others",
            )
        try:
            claim = ClaimedNumber.read(text)
        except ValueError:
            raise _unreadable(f"{metric}={text}") from None
        if metric in claims:
            raise InputError(
                f"two numbers are claimed for {metric}: {claims[metric]} and {claim}",
                expected="one number for each metric",
                fix="leave one of them out",
            )
        _check_bounds(metric, claim, text)
        claims[metric] = claim
    if not claims:
        raise _unreadable("nothing")
    return claims


def share_notes(claims: Mapping[str, ClaimedNumber]) -> list[str]:
    """Say how numbers were read that look like shares of 1, where percent are expected.

    Example:
        >>> share_notes(read_claims("SR=0.78,SPL=60"))
        ['SR 0.78 was read as 0.78 %; if a share of 1 is meant, write SR=78']
    """
    return [
        f"{metric} {claim} was read as {claim} %;"
        f" if a share of 1 is meant, write {metric}={100 * claim.value:.{max(0, claim.decimals - 2)}f}"
        for metric, claim in claims.items()
        if get_metric(metric).unit == "%" and 0 < claim.value <= 1
    ]


def _check_bounds(metric: str, claim: ClaimedNumber, text: str) -> None:
    known = get_metric(metric)
    low, high = known.low * known.scale, None if known.high is None else known.high * known.scale
    if low <= claim.value and (high is None or claim.value <= high):
        return
    unit = {"%": " percent", "m": " m", "": ""}[known.unit]
    bounds = f"at least {low:g}{unit}" if high is None else f"from {low:g} to {high:g}{unit}"
    raise InputError(
        f"{metric} cannot be {text}",
        expected=f"a number {bounds}",
        fix=f"check the number; for example --claimed {EXAMPLE}",
    )


def _pairs(stated: str) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in stated.split(",") if part.strip()]
    if wrong := [name for name, equals, _ in parts if not equals]:
        raise _unreadable(wrong[0])
    return [(name.strip(), text.strip()) for name, _, text in parts]


def _unreadable(text: str) -> InputError:
    return InputError(
        f"the claimed numbers: {text}",
        expected="METRIC=NUMBER with commas between, shares in percent",
        fix=f"for example --claimed {EXAMPLE}",
    )


@dataclass(frozen=True)
class SettingFit:
    """What some walks give under one setting of the switches, beside what is claimed.

    Attributes:
        changes: switches that differ from the profile the search began with, with both settings.
        profiles: profiles that set all switches of these metrics so.
        numbers: the mean of each metric, in the unit shown in tables.
        claims: what is claimed.
        switches: the whole setting.
    """

    changes: dict[str, tuple[object, object]]
    profiles: tuple[str, ...]
    numbers: dict[str, float | None]
    claims: dict[str, ClaimedNumber]
    switches: Switches

    @property
    def matches(self) -> bool:
        """Whether all numbers, rounded, are the claimed ones."""
        return all(claim.fits(self.numbers[metric]) for metric, claim in self.claims.items())

    @property
    def distance(self) -> float:
        """How far the numbers are from the claimed ones: the sum of the relative differences."""
        total = 0.0
        for metric, claim in self.claims.items():
            number = self.numbers[metric]
            if number is None:
                return float("inf")
            total += abs(number - claim.value) / max(abs(claim.value), 10.0**-claim.decimals)
        return total

    def to_dict(self) -> dict[str, Any]:
        """Return the fit as plain data."""
        return {
            "matches": self.matches,
            "switches": {name: after for name, (_, after) in self.changes.items()},
            "profiles": list(self.profiles),
            "numbers": self.numbers,
            "claimed": {metric: claim.value for metric, claim in self.claims.items()},
        }


class SettingSearch(NamedTuple):
    """Settings that come closest to claimed numbers, and out of how many they were chosen.

    Attributes:
        fits: the best ones, best first.
        tried: how many settings were computed.
        different: how many different results these gave.
        matching: how many of the different results are the claimed numbers, rounded.
    """

    fits: tuple[SettingFit, ...]
    tried: int
    different: int
    matching: int

    def note(self) -> str:
        """Say out of how many settings the best were chosen."""
        tried = (
            f"{counted(self.tried, 'setting')} of the switches {'was' if self.tried == 1 else 'were'} tried"
        )
        matching = f"{self.matching} of which {'is' if self.matching == 1 else 'are'} what is stated"
        return f"{tried}, with {counted(self.different, 'different result')}, {matching}"


def closest(
    means: MeansBySetting, claims: Mapping[str, ClaimedNumber], base: Profile, known: Mapping[str, Profile]
) -> SettingSearch:
    """Find the settings under which walks come closest to claimed numbers, best first.

    Every setting is computed. Tried are all profiles, and every change of up to `MOST_CHANGES` switches of
    `base` to a setting that some profile has. Settings that give the numbers as printed come first, those
    with the fewest changes before others; then those that come nearest. Of several that give the very same
    numbers, those with the fewest changes are kept.
    """
    metrics = list(claims)
    settings = list(dict.fromkeys([*_changed(base.switches, metrics, known), *_whole(base, known)]))
    means.prepare((metric, setting) for setting in settings for metric in metrics)
    every = [_fit(means, claims, base.switches, setting, known) for setting in settings]
    fits = list({tuple(fit.changes.items()): fit for fit in reversed(every)}.values())[::-1]
    fits.sort(key=lambda f: (not f.matches, 0.0 if f.matches else round(f.distance, 12), len(f.changes)))
    fewest: dict[tuple[object, ...], SettingFit] = {}
    kept = []
    for fit in fits:
        numbers = tuple(None if n is None else round(n, 9) for n in fit.numbers.values())
        if len(fit.changes) <= len(fewest.setdefault(numbers, fit).changes):
            kept.append(fit)
    matching = sum(fit.matches for fit in fewest.values())
    return SettingSearch(tuple(kept[:KEPT]), len(fits), len(fewest), matching)


def _whole(base: Profile, known: Mapping[str, Profile]) -> Iterator[Switches]:
    yield base.switches
    for profile in known.values():
        yield profile.switches


def _changed(base: Switches, metrics: Sequence[str], known: Mapping[str, Profile]) -> Iterator[Switches]:
    wanted = {name for metric in metrics for name in switches_of(metric)}
    others: dict[str, list[object]] = {}
    for name in (f.name for f in fields(base) if f.name in wanted):
        settings = dict.fromkeys(getattr(p.switches, name) for p in known.values())
        others[name] = [s for s in settings if s != getattr(base, name)]
    for size in range(MOST_CHANGES + 1):
        for names in combinations(others, size):
            for chosen in product(*(others[name] for name in names)):
                yield replace(base, **dict(zip(names, chosen, strict=True)))  # type: ignore[arg-type]


def _fit(
    means: MeansBySetting,
    claims: Mapping[str, ClaimedNumber],
    base: Switches,
    setting: Switches,
    known: Mapping[str, Profile],
) -> SettingFit:
    metrics = list(claims)
    return SettingFit(
        changes=changed_for(metrics, base, setting),
        profiles=tuple(n for n, p in known.items() if not changed_for(metrics, setting, p.switches)),
        numbers={metric: means.of(metric, setting).points for metric in metrics},
        claims=dict(claims),
        switches=setting,
    )
