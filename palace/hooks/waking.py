"""The wake-up view of a project: the same bytes for as long as nothing is filed, whatever the clock says."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from palace.agent.inject import Written
from palace.config.effective import Effective
from palace.config.zones import in_zone
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.recent import find_last_said
from palace.db.standing import list_standing
from palace.hooks.instructions import instructions_in
from palace.hooks.recalling import writer_of
from palace.models import ProjectScope
from palace.opened import OpenPalace
from palace.recall.recent.look_back import RecentRequest, look_back

WAKE_TOKENS = 600
DAYS = 14
"""How far it looks back from the last that was said."""
ITEMS = 8
NEWEST = 200
"""Drawers with standing statements that are looked at, the latest filed."""


def wake_up(opened: OpenPalace, where: ProjectScope, effective: Effective) -> Written:
    """Write what the person asked for once and for all in a project, then what was said of late, is open or ahead.

    It is what one would have been told right behind the last message: when it is asked for makes no difference.
    """
    wing_id = where.wing_id
    if wing_id is None:
        return Written()
    zone, names, scope = opened.settings.zone, opened.names, replace(where.scope, wing_ids=(wing_id,))

    def look(session: UserSession) -> Written:
        last = find_last_said(session, until=datetime.now(zone), scope=scope)
        if last is None:
            return Written()
        now = in_zone(last, zone)
        request = RecentRequest.of(days=DAYS, since=None, now=now, limit=ITEMS, scope=scope, names=names)
        readers = where.scope.without_readers or ()
        ids = list_standing(session, wing_id, names=names, without_readers=readers, newest=NEWEST)
        drawers = get_drawers(session, ids)
        first = instructions_in(drawers[drawer_id].alone() for drawer_id in ids if drawer_id in drawers)
        return writer_of(zone, effective, WAKE_TOKENS).of_recent(look_back(session, request), ITEMS, first)

    return opened.run(look)
