"""The signals: what speaks for a drawer, each a row with its weight, its value and its place in the sum. Pure.

The order of the rows is that in which a drawer's worth is added up, so a row's place decides its last digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto

from palace.models import Compared
from palace.nlp.questions.questions import only_asks
from palace.nlp.time import TimeWindow
from palace.recall.intent import Intent

DAY = timedelta(days=1)


LASTING = timedelta(days=14)
"""How long a time must be for a state to be asked of it, not an hour or a day of somebody's."""


def fit(moment: datetime, windows: Sequence[TimeWindow]) -> float:
    """Give how well a moment fits the best of some windows: 1 inside, falling to 0 outside; 0 of no window.

    What happened is told when it happens or afterwards: behind a window it falls as slowly as the window is long,
    before it as the window is soft.
    """
    return max((_fit(moment, window) for window in windows), default=0.0)


def held(moment: datetime, windows: Sequence[TimeWindow], days: float) -> float:
    """Give how likely what was said at a moment still held in one of some windows, of two weeks or more.

    1/e where that was so many days before; 0 of what was said in it or behind it.
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
    """Give how recent a moment is: 1 now, 1/e after so many days; 1 of what is yet to come."""
    return math.exp(-(max(now - moment, timedelta()) / timedelta(days=days)))


@dataclass(frozen=True, slots=True)
class Times:
    """How a drawer's time counts."""

    spoken_of: float = 0.5
    """Share of the signal `time` for speaking of the time at another time."""
    recent_days: float = 30.0
    """After so long what is recent counts for 1/e."""
    held: float = 0.9
    """Share of the signal `time` for a state that was told before the time, where the query asks for one."""
    held_days: float = 365.0
    """That long before it that counts for 1/e."""
    elsewhere: float = 0.0
    """What is left of the weight of words that tell a time ("yesterday") in a drawer that means another one."""


@dataclass(frozen=True, slots=True)
class Background:
    """What a signal may look at beside the drawer itself."""

    intent: Intent
    rooms: Mapping[int, float] = field(default_factory=dict)
    """What arms think of rooms, by id; one that is not there has 0."""
    proposed: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """Each arm's own scores, by drawer id: of those alone that it proposed."""
    times: Times = Times()
    unembedded: float = 0.0
    """What a drawer without a vector yet counts as similar: as much as those compared do on average."""


class Scale(Enum):
    """How a signal's values are made comparable."""

    SHARE = auto()
    """A share of the highest there is; below 0 counts as 0."""
    WORDS = auto()
    """The same, as far as one drawer says what the query says: a word of many in common tells little."""
    AS_IS = auto()
    """It is a share of 1 by itself."""


class Kind(Enum):
    """What a signal is about; the most that a drawer could be worth is added up by these, in this order."""

    SAID = auto()
    """What the drawer itself says; the turns beside it get a share."""
    ROOM = auto()
    PERSON = auto()
    TIME = auto()
    STANDING = auto()
    """Whether it still stands."""


Value = Callable[[Compared, Background], float]


def _always(_intent: Intent) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that speaks for a drawer, or against it."""

    name: str
    kind: Kind
    weight: float | None
    """Not below 0; None where it is the embedding model's calibration that has it."""
    value: Value
    """At most 1 once it is scaled; below 0 where it speaks against the drawer."""
    scale: Scale = Scale.AS_IS
    is_asked: Callable[[Intent], bool] = _always
    """Whether it counts for such a query at all; where not, its value is 0."""
    most: float = 1.0
    """The most that its value can be; 0 of what only speaks against."""
    reason: str | None = None
    """What callers know it by, as an `ArmScore`; None where they are not told."""
    told: Value | None = None
    """What they are told of it where that is not the value."""

    def own(self, drawers: Sequence[Compared], background: Background) -> list[float]:
        """Give each drawer's own value, before it is scaled."""
        if not self.is_asked(background.intent):
            return [0.0] * len(drawers)
        return [self.value(drawer, background) for drawer in drawers]

    def scaled(self, values: Sequence[float], said: float = 1.0) -> list[float]:
        """Make values comparable with those of other signals; ``said`` of what the query says, one drawer says."""
        if self.scale is Scale.AS_IS:
            return list(values)
        highest, part = max(values, default=0.0), said if self.scale is Scale.WORDS else 1.0
        return [part * max(value, 0.0) / highest if highest > 0 else 0.0 for value in values]


