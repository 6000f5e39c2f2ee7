"""Forgotten drawers that can still be restored: list and restore them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import chain, groupby
from shlex import quote

from palace.config.project_keys import numbered
from palace.db.counts import fold_counts, refresh_statistics
from palace.db.database import UserSession
from palace.db.drawers import find_pointers
from palace.db.filing.places import find_wing
from palace.db.hidden import Hidden, drop_hidden, list_hidden, sweep_hidden
from palace.db.projects import is_projects
from palace.db.transfer.filing import find_known
from palace.db.transfer.hiding import link_back, put_back
from palace.db.transfer.places import find_same_wing, is_made_of
from palace.db.tree import find_room, find_wing_by_number
from palace.errors import BadRequest
from palace.mining.index import Runner
from palace.models import ForgetRequest, HiddenPlace, MovedPlace, Pointer, RoomPointer, TakenBack, intake
from palace.models.activity import TAKEN_BACK
from palace.models.lines import HiddenParts, WingLine
from palace.nlp.words import slugify
from palace.opened import Verbs
from palace.operations.activity import record
from palace.operations.forget import GONE, ForgetVerbs, choose_hidden, with_memories
from palace.telemetry import memory
from palace.transfer.load import new_drawer


class ForgottenVerbs(Verbs):
    """Forgotten drawers that can still be restored, and requests to forget."""

    def list(self) -> tuple[HiddenPlace, ...]:
        """List what can be restored, by room, with the former pointers."""
        found = self._opened.run(list_hidden)
        return tuple(_place(list(group)) for _, group in groupby(found, key=lambda each: each.pointer.of_room))

    def restore(self, *what: str) -> TakenBack:
        """Restore forgotten drawers: by pointers of drawers, rooms or wings, or by a wing's name.

        They are filed again under their former pointers and dates. Drawers that were filed again meanwhile stay
        unchanged. If their wing was created anew meanwhile they get new pointers in it, and the former ones lead there;
        warnings list those that cannot. If another wing, of a project, has the name meanwhile, they get a wing of their
        own under another name, which is a warning.

        Raises:
            BadRequest: nothing is named; NotFound: nothing of that is hidden, or its time is over.
        """
        names = [intake.text("what", each) for each in what]
        if not names:
            raise BadRequest(f"name what to restore: {GONE}")
        opened = self._opened
        opened.database.shared.check_schema()
        work = opened.work()

        def take_back(session: UserSession) -> tuple[list[Hidden], int, list[int], list[str]]:
            hidden = list_hidden(session)
            chosen, unfounded = _founded(session, with_memories(hidden, choose_hidden(hidden, names)))
            # Drawers that were filed again meanwhile stay unchanged.
            filed = find_known(session, [each.parts.drawer.identity for each in chosen]).filed
            missing = [each for each in chosen if each.parts.drawer.identity not in filed]
            apart, told = _keep_apart(session, [each.parts for each in missing])
            told += unfounded
            parts = _keep_numbers(apart, (each.parts for each in hidden))
            conversations = list(_file(session, parts, opened.settings.zone))
            drop_hidden(session, [each.parts.drawer.identity for each in chosen])
            sweep_hidden(session)
            record(session, TAKEN_BACK, drawers=len(missing))
            return missing, len(chosen) - len(missing), conversations, told

        with memory("upsert_memory", "restore") as observed:
            restored, there, conversations, told = opened.run(take_back)
            observed.count(len(restored))
        opened.run(fold_counts)
        opened.run(refresh_statistics)
        runner = Runner(work, asked=True)
        runner.run(conversations)
        told += runner.warnings
        return opened.run(lambda session: _taken_back(session, restored, there, told))

    def ask(self, what: str) -> ForgetRequest:
        """Return a request to forget something, as a model may make one; a person confirms it with ``palace.forget``.

        Raises:
            NotFound: there is nothing of that name.
        """
        planned = ForgetVerbs(self._opened).part(what, closet=None, conversation=False, dry_run=True)
        return ForgetRequest(what, planned.what, planned.removal)


def _founded(session: UserSession, hidden: Sequence[Hidden]) -> tuple[list[Hidden], list[str]]:
    """Leave out memories that stand on what stays forgotten; return the others, and a warning for each left out."""
    cited = {one for each in hidden if each.parts.drawer.memory for one in each.parts.drawer.memory.evidence}
    there = set(find_known(session, list(cited)).filed) if cited else set[bytes]()
    kept, left = list(hidden), list[Hidden]()
    while True:
        known = there | {each.parts.drawer.identity for each in kept}
        lost = [each for each in kept if each.parts.drawer.memory and set(each.parts.drawer.memory.evidence) - known]
        if not lost:
            told = [f"{each.pointer} stands on what is forgotten: restore that, and it comes back too" for each in left]
            return kept, told
        left += lost
        kept = [each for each in kept if each not in lost]


def _taken_back(session: UserSession, restored: Sequence[Hidden], there: int, told: Sequence[str]) -> TakenBack:
    """Return the summary of restored drawers, with changed pointers; ``there`` counts those filed again before."""
    were = {each.parts.drawer.identity: each.pointer for each in restored}
    found = find_pointers(session, list(were))
    elsewhere = sorted((was, found[one]) for one, was in were.items() if found.get(one, was) != was)
    wings = (find_wing_by_number(session, number) for number in sorted({pointer.wing for pointer in found.values()}))
    return TakenBack(
        len(restored),
        tuple(map(str, sorted(found.values()))),
        there,
        (*told, *_warn_of(_list_astray(session, elsewhere))),
        tuple(wing.name for wing in wings if wing),
        _moved(elsewhere),
    )


def _file(session: UserSession, chosen: Sequence[HiddenParts], zone: tzinfo) -> Iterator[int]:
    parts = sorted(chosen, key=lambda each: (each.conversation.identity, each.drawer.position, each.drawer.number))
    for _, group in groupby(parts, key=lambda each: each.conversation.identity):
        together = list(group)
        yield put_back(session, together, [new_drawer(each.drawer, zone) for each in together])
    link_back(session, parts)


def _place(hidden: Sequence[Hidden]) -> HiddenPlace:
    first = hidden[0]
    return HiddenPlace(
        room=str(RoomPointer(first.pointer.wing, first.pointer.room)),
        wing_name=first.parts.wing.name,
        room_name=first.parts.room.name,
        pointers=tuple(str(each.pointer) for each in hidden),
        hidden_at=max(each.hidden_at for each in hidden),
        due_at=min(each.due_at for each in hidden),
    )


def _keep_apart(session: UserSession, parts: Sequence[HiddenParts]) -> tuple[list[HiddenParts], list[str]]:
    """Give each deleted wing a name that is no project's, because that project would recall the restored drawers.

    Also return a message for each wing that got another name.
    """
    chosen: dict[int, WingLine] = {}
    told: list[str] = []
    for number, line in {each.wing.number: each.wing for each in parts}.items():
        chosen[number] = now = _free(session, line)
        if now.slug != line.slug:
            merge = f"palace move {quote(now.name)} {quote(line.name)}"
            stands = f"this stands in {now.name!r}, and `{merge}` puts it there"
            told.append(f"the wing {line.name!r} is a project's by now: {stands}")
    return [replace(each, wing=chosen[each.wing.number]) for each in parts], told


def _free(session: UserSession, line: WingLine) -> WingLine:
    """Return a wing under the first free variant of its name; its own name may be that of a wing without a project."""
    if find_same_wing(session, line) is not None:
        return line
    further = (replace(line, name=name, slug=slugify(name)) for name in numbered(line.name))
    for named in chain([line], further):
        found = find_wing(session, named.slug)
        if found is None or is_made_of(session, found, named) or (named is line and not is_projects(session, found)):
            return named
    raise AssertionError("there is always another number")


_NAMED = 3
"""Pointers that are listed in a warning, at most."""


def _keep_numbers(parts: Sequence[HiddenParts], hidden: Iterable[HiddenParts]) -> list[HiddenParts]:
    """Reserve all numbers of rooms and drawers that any hidden drawer knows of.

    Each records the last number assigned before it was forgotten; if another was forgotten later, more were assigned.
    """
    rooms: dict[int, int] = defaultdict(int)
    drawers: dict[RoomPointer, int] = defaultdict(int)
    for each in hidden:
        room = RoomPointer(each.room.wing, each.room.number)
        rooms[room.wing] = max(rooms[room.wing], each.wing.room_seq)
        drawers[room] = max(drawers[room], each.room.drawer_seq)
    return [
        replace(
            each,
            wing=replace(each.wing, room_seq=rooms[each.room.wing]),
            room=replace(each.room, drawer_seq=drawers[RoomPointer(each.room.wing, each.room.number)]),
        )
        for each in parts
    ]


def _list_astray(session: UserSession, elsewhere: Sequence[tuple[Pointer, Pointer]]) -> list[tuple[Pointer, Pointer]]:
    """Return the pairs whose former pointers do not lead to the new ones."""
    leads = set()
    for rooms in {(was.of_room, now.of_room) for was, now in elsewhere}:
        found, there = (find_room(session, each.wing, each.room) for each in rooms)
        if found is not None and there is not None and found.id == there.id:
            leads.add(rooms)
    return [(was, now) for was, now in elsewhere if was.drawer != now.drawer or (was.of_room, now.of_room) not in leads]


def _moved(elsewhere: Sequence[tuple[Pointer, Pointer]]) -> tuple[MovedPlace, ...]:
    rooms = {(was.of_room, now.of_room) for was, now in elsewhere if was.drawer == now.drawer}
    drawers = [(was, now) for was, now in elsewhere if was.drawer != now.drawer]
    return tuple(MovedPlace(str(was), str(now)) for was, now in [*sorted(rooms), *drawers])


def _warn_of(astray: Sequence[tuple[Pointer, Pointer]]) -> tuple[str, ...]:
    if not astray:
        return ()
    named = ", ".join(f"{was} (it is {now})" for was, now in astray[:_NAMED])
    more = f", and {len(astray) - _NAMED:,} more" if len(astray) > _NAMED else ""
    return (f"the places were taken meanwhile, so these pointers do not lead to what was restored: {named}{more}",)
