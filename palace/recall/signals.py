"""The ranking signals: each row has a weight, a value and a kind. Pure.

Values are added in the order of the rows, so the order affects the last digits of scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto

import numpy as np
import numpy.typing as npt

from palace.models import Compared
from palace.nlp.questions.questions import only_asks
from palace.nlp.time import TimeWindow
from palace.recall.intent import Intent

DAY = timedelta(days=1)


LASTING = timedelta(days=14)
"""Shortest time in which a query asks for a lasting state rather than a moment or day."""


def fit(moment: datetime, windows: Sequence[TimeWindow]) -> float:
    """Return how well a datetime fits the best of some windows: 1 inside, falling to 0 outside; 0 without windows.

    Events are told when they happen or later: after a window the value falls as slowly as the window is long, before it
    as fast as the window is soft.
    """
    return max((_fit(moment, window) for window in windows), default=0.0)


def held(moment: datetime, windows: Sequence[TimeWindow], days: float) -> float:
    """Return how likely a statement still held in one of some windows of two weeks or more.

    It is 1/e if it was said ``days`` before the window, and 0 if it was said in or after it.
    """
    return max(
        (recency(moment, window.start, days) for window in windows if _lasts(window) and moment < window.start),
        default=0.0,
    )


def _lasts(window: TimeWindow) -> bool:
    return window.end - window.start >= LASTING


def _fit(moment: datetime, window: TimeWindow) -> float:
    soft = max(window.softness, DAY)
    if moment < window.start:
        return math.exp(-((window.start - moment) / soft))
    if moment <= window.end:
        return 1.0
    return math.exp(-((moment - window.end) / max(soft, (window.end - window.start) / 2)))


def recency(moment: datetime, now: datetime, days: float) -> float:
    """Return how recent a datetime is: 1 now or in the future, 1/e after ``days``."""
    return math.exp(-(max(now - moment, timedelta()) / timedelta(days=days)))


@dataclass(frozen=True, slots=True)
class Times:
    """How the times of drawers count."""

    spoken_of: float = 0.5
    """Share of the signal `time` for drawers that mention the time but were said at another."""
    recent_days: float = 30.0
    """Days after which recency has fallen to 1/e."""
    held: float = 0.9
    """Share of the signal `time` for states that were told before the time, if the query asks for states."""
    held_days: float = 365.0
    """Days before the time after which that has fallen to 1/e."""
    elsewhere: float = 0.0
    """Share of the weight that words like "yesterday" keep in a drawer where they mean another time."""


@dataclass(frozen=True, slots=True)
class Background:
    """What signals use besides the drawer itself."""

    intent: Intent
    rooms: Mapping[int, float] = field(default_factory=dict)
    """Scores of rooms by id; a missing room has 0."""
    proposed: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """Scores by arm and drawer id, only of drawers that the arm proposed."""
    times: Times = Times()
    unembedded: float = 0.0
    """Similarity assumed for a drawer without a vector: the mean of the compared drawers."""


class Scale(Enum):
    """How a signal's values are made comparable."""

    SHARE = auto()
    """Divide by the largest value; negative values become 0."""
    WORDS = auto()
    """The same, scaled by how much of the query one drawer contains: a single common word tells little."""
    AS_IS = auto()
    """Already a share of 1."""


class Kind(Enum):
    """What a signal is about; the largest possible score is summed by kind, in this order."""

    SAID = auto()
    """Text of the drawer; neighbouring turns get a share of these."""
    ROOM = auto()
    PERSON = auto()
    TIME = auto()
    STANDING = auto()
    """Whether the drawer is a statement that is still current."""


Value = Callable[[Compared, Background], float]
Column = npt.NDArray[np.float64]
"""A value of each compared drawer."""


def _always(_intent: Intent) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Signal:
    """Evidence for or against a drawer."""

    name: str
    kind: Kind
    weight: float | None
    """At least 0; None if the embedding model's calibration defines it."""
    value: Value
    """At most 1 after scaling; negative if it is evidence against the drawer."""
    scale: Scale = Scale.AS_IS
    is_asked: Callable[[Intent], bool] = _always
    """Whether it applies to a query; if not, its values are 0."""
    most: float = 1.0
    """Largest possible value; 0 for evidence against drawers."""
    reason: str | None = None
    """Name in an `ArmScore`; None if it is not reported."""
    told: Value | None = None
    """The reported value, if it differs from ``value``."""

    def own(self, drawers: Sequence[Compared], background: Background) -> list[float]:
        """Return the value of each drawer, before scaling."""
        if not self.is_asked(background.intent):
            return [0.0] * len(drawers)
        return [self.value(drawer, background) for drawer in drawers]

    def scaled(self, values: Sequence[float], said: float = 1.0) -> Column:
        """Scale values; ``said`` is the share of the query that the best drawer contains."""
        column = np.array(list(map(float, values)))
        if self.scale is Scale.AS_IS:
            return column
        highest, part = max(values, default=0.0), said if self.scale is Scale.WORDS else 1.0
        return part * np.maximum(column, 0.0) / highest if highest > 0 else np.zeros(len(values))


