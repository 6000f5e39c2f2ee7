"""Make memories of conversations: by rule or by a model, each conversation alone, all of a call in one undoable run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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
from palace.memories.by_model import ModelMaker
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

    What a memory of the same type stands on already, in whatever state, is left out. Where the setting `memory_model`
    names a model, it reads each conversation; what it could not read is read by rule, with a warning.

    Raises:
        EmbeddingError: the model did not answer; what was made of the conversations before stays.
    """
    opened.database.shared.check_schema()
    storing, made, drawers = Storing(opened), list[int](), 0
    model = ModelMaker(opened) if opened.effective().memory_model else None
    try:
        for conversation_id in conversations:
            go_on()
            read = opened.run(partial(_read, opened=opened, conversation_id=conversation_id, only_new=only_new))
            new = [each for each in read.utterances if each.is_new]
            drawers += len(new)
            told = model.drafts_of(conversation_id, read.utterances) if model else []
            made += storing.store(list(_drafts(read, told, model.read if model else ())), skips_forgotten=True)
            if new:
                last = max(each.drawer.filed_at for each in new)
                opened.run(partial(mark_read, conversation_id=conversation_id, filed_at=last))
    finally:
        storing.finish()
    new_ids = [each for each in made if each in storing.new]
    anew = opened.run(lambda session: get_memories(session, new_ids))
    proposed = sum(each.state is MemoryState.PROPOSED for each in anew)
    warnings = (model.failure,) if model and model.failure else ()
    return MadeMemories(len(conversations), drawers, tuple(anew), proposed, storing.run_id, warnings)


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


def _drafts(read: _Read, told: Sequence[Draft], by_model: Collection[bytes]) -> Iterator[Draft]:
    """Yield what is to be stored; the wing of all is that of the conversation's last room.

    Of messages that the model has read, only instructions are read by rule as well, which are the person's own words.
    """
    utterances = read.utterances
    new = [each for each in utterances if each.is_new]
    if not new:
        return
    wing = utterances[-1].drawer.wing_name
    ruled = [
        each
        for each in (*own_rules.drafts_of(utterances), *how_tos.drafts_of(utterances), *proposals_of(new))
        if each.type is MemoryType.INSTRUCTION or each.evidence[0] not in by_model
    ]
    instructed = {each.evidence[0] for each in ruled if each.type is MemoryType.INSTRUCTION}
    more = (each for each in told if each.type is not MemoryType.INSTRUCTION or instructed.isdisjoint(each.evidence))
    for draft in (*ruled, *more):
        if (draft.evidence[0], draft.type) not in read.cited:
            yield replace(draft, wing=wing)
