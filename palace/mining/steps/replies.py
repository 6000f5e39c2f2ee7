"""Applies stored model replies about a conversation, checked again: readings, topics and kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from palace.ai.llm import validated
from palace.db.filing.closets import list_turns
from palace.db.replies import list_replied, list_replies
from palace.mining.extraction.prompt import shown
from palace.mining.extraction.windows import SaidTurn, Window, digest_of, said_turns
from palace.models.claims import Reading
from palace.models.graph import StoredReply

if TYPE_CHECKING:
    from palace.mining.extraction.checks import Checked
    from palace.mining.steps.step import TurnsByConversation, Work


def with_replies(
    turns: Sequence[SaidTurn], readings: Sequence[Reading], replies: Sequence[StoredReply], model: str | None
) -> list[Reading]:
    """Return the readings of turns, those of model replies where there are any, else those of rules.

    ``readings`` are those of rules, one per turn. A reply is valid while all its turns are unchanged. Of several about
    one turn, that of ``model`` comes first, then the newest (the order of ``replies``). Beyond the part of a long turn
    that a model was shown, rules apply.
    """
    replied: dict[int, Reading] = {}
    for reply, checked in _standing(turns, replies, model):
        for drawer_id in reply.drawers:
            replied.setdefault(drawer_id, checked.readings.get(drawer_id, Reading()))
    return [
        _joined(replied[turn.drawer_id], reading, len(turn.shown)) if turn.drawer_id in replied else reading
        for turn, reading in zip(turns, readings, strict=True)
    ]


def find_topics(work: Work, turns: TurnsByConversation) -> dict[int, list[str]]:
    """Map conversations to the topics that a model named for them, without duplicates; makes no call."""
    return {
        number: list(dict.fromkeys(topic for each in checked for topic in each.topics))
        for number, checked in _checked(work, turns)
    }


def find_kinds(work: Work, conversations: Sequence[int]) -> dict[int, dict[str, str]]:
    """Map conversations to the kinds that a model named for their folded names; makes no call."""
    turns = work.database.run(lambda session: list_turns(session, sorted(list_replied(session, conversations))))
    found: dict[int, dict[str, str]] = {}
    for number, checked in _checked(work, turns):
        for each in checked:
            found[number] = each.kinds | found.get(number, {})
    return found


def _checked(work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, list[Checked]]]:
    replies = work.database.run(lambda session: list_replies(session, turns))
    for number, kept in replies.items():
        said = said_turns(turns[number], work.person, work.zone)
        yield number, [checked for _, checked in _standing(said, kept, work.model)]


def _standing(
    turns: Sequence[SaidTurn], replies: Sequence[StoredReply], model: str | None
) -> Iterator[tuple[StoredReply, Checked]]:
    """Yield valid replies with what the turns support of them, those of ``model`` first."""
    if not replies:
        return
    # The models of replies are built at import, which would slow down programs without replies.
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
