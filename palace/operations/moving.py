"""Move rooms between wings, and merge wings, under locks."""

from __future__ import annotations

from palace.db.changes import moving
from palace.db.database import UserSession
from palace.db.filing.places import ensure_wing, find_wing
from palace.db.tree import find_room, find_wing_by_id, find_wing_id, list_wing_names
from palace.errors import BadRequest, NotFound
from palace.mining.filing.place import one_line
from palace.models import Room, RoomMove, TargetKind, WingKind
from palace.models.activity import MOVED
from palace.nlp.pointers import find_wing_number, has_shape, is_room, parse_room
from palace.nlp.spelling import did_you_mean
from palace.nlp.words import slugify
from palace.operations.activity import record


def no_pointer(name: str) -> str:
    """Return a name unchanged if it can be a wing's.

    Raises:
        BadRequest: it looks like a pointer.
    """
    if has_shape(name):
        raise BadRequest(f"{name.strip()!r} looks like a pointer, which no wing can be called: it could not be found")
    return name


def move_rooms(session: UserSession, room: Room | None, source_id: int, target_id: int) -> tuple[RoomMove, ...]:
    """Move a room, or all rooms of a wing, which is merged; the caller holds the locks of the wings."""
    chosen = [room.id] if room else moving.list_movable(session, source_id)
    source, target = (find_wing_by_id(session, wing_id) for wing_id in (source_id, target_id))
    before = moving.list_numbers(session, chosen)
    for room_id in chosen:
        moving.move_room(session, room_id, target_id)
    after = moving.list_numbers(session, chosen)
    if room is None:
        moving.merge_wing(session, source_id, target_id)
    if source and target:
        what = (TargetKind.WING if room is None else TargetKind.ROOM).value
        numbers = {"from": source.number, "to": target.number}
        record(session, MOVED, what=what, **numbers, rooms=len(chosen))
    stayed = before.keys() & after.keys()
    return tuple(RoomMove(before[room_id], after[room_id]) for room_id in chosen if room_id in stayed)


def hold_wings(session: UserSession, what: str, to: str) -> tuple[int, int]:
    """Lock a wing, given by name or by a room, and another, and return their ids.

    Another transaction may merge either wing until it is locked; then the name is resolved again, and that wing locked.

    Raises:
        NotFound: one of them is gone.
    """
    found: tuple[int, int] | None = None
    while True:
        now = (_source_wing(session, what), known_wing(session, to))
        if now == found:
            return now
        moving.lock_wings(session, now)
        found = now


def _source_wing(session: UserSession, what: str) -> int:
    if not is_room(what):
        return known_wing(session, what)
    room = find_room(session, *parse_room(what))
    if room is None:
        raise NotFound(f"there is no room {what.strip()} any more")
    return room.wing_id


def why_not(what: str, to: str, *, is_a_room: bool) -> str:
    """Return the message about why nothing can be moved."""
    if is_a_room:
        return f"{what} stands in {to!r} already"
    return f"{what!r} and {to!r} are one wing, which cannot be merged into itself"


def no_wing(session: UserSession, name: str) -> str:
    """Return the message that there is no such wing, with a suggestion."""
    is_number = find_wing_number(name) is not None
    meant = "" if is_number else did_you_mean(name, list_wing_names(session))
    if is_number and (called := find_wing(session, slugify(name))) and (wing := find_wing_by_id(session, called)):
        meant = f": that means a number, though {wing.pointer} is called so (`palace rename {wing.pointer} NAME`);"
    return f"there is no wing {name!r}{meant or ';'} `palace ls` lists them"


def known_wing(session: UserSession, name: str) -> int:
    """Return the id of a wing by name, alias or number.

    Raises:
        NotFound: there is none.
    """
    found = _wing_id(session, name)
    if found is None:
        raise NotFound(no_wing(session, name))
    return found


def _wing_id(session: UserSession, name: str) -> int | None:
    number = find_wing_number(name)
    return find_wing_id(session, number) if number is not None else find_wing(session, slugify(name))


def target_wing(session: UserSession, to: str, *, create: bool) -> int:
    """Return the id of a wing by name, alias or number; create it if needed and ``create`` is set.

    Raises:
        NotFound: there is none and ``create`` is False; BadRequest: no wing can have that name.
    """
    found = _wing_id(session, to)
    if found is not None:
        return found
    name = one_line(to)
    if find_wing_number(to) is not None or not name:
        raise NotFound(no_wing(session, to))
    if not create:
        raise NotFound(f"{no_wing(session, to)}, and --create makes one")
    return ensure_wing(session, slug=slugify(no_pointer(name)), name=name, kind=WingKind.TOPIC)
