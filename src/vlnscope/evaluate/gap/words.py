"""Says in words what a gap is made of."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.evaluate.compare.comparison import UNITS
from vlnscope.evaluate.gap.claims import ClaimedNumber, SettingFit
from vlnscope.evaluate.gap.flips import Change, FlipCluster
from vlnscope.evaluate.gap.result import Gap, GapPart, MetricGap
from vlnscope.evaluate.score.profile_table import SAME
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.tables.marks import counted

MOST_CAUSES = 4


def sentences(gap: Gap) -> list[str]:
    """Say what was found: the parts of each metric, the episodes that flip, and what gives stated numbers."""
    return [*map(sentence_of, gap.metrics), *flip_sentences(gap), *fit_sentences(gap)]


def sentence_of(gap: MetricGap) -> str:
    """Say what the gap of a metric is made of."""
    unit = UNITS[get_metric(gap.metric).unit]
    if gap.points is None:
        return f"{gap.metric}: one side has no mean, so there is no gap to explain."
    ends = f"{gap.metric}: A has {gap.mean_a:.2f}, B {gap.claim or f'{gap.mean_b:.2f}'}"
    if not gap.parts:
        same = abs(gap.points) <= SAME
        return f"{ends}: {'no gap' if same else 'a profile between the two gives no mean to explain it by'}."
    exact = [part for part in gap.parts if not part.sampled and part.shown]
    said = [f"{part_words(part)} {_verb(part)} {points(part.points)}" for part in exact]
    said += [_sampled(part) for part in gap.parts if part.sampled]
    if not any(part.kind == "switch" for part in exact) and gap.of("switch"):
        said.append("the protocol explains nothing")
    if abs(gap.points) <= SAME and not exact and not any(part.shown for part in gap.parts):
        return f"{ends}: no gap."
    return f"{ends}. Of the gap of {points(gap.points)}{unit}, {'; '.join(said)}."


def points(number: float) -> str:
    """Write points with a sign; small ones with the digits that show them.

    Example:
        >>> points(0.0412), points(-0.0004), points(45.61)
        ('+0.04', '-0.0004', '+45.61')
    """
    return f"{number:+.2f}" if abs(number) >= 0.005 or abs(number) <= SAME else f"{number:+.1g}"


def part_words(part: GapPart) -> str:
    """Name a part; a switch with its settings."""
    if part.setting is None:
        return part.words
    before, after = part.setting
    return f"{part.words} ({part.name}: {before} → {after})"


def _verb(part: GapPart) -> str:
    one = part.kind == "switch" or len(part.episodes) == 1
    return "explains" if one else "explain"


def _sampled(part: GapPart) -> str:
    ends = "no interval"
    if part.low is not None and part.high is not None:
        ends = f"95 % interval {part.low:+.2f} … {part.high:+.2f}"
    if part.p_value is not None:
        ends += f"; p = {part.p_value:.2g}"
    if part.name == "rounding":
        return f"{points(part.points)} is rounding"
    if part.kind == "rest":
        return f"{points(part.points)} is left, {_left(part)} ({ends})"
    if part.shown:
        return f"the walks explain {points(part.points)} ({ends})"
    if abs(part.points) <= SAME:
        return "the walks make no difference"
    return f"{points(part.points)} is between the walks, which cannot be told from noise ({ends})"


def _left(part: GapPart) -> str:
    if part.shown:
        return f"more than other {part.unit}s would bring"
    return f"no more than other {part.unit}s could bring" if part.clusters else "and may be noise"


def flip_sentences(gap: Gap) -> list[str]:
    """Say how many episodes flip, why, and how many points they carry; whatever the metrics are."""
    walked = [one for one in gap.metrics if one.claim is None]
    if not walked:
        return []
    if not gap.success_known:
        return ["Whether episodes flip is not known: success has no value on one side."]
    words: dict[Change, tuple[str, str]] = {
        "lost": ("B fails in", "that A reached"),
        "gained": ("B reaches the goal in", "that A failed"),
    }
    said = []
    for change, (does, others) in words.items():
        clusters = _of(walked[0], change)
        if count := sum(len(cluster.episodes) for cluster in clusters):
            carried = ", ".join(
                f"{one.metric} {points(sum(c.points for c in _of(one, change)))}"
                for one in walked
                if one.parts
            )
            bracket = f" ({carried})" if carried else ""
            said.append(f"{does} {counted(count, 'episode')} {others}{bracket}: {_causes(clusters)}.")
    return [*(said or ["0 episodes flip."]), *_one_sided(gap)]


def _one_sided(gap: Gap) -> list[str]:
    known = [
        f"in {counted(len(ids), 'episode')} for {side} only"
        for side, ids in zip("AB", gap.one_sided, strict=True)
        if ids
    ]
    return [f"Success is known {' and '.join(known)}; no flips are counted there."] if known else []


def _of(gap: MetricGap, change: Change) -> list[FlipCluster]:
    return [cluster for cluster in gap.clusters if cluster.change == change]


def _causes(clusters: Sequence[FlipCluster]) -> str:
    counts: dict[str, int] = {}
    for cluster in clusters:
        counts[cluster.cause] = counts.get(cluster.cause, 0) + len(cluster.episodes)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    said = [f"{cause} {count}" for cause, count in ordered[:MOST_CAUSES]]
    rest = sum(count for _, count in ordered[MOST_CAUSES:])
    return ", ".join([*said, f"others {rest}"] if rest else said)


def fit_sentences(gap: Gap) -> list[str]:
    """Say which settings of the switches give stated numbers."""
    if not gap.fits:
        return []
    best, base = gap.fits[0], gap.profiles[0]
    if best.matches:
        same = [fit for fit in gap.fits if fit.matches and len(fit.changes) == len(best.changes)]
        verb = "is" if len(best.claims) == 1 else "are"
        settings = " or ".join(_setting(fit, base) for fit in same)
        return [f"{_stated(best.claims)} {verb} what {settings} gives on A's walks."]
    said = [
        f"{_stated(fit.claims)} is what {_setting(fit, base)} gives on A's walks."
        for fit in gap.alone
        if fit.matches
    ]
    numbers = ", ".join(f"{m} {'–' if n is None else f'{n:.2f}'}" for m, n in best.numbers.items())
    together = " together" if said else ""
    said.append(
        f"No setting of the switches gives {_stated(best.claims)}{together} on A's walks;"
        f" {_setting(best, base)} comes closest ({numbers})."
    )
    if gap.stated:
        said.append(
            "If these very walks were scored, then other data or something that is no switch differs."
        )
    return said


def _stated(claims: dict[str, ClaimedNumber]) -> str:
    return ", ".join(f"{metric} {claim}" for metric, claim in claims.items())


def _setting(fit: SettingFit, base: str) -> str:
    if not fit.changes:
        return f"profile {base}"
    changes = ", ".join(f"{name} = {after}" for name, (_, after) in fit.changes.items())
    return f"`{changes}`" + (f" (as in {', '.join(fit.profiles)})" if fit.profiles else "")
