"""Files one conversation: identify it, create its rooms, and store its new turns in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo

from palace.config.zones import in_zone
from palace.db.changes.runs import hold_run, record_basis
from palace.db.database import UserDatabase, UserSession
from palace.db.filing import conversations as stored
from palace.db.filing import places, versions
from palace.db.filing.drawers import file_drawers
from palace.errors import DatabaseRefused
from palace.mining.filing.candidates import (
    find_moved,
    free_name,
    lines_as_kept,
    list_alike,
    list_holding,
    list_openings,
    lock_edges,
)
from palace.mining.filing.identity import (
    content_digest,
    conversation_identity,
    identities_by_id,
    identity_by_id,
    is_anonymous,
    names_of,
)
from palace.mining.filing.matching import choose, choose_holding
from palace.mining.filing.place import one_line, rooms_for, slices_of
from palace.mining.filing.plan import Plan, PlannedTurn, Source, plan_turns
from palace.mining.filing.projects import adopt_wing
from palace.mining.filing.wing_choice import choose_wing
from palace.mining.filing.wing_matching import WingMatch
from palace.mining.readers.documents import NAME as DOCUMENT
from palace.mining.redaction import Redactor, kinds_of
from palace.models import Conversation, Kinds, KnownTurn, NewDrawer, Role, Turn
from palace.models.intake import repair
from palace.nlp.edges import edges_of, lines_of
from palace.nlp.sentences import index_message
from palace.nlp.words import slugify

ATTEMPTS = 5
MOST_COMPARED = 10_000
"""Pairs of a known and a new message that are compared by their ids; in larger conversations none is."""


AfterFiling = Callable[[UserSession, int], object]
"""Called with a filing's transaction and the conversation's id, for writes that must be committed with it, such as
queueing index steps. It may only run statements of the store.
"""


@dataclass(frozen=True, slots=True)
class FilingRun:
    """Options that all conversations of a run share."""

    run_id: int
    wing: str | int | None
    """The wing requested by the caller, by name or id."""
    restores: bool = False
    """Whether forgotten turns are filed again."""
    zone: tzinfo = UTC
    """The user's time zone, by which days are cut."""
    after_filing: AfterFiling | None = None
    """Called in the filing transaction, even if nothing is new, because steps may be pending."""


@dataclass(frozen=True, slots=True)
class ToFile:
    """A conversation to file, with its options."""

    conversation: Conversation
    source_name: str
    """Name of the wing if nothing better is known."""
    redactor: Redactor
    """Redacts the secrets of turns."""
    excluded: frozenset[int] = frozenset()
    """Indexes of turns that are not filed."""
    called: str = ""
    """Name of the file, and of the room if nothing better is known."""

    @property
    def filed(self) -> Conversation:
        """The conversation without its excluded turns."""
        turns = self.conversation.turns
        return replace(
            self.conversation, turns=tuple(turn for index, turn in enumerate(turns) if index not in self.excluded)
        )


