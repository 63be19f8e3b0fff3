"""vlnscope's own evidence files: JSON lines, one finished case a line, appended as it finishes.

Version 3, where an agent walked in continuous space, else version 2, which lacks ``actions``, ``collisions``
and positions in ``phases``; version 1, which lacked ``failed`` and ``phases`` too, is read as well. Members
that have nothing to say are left out; unknown ones are refused, so that a newer file is never half
understood.

==============  ==========================================================================================
``v``           2 or 3
``case_id``     unique in the file; the episode's id where a benchmark has no cases of its own
``episode_id``  as in `Episode`
``path``        viewpoint ids, start included, turns on the spot as repeats
``headings``    one per element of ``path`` (or of ``positions``, if there is no path), radians
``elevations``  one per element of ``path``, radians
``segments``    lengths of the pieces in which the source grouped ``path``: where an agent leapt to a place
                farther off, all that it walked through is one piece
``positions``   ``[[x, y, z], …]`` in Habitat's frame: the start, and where the agent was after each action;
                with them, ``path`` has the nearest viewpoint of each position
``actions``     what the agent did in continuous space, by Habitat's numbers: 1 forward, 2 left, 3 right,
                4 up, 5 down; stopping is in ``stopped``
``collisions``  which of the actions, from 0, ran into something
``stopped``     whether the agent called STOP
``object_id``   the object that the agent chose
``decisions``   ``[{"step", "viewpoint", "candidates", "probabilities"}, …]``: what the agent decided at
                scored steps; one probability per candidate, then that of stopping; where it leapt, ``route``
                has the viewpoints that it walked through, ``<stop>`` at the end if it stopped there
``seconds``     how long the case took
``events``      what the agent reported, any JSON values in order
``failed``      why the agent did not finish the case; then ``path`` is the start alone
``phases``      ``{"tour_id", "place", "oracle_start", "oracle_goal"}`` of a case that is walked in a tour:
                which tour, which place in it (from 0), and the viewpoints that the agent was led
                through before it acted and afterwards; in continuous space ``start_positions`` and
                ``goal_positions`` instead
``extra``       everything else, as in `Prediction`
==============  ==========================================================================================

A line has ``path`` or ``positions``. Read as predictions, ``case_id`` (where it differs from the episode's),
``decisions``, ``seconds``, ``events``, ``failed`` and ``phases`` are found in `Prediction.extra` under these
names, and what is found there is written as these members if it fits. A run that was killed may leave a last
line that is cut off; it is reported with the code ``cut-off``, and all lines before it are good.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from vlnscope.episodes.format import Head
from vlnscope.episodes.formats.r2r_submission import Name
from vlnscope.episodes.prediction_checks import check_sound, members
from vlnscope.episodes.prediction_codec import PredictionCodec, RecordLayout
from vlnscope.episodes.records import RecordError, shaped, shown
from vlnscope.types import Points, Prediction

VERSION: Literal[2] = 2
SPACE_VERSION: Literal[3] = 3
"""Of lines from continuous space."""
_SINCE = {"failed": 2, "phases": 2, "actions": 3, "collisions": 3}
CARRIES = frozenset(
    {"path", "headings", "elevations", "segments", "positions", "stopped", "object_id", "extra"}
)
Seconds = Annotated[float, msgspec.Meta(ge=0)]


class DecisionRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an agent decided at one step: a probability per candidate, then that of stopping; and its leap."""

    step: Annotated[int, msgspec.Meta(ge=0)]
    viewpoint: Name
    candidates: list[Name]
    probabilities: list[Annotated[float, msgspec.Meta(ge=0, le=1)]]
    route: tuple[Name, ...] = ()

    def __post_init__(self) -> None:
        if len(self.probabilities) != len(self.candidates) + 1:
            raise ValueError("there must be one probability per candidate and one for stopping")