def is_question(drawer: Compared) -> bool:
    """Check whether a drawer is a question and little else."""
    return drawer.asked is not None and only_asks(drawer.asked)


def says_nothing(drawer: Compared) -> bool:
    """Check whether a drawer only asks, or answers nothing."""
    return drawer.is_empty or is_question(drawer)


def _time(drawer: Compared, background: Background) -> float:
    intent, times = background.intent, background.times
    spoken_of = times.spoken_of * drawer.speaks_of_it
    lasting = times.held * held(drawer.said_at, intent.windows, times.held_days) if intent.asks_what_was else 0.0
    return max(_said_then(drawer, background), spoken_of, lasting)


def _said_then(drawer: Compared, background: Background) -> float:
    return fit(drawer.said_at, background.intent.windows)


def _person(drawer: Compared, background: Background) -> float:
    """Return 1 for what the person said, and a share of it for all that was said in a talk that the query names."""
    return 0.0 if background.intent.asks_back else max(float(drawer.is_person), min(1.5 * drawer.named, 1.0))


def _current(drawer: Compared, background: Background) -> float:
    return recency(drawer.said_at, background.intent.now, background.times.recent_days)


def _names_known(intent: Intent) -> bool:
    return intent.names_known


SIGNALS = (
    Signal(
        "similarity",
        Kind.SAID,
        None,
        lambda drawer, background: background.unembedded if drawer.similarity is None else drawer.similarity,
        Scale.SHARE,
        reason="semantic",
        told=lambda drawer, _: drawer.similarity or 0.0,
    ),
    Signal("keyword", Kind.SAID, 0.35, lambda drawer, _: drawer.keyword, Scale.WORDS, reason="keyword"),
    # Adjacent words of the query that are adjacent in the drawer.
    Signal("phrase", Kind.SAID, 0.2, lambda drawer, _: drawer.phrase, Scale.WORDS),
    # Other statements of the user in the same room.
    Signal(
        "room",
        Kind.ROOM,
        0.45,
        lambda drawer, background: background.rooms.get(drawer.room_id, 0.0),
        Scale.WORDS,
        reason="room",
    ),
    # Query words in the names of its conversation, closet or wing that it lacks itself.
    Signal("named", Kind.ROOM, 0.15, lambda drawer, _: drawer.named, reason="named"),
    # Names an entity of the query.
    Signal("about", Kind.ROOM, 0.2, lambda drawer, _: drawer.about, is_asked=_names_known, reason="about"),
    # States what the query asks about those entities, valid at its time.
    Signal("holds", Kind.ROOM, 0.4, lambda drawer, _: drawer.holds, is_asked=_names_known, reason="holds"),
    # Names an entity of the requested kind; half of that if it only contains a noun of the kind.
    Signal(
        "kind",
        Kind.ROOM,
        0.8,
        lambda drawer, _: float(drawer.is_person) * (1.0 if drawer.names_kind else 0.5 * drawer.is_of_kind),
        is_asked=lambda intent: intent.names_kind,
        reason="kind",
    ),
    # Said at a time of the query, or mentions it.
    Signal("time", Kind.TIME, 0.8, _time, is_asked=lambda intent: bool(intent.windows), reason="time", told=_said_then),
    # Said by the user, or in a talk that the query names, unless it asks for what was said to them.
    Signal("person", Kind.PERSON, 0.3, _person),
    # Recent, if the query asks for the current state.
    Signal("current", Kind.TIME, 0.3, _current, is_asked=lambda intent: intent.asks_current),
    # Penalty for statements made after the time of asking.
    Signal("later", Kind.TIME, 0.3, lambda drawer, known: -float(drawer.said_at > known.intent.now), most=0.0),
    # Penalty for drawers whose source no longer has them: no set measures it, but nothing former may look current.
    Signal("replaced", Kind.STANDING, 0.3, lambda drawer, _: -float(drawer.is_replaced), most=0.0),
)
"""Every signal, in the order of summation."""
