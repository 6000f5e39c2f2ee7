"""The state of a palace as it is, for who only looks in: no server is started, nothing is made or migrated."""

from __future__ import annotations

from palace.errors import BadRequest, DatabaseUnavailable, PalaceError, SchemaMismatch
from palace.records.health import PalaceGlance, ServerState
from palace.settings import Settings
from palace.store.embedded.cluster import data_version
from palace.store.embedded.home import Layout
from palace.store.glance.look import looking
from palace.store.glance.offers import numbers
from palace.verbs.glance.timely import within

PATIENCE_SECONDS = 0.4
"""How long a server may take to tell."""


def glance(settings: Settings) -> PalaceGlance:
    """Look at a palace; what cannot be told is left out, and no error.

    Raises:
        BadRequest: the home is somebody else's.
    """
    if not settings.database_url and data_version(Layout.of(settings.home_folder)) is None:
        return _without_numbers(settings, ServerState.NEW)
    try:
        found = within(PATIENCE_SECONDS, lambda: _numbers(settings))
    except BadRequest:
        raise
    except PalaceError as problem:
        return _without_numbers(settings, _state_after(problem, settings))
    return found


def _numbers(settings: Settings) -> PalaceGlance:
    with looking(settings, seconds=PATIENCE_SECONDS) as look:
        drawers, wings, rooms, last, waiting, failed = numbers(look) if look else (0, 0, 0, None, 0, 0)
    return PalaceGlance(
        user=settings.user,
        home=str(settings.home_folder),
        server=ServerState.RUNNING,
        is_shared=settings.database_url is not None,
        wings=wings,
        rooms=rooms,
        drawers=int(drawers),
        last_mined_at=last,
        waiting=waiting,
        failed=failed,
    )


def _without_numbers(settings: Settings, server: ServerState) -> PalaceGlance:
    shared = settings.database_url is not None
    return PalaceGlance(user=settings.user, home=str(settings.home_folder), server=server, is_shared=shared)


def _state_after(problem: PalaceError, settings: Settings) -> ServerState:
    if isinstance(problem, SchemaMismatch):
        return ServerState.OUTDATED
    if isinstance(problem, DatabaseUnavailable):
        return ServerState.AWAY if settings.database_url else ServerState.STOPPED
    return ServerState.AWAY if settings.database_url else ServerState.BUSY
