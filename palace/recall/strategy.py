"""The tunable numbers of recall, as one frozen value."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any

from palace.errors import BadRequest
from palace.models import Calibration, Floor
from palace.recall.arms import ARMS
from palace.recall.arms.protocol import Arm, ArmLimits
from palace.recall.changes import Changes
from palace.recall.floor import Broad
from palace.recall.fuse import Neighbours, Weighing
from palace.recall.present import Present
from palace.recall.signals import SIGNALS, Signal, Times
from palace.recall.standing import Standing

LARGEST = 100_000_000
"""Upper limit of any number of a strategy."""

_ALONE = ("spare", "noteworthy", "in_full")
_ABOVE_ZERO = ("recent_days", "held_days", "in_full")


@dataclass(frozen=True, slots=True)
class Strategy(ArmLimits):
    """How recall proceeds. Fields that are not given have Palace's defaults.

    Raises:
        BadRequest: a field has the wrong type, a number is below 0 or above 100,000,000, a weight is for an unknown
            signal, or two arms or signals have the same name.
    """

    arms: tuple[Arm, ...] = ARMS
    """The arms to query. Drawers are compared in every way, whichever arm proposed them."""
    signals: tuple[Signal, ...] = SIGNALS
    """The ranking signals."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weights of signals by name, where they differ from the defaults."""
    neighbours: Neighbours = field(default_factory=Neighbours)
    times: Times = field(default_factory=Times)
    present: Present = field(default_factory=Present)
    changes: Changes = field(default_factory=Changes)
    broad: Broad = field(default_factory=Broad)
    standing: Standing = field(default_factory=Standing)
    floor: Floor | None = None
    """None for that of the embedding model's calibration."""
    spare: int = 10
    """Drawers loaded beyond ``top_k``, to replace duplicates that are merged."""
    noteworthy: float = 0.005
    """Least value of a signal to be named in a hit's reasons."""
    in_full: float = 0.5
    """Share of the query's words, weighted by rarity, from which the words in a drawer count in full."""

    def __post_init__(self) -> None:
        # A copy, so that changes of the caller's mapping cannot affect a strategy in use.
        object.__setattr__(self, "weights", dict(_mapping("weights", self.weights)))
        _require_distinct("arms", [arm.name for arm in self.arms])
        _require_distinct("signals", [signal.name for signal in self.signals])
        _require_known("signal", self.weights, [signal.name for signal in self.signals])
        for name, weight in self.weights.items():
            _require_number(f"weights.{name}", weight, 0.0)
        usual = {each.name: each.default for each in fields(self)}
        for name in _ALONE:
            _require_number(name, getattr(self, name), usual[name])
        for name, kind in GROUPS.items():
            group = getattr(self, name)
            if group is None and usual[name] is None:
                continue
            if not isinstance(group, kind):
                raise BadRequest(f"{name} of a strategy must be a {kind.__name__}")
            for each in fields(group):
                _require_number(f"{name}.{each.name}", getattr(group, each.name), each.default)

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> Strategy:
        """Return a strategy from names and numbers, as in a file; what is missing has Palace's defaults.

        ``{"arms": ["semantic"], "weights": {"room": 0}, "semantic": {"vectors": 50}, "spare": 5}``

        Raises:
            BadRequest: an arm, signal, group or number is unknown or invalid.
        """
        _require_known("part of a strategy", described, (*GROUPS, *_ALONE, "arms", "weights"))
        given = dict(described)
        for name in GROUPS.keys() & given:
            group = _mapping(name, given[name])
            _require_known(f"number of {name}", group, [each.name for each in fields(GROUPS[name])])
            given[name] = GROUPS[name](**group)
        if "arms" in given:
            known = {arm.name: arm for arm in ARMS}
            _require_known("arm", given["arms"], known)
            given["arms"] = tuple(known[name] for name in given["arms"])
        return cls(**given)

    def describe(self) -> dict[str, Any]:
        """Return the strategy as names and numbers, in the format of ``of``."""
        return {
            "arms": [arm.name for arm in self.arms],
            "weights": dict(self.weights),
            **{name: asdict(getattr(self, name)) for name in GROUPS if getattr(self, name) is not None},
            **{name: getattr(self, name) for name in _ALONE},
        }

    def weighing(self, calibration: Calibration) -> Weighing:
        """Return the weights of signals, with the embedding model's calibration."""
        usual = {each.name: calibration.similarity if each.weight is None else each.weight for each in self.signals}
        return Weighing(self.signals, {**usual, **self.weights}, self.neighbours, self.noteworthy, self.in_full)


GROUPS: Mapping[str, Any] = {
    **{each.name: each.default_factory for each in fields(Strategy) if each.default_factory not in (MISSING, dict)},
    "floor": Floor,
}
"""The fields of a strategy that hold several numbers, and their types."""


def check_strategy(strategy: object) -> Strategy:
    """Return a strategy that a caller chose.

    Raises:
        BadRequest: it is anything else.
    """
    if not isinstance(strategy, Strategy):
        raise BadRequest(f"strategy must be a palace.Strategy, not {type(strategy).__name__}")
    return strategy


def _mapping(name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadRequest(f"{name} of a strategy must be names with numbers, not {value!r}")
    return value


def _require_known(what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise BadRequest(f"there is no {what} {name!r}: one of {', '.join(known)}")


def _require_distinct(what: str, names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise BadRequest(f"two {what} of a strategy have the same name: {', '.join(names)}")


def _require_number(name: str, value: object, usual: object) -> None:
    """Check that a value is a number of the same type as the default, and in range."""
    kinds = (int,) if isinstance(usual, int) else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise BadRequest(f"{name} of a strategy must be a {'whole ' if kinds == (int,) else ''}number, not {value!r}")
    if not 0 <= value <= LARGEST or (value == 0 and name.rpartition(".")[2] in _ABOVE_ZERO) or math.isnan(value):
        raise BadRequest(f"{name} of a strategy must be from 0 to {LARGEST:,}, not {value!r}")


USUAL = Strategy()
"""Palace's own."""
