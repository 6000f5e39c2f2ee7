"""Filing one conversation: resolve who it is, give it places, file what is new in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from palace.errors import DatabaseRefused
from palace.mining.filing.identity import conversation_identity, former_identities, is_anonymous, turn_identities
from palace.mining.filing.place import one_line, place_wing, rooms_for, slices_of
from palace.mining.filing.plan import Opening, PlannedTurn, choose_opening, plan_turns, replaced_turns
from palace.records import Conversation, NewDrawer, Role
from palace.store.database import Database, UserSession
from palace.store.filing import conversations as stored
from palace.store.filing import places
from palace.store.filing.drawers import file_drawers
from palace.store.filing.runs import hold_run, record_basis
from palace.text.messages import index_message
from palace.text.repair import repair
from palace.zones import in_zone

ATTEMPTS = 5


@dataclass(slots=True)
class FilingRun:
    """What the conversations of one run share."""

    user_id: int
    run_id: int
    wing: str | None
    """The wing the caller asked for."""
    restores: bool = False
    """Whether what was forgotten is filed again."""
    zone: tzinfo = UTC
    """The person's, in which days are cut."""
    met: set[int] = field(default_factory=set)
    """Conversations this run has seen, by id."""


@dataclass(frozen=True, slots=True)
class Filed:
    """What filing one conversation came to."""

    conversation_id: int | None
    """None where every turn of it is filed in other conversations."""
    new: int
    unchanged: int
    forgotten: int
    """Turns left out because they were forgotten."""
    is_pending: bool
    """Whether embeddings or topics of it are still to be done, from now or from before."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be filed of a conversation."""

    turns: tuple[PlannedTurn, ...]
    forgotten: int
    basis: frozenset[int]
    """Runs that filed turns of it elsewhere, which are left out here."""


@dataclass(frozen=True, slots=True)
class _Resolved:
    conversation_id: int
    identities: list[bytes]
    plan: _Plan
    is_pending: bool


def file_conversation(database: Database, run: FilingRun, conversation: Conversation, *, source_name: str) -> Filed:
    """File the turns of a conversation that are not filed yet. It must have at least one turn.

    Its places are made in short transactions of their own, so that miners of other conversations need not wait; the
    drawers follow in one. Killed in between, it leaves at most an empty room, which the next run fills. When the
    person forgets what it is filed under meanwhile, it starts again.

    Raises:
        DatabaseRefused: the run was undone meanwhile, or places go as fast as they are made.
    """
    for _ in range(ATTEMPTS):
        filed = _try(database, run, conversation, source_name)
        if filed is not None:
            return filed
    raise DatabaseRefused(f"the room of {conversation.title or 'a conversation'!r} is being forgotten again and again")


def _try(database: Database, run: FilingRun, conversation: Conversation, source_name: str) -> Filed | None:
    """File a conversation; None when its places went before the drawers could follow."""
    turns = len(conversation.turns)
    resolved = database.run(run.user_id, lambda session: _resolve(session, run, conversation), flush=False)
    if isinstance(resolved, _Plan):
        return Filed(None, 0, turns - resolved.forgotten, resolved.forgotten, is_pending=False)
    run.met.add(resolved.conversation_id)
    forgotten = resolved.plan.forgotten
    if not resolved.plan.turns:
        return Filed(resolved.conversation_id, 0, turns - forgotten, forgotten, resolved.is_pending)
    made = database.run(
        run.user_id, lambda session: _make_places(session, run, conversation, resolved, source_name), flush=False
    )
    slices = slices_of(conversation, run.zone)
    new = (
        database.run(run.user_id, lambda session: _file(session, run, conversation, resolved, slices)) if made else None
    )
    if new is None:
        return None
    return Filed(resolved.conversation_id, new, turns - new - forgotten, forgotten, is_pending=True)