@dataclass(frozen=True, slots=True)
class Filed:
    """The result of filing one conversation."""

    conversation_id: int | None
    """None if all its turns are filed in other conversations."""
    new: int
    unchanged: int
    forgotten: int
    """Turns left out because they were forgotten."""
    stands_in: str | None = None
    """The wing that the conversation was in already, if another one was requested."""
    replaced: int = 0
    """Drawers that no longer match their source."""
    identities: tuple[bytes, ...] = ()
    """For every turn, in order, the identity of its drawer."""
    wing_match: WingMatch | None = None
    """Why a wing was chosen that nobody requested."""
    redacted: Mapping[int, Kinds] = field(default_factory=dict)
    """Kinds of secrets removed from new turns, by index."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """An identified conversation, and what of it is to be filed."""

    source: Source
    plan: Plan
    conversation_id: int | None = None
    """None if it is not filed yet."""
    basis: frozenset[int] = frozenset()
    """Runs that filed some of its turns in other conversations; those turns are left out here."""
    stands_in: str | None = None

    def filed(self, *, new: int, identities: Sequence[bytes]) -> Filed:
        """Return the result for ``new`` turns filed and the identities of all turns."""
        forgotten = len(self.plan.forgotten - self.source.excluded)
        unchanged = len(self.source.conversation.turns) - len(self.source.excluded) - new - forgotten
        # Old versions that are new themselves replace no stored drawer.
        replaced = {each.old for each in self.plan.replaced} - {turn.identity for turn in self.plan.turns}
        return Filed(self.conversation_id, new, unchanged, forgotten, self.stands_in, len(replaced), tuple(identities))


def file_conversation(database: UserDatabase, run: FilingRun, given: ToFile) -> Filed:
    """File the turns of a conversation that are not filed yet. It must have at least one turn.

    Rooms are created in short transactions of their own, so that other miners need not wait; the drawers follow in one
    transaction. If killed in between, at most an empty room is left, which the next run fills. If the rooms are
    forgotten meanwhile, filing starts again.

    Raises:
        DatabaseRefused: the run was undone meanwhile, or its rooms keep being forgotten.
    """
    for _ in range(ATTEMPTS):
        filed = _try(database, run, given)
        if filed is not None:
            return filed
    title = given.conversation.title or "a conversation"
    raise DatabaseRefused(f"the room of {title!r} is being forgotten again and again")


def rehearse_conversation(session: UserSession, given: ToFile) -> Filed:
    """Return what filing a conversation would result in, without writing."""
    resolved = _resolve(session, given, restores=False)
    plan, said = resolved.plan, given.conversation.turns
    kinds = {turn.given: kinds_of(given.redactor.stored(said[turn.given].content)) for turn in plan.turns}
    filed = resolved.filed(new=len(plan.turns), identities=plan.identities)
    return replace(filed, redacted={place: found for place, found in kinds.items() if found})


def _try(database: UserDatabase, run: FilingRun, given: ToFile) -> Filed | None:
    """File a conversation; return None if its rooms disappeared before the drawers were written."""
    resolved = database.run(lambda session: _settle(session, run, given), flush=False)
    if resolved.conversation_id is None or resolved.plan.is_nothing:
        return resolved.filed(new=0, identities=resolved.plan.identities)
    is_made, wing_match = database.run(lambda session: _make_places(session, run, given, resolved), flush=False)
    filed = database.run(lambda session: _file(session, run, resolved)) if is_made else None
    return filed and replace(filed, wing_match=wing_match)


def _settle(session: UserSession, run: FilingRun, given: ToFile) -> Resolved:
    """Identify the conversation and create its row, unless nothing of it is to be filed here."""
    conversation = given.conversation
    if is_anonymous(conversation):
        lock_edges(session, conversation)
    resolved = _resolve(session, given, restores=run.restores)
    if resolved.conversation_id is not None and run.wing is None and conversation.folder:
        home = places.find_home_wing(session, resolved.conversation_id)
        if home is not None:
            adopt_wing(session, conversation.folder, home)
    if resolved.conversation_id is not None and run.wing is not None:
        asked = given.redactor.wing(run.wing)
        resolved = replace(resolved, stands_in=_other_wing(session, resolved.conversation_id, asked))
    if resolved.conversation_id is None and not resolved.plan.is_nothing:
        identity, title = resolved.source.identity, _title(conversation)
        conversation_id = stored.ensure_conversation(
            session, identity=identity, reader=conversation.reader, title=title, run_id=run.run_id
        )
        if is_anonymous(conversation):
            stored.write_edges(session, conversation_id, edges_of(lines_as_kept(conversation, given.redactor)))
        return replace(resolved, conversation_id=conversation_id)
    return resolved


def _other_wing(session: UserSession, conversation_id: int, asked: str | int) -> str | None:
    """Return the name of a conversation's wing, or None if that is the requested one."""
    home = places.find_home_wing(session, conversation_id)
    wanted = asked if isinstance(asked, int) else places.find_wing(session, slugify(one_line(asked)))
    if home is None or home == wanted:
        return None
    return places.get_wing(session, home).name


