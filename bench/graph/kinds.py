"""Questions that name what is wanted by its kind ("which instruments do I play?"), with the graph and without."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from statistics import fmean, median
from typing import Any

from bench.graph.measure import file_all
from bench.graph.sets import Conversation, KindSet
from bench.metrics import paired_difference
from palace import BadRequest, Palace, Palaces, Strategy

GIVEN = 10
USER = "kinds"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was given to a question."""

    question: str
    wanted: frozenset[str]
    hits: tuple[str, ...]
    milliseconds: float

    @property
    def all_in_ten(self) -> float:
        """1 where all that is wanted is among the first ten."""
        return float(self.wanted <= set(self.hits))

    @property
    def share_in_ten(self) -> float:
        """The share of what is wanted that is among the first ten."""
        return len(self.wanted & set(self.hits)) / len(self.wanted)


def strategy_without(names: Collection[str]) -> Strategy:
    """Give the usual strategy without some arms and signals.

    Raises:
        BadRequest: there is neither an arm nor a signal of a name.
    """
    usual = Strategy()
    known = {*(arm.name for arm in usual.arms), *(signal.name for signal in usual.signals)}
    for name in names:
        if name not in known:
            raise BadRequest(f"recall has neither an arm nor a signal {name!r}, only {', '.join(sorted(known))}")
    return replace(
        usual,
        arms=tuple(arm for arm in usual.arms if arm.name not in names),
        signals=tuple(signal for signal in usual.signals if signal.name not in names),
    )


def measure_kinds(palaces: Palaces, kinds: KindSet, without: Collection[str]) -> tuple[dict[str, Any], list[Asked]]:
    """File the messages, each a conversation of its own, and ask; ``without`` are arms and signals to compare with."""
    palace = palaces.palace(USER)
    filed = file_all(palace, [Conversation(id, USER, None, (message,)) for id, message in kinds.messages])
    ids = {pointer: turn[0] for pointer, turn in filed.turns.items()}
    usual = _ask(palace, kinds, ids, None)
    found: dict[str, Any] = {"messages": len(kinds.messages), "questions": len(kinds.questions), "on": _figures(usual)}
    if without:
        other = _ask(palace, kinds, ids, strategy_without(without))
        found["off"] = _figures(other)
        found["all_in_ten_gained"] = _gained([each.all_in_ten for each in other], [each.all_in_ten for each in usual])
        found["share_in_ten_gained"] = _gained(
            [each.share_in_ten for each in other], [each.share_in_ten for each in usual]
        )
    return found, usual


def missed_lines(kinds: KindSet, asked: Collection[Asked]) -> list[str]:
    """List what was wanted and not given."""
    said = {id: message.content for id, message in kinds.messages}
    return [f"missed  {each.question}: {said[id]}" for each in asked for id in sorted(each.wanted - set(each.hits))]


def _ask(palace: Palace, kinds: KindSet, ids: dict[str, str], strategy: Strategy | None) -> list[Asked]:
    now = max(message.created_at for _, message in kinds.messages) + timedelta(days=1)
    answers = []
    for question, wanted in kinds.questions:
        found = palace.recall(question, top_k=GIVEN, now=now, strategy=strategy)
        hits = tuple(ids[str(hit.drawer.pointer)] for hit in found.hits)
        answers.append(Asked(question, wanted, hits, found.timings_ms["total"]))
    return answers


def _gained(before: Sequence[float], after: Sequence[float]) -> dict[str, Any]:
    gained = paired_difference(before, after)
    return {"mean": round(gained.mean, 4), "interval": [round(edge, 4) for edge in gained.interval]}


def _figures(asked: Collection[Asked]) -> dict[str, float]:
    return {
        "all_in_ten": round(fmean(each.all_in_ten for each in asked), 4),
        "share_in_ten": round(fmean(each.share_in_ten for each in asked), 4),
        "milliseconds": round(median(each.milliseconds for each in asked), 2),
    }
