"""Why do two results differ? Protocol, data, walks: each part recomputed, and they add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.data_profile import profile_for
from vlnscope.evaluate.gap.between_files import file_gap
from vlnscope.evaluate.gap.between_numbers import (
    ORACLE,
    ScoredSide,
    refuse_rules,
    scored_gap,
    scored_number_gap,
)
from vlnscope.evaluate.gap.claims import ClaimedNumber, SettingFit, closest, read_claims, share_notes
from vlnscope.evaluate.gap.flips import SUCCESS
from vlnscope.evaluate.gap.published import PublishedResult, get_published
from vlnscope.evaluate.gap.result import Gap, MetricGap
from vlnscope.evaluate.gap.settings import MeansBySetting, applying
from vlnscope.evaluate.gap.side import GapSide, interval_notes, mean_of, rest_part
from vlnscope.evaluate.gap.switch_shares import switch_parts
from vlnscope.evaluate.score.collect import collect
from vlnscope.evaluate.score.measured import is_measured_run, score_measured, stated_names
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import score
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import Profile, get_profile
from vlnscope.types import Prediction


def number_gap(
    side_a: GapSide, claims: Mapping[str, ClaimedNumber], row: PublishedResult | None, other: Profile | None
) -> Gap:
    """Explain the gap between walks and stated numbers: switches first, then what is left.

    Args:
        side_a: A.
        claims: the numbers.
        row: where they are published, if they are.
        other: whose conventions they follow; if that is not known, a setting that gives them all, or else
            those of A.
        how: the interval of what is left is made.
    """
    means, known = MeansBySetting(side_a.pairs), applying(side_a.pairs)
    notes = [*side_a.notes, *(share_notes(claims) if row is None else _row_notes(row, side_a.dataset))]
    search = closest(means, claims, side_a.profile, known)
    followed = other or _followed(side_a.profile, search.fits[0])
    ruled = side_a.scored(followed, tuple(claims))
    gaps = [
        _metric_gap(means, metric, claim, side_a.profile, followed, ruled) for metric, claim in claims.items()
    ]
    alone = [
        closest(means, {metric: claim}, side_a.profile, known).fits[0] for metric, claim in claims.items()
    ]
    return Gap(
        a=f"{side_a.name} under {side_a.profile.name}",
        b=f"{row.agent} ({row.source})" if row is not None else "the claimed numbers",
        dataset=side_a.dataset.name,
        profiles=(side_a.profile.name, followed.name),
        metrics=tuple(gaps),
        fits=search.fits,
        alone=tuple(alone) if len(alone) > 1 else (),
        notes=(*notes, search.note(), *interval_notes(gaps)),
        stated=row is None,
    )


def _followed(base: Profile, best: SettingFit) -> Profile:
    if not best.matches or not best.changes:
        return base
    return replace(base, name=f"{base.name}, changed", switches=best.switches)


def _metric_gap(
    means: MeansBySetting, metric: str, claim: ClaimedNumber, base: Profile, other: Profile, ruled: Score
) -> MetricGap:
    start, end = means.of(metric, base.switches).points, mean_of(ruled, metric)
    shared = switch_parts(means, metric, base, other)
    if shared is None or end is None:
        return MetricGap(metric, start, claim.value, claim=claim)
    parts, shares = shared
    parts.append(rest_part(claim, end, ruled, metric))
    return MetricGap(metric, start, claim.value, tuple(parts), shares.method, claim=claim)


def _row_notes(row: PublishedResult, dataset: Dataset) -> list[str]:
    """Say where a row comes from, and refuse walks of other data.

    Files have no name to go by; then the reader is told.
    """
    if dataset.split and dataset.name != row.data:
        raise InputError(
            f"the row {row.key} was measured on {row.data}, the walks are of {dataset.name}",
            expected=f"walks of {row.data}",
            fix=f"name a row of {dataset.name}, or add --data {row.data}",
        )
    notes = [f"{row.agent}: {row.source}; profile {row.profile}"]
    if row.note:
        notes.append(f"{row.agent}: {row.note}")
    if not dataset.split:
        notes.append(f"the row was measured on {row.data}; make sure that {dataset.name} holds its episodes")
    return notes


USUAL = ("SR", "SPL", "nDTW")
Predictions = str | Path | Iterable[Prediction]


def explain_gap(
    a: Predictions,
    b: Predictions | None = None,
    *,
    data: str | Path | Dataset,
    profile: str | Profile = "default",
    against_profile: str | Profile | None = None,
    against_data: str | Path | Dataset | None = None,
    against_positions: str | None = None,
    published: str | None = None,
    claimed: str | Mapping[str, str | float] | None = None,
    metrics: Sequence[str] | None = None,
    root: str | Path | None = None,
    positions: str = "connectivity",
) -> Gap:
    """Explain the gap from A to B, where B is a file, the same file under another profile, or numbers.

    The gap is taken apart on the way from A to B: first the switches of the protocol, on A's walks; then
    the data, if B was scored on others; then B's walks, by B's protocol. Each part is computed again, and
    the parts add up to the gap. Episodes that have no prediction in one file are a part of their own.

    Args:
        a: a prediction file in any format vlnscope knows, or predictions; or a file that states metrics of
            episodes without walks, of which no part can be the protocol.
        b: another; A again if it is left out, and then the profiles must differ.
        data: a data set such as ``r2r/val_unseen``, an episode file, or an opened data set.
        profile: whose conventions A was scored by.
        against_profile: whose conventions B was scored by; the same if not given, or those that a published
            row follows.
        against_data: what B was scored on, if not on `data`, such as another version of the same file.
        against_positions: where viewpoints lie in what B was scored on, if elsewhere.
        published: B is a row of a paper, such as ``hamt/r2r/val_unseen``.
        claimed: B is numbers that somebody states, such as ``SPL=56.05,SR=60.2``.
        metrics: names of metrics; SR, SPL and nDTW if both profiles have them.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        positions: where viewpoints lie, ``connectivity`` or ``house`` (see `open_dataset`).

    Raises:
        InputError: the files cannot be used, or it is not clear what B is.
    """
    row = get_published(published) if published is not None else None
    elsewhere = against_data is not None or against_positions not in (None, positions)
    claims = _claims(b is not None or elsewhere, row, claimed, metrics)
    dataset = _opened(data, root, positions)
    first = profile_for(profile, dataset)
    second = _second(first, against_profile, row)
    names = tuple(claims) if claims else _metrics(first, second or first, metrics)
    if b is None and not claims and not elsewhere and (second is None or second == first):
        raise InputError(
            "one file under one profile: there is no gap to explain",
            expected="a second file, --against-profile, --published, --claimed or --against-data",
            fix="for example --against-profile hamt",
        )
    if is_measured_run(a) or (b is not None and is_measured_run(b)):
        refuse_rules(
            {"--against-profile": against_profile, "--against-data": elsewhere, "--published": published}
        )
        if claims:
            side = _scored_side(a, "A", dataset, first, ())
            return scored_number_gap(side, claims, "the claimed numbers")
        return _scored_gap(a, b, dataset, first, metrics)
    walks = a if isinstance(a, str | Path) else list(a)
    side_a = _side(_name(a, "A"), walks, dataset, first)
    if claims:
        return number_gap(side_a, claims, row, second)
    other = dataset
    if elsewhere:
        other = _opened(against_data or dataset.address, root, against_positions or positions)
    moved = _side(side_a.name, walks, other, second or first) if elsewhere else None
    if b is None:
        side_b = replace(moved or side_a, profile=second or first)
    else:
        side_b = _side(_name(b, "B"), b, other, second or first)
    return file_gap(side_a, side_b, moved, names)


def _scored_gap(
    a: Predictions, b: Predictions | None, dataset: Dataset, profile: Profile, metrics: Sequence[str] | None
) -> Gap:
    if b is None:
        raise InputError(
            "metrics without walks, and nothing to compare them with",
            expected="a second file, or --claimed",
            fix="for example --claimed SR=44,SPL=39",
        )
    wanted = _metrics(profile, profile, metrics)
    stated = [set(stated_names([one])) for one in (a, b) if is_measured_run(one)]
    names = tuple(metrics or [name for name in wanted if all(name in found for found in stated)])
    sides = [_scored_side(one, name, dataset, profile, names) for one, name in ((a, "A"), (b, "B"))]
    return scored_gap(sides[0], sides[1], names)


def _scored_side(
    predictions: Predictions,
    otherwise: str,
    dataset: Dataset,
    profile: Profile,
    metrics: Sequence[str],
) -> ScoredSide:
    name = _name(predictions, otherwise)
    if is_measured_run(predictions):
        return ScoredSide(name, score_measured([predictions], dataset, partial=True))
    more = tuple(dict.fromkeys((*metrics, SUCCESS, ORACLE)))
    return ScoredSide(name, score(predictions, dataset, profile=profile, metrics=more, partial=True))


def _opened(data: str | Path | Dataset, root: str | Path | None, positions: str) -> Dataset:
    return data if isinstance(data, Dataset) else open_dataset(str(data), root, positions=positions)


def _profile(profile: str | Profile) -> Profile:
    return get_profile(profile) if isinstance(profile, str) else profile


def _second(first: Profile, profile: str | Profile | None, row: PublishedResult | None) -> Profile | None:
    if profile is not None:
        return _profile(profile)
    return get_profile(row.profile) if row is not None else None


def _claims(
    second: bool,
    row: PublishedResult | None,
    claimed: str | Mapping[str, str | float] | None,
    metrics: Sequence[str] | None,
) -> dict[str, ClaimedNumber]:
    """Return the numbers that B is; nothing if it is walks."""
    kinds = {
        "a second file or other data": second,
        "a published row": row is not None,
        "claimed numbers": claimed is not None,
    }
    kinds_named = [kind for kind, there in kinds.items() if there]
    if len(kinds_named) > 1:
        raise InputError(
            f"B is {' and '.join(kinds_named)}",
            expected="one of a second file, --published and --claimed",
            fix="leave the others out",
        )
    numbers = read_claims(claimed) if claimed is not None else dict(row.numbers) if row is not None else {}
    if numbers and metrics is not None:
        if unknown := [name for name in metrics if name not in numbers]:
            raise InputError(
                f"no number is stated for {', '.join(unknown)}",
                expected=f"some of {', '.join(numbers)}",
                fix="name these metrics, or none",
            )
        numbers = {name: numbers[name] for name in metrics}
    return numbers


def _metrics(first: Profile, second: Profile, metrics: Sequence[str] | None) -> tuple[str, ...]:
    if metrics is None:
        both = [name for name in first.metrics if name in second.metrics]
        chosen = tuple(name for name in USUAL if name in both)
        return chosen or tuple(name for name in both if get_metric(name).per == "episode")[:1] or USUAL
    names = tuple(dict.fromkeys(metrics))
    tours = [name for name in names if get_metric(name).per == "tour"]
    if tours or not names:
        raise InputError(
            f"the gap of {', '.join(tours) or 'no metric'}",
            expected="metrics that have a value for each episode",
            fix="name some with --metric; `vlnscope ls metrics` lists them",
        )
    return names


def _name(predictions: Predictions, otherwise: str) -> str:
    if not isinstance(predictions, str | Path):
        return otherwise
    return Path(predictions).name.split(".")[0] or str(predictions)


def _side(name: str, predictions: Predictions, dataset: Dataset, profile: Profile) -> GapSide:
    # what one side leaves out is part of the gap, and not an error
    found = collect(predictions, dataset, allow_missing=True, allow_unknown=True)
    return GapSide(name, found.pairs, dataset, profile, tuple(f"{name}: {note}" for note in found.notes))
