"""What was filed lately and what is proposed, to look through, to decide on, to forget and to take back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from palace import KeyScope, MemoryState, ReviewKey
from palace_server.page.rendering import PageRoute, page
from palace_server.page.signing import SignedForm
from palace_server.page.visitor import (
    ForgettingVisitor,
    Visitor,
    WholeForgettingVisitor,
    WritingVisitor,
    is_within,
    seen_by,
)
from palace_server.problems import Refused

router = APIRouter(route_class=PageRoute, include_in_schema=False)
MOST_RUNS = 10
MOST_OF_RUN = 20
MOST_PLACES = 50
MOST_PROPOSED = 50


@router.get("/palace/recent")
def recent(request: Request, caller: Visitor, done: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Show the proposed memories, the latest runs with their drawers, and what can be taken back."""
    runs, review = [], caller.palace.review
    proposed = caller.palace.memories.list(states=[MemoryState.PROPOSED], scope=caller.scope(None), limit=MOST_PROPOSED)
    for run in review.filed(limit=MOST_RUNS):
        drawers = [
            seen_by(caller, each)
            for each in review.drawers(run.id, limit=MOST_OF_RUN)
            if is_within(caller, str(each.pointer))
        ]
        if drawers:
            runs.append((run if caller.wings is None else None, run.started_at, drawers))
    hidden = [place for place in caller.palace.forgotten.list() if is_within(caller, place.room)]
    hidden.sort(key=lambda place: place.hidden_at, reverse=True)
    scopes = caller.grant.scopes
    return page(
        request,
        "recent.html",
        proposed=proposed,
        evidence=caller.palace.memories.evidence(proposed),
        runs=runs,
        hidden=hidden[:MOST_PLACES],
        may_forget=KeyScope.FORGET in scopes,
        may_decide=KeyScope.WRITE in scopes,
        done=done,
    )


@router.post("/palace/accept")
@router.post("/palace/reject")
def decide(request: Request, caller: WritingVisitor, form: SignedForm) -> Response:
    """Accept or reject a proposed memory."""
    verb, memories = request.url.path.rpartition("/")[2], caller.palace.memories
    pointer = str(caller.drawer(form.get("pointer", "")).drawer.pointer)
    (memories.accept if verb == "accept" else memories.reject)(pointer)
    caller.did(f"memories.{verb}", pointer.removeprefix("§ "))
    return RedirectResponse(f"/palace/recent?done={verb}ed", 303)


@router.post("/palace/forget")
def forget(caller: ForgettingVisitor, form: SignedForm) -> Response:
    """Forget a drawer."""
    found = caller.drawer(form.get("pointer", "")).drawer
    caller.palace.forget(str(found.pointer))
    caller.did("drawers.forget", str(found.pointer).removeprefix("§ "))
    return RedirectResponse("/palace/recent?done=forgotten#forgotten", 303)


@router.post("/palace/restore")
def restore(caller: ForgettingVisitor, form: SignedForm) -> Response:
    """Take back what was forgotten of a room, or one drawer."""
    pointer = form.get("pointer", "").removeprefix("§ ")
    if not is_within(caller, pointer):
        raise Refused(403, "your key is for some wings alone, and this stood in another")
    found = caller.palace.forgotten.restore(pointer)
    caller.did("drawers.restore", pointer)
    back = f"/palace/{found.pointers[0].removeprefix('§ ')}" if len(found.pointers) == 1 else "/palace/recent?done=back"
    return RedirectResponse(back, 303)


@router.post("/palace/seen")
def seen(caller: WholeForgettingVisitor, form: SignedForm) -> Response:
    """Mark a run as seen, so that it is not shown again."""
    number = form.get("pointer", "")
    if not number.isdecimal() or len(number) > 18:
        raise Refused(400, "this is no run")
    caller.palace.review.seen("filed", [ReviewKey(int(number))])
    return RedirectResponse("/palace/recent", 303)