def _resolve(session: UserSession, given: ToFile, *, restores: bool) -> Resolved:
    conversation = given.conversation
    identity, keeps = conversation_identity(conversation), conversation.is_partial
    if is_anonymous(conversation):
        identity, is_less = _recognise(session, given, identity)
        keeps = keeps or is_less
    conversation_id = stored.find_conversation(session, identity)
    if conversation_id is None and conversation.reader == DOCUMENT:
        identity = find_moved(session, conversation, given.redactor) or identity
        conversation_id = stored.find_conversation(session, identity)
    elsewhere = _find_elsewhere(session, given, identity, conversation_id)
    if restores:
        elsewhere = {name: run_id for name, run_id in elsewhere.items() if run_id is not None}
    source = Source(
        conversation,
        identity,
        given.excluded,
        elsewhere=frozenset(elsewhere),
        keeps=keeps,
        redactor=given.redactor,
    )
    plan = _plan(session, source, conversation_id, restores=restores)
    if again := _carried_again(conversation, plan, given.excluded):
        source = replace(source, excluded=given.excluded | again)
        plan = _plan(session, source, conversation_id, restores=restores)
    buried = {index for index, name in enumerate(plan.identities) if name in elsewhere and elsewhere[name] is None}
    return Resolved(
        source,
        replace(plan, forgotten=plan.forgotten | buried),
        conversation_id,
        basis=frozenset(run_id for run_id in elsewhere.values() if run_id is not None),
    )


def _carried_again(conversation: Conversation, plan: Plan, excluded: Set[int]) -> frozenset[int]:
    """Return the new turns that are only quoted by filed ones: whether they are filed was decided with those."""
    new = {turn.given for turn in plan.turns}
    return frozenset(
        place
        for place, carrier in conversation.carried.items()
        if place in new and carrier not in new and carrier not in excluded
    )


def _recognise(session: UserSession, given: ToFile, opening: str) -> tuple[str, bool]:
    """Return the identity of a conversation without an id: that of the known one it matches, or an unused one.

    The second value is whether it is only a part of the known text, which must then be kept.
    """
    conversation, redactor = given.conversation, given.redactor
    openings = list_openings(session, opening, redactor)
    candidates = list_alike(session, conversation, redactor, openings)
    candidate, keeps = choose(conversation, candidates)
    if candidate is None and given.filed.turns and given.excluded:
        # Excluded turns were never filed, so their absence is no difference.
        candidate, keeps = choose(given.filed, candidates)
    if candidate is None:
        candidate = choose_holding(conversation, list_holding(session, conversation, redactor))
    if candidate is not None:
        return candidate.identity, keeps
    # Reuse a conversation that an interrupted run left without drawers.
    taken = {identity for _, identity in openings}
    hollow = sorted({each.identity for each in candidates if not each.known} & taken)
    if redactor.hides(conversation.turns[0].content):
        opening = redactor.key.hide_name(opening)
    return hollow[0] if hollow else free_name(opening, openings), False


def _find_elsewhere(
    session: UserSession, given: ToFile, identity: str, conversation_id: int | None
) -> dict[bytes, int | None]:
    conversation, key = given.conversation, given.redactor.key
    if not conversation.turn_ids_are_global:
        return {}
    plain = (identity_by_id(conversation, identity, turn) for turn in conversation.turns if turn.source_id)
    names = [form for name in plain for form in key.forms(name)]
    return stored.find_elsewhere(session, conversation_id or 0, names)


def _plan(session: UserSession, source: Source, conversation_id: int | None, *, restores: bool) -> Plan:
    known: list[KnownTurn] = []
    if conversation_id is not None:
        digests = any(turn.source_id is None for turn in source.conversation.turns)
        known = stored.list_known_turns(session, conversation_id, digests=digests)
    if restores:
        known = [turn for turn in known if not turn.is_forgotten]
    plan = plan_turns(source, known)
    if plan.is_apart and plan.replaced and conversation_id is not None and not is_anonymous(source.conversation):
        contents = stored.get_contents(session, conversation_id)
        return _plan_addition(source, known, contents) or plan
    return plan


def _plan_addition(source: Source, known: Sequence[KnownTurn], contents: Mapping[int, str]) -> Plan | None:
    """Plan to add turns of which none is known to the conversation that they name; None where times say otherwise.

    A turn with the message id of a known one replaces it; ``contents`` has the texts of known turns by drawer.
    """
    turns = source.conversation.turns
    if any(turn.said_at for turn in known) and any(turn.said_at and turn.source_id is None for turn in turns):
        return None
    named = [(given, turn) for given, turn in enumerate(turns) if turn.source_id]
    former = [(turn, contents.get(turn.drawer_id, "")) for turn in known if turn.drawer_id is not None]
    reworded = {
        old.identity: given
        for old, content in former
        for given, turn in (named if len(named) * len(former) <= MOST_COMPARED else ())
        if old.identity in identities_by_id(source.conversation, source.identity, replace(turn, content=content))
    }
    return plan_turns(replace(source, keeps=True, reworded=reworded), known)


