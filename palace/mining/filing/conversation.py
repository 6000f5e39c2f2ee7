"""Filing one conversation: resolve who it is, give it places, file what is new in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from palace.mining.filing.identity import conversation_identity, is_anonymous, turn_identities
from palace.mining.filing.place import one_line, place_wing, rooms_for, slices_of
from palace.mining.filing.plan import Opening, PlannedTurn, choose_opening, plan_turns
from palace.records import Conversation, NewDrawer, Role
from palace.store.database import Database, UserSession
from palace.store.filing import conversations as stored
from palace.store.filing import places
from palace.store.filing.drawers import file_drawers
from palace.text.passages import split_passages
from palace.text.repair import repair


@dataclass(slots=True)
class FilingRun:
    """What the conversations of one run share."""

    user_id: int
    run_id: int
    wing: str | None
    """The wing the caller asked for."""
    met: set[int] = field(default_factory=set)
    """Conversations this run has seen, by id."""


@dataclass(frozen=True, slots=True)
class Filed:
    """What filing one conversation came to."""

    conversation_id: int | None
    """None where every turn of it is filed in other conversations."""
    new: int
    unchanged: int
    is_pending: bool
    """Whether embeddings or topics of it are still to be done, from now or from before."""


@dataclass(frozen=True, slots=True)
class _Resolved:
    conversation_id: int
    identities: list[bytes]
    planned: tuple[PlannedTurn, ...]
    is_pending: bool


def file_conversation(database: Database, run: FilingRun, conversation: Conversation, *, source_name: str) -> Filed:
    """File the turns of a conversation that are not filed yet. It must have at least one turn.

    Its places are made in short transactions of their own, so that miners of other conversations need not wait; the
    drawers follow in one. Killed in between, it leaves at most an empty room, which the next run fills.
    """
    turns = len(conversation.turns)
    resolved = database.run(run.user_id, lambda session: _resolve(session, run, conversation), flush=False)
    if resolved is None:
        return Filed(None, 0, turns, is_pending=False)
    run.met.add(resolved.conversation_id)
    if not resolved.planned:
        return Filed(resolved.conversation_id, 0, turns, resolved.is_pending)
    slices = slices_of(conversation)
    database.run(
        run.user_id, lambda session: _make_places(session, run, conversation, resolved, source_name), flush=False
    )
    new = database.run(run.user_id, lambda session: _file(session, run, conversation, resolved, slices))
    return Filed(resolved.conversation_id, new, turns - new, is_pending=True)


def _resolve(session: UserSession, run: FilingRun, conversation: Conversation) -> _Resolved | None:
    identity = conversation_identity(conversation)
    if is_anonymous(conversation):
        stored.lock_opening(session, identity)
        candidates = [
            Opening(known_id, name, stored.list_known_turns(session, known_id))
            for known_id, name in stored.list_openings(session, identity)
        ]
        identity = choose_opening(conversation, identity, candidates, frozenset(run.met))
    identities = turn_identities(conversation, identity)
    conversation_id = stored.find_conversation(session, identity)
    planned = _plan(session, conversation, conversation_id, identities)
    if conversation_id is None:
        if not planned:
            return None
        title = one_line(conversation.title) if conversation.title else None
        conversation_id = stored.ensure_conversation(
            session, identity=identity, reader=conversation.reader, title=title, run_id=run.run_id
        )
    is_pending = not planned and stored.has_pending(session, conversation_id)
    return _Resolved(conversation_id, identities, planned, is_pending)


def _plan(
    session: UserSession, conversation: Conversation, conversation_id: int | None, identities: Sequence[bytes]
) -> tuple[PlannedTurn, ...]:
    known = [] if conversation_id is None else stored.list_known_turns(session, conversation_id)
    elsewhere = frozenset[bytes]()
    if conversation.turn_ids_are_global:
        elsewhere = frozenset(stored.find_filed_elsewhere(session, conversation_id or 0, identities))
    return plan_turns(identities, known, elsewhere)


def _make_places(
    session: UserSession, run: FilingRun, conversation: Conversation, resolved: _Resolved, source_name: str
) -> None:
    wing_id = places.find_home_wing(session, resolved.conversation_id)
    if wing_id is None:
        wing = place_wing(conversation, asked=run.wing, source_name=source_name)
        wing_id = places.ensure_wing(session, slug=wing.slug, name=wing.name, kind=wing.kind)
    slices = slices_of(conversation)
    wanted = {slices[turn.position] for turn in resolved.planned}
    rooms = [room for room in rooms_for(conversation, slices) if room.slice in wanted]
    places.ensure_rooms(session, resolved.conversation_id, wing_id, rooms)


def _file(
    session: UserSession,
    run: FilingRun,
    conversation: Conversation,
    resolved: _Resolved,
    slices: Sequence[str],
) -> int:
    # Planned again under the lock: another miner may have filed the same turns meanwhile.
    stored.lock_conversation(session, resolved.conversation_id)
    rooms = places.find_rooms(session, resolved.conversation_id)
    planned = _plan(session, conversation, resolved.conversation_id, resolved.identities)
    drawers = _drawers(conversation, slices, [turn for turn in planned if slices[turn.position] in rooms])
    if not drawers:
        return 0
    return file_drawers(
        session, conversation_id=resolved.conversation_id, run_id=run.run_id, rooms=rooms, drawers=drawers
    )


def _drawers(
    conversation: Conversation, slices: Sequence[str], planned: Sequence[PlannedTurn]
) -> tuple[NewDrawer, ...]:
    return tuple(_drawer(conversation, slices[turn.position], turn) for turn in planned)


def _drawer(conversation: Conversation, slice_name: str, planned: PlannedTurn) -> NewDrawer:
    turn = conversation.turns[planned.position]
    content, is_repaired = repair(turn.content)
    return NewDrawer(
        identity=planned.identity,
        slice=slice_name,
        position=planned.position,
        role=Role(turn.role),
        speaker=one_line(turn.speaker) if turn.speaker else None,
        said_at=turn.said_at,
        content=content,
        is_revision=planned.is_revision,
        is_repaired=is_repaired,
        passages=split_passages(content),
    )
