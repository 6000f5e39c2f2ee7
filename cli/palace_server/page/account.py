"""Settings as they apply, and what models cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from palace import KeyScope
from palace.config.table import get_setting
from palace_server.page.rendering import PageRoute, page
from palace_server.page.signing import SignedForm
from palace_server.page.visitor import AdministeringVisitor, WholeVisitor

router = APIRouter(route_class=PageRoute, include_in_schema=False)
COST_DAYS = 30


@router.get("/palace/settings")
def settings(request: Request, caller: WholeVisitor) -> Response:
    """Show the settings with what each means, and the costs of the last days."""
    since = datetime.now(UTC) - timedelta(days=COST_DAYS)
    return page(
        request,
        "settings.html",
        settings=caller.palace.settings.all(),
        costs=caller.palace.costs(since=since),
        days=COST_DAYS,
        may_change=KeyScope.ADMIN in caller.grant.scopes,
    )


@router.post("/palace/settings")
def change(caller: AdministeringVisitor, form: SignedForm) -> Response:
    """Change a setting, or reset it where the value is empty."""
    name, value = form.get("name", ""), form.get("value", "").strip()
    setting = get_setting(name)
    if value:
        caller.palace.settings.set(name, setting.kind.read(value))
    else:
        caller.palace.settings.reset(name)
    caller.did("settings.set", name)
    return RedirectResponse(f"/palace/settings#{name}", 303)