class TourPhases(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a case stands in a tour, and what the agent was led through before and after it acted."""

    tour_id: Name
    place: Annotated[int, msgspec.Meta(ge=0)]
    oracle_start: tuple[Name, ...] = ()
    oracle_goal: tuple[Name, ...] = ()
    start_positions: Points = ()
    goal_positions: Points = ()


class EvidenceLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of an evidence file; see the module for what the members mean."""

    v: Literal[1, 2, 3]
    case_id: Name
    episode_id: Name
    path: tuple[Name, ...] = ()
    headings: tuple[float, ...] | None = None
    elevations: tuple[float, ...] | None = None
    segments: tuple[int, ...] | None = None
    positions: Points = ()
    actions: tuple[Annotated[int, msgspec.Meta(ge=0)], ...] | None = None
    collisions: tuple[Annotated[int, msgspec.Meta(ge=0)], ...] | None = None
    stopped: bool | None = None
    object_id: str | None = None
    decisions: list[DecisionRecord] | None = None
    seconds: Seconds | None = None
    events: list[Any] | None = None
    failed: Name | None = None
    phases: TourPhases | None = None
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


_IN_EXTRA = {
    "case_id": Name,
    "decisions": list[DecisionRecord],
    "seconds": Seconds,
    "events": list[Any],
    "failed": Name,
    "phases": TourPhases,
    "actions": tuple[Annotated[int, msgspec.Meta(ge=0)], ...],
    "collisions": tuple[Annotated[int, msgspec.Meta(ge=0)], ...],
}
_SAME = ("path", "headings", "elevations", "segments", "positions", "stopped", "object_id")


def line_of(prediction: Prediction) -> EvidenceLine:
    """Return the line that stores a prediction."""
    own, extra = {}, {}
    for name, value in prediction.extra.items():
        is_default = name == "case_id" and value == prediction.episode_id
        if name in _IN_EXTRA and not is_default and _fits(value, _IN_EXTRA[name]):
            own[name] = value
        else:
            extra[name] = value
    same = {name: getattr(prediction, name) for name in _SAME}
    version = SPACE_VERSION if own.keys() & {"actions", "collisions"} else VERSION
    line = {"v": version, "case_id": prediction.episode_id, "episode_id": prediction.episode_id}
    return msgspec.convert(line | same | own | {"extra": extra}, EvidenceLine)


def prediction_of(line: EvidenceLine) -> Prediction:
    """Return the prediction that a line stores; raise `RecordError` if its parts do not fit together."""
    own = {name: value for name in _IN_EXTRA if (value := getattr(line, name)) is not None}
    if line.case_id == line.episode_id:
        del own["case_id"]
    if twice := sorted(own.keys() & line.extra.keys()):
        raise RecordError("duplicate-key", f"has {twice[0]} both outside and inside extra", "one of them")
    if newer := [name for name, since in _SINCE.items() if name in own and line.v < since]:
        what = f"is of version {line.v} and has {newer[0]}"
        raise RecordError("version", what, f"version {_SINCE[newer[0]]}")
    prediction = Prediction(
        episode_id=line.episode_id,
        **{name: getattr(line, name) for name in _SAME},
        extra=line.extra | msgspec.to_builtins(own),
    )
    check_sound(prediction)
    return prediction


def case_of(prediction: Prediction) -> str:
    """Return the id of the case that a prediction belongs to."""
    case_id = prediction.extra.get("case_id")
    return case_id if isinstance(case_id, str) else prediction.episode_id


def _fits(value: Any, kind: Any) -> bool:
    try:
        converted = msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return not isinstance(value, int) or bool(converted == value)  # some integers are no float


def _parse(_: str | None, value: Any) -> Prediction:
    record = members(value, "v", "case_id", "episode_id")
    if record["v"] not in range(1, SPACE_VERSION + 1):
        what = f"is of version {shown(record['v'])}"
        raise RecordError("version", what, f"version 1 to {SPACE_VERSION}; a newer vlnscope may read it")
    if unknown := sorted(record.keys() - set(EvidenceLine.__struct_fields__)):
        raise RecordError("unknown-key", f"has {shown(unknown[0])}", "only members of the format")
    return prediction_of(shaped(record, EvidenceLine))


def _sniff(head: Head) -> bool:
    record = head.record
    return (
        head.container != "object"
        and isinstance(record, dict)
        and record.keys() >= {"v", "case_id", "episode_id"}
    )


CODEC = PredictionCodec(
    name="evidence",
    title="vlnscope's own: everything that is known of a finished case",
    carries=CARRIES,
    sniff=_sniff,
    parse=_parse,
    layouts=(RecordLayout(msgspec.json.Decoder(list[EvidenceLine]), prediction_of),),
    build=line_of,
    container="lines",
    id_key="episode_id",
    identity=case_of,
)
CODEC.register()
