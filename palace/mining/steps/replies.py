"""What the replies that are kept about a conversation say of it, checked again: its readings, topics and kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from palace.ai.llm import validated
from palace.db.filing.closets import list_turns
from palace.db.replies import list_replies
from palace.mining.extraction.prompt import shown
from palace.mining.extraction.windows import SaidTurn, Window, digest_of, said_turns
from palace.models.claims import Reading
from palace.models.graph import StoredReply

if TYPE_CHECKING:
    from palace.mining.extraction.checks import Checked
    from palace.mining.steps.step import Work


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
    return [
        _joined(replied[turn.drawer_id], reading, len(turn.shown)) if turn.drawer_id in replied else reading
        for turn, reading in zip(turns, readings, strict=True)
    ]


def find_topics(work: Work, conversation_id: int) -> list[str]:
    """List what a model said a conversation is about, in its words, each once; without a call."""
    found = (topic for checked in _kept(work, conversation_id) for topic in checked.topics)
    return list(dict.fromkeys(found))


def find_kinds(work: Work, conversation_id: int) -> dict[str, str]:
    """Map a conversation's names, folded, to the kinds of things that a model said they are of; without a call."""
    found: dict[str, str] = {}
    for checked in _kept(work, conversation_id):
        found = checked.kinds | found
    return found


def _kept(work: Work, conversation_id: int) -> list[Checked]:
    replies = work.database.run(lambda session: list_replies(session, conversation_id))
    if not replies:
        return []
    turns = work.database.run(lambda session: list_turns(session, conversation_id))
    return [checked for _, checked in _standing(said_turns(turns, work.person, work.zone), replies, work.model)]


def _standing(
    turns: Sequence[SaidTurn], replies: Sequence[StoredReply], model: str | None
) -> Iterator[tuple[StoredReply, Checked]]:
    """Yield the replies that count, with what of them stands up to the turns, that of the model first."""
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
