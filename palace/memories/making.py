"""Make memories of conversations: by rule, each conversation alone, all of one call in one run that can be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from palace.cancellation import go_on
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.filing.rebuilding import list_drawer_ids
from palace.db.memories import get_memories, identities_of
from palace.db.memory_making import find_read, list_cited, list_claims, mark_read
from palace.db.standing import find_own
from palace.memories import how_tos, own_rules
from palace.memories.planted import proposals_of
from palace.memories.provenance import Utterance
from palace.memories.storing import Draft, Storing
from palace.models import MadeMemories, MemoryState, MemoryType
from palace.opened import OpenPalace


class _Read(NamedTuple):
    """A conversation as it is read."""

    utterances: list[Utterance]
    cited: set[tuple[bytes, MemoryType]]
    """Drawers that memories stand on already, each with the type of the memory."""


def make_memories(opened: OpenPalace, conversations: Sequence[int], *, only_new: bool) -> MadeMemories:
    """Make memories of conversations, one after the other; with ``only_new`` of what was not read before.

    What a memory of the same type stands on already, in whatever state, is left out.

    Raises:
        EmbeddingError: the model did not answer; what was made of the conversations before stays.
    """
    opened.database.shared.check_schema()
    storing, made, drawers = Storing(opened), list[int](), 0
    try:
        for conversation_id in conversations:
            go_on()
            read = opened.run(partial(_read, opened=opened, conversation_id=conversation_id, only_new=only_new))
            new = [each for each in read.utterances if each.is_new]
            drawers += len(new)
            made += storing.store(list(_drafts(read)), skips_forgotten=True)
            if new:
                last = max(each.drawer.filed_at for each in new)
                opened.run(partial(mark_read, conversation_id=conversation_id, filed_at=last))
    finally:
        storing.finish()
    new_ids = [each for each in made if each in storing.new]
    anew = opened.run(lambda session: get_memories(session, new_ids))
    proposed = sum(each.state is MemoryState.PROPOSED for each in anew)
    return MadeMemories(len(conversations), drawers, tuple(anew), proposed, storing.run_id)


def _read(session: UserSession, opened: OpenPalace, conversation_id: int, *, only_new: bool) -> _Read:
    ids = list_drawer_ids(session, [conversation_id]).get(conversation_id, [])
    drawers = get_drawers(session, ids)
    identities = identities_of(session, ids)
    own = find_own(session, ids, opened.names)
    since = find_read(session, conversation_id) if only_new else None
    claims = list_claims(session, conversation_id)
    utterances = [
        Utterance(
            drawers[each],
            identities[each],
            each in own,
            tuple(claims.get(each, ())),
            since is None or drawers[each].filed_at > since,
        )
        for each in ids
        if each in drawers and drawers[each].replaced_at is None
    ]
    return _Read(utterances, list_cited(session, list(identities.values())))


def _drafts(read: _Read) -> Iterator[Draft]:
    """Yield what is to be stored; the wing of all is that of the conversation's last room."""
    utterances = read.utterances
    new = [each for each in utterances if each.is_new]
    if not new:
        return
    wing = utterances[-1].drawer.wing_name
    drafts = [*own_rules.drafts_of(utterances), *how_tos.drafts_of(utterances), *proposals_of(new)]
    for draft in drafts:
        if (draft.evidence[0], draft.type) not in read.cited:
            yield replace(draft, wing=wing)