def _title(conversation: Conversation) -> str | None:
    return one_line(conversation.title) if conversation.title else None


def _make_places(
    session: UserSession, run: FilingRun, given: ToFile, resolved: Resolved
) -> tuple[bool, WingMatch | None]:
    """Create the rooms; return whether their wing still exists, and why it was chosen if nobody requested it."""
    conversation_id, conversation = resolved.conversation_id, given.conversation
    assert conversation_id is not None
    if not resolved.plan.turns:
        return True, None
    wing_id, wing_match = places.find_home_wing(session, conversation_id), None
    if wing_id is None:
        asked = None if run.wing is None else given.redactor.wing(run.wing)
        wing_id, wing_match = choose_wing(session, conversation, asked=asked, source_name=given.source_name)
    slices = slices_of(conversation, run.zone)
    wanted = {slices[turn.given] for turn in resolved.plan.turns}
    rooms = [room for room in rooms_for(conversation, slices, run.zone, called=given.called) if room.slice in wanted]
    return places.ensure_rooms(session, conversation_id, wing_id, rooms), wing_match


def _file(session: UserSession, run: FilingRun, resolved: Resolved) -> Filed | None:
    """Write the planned turns; return None if a room no longer exists."""
    conversation_id, source = resolved.conversation_id, resolved.source
    assert conversation_id is not None
    hold_run(session, run.run_id)
    if not stored.lock_conversation(session, conversation_id):
        return None
    # Plan again under the lock: another miner may have filed the same turns meanwhile.
    plan = _plan(session, source, conversation_id, restores=run.restores)
    slices, rooms = slices_of(source.conversation, run.zone), places.find_rooms(session, conversation_id)
    wanted = {slices[turn.given] for turn in plan.turns}
    if not wanted <= rooms.keys():
        return None
    versions.move(session, conversation_id, plan.moved)
    drawers = [
        drawer_of(source.conversation.turns[turn.given], turn, source.redactor, run.zone, slice_name=slices[turn.given])
        for turn in plan.turns
    ]
    filed = 0
    if drawers:
        filed = file_drawers(session, conversation_id=conversation_id, run_id=run.run_id, rooms=rooms, drawers=drawers)
        begun = rooms_for(source.conversation, slices, run.zone)
        places.date_rooms(session, conversation_id, [room for room in begun if room.slice in wanted])
        record_basis(session, run.run_id, resolved.basis)
    versions.link_answers(session, plan.answers)
    versions.replace(session, [each._replace(run_id=run.run_id) for each in plan.replaced])
    versions.restore(session, plan.restored)
    if drawers and is_anonymous(source.conversation):
        edges = edges_of(lines_of(stored.get_end_contents(session, conversation_id)))
        stored.write_edges(session, conversation_id, edges)
    if drawers and run.restores:
        stored.restore_title(session, conversation_id, _title(source.conversation))
        again = [turn.given for turn in plan.turns]
        restored = names_of(source.conversation, source.identity, again, source.redactor.key)
        stored.mark_restored(session, run.run_id, conversation_id, restored)
    if run.after_filing:
        run.after_filing(session, conversation_id)
    redacted = {turn.given: new.redacted for turn, new in zip(plan.turns, drawers, strict=True) if new.redacted}
    return replace(resolved.filed(new=filed, identities=plan.identities), redacted=redacted)


def drawer_of(turn: Turn, planned: PlannedTurn, redactor: Redactor, zone: tzinfo, *, slice_name: str) -> NewDrawer:
    """Return the drawer for a turn: redacted, with its passages and keywords."""
    kept = redactor.stored(turn.content)
    return NewDrawer(
        identity=planned.identity,
        slice=slice_name,
        position=planned.position,
        role=Role(turn.role),
        speaker=one_line(turn.speaker) if turn.speaker else None,
        said_at=turn.said_at,
        said_offset=turn.said_offset,
        content=kept.text,
        is_revision=planned.is_revision,
        is_repaired=repair(turn.content)[1],
        index=index_message(kept.text, Role(turn.role), in_zone(turn.said_at, zone) if turn.said_at else None),
        redacted=kinds_of(kept),
        said=redactor.key.hide(content_digest(turn.content)) if kept.findings else None,
    )