def is_question(drawer: Compared) -> bool:
    """Tell whether a drawer is a question and little else."""
    return drawer.asked is not None and only_asks(drawer.asked)


def says_nothing(drawer: Compared) -> bool:
    """Tell whether a drawer only asks, or answers nothing."""
    return drawer.is_empty or is_question(drawer)


def _time(drawer: Compared, background: Background) -> float:
    intent, times = background.intent, background.times
    spoken_of = times.spoken_of * drawer.speaks_of_it
    lasting = times.held * held(drawer.said_at, intent.windows, times.held_days) if intent.asks_what_was else 0.0
    return max(_said_then(drawer, background), spoken_of, lasting)


def _said_then(drawer: Compared, background: Background) -> float:
    return fit(drawer.said_at, background.intent.windows)


def _ahead(drawer: Compared, background: Background) -> float:
    """What was said then of what is yet to come is what was said then."""
    is_ahead = drawer.speaks_from is not None and drawer.speaks_from >= background.intent.now
    return _said_then(drawer, background) - 1.0 if is_ahead else 0.0


def _person(drawer: Compared, background: Background) -> float:
    return float(drawer.is_person and not background.intent.asks_back)


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
    # Words that stand beside each other in the query as well.
    Signal("phrase", Kind.SAID, 0.2, lambda drawer, _: drawer.phrase, Scale.WORDS),
    # What else the person said in the same room.
    Signal(
        "room",
        Kind.ROOM,
        0.45,
        lambda drawer, background: background.rooms.get(drawer.room_id, 0.0),
        Scale.WORDS,
        reason="room",
    ),
    # Words that the names of its conversation, closet or wing have and it lacks.
    Signal("named", Kind.ROOM, 0.15, lambda drawer, _: drawer.named, reason="named"),
    # Names whom or what the query names.
    Signal("about", Kind.ROOM, 0.2, lambda drawer, _: drawer.about, is_asked=_names_known, reason="about"),
    # Tells what the query asks about them, and held when it asks.
    Signal("holds", Kind.ROOM, 0.4, lambda drawer, _: drawer.holds, is_asked=_names_known, reason="holds"),
    # Names what is of a kind that the query asks for by a general word; half of that, holds a noun of it.
    Signal(
        "kind",
        Kind.ROOM,
        0.8,
        lambda drawer, _: float(drawer.is_person) * (1.0 if drawer.names_kind else 0.5 * drawer.is_of_kind),
        is_asked=lambda intent: intent.names_kind,
        reason="kind",
    ),
    # Said at a time that the query speaks of, or speaking of it.
    Signal("time", Kind.TIME, 0.8, _time, is_asked=lambda intent: bool(intent.windows), reason="time", told=_said_then),
    # Said by the person, where the query does not ask for what was said to them.
    Signal("person", Kind.PERSON, 0.3, _person),
    # Recent, where the query asks for the present state.
    Signal("current", Kind.TIME, 0.3, _current, is_asked=lambda intent: intent.asks_current),
    # Against what was said after the moment of asking.
    Signal("later", Kind.TIME, 0.3, lambda drawer, known: -float(drawer.said_at > known.intent.now), most=0.0),
    # Against what speaks of nothing before what is yet to come, where the query asks for what was.
    Signal("ahead", Kind.TIME, 0.3, _ahead, is_asked=lambda intent: intent.looks_back, most=0.0),
    # Against what only asks, or answers nothing: it seldom tells.
    Signal("asking", Kind.STANDING, 0.2, lambda drawer, _: -float(says_nothing(drawer)), most=0.0),
    # Against what its source no longer says.
    Signal("replaced", Kind.STANDING, 0.3, lambda drawer, _: -float(drawer.is_replaced), most=0.0),
)
"""Every signal, in the order in which they are added up."""
