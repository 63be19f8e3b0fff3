"""The shared vocabulary: what an episode, a prediction, a tour, a case, an observation and a score are.

These types hold data and no behaviour beyond construction. Lengths are metres and angles radians.
Discrete worlds name places by viewpoint id (`path`), continuous ones by coordinates (`positions`);
an episode or a prediction may carry either or both.
"""

from vlnscope.types.action import Decision
from vlnscope.types.case import MAX_STEPS, Case, Logged, OracleRule, Rules
from vlnscope.types.episode import (
    Chunk,
    Continuous,
    Episode,
    InstructionErrors,
    Point,
    Points,
    TimedWord,
    WordSwap,
)
from vlnscope.types.observation import (
    STOP,
    Action,
    Candidate,
    Observation,
    Percept,
    SeenObject,
    SeenRoom,
    SpaceObservation,
)
from vlnscope.types.prediction import Phase, Prediction, Tour, TourLog, TourStep
from vlnscope.types.scores import Flags, Floats, Ints, ScoreRow

__all__ = [
    "MAX_STEPS",
    "STOP",
    "Action",
    "Candidate",
    "Case",
    "Chunk",
    "Continuous",
    "Decision",
    "Episode",
    "Flags",
    "Floats",
    "InstructionErrors",
    "Ints",
    "Logged",
    "Observation",
    "OracleRule",
    "Percept",
    "Phase",
    "Point",
    "Points",
    "Prediction",
    "Rules",
    "ScoreRow",
    "SeenObject",
    "SeenRoom",
    "SpaceObservation",
    "TimedWord",
    "Tour",
    "TourLog",
    "TourStep",
    "WordSwap",
]
