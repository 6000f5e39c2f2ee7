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
ROOMS, DEEPEST = 2, 3
"""How deep a pointer leads: into a wing, into a room."""
TALKS = "openai:"
"""How the identities of talks begin that a program has under a name of its own."""

_ROOM = re.compile(r"\s*(?:§\s*)?(?P<wing>w-(?P<wing_number>\d{1,9}))/(?P<part>[^/]*)", re.IGNORECASE)
_DRAWER = re.compile(
    r"\s*(?:§\s*)?(?P<room>w-(?P<wing_number>\d{1,9})/r-(?P<room_number>\d{1,9}))/(?P<part>[^/]*)", re.IGNORECASE
)


def offer(settings: Settings, what: str, typed: str) -> list[Offered]:
    """List what there is of a kind ("ENTITY", "JOB") that begins as typed; accents and case do not matter.

    Raises:
        DatabaseUnavailable: no server answers; OutOfTime: not soon enough.
    """
    kind = Kind[what]
    extra = {"reader": TALKS} if kind is Kind.SESSION else {}
    folded = fold_name(typed) if kind is Kind.ENTITY else typed.lower()
    return _within(settings, lambda look: offers(look, kind, folded, **extra))


def offer_places(settings: Settings, typed: str, *, depth: int = DEEPEST, by_number: bool = False) -> list[Offered]:
    """List wings that begin as typed, by name, or ``by_number``; of one alone what is in it too, so deep and no deeper.

    "W-001/" goes on with the rooms of the wing, "W-001/R-02/" with the drawers of the room.

    Raises:
        DatabaseUnavailable: no server answers; OutOfTime: not soon enough.
    """
    return _within(settings, lambda look: _places(look, typed, depth, by_number))


def _places(look: Look, typed: str, depth: int, by_number: bool) -> list[Offered]:
    drawer, room = _DRAWER.fullmatch(typed), _ROOM.fullmatch(typed)
    if drawer:
        return _inside(look, Kind.DRAWER, drawer["room"], drawer) if depth >= DEEPEST else []
    if room:
        rooms = _inside(look, Kind.ROOM, room["wing"], room) if depth >= ROOMS else []
        return _and_inside(look, rooms, depth)
    begun = typed.strip("§ ").lower()
    wings = offers(look, Kind.WING, begun)
    named = [] if by_number else [each for each in wings if each.means.lower().startswith(begun)]
    if named:
        return [Offered(name, number) for number, name in named]
    return _and_inside(look, wings, depth)


def _and_inside(look: Look, found: list[Offered], depth: int) -> list[Offered]:
    """Add what is in the only one that is found: a shell would end the word behind it."""
    if len(found) != 1:
        return found
    return [*found, *_places(look, f"{found[0].value}/", min(depth, found[0].value.count("/") + 2), True)]


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
