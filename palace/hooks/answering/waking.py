"""The wake-up view of a project: the same bytes for as long as nothing is filed, whatever the clock says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from palace.hooks.answering.budget import WAKE_TOKENS, writer_of
from palace.hooks.answering.ruling import instructions_in
from palace.opened import OpenPalace
from palace.recall.recent.request import RecentRequest
from palace.recall.recent.waking import look_back
from palace.records import ProjectScope, RecentItem
from palace.settings.personal.effective import Effective
from palace.store.database import UserSession
from palace.store.drawers import get_drawers
from palace.store.statements.recent import find_last_said
from palace.store.statements.standing import list_standing
from palace.turns.injection.writing import Written
from palace.zones import in_zone

DAYS = 14
"""How far it looks back from the last that was said."""
ITEMS = 8
NEWEST = 200
"""Drawers with standing statements that are looked at, the latest filed."""


def wake_up(opened: OpenPalace, where: ProjectScope, effective: Effective) -> Written:
    """Say what the person asked for once and for all in a project, however long ago; then what was said of late in it,
    what stands open and what is ahead.

    It is what one would have been told right behind the last message: when it is asked for makes no difference.
    """
    if where.wing_id is None:
        return Written()
    zone, scope = opened.settings.zone, replace(where.scope, wing_ids=(where.wing_id,))

    def look(session: UserSession) -> Written:
        last = find_last_said(session, until=datetime.now(zone), scope=scope)
        if last is None:
            return Written()
        now, names = in_zone(last, zone), opened.names
        request = RecentRequest.of(days=DAYS, since=None, now=now, limit=ITEMS, scope=scope, names=names)
        first = _holding(session, where, names)
        return writer_of(zone, effective, WAKE_TOKENS).of_recent(look_back(session, request), ITEMS, first)

    return opened.run(look)


def _holding(session: UserSession, where: ProjectScope, names: Sequence[str]) -> list[RecentItem]:
    """List what the person says that holds in the project's own wing, as it was said last."""
    if where.wing_id is None:
        return []
    readers = where.scope.without_readers or ()
    ids = list_standing(session, where.wing_id, names=names, without_readers=readers, newest=NEWEST)
    drawers = get_drawers(session, ids)
    return instructions_in(drawers[drawer_id].alone() for drawer_id in ids if drawer_id in drawers)
