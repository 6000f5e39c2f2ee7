"""What may be meant by what is typed so far: the user's own wings, places, names and numbers. Bounded, soon told."""

from __future__ import annotations

import re
from collections.abc import Callable

from palace.graph.names.folded import fold_name
from palace.settings import Settings
from palace.store.glance.look import Look, looking
from palace.store.glance.offers import Kind, Offered, offers
from palace.verbs.glance.timely import within

PATIENCE_SECONDS = 0.2
"""A person waits for the key they pressed: what is not told by then is not offered."""
TALKS = "openai:"
"""How the identities of talks begin that a program has under a name of its own."""

_ROOM = re.compile(r"\s*(?:§\s*)?(?P<wing>w-(?P<wing_number>\d{1,9}))/(?P<part>[^/]*)", re.IGNORECASE)
_DRAWER = re.compile(
    r"\s*(?:§\s*)?(?P<room>w-(?P<wing_number>\d{1,9})/r-(?P<room_number>\d{1,9}))/(?P<part>[^/]*)", re.IGNORECASE
)


def offer(settings: Settings, kind: Kind, typed: str) -> list[Offered]:
    """List what there is of a kind that begins as typed; accents and case do not matter.

    Raises:
        DatabaseUnavailable: no server answers; OutOfTime: not soon enough.
    """
    extra = {"reader": TALKS} if kind is Kind.SESSION else {}
    folded = fold_name(typed) if kind is Kind.ENTITY else typed.lower()
    return _within(settings, lambda look: offers(look, kind, folded, **extra))


def offer_places(settings: Settings, typed: str, *, deep: bool = True, by_number: bool = False) -> list[Offered]:
    """List wings that begin as typed, by name, or ``by_number``; ``deep`` inside of them, rooms and drawers.

    "W-001/" goes on with the rooms of the wing, "W-001/R-02/" with the drawers of the room.

    Raises:
        DatabaseUnavailable: no server answers; OutOfTime: not soon enough.
    """
    drawer, room = _DRAWER.fullmatch(typed), _ROOM.fullmatch(typed)
    if drawer and deep:
        return _within(settings, lambda look: _inside(look, Kind.DRAWER, drawer["room"], drawer))
    if room and deep:
        return _within(settings, lambda look: _inside(look, Kind.ROOM, room["wing"], room))
    wings = _within(settings, lambda look: offers(look, Kind.WING, typed.lower()))
    is_number = by_number or typed.lower().startswith("w-")
    return [each if is_number else Offered(each.means, each.value) for each in wings]


def _inside(look: Look, kind: Kind, place: str, typed: re.Match[str]) -> list[Offered]:
    numbers = {"wing": int(typed["wing_number"])}
    if kind is Kind.DRAWER:
        numbers["room"] = int(typed["room_number"])
    found = offers(look, kind, typed["part"].lower(), **numbers)
    return [Offered(f"{place.upper()}/{value}", means) for value, means in found]


def _within(settings: Settings, work: Callable[[Look], list[Offered]]) -> list[Offered]:
    def look_up() -> list[Offered]:
        with looking(settings, seconds=PATIENCE_SECONDS) as look:
            return work(look) if look else []

    return within(PATIENCE_SECONDS, look_up)