def _resolve(session: UserSession, run: FilingRun, conversation: Conversation) -> _Resolved | _Plan:
    """Find or make the conversation's row; only its plan where nothing of it is to be filed here."""
    identity = conversation_identity(conversation)
    if is_anonymous(conversation):
        stored.lock_opening(session, identity)
        candidates = [
            Opening(known_id, name, stored.list_known_turns(session, known_id))
            for opening in (identity, *former_identities(conversation))
            for known_id, name in stored.list_openings(session, opening)
        ]
        identity = choose_opening(conversation, identity, candidates, frozenset(run.met))
    identities = turn_identities(conversation, identity)
    conversation_id = stored.find_conversation(session, identity)
    plan = _plan(session, run, conversation, conversation_id, identities)
    if conversation_id is None:
        if not plan.turns:
            return plan
        conversation_id = stored.ensure_conversation(
            session, identity=identity, reader=conversation.reader, title=_title(conversation), run_id=run.run_id
        )
    is_pending = not plan.turns and stored.has_pending(session, conversation_id)
    return _Resolved(conversation_id, identities, plan, is_pending)


def _title(conversation: Conversation) -> str | None:
    return one_line(conversation.title) if conversation.title else None


def _plan(
    session: UserSession,
    run: FilingRun,
    conversation: Conversation,
    conversation_id: int | None,
    identities: Sequence[bytes],
) -> _Plan:
    known = [] if conversation_id is None else stored.list_known_turns(session, conversation_id)
    elsewhere: dict[bytes, int | None] = {}
    if conversation.turn_ids_are_global:
        elsewhere = stored.find_elsewhere(session, conversation_id or 0, identities)
    buried = {turn.identity for turn in known if turn.is_forgotten}
    buried |= {identity for identity, run_id in elsewhere.items() if run_id is None}
    if run.restores:
        known = [turn for turn in known if not turn.is_forgotten]
        elsewhere = {identity: run_id for identity, run_id in elsewhere.items() if run_id is not None}
    turns = plan_turns(identities, known, frozenset(elsewhere), replaced_turns(conversation, identities))
    forgotten = 0 if run.restores else sum(identity in buried for identity in identities)
    return _Plan(turns, forgotten, frozenset(run_id for run_id in elsewhere.values() if run_id is not None))


def _make_places(
    session: UserSession, run: FilingRun, conversation: Conversation, resolved: _Resolved, source_name: str
) -> bool:
    wing_id = places.find_home_wing(session, resolved.conversation_id)
    if wing_id is None:
        wing = place_wing(conversation, asked=run.wing, source_name=source_name)
        wing_id = places.ensure_wing(session, slug=wing.slug, name=wing.name, kind=wing.kind)
    slices = slices_of(conversation, run.zone)
    wanted = {slices[turn.position] for turn in resolved.plan.turns}
    rooms = [room for room in rooms_for(conversation, slices, run.zone) if room.slice in wanted]
    return places.ensure_rooms(session, resolved.conversation_id, wing_id, rooms)


def _file(
    session: UserSession,
    run: FilingRun,
    conversation: Conversation,
    resolved: _Resolved,
    slices: Sequence[str],
) -> int | None:
    """File what is planned; None where its conversation or a room has gone."""
    hold_run(session, run.run_id)
    if not stored.lock_conversation(session, resolved.conversation_id):
        return None
    # Planned again under the lock: another miner may have filed the same turns meanwhile.
    plan = _plan(session, run, conversation, resolved.conversation_id, resolved.identities)
    rooms = places.find_rooms(session, resolved.conversation_id)
    if any(slices[turn.position] not in rooms for turn in plan.turns):
        return None
    drawers = tuple(_drawer(conversation, slices[turn.position], turn, run.zone) for turn in plan.turns)
    if not drawers:
        return 0
    filed = file_drawers(
        session, conversation_id=resolved.conversation_id, run_id=run.run_id, rooms=rooms, drawers=drawers
    )
    record_basis(session, run.run_id, plan.basis)
    if run.restores:
        stored.restore_title(session, resolved.conversation_id, _title(conversation))
        stored.mark_restored(session, run.run_id, resolved.conversation_id)
    return filed


def _drawer(conversation: Conversation, slice_name: str, planned: PlannedTurn, zone: tzinfo) -> NewDrawer:
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
        index=index_message(content, Role(turn.role), in_zone(turn.said_at, zone) if turn.said_at else None),
    )
