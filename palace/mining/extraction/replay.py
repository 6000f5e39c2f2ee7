"""What replies that are kept about a conversation say of it, checked again: its readings and its topics. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from palace.ai.llm import validated
from palace.mining.extraction.prompt import shown
from palace.mining.extraction.windows import SaidTurn, Window, digest_of
from palace.models.claims import Reading
from palace.models.graph import StoredReply

if TYPE_CHECKING:
    from palace.mining.extraction.checks import Checked


def with_replies(
    turns: Sequence[SaidTurn], readings: Sequence[Reading], replies: Sequence[StoredReply], model: str | None
) -> list[Reading]:
    """Put what was replied about turns in the place of what rules read there.

    ``readings`` are those of the rules, a turn each, in the same order. A reply counts while all that it is about
    stands as the model was shown it. Of several about one turn that of ``model`` comes first, then the newest,
    which is the order of ``replies``. Behind what a model was shown of a long turn stays what rules read.
    """
    replied: dict[int, Reading] = {}
    for reply, checked in _standing(turns, replies, model):
        for drawer_id in reply.drawers:
            replied.setdefault(drawer_id, checked.readings.get(drawer_id, Reading()))
    merged = [
        _joined(replied[turn.drawer_id], reading, len(turn.shown)) if turn.drawer_id in replied else reading
        for turn, reading in zip(turns, readings, strict=True)
    ]
    return merged


def topics_replied(turns: Sequence[SaidTurn], replies: Sequence[StoredReply], model: str | None) -> list[str]:
    """List the topics of the replies that count, each once, in order."""
    found = (topic for _, checked in _standing(turns, replies, model) for topic in checked.topics)
    return list(dict.fromkeys(found))


def kinds_replied(turns: Sequence[SaidTurn], replies: Sequence[StoredReply], model: str | None) -> dict[str, str]:
    """Map the names of the replies that count, folded, to the kinds of things that they are said to be of."""
    found: dict[str, str] = {}
    for _, checked in _standing(turns, replies, model):
        for folded, kind in checked.kinds.items():
            found.setdefault(folded, kind)
    return found


def _standing(
    turns: Sequence[SaidTurn], replies: Sequence[StoredReply], model: str | None
) -> Iterator[tuple[StoredReply, Checked]]:
    """Give the replies that count, with what of them stands up to the turns, that of the model first."""
    if not replies:
        return
    # The shapes of replies are made when they are imported, which would slow every program that has none.
    from palace.mining.extraction.checks import check_reply
    from palace.mining.extraction.reply import Replied

    by_drawer = {turn.drawer_id: turn for turn in turns}
    covered: set[int] = set()
    for reply in sorted(replies, key=lambda reply: reply.model != model):
        window = _window_of(reply, by_drawer)
        if window is None or covered.issuperset(reply.drawers):
            continue
        found = validated(Replied, reply.reply)
        if found is not None:
            covered.update(reply.drawers)
            yield reply, check_reply(found, window)


def _window_of(reply: StoredReply, by_drawer: dict[int, SaidTurn]) -> Window | None:
    turns = [by_drawer[drawer_id] for drawer_id in reply.drawers if drawer_id in by_drawer]
    window = Window(tuple(turns))
    is_same = len(turns) == len(reply.drawers) and digest_of(reply.model, shown(window)) == reply.digest
    return window if is_same else None


def _joined(replied: Reading, by_rules: Reading, shown_to: int) -> Reading:
    names = tuple(name for name in by_rules.names if name.start >= shown_to)
    claims = tuple(claim for claim in by_rules.claims if claim.start >= shown_to)
    return Reading(replied.names + names, replied.claims + claims)
