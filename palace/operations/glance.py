"""Look at a palace without opening it: its state, and completions for the command line. Every wait is bounded."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from threading import Thread
from typing import TypeVar

from palace.config.settings import Settings
from palace.db.embedded.cluster import data_version
from palace.db.embedded.home import Layout
from palace.db.glance import Kind, Look, Offered, looking, numbers, offers
from palace.errors import BadRequest, DatabaseUnavailable, OutOfTime, PalaceError, SchemaMismatch
from palace.graph.names import fold_name
from palace.models.health import PalaceGlance, ServerState

PATIENCE_SECONDS = 0.4
"""Seconds that a server may take to answer."""


def glance(settings: Settings) -> PalaceGlance:
    """Return the state of a palace; unknown values are None, not errors.

    Raises:
        BadRequest: the home folder belongs to another user.
    """
    is_shared = settings.database_url is not None
    known = partial(PalaceGlance, user=settings.user, home=str(settings.home_folder), is_shared=is_shared)
    if not is_shared and data_version(Layout.of(settings.home_folder)) is None:
        return known(server=ServerState.NEW)

    def count() -> tuple[float, int, int, datetime | None, int, int]:
        with looking(settings, seconds=PATIENCE_SECONDS) as look:
            return numbers(look) if look else (0, 0, 0, None, 0, 0)

    try:
        drawers, wings, rooms, last, waiting, failed = within(PATIENCE_SECONDS, count)
    except BadRequest:
        raise
    except PalaceError as problem:
        return known(server=_state_after(problem, settings))
    return known(
        server=ServerState.RUNNING,
        wings=wings,
        rooms=rooms,
        drawers=int(drawers),
        last_mined_at=last,
        waiting=waiting,
        failed=failed,
    )


def _state_after(problem: PalaceError, settings: Settings) -> ServerState:
    if isinstance(problem, SchemaMismatch):
        return ServerState.OUTDATED
    if isinstance(problem, DatabaseUnavailable):
        return ServerState.AWAY if settings.database_url else ServerState.STOPPED
    return ServerState.AWAY if settings.database_url else ServerState.BUSY


OFFER_SECONDS = 0.2
"""Seconds that a person waits for completions after pressing the key."""
ROOMS, DEEPEST = 2, 3
"""Depth of the parts of a pointer: the rooms of a wing, the drawers of a room."""
TALKS = "openai:"
"""Prefix of the identities of conversations that have a program's own id."""

_ROOM = re.compile(r"\s*(?:§\s*)?(?P<wing>w-(?P<wing_number>\d{1,9}))/(?P<part>[^/]*)", re.IGNORECASE)
_DRAWER = re.compile(
    r"\s*(?:§\s*)?(?P<room>w-(?P<wing_number>\d{1,9})/r-(?P<room_number>\d{1,9}))/(?P<part>[^/]*)", re.IGNORECASE
)


def offer(settings: Settings, what: str, typed: str) -> list[Offered]:
    """List completions of a kind ("ENTITY", "JOB") for a typed prefix; accents and case do not matter.

    Raises:
        DatabaseUnavailable: no server answers; OutOfTime: not soon enough.
    """
    kind = Kind[what]
    extra = {"reader": TALKS} if kind is Kind.SESSION else {}
    folded = fold_name(typed) if kind is Kind.ENTITY else typed.lower()
    return _offered(settings, lambda look: offers(look, kind, folded, **extra))


def offer_places(settings: Settings, typed: str, *, depth: int = DEEPEST, by_number: bool = False) -> list[Offered]:
    """List wings by a typed prefix of name or number; of a single one also its contents, up to ``depth``.

    With ``by_number`` wings are offered by number only. "W-001/" is completed by the rooms of the wing, "W-001/R-02/"
    by the drawers of the room.

    Raises:
        DatabaseUnavailable: no server answers; OutOfTime: not soon enough.
    """
    return _offered(settings, lambda look: _places(look, typed, depth, by_number))


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
    """Append the contents of a single match, because a shell would end the word after it."""
    if len(found) != 1:
        return found
    return [*found, *_places(look, f"{found[0].value}/", min(depth, found[0].value.count("/") + 2), True)]


def _inside(look: Look, kind: Kind, place: str, typed: re.Match[str]) -> list[Offered]:
    numbers = {"wing": int(typed["wing_number"])}
    if kind is Kind.DRAWER:
        numbers["room"] = int(typed["room_number"])
    found = offers(look, kind, typed["part"].lower(), **numbers)
    return [Offered(f"{place.upper()}/{value}", means) for value, means in found]


def _offered(settings: Settings, work: Callable[[Look], list[Offered]]) -> list[Offered]:
    def look_up() -> list[Offered]:
        with looking(settings, seconds=OFFER_SECONDS) as look:
            return work(look) if look else []

    return within(OFFER_SECONDS, look_up)


Result = TypeVar("Result")


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Run read-only work in a thread, and give up after so many seconds; even resolving a host name may hang.

    Raises:
        OutOfTime: it is not done by then; its thread ends by itself, or with the program.
    """
    done: list[Result] = []
    failed: list[PalaceError] = []

    def run() -> None:
        try:
            done.append(work())
        except PalaceError as problem:
            failed.append(problem)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not done:
        raise OutOfTime(f"no answer within {seconds:g} s")
    return done[0]
