"""Writing a wake-up view out for a model: a block as recall's, its bytes told by the items alone. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, timedelta, tzinfo

from palace.models import Recent, RecentItem, Why
from palace.recall.pack import CHARACTERS_PER_TOKEN, CLOSE, OPEN, date_in, written_item

_OPEN = frozenset({Why.QUESTION, Why.INTENTION, Why.BOX})


def recent_context(recent: Recent, *, token_budget: int, zone: tzinfo = UTC, first: Iterable[RecentItem] = ()) -> str:
    """Write a view as a block: what is coming up, what stands open, what was told; "" where no item fits.

    The grammar is that of ``palace.recall.pack``, and the budget counts as there. No day is told from another, so that
    the same items give the same bytes whenever they are asked for. What is to stand ``first`` is written whatever the
    budget.
    """
    shown = within(recent, token_budget=token_budget, zone=zone)
    lines = [_line(item, zone) for item in (*first, *shown.coming, *shown.open, *shown.told)]
    return "\n".join([OPEN, *lines, CLOSE]) if lines else ""


def within(recent: Recent, *, token_budget: int, zone: tzinfo = UTC) -> Recent:
    """Keep the items whose lines in a block fit a budget of four characters a token.

    What is coming up and what stands open come first, then what tells most; the order of what is kept stays.
    """
    budget = token_budget * CHARACTERS_PER_TOKEN - len(OPEN) - len(CLOSE) - 2
    kept: set[int] = set()
    for item in _by_weight(recent):
        cost = len(_line(item, zone)) + 1
        if cost <= budget:
            budget -= cost
            kept.add(id(item))
    told, ends, coming = (
        tuple(item for item in part if id(item) in kept) for part in (recent.told, recent.open, recent.coming)
    )
    return replace(recent, told=told, open=ends, coming=coming)


def _by_weight(recent: Recent) -> Iterable[RecentItem]:
    return (*recent.coming, *recent.open, *sorted(recent.told, key=lambda item: -item.score))


def _line(item: RecentItem, zone: tzinfo) -> str:
    return written_item(item.drawer, item.sentence, _stands(item, zone), zone)


def _stands(item: RecentItem, zone: tzinfo) -> str:
    if item.due is None:
        return "open" if item.why in _OPEN else ""
    first, last = (date_in(moment, zone) for moment in (item.due.start, item.due.end - timedelta(microseconds=1)))
    return f"for {first}" if first == last else f"for {first} to {last}"
