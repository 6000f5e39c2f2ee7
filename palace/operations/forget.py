"""Forget drawers: find and count them, hide them for a while, and delete them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from palace.db.changes.removal import (
    DrawerIds,
    Follower,
    Removed,
    count_everything,
    count_removal,
    drawers_in,
    has_anything_beside,
    remove,
    remove_user,
)
from palace.db.database import UserSession
from palace.db.drawers import find_conversation_of
from palace.db.filing.rebuilding import list_conversations
from palace.db.graph.decisions import list_decisions
from palace.db.hidden import Hidden, drop_hidden, hide, list_hidden, sweep_hidden
from palace.db.transfer.hiding import collect_parts
from palace.db.vectors import drop_indexes
from palace.errors import BadRequest, MoreToForget, NotFound
from palace.graph.resolve import fold_name
from palace.graph.update import GraphFollower, Owner, forget_decisions
from palace.mining.index import Runner
from palace.models import (
    ForgetRequest,
    ForgetSummary,
    MemoryType,
    Pointer,
    Removal,
    Scope,
    Target,
    TargetKind,
    intake,
)
from palace.models.activity import FORGOTTEN
from palace.nlp.pointers import find_wing_number, is_pointer, is_room, parse_pointer, parse_room
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.operations.activity import record
from palace.operations.capturing import forget_captured
from palace.operations.contents import get_closet
from palace.operations.recall import captured_path
from palace.operations.tree import TreeVerbs, get_drawer
from palace.telemetry import memory


class Chosen(NamedTuple):
    """What is to be forgotten."""

    target: Target
    place: str
    """Its pointer, or the pointer that it was named by."""
    described: str


class ForgetVerbs:
    """Forget a part of a palace, or all of it."""

    def __init__(self, opened: OpenPalace, *, at_most: int | None = None) -> None:
        self._opened = opened
        self._at_most = at_most

    def part(
        self, what: str | ForgetRequest, *, closet: str | None, conversation: bool, dry_run: bool, now: bool = False
    ) -> ForgetSummary:
        """Forget a drawer, a closet, a room, a wing or a conversation, leaving tombstones.

        It is hidden for a while first, unless ``now``: then its hidden drawers are deleted too.
        """
        if isinstance(what, ForgetRequest):
            self._at_most = what.removal.drawers if self._at_most is None else self._at_most
            what = what.what
        what, closet = intake.text("what", what), intake.optional_text("closet", closet)
        deletes = now and closet is None
        try:
            chosen = self._find(what, closet=closet, conversation=conversation)
        except NotFound:
            owner = None if dry_run else self._opened.owner
            hidden = self._opened.run(lambda session: _delete_hidden(session, what, owner)) if deletes else 0
            if not hidden:
                raise
            return ForgetSummary(f"{what}, which was hidden", Removal(hidden), dry_run=dry_run)
        return self._forget(
            chosen, dry_run=dry_run, due_at=None if now else self.due_at(), also=what if deletes else None
        )

    def note(
        self, what: str | ForgetRequest, *, scope: Scope | None, dry_run: bool, now: bool = False
    ) -> ForgetSummary:
        """Forget the versions of a note that are in the wings of a scope, all or none. Raises ``NotFound``."""
        pointer = intake.text("what", what)
        drawer = self._opened.run(lambda session: get_drawer(session, pointer))
        target = Target(TargetKind.NOTE, drawer.id, wings=scope.wing_ids if scope else None)
        chosen = Chosen(target, str(drawer.pointer), f"drawer {drawer.pointer} with its versions")
        return self._forget(chosen, dry_run=dry_run, due_at=None if now else self.due_at())

    def memories(self, wing: str | None, kind: MemoryType | None, *, dry_run: bool) -> ForgetSummary:
        """Forget the memories of a wing and a type, but not what they stand on. Raises ``NotFound``: no such wing."""
        of = TreeVerbs(self._opened).wing(wing) if wing else None
        target = Target(TargetKind.MEMORIES, of.id if of else 0, kind)
        described = f"all {kind.noun}s" if kind else "all memories"
        described += f" of wing {of.pointer} {of.name!r}" if of else ""
        chosen = Chosen(target, str(of.pointer) if of else "", described)
        return self._forget(chosen, dry_run=dry_run, due_at=self.due_at())

    def _forget(
        self, chosen: Chosen, *, dry_run: bool, due_at: datetime | None, also: str | None = None
    ) -> ForgetSummary:
        """Forget drawers; hidden ones that ``also`` names are deleted too."""
        target, place, described = chosen
        pointers: list[str] = []

        def count(session: UserSession) -> Removal:
            return count_removal(session, drawers_in(session, target))

        def forget(session: UserSession) -> Removed:
            wing_id = target.id if target.kind is TargetKind.WING else None
            removed, hidden = remove_hidden(session, drawers_in(session, target), self._opened.owner, due_at, wing_id)
            if target.kind is TargetKind.NOTE and not removed.removal.drawers:
                raise NotFound(f"{described} was forgotten meanwhile")
            self._check(removed.removal, described)
            if also is not None:
                _delete_hidden(session, also, self._opened.owner)
            pointers[:] = map(str, hidden)
            record(session, FORGOTTEN, what=target.kind.value, place=place, **asdict(removed.removal))
            return removed

        if dry_run:
            return ForgetSummary(described, self._opened.database.run(count), dry_run=True)
        with memory("delete_memory", "forget") as observed:
            removal = remove_and_redraw(self._opened, forget).removal
            observed.count(removal.drawers)
        return ForgetSummary(described, removal, until=due_at, pointers=tuple(pointers))

    def _check(self, removal: Removal, described: str) -> None:
        """Abort the removing transaction if it removes more drawers than were confirmed."""
        if self._at_most is not None and removal.drawers > self._at_most:
            told = f"{described} has {removal.drawers:,} drawers by now, not {self._at_most:,}"
            raise MoreToForget(f"{told}: nothing was forgotten")

    def due_at(self) -> datetime | None:
        """Return until when a drawer forgotten now can be restored; None for not at all."""
        days = self._opened.effective().forget_grace
        return datetime.now(UTC) + timedelta(days=days) if days else None

    def everything(self, *, dry_run: bool) -> ForgetSummary:
        """Delete the user with all of their data in this palace; no tombstones are left."""
        opened = self._opened
        described = f"everything of {opened.user}"
        if not dry_run:
            forget_captured(captured_path(opened))
        removal = opened.database.run(count_everything)
        if removal == Removal() and not opened.run(has_anything_beside):
            raise NotFound(f"the palace of {opened.user} is empty: there is nothing to forget")
        if not dry_run:
            with memory("delete_memory_store", "forget_everything") as observed:
                _drop(opened, opened.database.run(_remove_everything))
                observed.count(removal.drawers)
            if opened.database.shared.may_own:
                drop_indexes(opened.database)
        return ForgetSummary(described, removal, dry_run=dry_run)

    def _find(self, what: str, *, closet: str | None, conversation: bool) -> Chosen:
        opened, tree = self._opened, TreeVerbs(self._opened)
        if is_pointer(what):
            drawer = opened.run(lambda session: get_drawer(session, what))
            if closet is not None:
                raise BadRequest("a closet is named with its room, W-001/R-02, not with a drawer")
            if not conversation:
                return Chosen(Target(TargetKind.DRAWER, drawer.id), str(drawer.pointer), f"drawer {drawer.pointer}")
            pointer = drawer.pointer.of_room
        elif is_room(what):
            pointer = parse_room(what)
        elif closet is not None or conversation:
            raise BadRequest(f"{what!r} is no room: --closet and --conversation want one, such as W-001/R-02")
        else:
            return _find_wing(tree, what)
        if closet is not None and conversation:
            raise BadRequest("--closet and --conversation exclude each other: give one of them")
        room, described = tree.room(str(pointer)), f"room {pointer}"
        target = Target(TargetKind.ROOM, room.id)
        if conversation:
            conversation_id = opened.run(lambda session: find_conversation_of(session, room_id=room.id))
            if conversation_id is None:
                raise NotFound(f"there is no room {pointer}; `palace ls` lists what there is")
            target, described = Target(TargetKind.CONVERSATION, conversation_id), f"the conversation of {described}"
        if closet is not None:
            found = opened.run(lambda session: get_closet(session, room, closet))
            return Chosen(Target(TargetKind.CLOSET, found.id), str(pointer), f"closet {found.name!r} of {described}")
        return Chosen(target, str(pointer), f"{described} {room.name!r}")


def _find_wing(tree: TreeVerbs, what: str) -> Chosen:
    wing = tree.wing(what)
    described = f"wing {wing.pointer} {wing.name!r}"
    if find_wing_number(what) is None and slugify(what) not in (wing.slug, slugify(wing.name)):
        # The wing may contain much more than what once had this name.
        told = f"{what!r} is a former name of {described}, with {wing.drawer_count:,} drawers"
        raise BadRequest(f"{told}: `palace forget {wing.pointer}` forgets all of it")
    return Chosen(Target(TargetKind.WING, wing.id), str(wing.pointer), described)


def _delete_hidden(session: UserSession, what: str, owner: Owner | None) -> int:
    """Delete the hidden drawers that a name refers to, unless ``owner`` is None; return how many there are."""
    meant = [each.parts.drawer for each in list_hidden(session) if is_meant(each, what)]
    if meant and owner:
        drop_hidden(session, [each.identity for each in meant])
        text = "\n".join(each.content for each in meant).casefold()
        decided = {name for each in list_decisions(session, undone=True) for name in (each.name, each.other)}
        forget_decisions(session, {fold_name(name) for name in decided if name.casefold() in text}, owner)
    return len(meant)


def _remove_everything(session: UserSession) -> list[int]:
    conversations = list_conversations(session, None)
    remove_user(session)
    return conversations


def remove_hidden(
    session: UserSession, drawers: DrawerIds, owner: Owner, due_at: datetime | None, wing_id: int | None = None
) -> tuple[Removed, list[Pointer]]:
    """Remove drawers, and return which can be restored until ``due_at``; without it, their names go as well."""
    sweep_hidden(session)
    graph = GraphFollower(owner)
    hiding = Hiding(graph, due_at) if due_at else None
    removed = remove(session, drawers, hiding or graph, bury=True, wing_id=wing_id)
    if hiding is None:
        forget_decisions(session, graph.names, owner)
    return removed, hiding.pointers if hiding else []


def remove_and_redraw(opened: OpenPalace, removing: Callable[[UserSession], Removed]) -> Removed:
    """Remove drawers in one transaction, then rerun the index steps of shrunken conversations that need no model."""
    removed = opened.database.run(removing)
    if removed.shrunk:
        steps = [step for step in opened.steps if not step.calls_model]
        Runner(opened.work_without_model(), steps, asked=True).run(removed.shrunk)
    _drop(opened, removed.gone)
    return removed


def _drop(opened: OpenPalace, conversations: Sequence[int]) -> None:
    """Let every index step delete its external data of deleted conversations."""
    for step in opened.steps if conversations else ():
        step.drop(opened.work_without_model(), conversations)


GONE = "`palace forget --list` lists what can be restored; what was forgotten longer ago is deleted"


@dataclass(frozen=True, slots=True)
class Hiding:
    """A follower that stores drawers before they are forgotten, and then calls another follower."""

    follower: Follower
    due_at: datetime
    pointers: list[Pointer] = field(default_factory=list)
    """Pointers of the stored drawers."""

    def before(self, session: UserSession, drawer_ids: Sequence[int]) -> None:
        """Store the drawers before they are deleted."""
        parts = collect_parts(session, drawer_ids)
        hide(session, parts, self.due_at)
        self.pointers.extend(sorted(Pointer(each.wing.number, each.room.number, each.drawer.number) for each in parts))
        self.follower.before(session, drawer_ids)

    def after(self, session: UserSession, conversations: Collection[int]) -> None:
        """Call the other follower."""
        self.follower.after(session, conversations)


def choose_hidden(hidden: Sequence[Hidden], names: Sequence[str]) -> list[Hidden]:
    """Choose the hidden drawers that pointers, or names of wings, refer to.

    Raises:
        NotFound: a name refers to nothing that is hidden.
    """
    chosen: dict[bytes, Hidden] = {}
    by_pointer = defaultdict(list)
    for each in hidden:
        by_pointer[each.pointer].append(each)
    for name in names:
        # There may be many pointers, so look them up in a dict.
        among = by_pointer[parse_pointer(name)] if is_pointer(name) else hidden
        meant = [each for each in among if is_meant(each, name)]
        if not meant:
            raise NotFound(f"nothing of {name!r} is hidden: {GONE}")
        chosen |= {each.parts.drawer.identity: each for each in meant}
    return list(chosen.values())


def with_memories(hidden: Sequence[Hidden], chosen: Sequence[Hidden]) -> list[Hidden]:
    """Add to some hidden drawers the memories that stood on any of them, and were forgotten with it."""
    found = {each.parts.drawer.identity: each for each in chosen}
    while True:
        more = {
            each.parts.drawer.identity: each
            for each in hidden
            if each.parts.drawer.identity not in found and _stood_on(each, found)
        }
        if not more:
            return list(found.values())
        found |= more


def _stood_on(hidden: Hidden, found: Mapping[bytes, Hidden]) -> bool:
    memory = hidden.parts.drawer.memory
    cited = [found[each] for each in memory.evidence if each in found] if memory else []
    return any(each.hidden_at == hidden.hidden_at for each in cited)


def is_meant(hidden: Hidden, name: str) -> bool:
    """Check whether a pointer of a drawer, a room or a wing, or a wing's name, refers to a hidden drawer."""
    if is_pointer(name):
        return hidden.pointer == parse_pointer(name)
    if is_room(name):
        return hidden.pointer.of_room == parse_room(name)
    number = find_wing_number(name)
    return hidden.pointer.wing == number if number is not None else hidden.parts.wing.slug == slugify(name)
