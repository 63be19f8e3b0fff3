"""How much each kind of evidence counts when a walk is held against an instruction.

All are penalties in log units: a walk that does exactly what is said scores 0 but for the cost of its steps.
They were set on generated houses of the split train and on R2R train.
"""

from __future__ import annotations

import msgspec


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the walk model.

    Attributes:
        turn: most that a first step in another direction than said can cost.
        rival: factor on how much better another way fits the direction that is said.
        bend: most that turning without being told costs.
        bend_width: degrees beyond `bend_free` at which an untold turn costs 1.
        bend_free: degrees of an untold turn that cost nothing.
        start_bend: factor on untold turns at the first step of a walk.
        placed_bend: factor on untold turns at the first step towards a place that is named.
        together: cost of two stages on one step.
        back: cost of going straight back where no one says so.
        step: cost of each step beyond the first of a stage.
        step_along: the same where one walks along a room.
        filler: cost of a step that no stage asks for.
        skip: cost of leaving out a stage that asks for steps.
        skip_turn: cost of turning on the spot and not walking on.
        missing: cost of a place that is not there.
        name: cost of an object whose name fits only in part.
        attribute: cost of each attribute that does not fit.
        relation: cost of a relation to another place that does not hold.
        side: most that being on another side than said costs.
        ordinal: cost per place in a row that a counted thing is off.
        ordinal_most: most of that.
        reading: cost of the less likely of two readings of what is counted.
        definite: cost, per doubling or so, of other things in sight that “the” thing may be.
        definite_most: most of that.
        hidden: cost of approaching or stopping at what cannot be seen from there.
        far: cost per metre beyond `near` of not being at a place.
        far_most: most of that.
        near: metres within which a walker is at a thing.
        threshold: cost of standing in an opening that was to be walked through.
        closer: cost per metre up to there.
        aim: most that walking towards something in another direction costs.
        away: cost of a step that leads away from what is approached.
        room: cost of being in a room that is called something else.
        room_unknown: cost of being in a room of which nothing is known.
        level: cost per metre of climbing where nobody speaks of stairs.
        unclimbed: cost of stopping to climb amid the stairs.
        look: factor on what is only remarked on.
        caption: cost of a caption that does not mention what it should.
        unknown: what a stage is expected to cost beyond the frontier of a map, on top of its usual cost.
        onward: cost per metre from the edge of the map to what is walked to.
        onward_most: most of that.
        unknown_caption: the same where places are known by captions.
        detour: cost of giving up the walk so far for a better one.
        detour_metre: cost per metre of the way there.
        temperature: divides scores before they become probabilities.
    """

    turn: float = 6.0
    rival: float = 1.0
    bend: float = 2.0
    bend_width: float = 40.0
    bend_free: float = 30.0
    start_bend: float = 0.35
    placed_bend: float = 0.6
    together: float = 0.4
    back: float = 6.0
    step: float = 0.3
    step_along: float = 0.1
    filler: float = 2.0
    skip: float = 3.0
    skip_turn: float = 2.0
    missing: float = 4.5
    name: float = 1.5
    attribute: float = 2.0
    relation: float = 1.5
    side: float = 3.0
    ordinal: float = 2.0
    ordinal_most: float = 4.0
    reading: float = 0.4
    definite: float = 0.6
    definite_most: float = 1.5
    hidden: float = 1.5
    far: float = 1.0
    far_most: float = 4.0
    near: float = 2.6
    threshold: float = 0.7
    closer: float = 0.15
    aim: float = 3.0
    away: float = 0.7
    room: float = 5.0
    room_unknown: float = 1.2
    level: float = 3.0
    unclimbed: float = 2.5
    look: float = 0.3
    caption: float = 1.0
    unknown: float = 0.3
    onward: float = 0.15
    onward_most: float = 1.5
    unknown_caption: float = 0.4
    detour: float = 0.5
    detour_metre: float = 0.05
    temperature: float = 0.6


WEIGHTS = Weights()
