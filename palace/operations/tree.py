"""Navigate the palace: wings, rooms, closets, drawers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from palace.db import drawers
from palace.db import tree as stored
from palace.db.candidates.words import QueryWords
from palace.db.changes.moving import list_standing, rename_room, rename_wing
from palace.db.database import UserSession
from palace.db.filing.places import find_wing, get_wing
from palace.db.memories import get_memories
from palace.db.projects import is_projects
from palace.errors import BadRequest, NotFound
from palace.mining.filing.place import one_line
from palace.mining.filing.wing_choice import list_subjects
from palace.models import (
    Calendar,
    Closet,
    Drawer,
    MoveSuggestion,
    MoveSummary,
    NewPassage,
    PalaceContents,
    PassageKey,
    Pointer,
    Room,
    RoomContents,
    RoomMove,
    Scope,
    ShownDrawer,
    TargetKind,
    Wing,
    WingContents,
    intake,
)
from palace.models.activity import RENAMED
from palace.nlp.aaak import parse_citation
from palace.nlp.pointers import find_wing_number, is_closet, is_pointer, is_room, parse_room
from palace.nlp.words import slugify
from palace.opened import OpenPalace, Verbs
from palace.operations.activity import record
from palace.operations.contents import Page, contents_of_palace, contents_of_room, contents_of_wing, count_calendar
from palace.operations.moving import hold_wings, known_wing, move_rooms, no_pointer, no_wing, target_wing, why_not

PAGE = 200
"""Default page size of places and drawers."""


class TreeVerbs(Verbs):
    """Navigate the palace: wings, rooms, closets, drawers."""

    def contents(
        self,
        place: str | None = None,
        *,
        closet: str | None = None,
        limit: int = PAGE,
        offset: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> PalaceContents | WingContents | RoomContents:
        """List the contents of a place, a page at a time: wings; a wing's rooms; a room's closets and drawers.

        ``place`` is a wing (name, alias or ``W-042``) or a room (``W-042/R-11``); None means the palace. ``since`` and
        ``until`` (exclusive) select the rooms of a wing by when they began, and the drawers of a room by when they were
        said; ``closet`` selects those of one topic. The page has the total number, and the offset of the next page.
        Items that are filed meanwhile appear on later pages, or between existing ones.

        Raises:
            BadRequest: the place is a drawer, the arguments do not fit the place, or a number is out of range.
            NotFound: there is no such wing, room or closet.
        """
        page = Page.of(self._opened, limit=limit, offset=offset, since=since, until=until)
        if place is not None and is_room(intake.text("place", place)):
            return contents_of_room(self._opened, self.room(place), page, intake.optional_text("closet", closet))
        if closet is not None:
            raise BadRequest("a closet is one of a room: name the room")
        if place is None:
            return contents_of_palace(self._opened, page)
        if is_pointer(place):
            raise BadRequest(f"{place.strip()} is a drawer: `palace show '{place.strip()}'` gives it back")
        if is_closet(place):
            room = place.strip().rpartition("/")[0]
            raise BadRequest(f"a closet has a name and no number: `palace ls '{room}'` lists those of the room")
        return contents_of_wing(self._opened, self.wing(place), page)

    def wings(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        after: int = 0,
        ids: Sequence[int] | None = None,
        counted: bool = True,
    ) -> tuple[Wing, ...]:
        """List the wings in order of number; all of them without a ``limit``.

        ``after`` selects those with larger numbers, ``ids`` those with these ids. Their counts are 0 unless
        ``counted``, which takes longer.
        """
        page, behind = Page.of(self._opened, limit=limit, offset=offset), intake.integer("after", after)

        def wings(session: UserSession) -> tuple[Wing, ...]:
            return stored.list_wings(
                session, limit=page.limit, offset=page.offset, after=behind, ids=ids, counted=counted
            )

        return self._opened.run(wings)

    def wing(self, name: str) -> Wing:
        """Return a wing by name, alias or number (``W-042``).

        Raises:
            NotFound: there is none.
        """
        wanted = intake.text("wing", name)

        def find(session: UserSession) -> Wing:
            found = stored.find_wing_by_id(session, known_wing(session, wanted))
            if found is None:
                raise NotFound(no_wing(session, name))
            return found

        return self._opened.run(find)

    def rooms(
        self,
        wing: Wing,
        *,
        limit: int | None = None,
        offset: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> tuple[Room, ...]:
        """List a wing's rooms in order of number; those that began from ``since`` on, before ``until``."""
        page = Page.of(self._opened, limit=limit, offset=offset, since=since, until=until)
        return self._opened.run(
            lambda session: stored.list_rooms(session, wing.id, limit=page.limit, offset=page.offset, begun=page.times)
        )

    def latest_rooms(self, wing_id: int, *, behind: Room | None = None, limit: int = PAGE) -> tuple[Room, ...]:
        """List a wing's rooms, the latest first, after the room ``behind``; empty if the wing is gone."""
        most = intake.row_count("limit", limit)
        return self._opened.run(lambda session: stored.list_latest_rooms(session, wing_id, behind=behind, limit=most))

    def room(self, pointer: str) -> Room:
        """Return a room by the first two parts of a pointer, ``W-042/R-11``.

        Raises:
            BadRequest: the pointer is malformed; ``NotFound``: there is no such room.
        """
        wanted = parse_room(intake.text("room", pointer))
        found = self._opened.run(lambda session: stored.find_room(session, *wanted))
        if found is None:
            raise NotFound(f"there is no room {pointer.strip()}; `palace ls {wanted.of_wing}` lists the wing's")
        return found

    def closets(self, room: Room) -> tuple[Closet, ...]:
        """List a room's closets in the order in which their topics first occur."""
        return self._opened.run(lambda session: stored.list_closets(session, room.id))

    def drawers(
        self,
        room: Room,
        *,
        closet: Closet | None = None,
        limit: int = PAGE,
        offset: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> tuple[Drawer, ...]:
        """List a room's drawers in the order they were said; those said from ``since`` on, before ``until``.

        ``closet`` selects those of one topic.
        """
        page = Page.of(self._opened, limit=limit, offset=offset, since=since, until=until)
        part = drawers.Part(room.id, closet.id if closet else None, *page.times)
        return tuple(
            self._opened.run(
                lambda session: drawers.list_room_drawers(session, part, limit=page.limit, offset=page.offset)
            )
        )

    def drawers_behind(
        self, room_id: int, behind: tuple[int, int] | None, *, closet_id: int | None = None, limit: int = PAGE
    ) -> tuple[Drawer, ...]:
        """List a room's drawers in the order they were said, after the one with this position and number, if given.

        ``closet_id`` selects those of one topic, 0 those without a topic.
        """
        part, most = drawers.Part(room_id, closet_id, after=behind), intake.row_count("limit", limit)
        return tuple(self._opened.run(lambda session: drawers.list_room_drawers(session, part, limit=most)))

    def all_drawers(
        self,
        *,
        behind: Pointer | None = None,
        wings: Sequence[Wing] | None = None,
        room: Room | None = None,
        limit: int = PAGE,
    ) -> tuple[Drawer, ...]:
        """List drawers of the palace in the order of their pointers, after the one ``behind``.

        ``wings`` and ``room`` select those in them; no wings are nothing.
        """
        most = intake.row_count("limit", limit)
        ids, place = None if wings is None else [wing.id for wing in wings], room.id if room else None
        return tuple(
            self._opened.run(
                lambda session: drawers.list_drawers(session, behind=behind, wing_ids=ids, room_id=place, limit=most)
            )
        )

    def iter_drawers(self, room: Room) -> Iterator[Drawer]:
        """Iterate over all of a room's drawers in the order they were said, a page in memory at a time."""
        part: drawers.Part | None = drawers.Part(room.id)
        while part is not None:
            page = self._opened.run(partial(drawers.list_room_drawers, part=part, limit=PAGE))
            yield from page
            part = part._replace(after=(page[-1].position, page[-1].pointer.drawer)) if page else None

    def around(self, drawer_id: int, *, count: int = 1) -> tuple[tuple[Drawer, ...], tuple[Drawer, ...]]:
        """List the drawers before and after a drawer in its conversation, across rooms."""
        most = intake.row_count("count", count)
        return self._opened.run(lambda session: drawers.list_around(session, drawer_id, most))

    def passages(self, drawer_id: int) -> tuple[NewPassage, ...]:
        """List the passages of a drawer; empty if it is gone, or not indexed yet."""
        return self._opened.run(lambda session: drawers.list_passages(session, drawer_id))

    def change(self) -> tuple[object, ...]:
        """Return a value that differs whenever the palace has changed; takes about a millisecond."""
        return self._opened.run(stored.get_change)

    def calendar(
        self,
        *,
        slots: int = 60,
        wing: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Calendar:
        """Count drawers by day, week, month or year: the finest unit that needs at most ``slots`` slots.

        It covers the time from the first to the last drawer, limited to ``since`` and ``until`` (exclusive); if there
        are too many years, the latest ones. ``wing`` (name or ``W-042``) counts its drawers only. An undated drawer
        counts at the start of its room.

        Raises:
            BadRequest: a number is out of range, ``since`` is not before ``until``; ``NotFound``: no such wing.
        """
        place = None if wing is None else self.wing(wing)
        return count_calendar(self._opened, most=slots, wing=place, said=(since, until))

    def move(self, what: str, to: str, *, create: bool = False) -> MoveSummary:
        """Move a room (``W-001/R-02``) to another wing, or merge a whole wing into it; old pointers still resolve.

        ``to`` is a wing by name, alias or number; ``create`` creates it if needed. The name and number of a merged wing
        refer to the other one from then on, also in mining.

        Raises:
            NotFound: there is no such room or wing; BadRequest: it is in that wing already.
        """
        if is_pointer(what):
            raise BadRequest(f"a drawer stands in its room: move the room of {what.strip()} instead")
        room = self.room(what) if is_room(what) else None
        if room is None:
            self.wing(what)
        database = self._opened.database
        database.run(lambda session: target_wing(session, to, create=create))

        def move(session: UserSession) -> tuple[int, tuple[RoomMove, ...]]:
            source_id, target_id = hold_wings(session, what, to)
            if source_id == target_id:
                raise BadRequest(why_not(what.strip(), to, is_a_room=room is not None))
            return target_id, move_rooms(session, room, source_id, target_id)

        target_id, moved = database.run(move)
        now = self._opened.run(lambda session: stored.find_wing_by_id(session, target_id))
        if now is None:
            raise NotFound(f"there is no wing {to!r}; `palace ls` lists them")
        return MoveSummary(now, moved, merged=room is None)

    def suggest_moves(self, *, limit: int = 20) -> tuple[MoveSuggestion, ...]:
        """Suggest better wings for rooms, the best-founded suggestions first; nothing is moved.

        A suggestion is made if a room's name mentions another wing, if it is a dialogue with the person that a wing is
        named after, or if rooms of another wing share its topics. No model is called.
        """
        from palace.mining.suggest import suggest_moves

        most = intake.row_count("limit", limit)

        def suggest(session: UserSession) -> tuple[MoveSuggestion, ...]:
            found = suggest_moves(list_standing(session), list_subjects(session))[:most]
            wings = {move.wing_id: stored.find_wing_by_id(session, move.wing_id) for move in found}
            return tuple(
                MoveSuggestion(move.room.pointer, move.room.name, wing, move.reason)
                for move in found
                if (wing := wings[move.wing_id]) is not None
            )

        return self._opened.run(suggest)

    def rename(self, what: str, name: str) -> Wing | Room:
        """Rename a wing or a room (``W-001/R-02``); a wing's old name stays an alias, so mining still finds it.

        Raises:
            NotFound: there is none; BadRequest: the name is empty, another wing's, or looks like a pointer.
        """
        shown = one_line(name)
        if not shown:
            raise BadRequest("the new name is empty")
        if is_pointer(what):
            raise BadRequest("a drawer has no name: wings and rooms have")
        database = self._opened.database
        if is_room(what):
            room = self.room(what)

            def rename_it(session: UserSession) -> None:
                rename_room(session, room.id, shown)
                record(session, RENAMED, what=TargetKind.ROOM.value, place=str(parse_room(what)))

            database.run(rename_it)
            return self.room(what)
        wing = self.wing(what)
        slug = slugify(no_pointer(shown))

        def rename(session: UserSession) -> None:
            wing_id, _ = hold_wings(session, what, what)
            if find_wing(session, slug) not in (None, wing_id):
                raise BadRequest(f"another wing goes by {shown!r}: `palace move` merges one wing into another")
            rename_wing(session, wing_id, slug=slug, name=shown)
            record(session, RENAMED, what=TargetKind.WING.value, place=str(wing.pointer))

        database.run(rename)
        return self.wing(str(wing.pointer))


def wing_to_file_in(opened: OpenPalace, wing: str | None) -> str | None:
    """Return the name of the wing to file in: an existing wing's if a number is given, else the name as given.

    Raises:
        NotFound: there is no wing of that number.
        BadRequest: it looks like a pointer to something else.
    """
    if wing is None:
        return None
    if find_wing_number(intake.text("wing", wing)) is None:
        return no_pointer(wing)

    def name(session: UserSession) -> str:
        wing_id = known_wing(session, wing)
        # The number of an empty wing is known only if it is a project's.
        if not (stored.find_wing_by_id(session, wing_id) or is_projects(session, wing_id)):
            raise NotFound(no_wing(session, wing))
        return get_wing(session, wing_id).name

    return opened.run(name)


def get_drawer(session: UserSession, pointer: str) -> Drawer:
    """Return the drawer that a pointer cites.

    Raises:
        BadRequest: the pointer is malformed; ``NotFound``: there is no such drawer.
    """
    wanted = parse_citation(intake.text("pointer", pointer)).pointer
    found = drawers.find_drawer(session, wanted)
    if found is None:
        raise NotFound(f"there is no drawer {wanted}; `palace ls` lists what there is")
    return found


def show_drawer(session: UserSession, pointer: str, context: int, scope: Scope) -> ShownDrawer:
    """Return a drawer by pointer, with so many neighbours on each side; in a scope of wings, only what those wings say.

    Raises:
        BadRequest: the pointer or ``context`` is invalid; ``NotFound``: there is no such drawer there.
    """
    from palace.recall.request import check_context

    check_context(intake.integer("context", context))
    drawer = get_drawer(session, pointer)
    before, after = drawers.list_neighbours(session, [drawer], context)[drawer.id]
    memory = next(iter(get_memories(session, [drawer.id], scope)), None)
    if scope.wing_ids is None:
        return ShownDrawer(drawer, before, after, memory=memory)
    if stored.find_wing_id(session, drawer.pointer.wing) not in scope.wing_ids:
        raise NotFound(f"there is no drawer {drawer.pointer} there")
    keys = {PassageKey(drawer.id, 0): True}
    found = drawers.ask_recalled(session, keys, QueryWords((), ()), None, scope=scope).get()
    shown = next((each.drawer for each in found.values()), drawer.alone())
    alone = [tuple(each.alone() for each in side) for side in (before, after)]
    return ShownDrawer(shown, before=alone[0], after=alone[1], memory=memory and replace(memory, drawer=shown))


__all__ = ["PAGE", "TreeVerbs", "get_drawer", "show_drawer", "wing_to_file_in"]
