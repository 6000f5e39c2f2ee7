"""The palace as a tree, a drawer, the search, and the work of coding agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from palace import Hit, KeyScope
from palace.recall.reasons import in_numbers, reasons
from palace_server.page.rendering import PageRoute, page
from palace_server.page.visitor import PAGE_SIZE, Cursor, Visitor, seen_by

router = APIRouter(route_class=PageRoute, include_in_schema=False)
W = Annotated[str, Path(pattern="^W-[0-9]{1,9}$")]
R = Annotated[str, Path(pattern="^R-[0-9]{1,9}$")]
D = Annotated[str, Path(pattern="^D-[0-9]{1,9}$")]
Typed = Annotated[str, Query(max_length=2000)]
MOST_WORK = 200
NOWHERE = "/palace/nowhere"
"""Shown to browsers in place of addresses that no route has."""


@router.get("/")
def wings(request: Request, caller: Visitor, cursor: Cursor = "0") -> Response:
    """Show the wings."""
    after = int(cursor.partition(".")[0])
    found = caller.palace.tree.wings(limit=PAGE_SIZE + 1, after=after, ids=caller.grant.wing_ids)
    following = found[PAGE_SIZE - 1].number if len(found) > PAGE_SIZE else None
    return page(request, "wings.html", wings=found[:PAGE_SIZE], cursor=following, user=caller.user, is_first=not after)


@router.get(NOWHERE)
def nowhere(request: Request, _: Visitor) -> Response:
    """Show that there is nothing at an address."""
    return page(request, "error.html", status=404, detail="the palace has no such address")


@router.get("/palace/search")
def search(request: Request, caller: Visitor, q: Typed = "") -> Response:
    """Show what recall finds, with its reasons and scores."""
    if not q.strip():
        return page(request, "search.html", query="", found=None, hits=())
    found = caller.palace.recall(q, scope=caller.scope(None))
    shown = [ShownHit.of(hit, found.hits[:index]) for index, hit in enumerate(found.hits)]
    return page(request, "search.html", query=q, found=found, hits=shown)


@router.get("/palace/work")
def work(request: Request, caller: Visitor, q: Typed = "") -> Response:
    """Show what coding agents did about a file, a command, an error or a symbol; without one, what they did lately."""
    palace, scope, left_out = caller.palace, caller.scope(None), 0
    if q.strip():
        # Paths are compared as text; the file system is not read.
        found = palace.work(file=q.lstrip("/"), command=q, error=q, symbol=q, scope=scope, limit=MOST_WORK)
        parts, left_out = {"": found.entries} if found.entries else {}, found.more
    else:
        parts = palace.work_here(scope=scope).parts
    return page(request, "work.html", query=q, parts=parts, left_out=left_out)


@router.get("/palace/{wing}")
def wing(request: Request, caller: Visitor, wing: W, cursor: Cursor = "0") -> Response:
    """Show a wing's rooms, the latest first."""
    found = caller.wing(wing)
    number = int(cursor.partition(".")[0])
    behind = caller.room(f"{found.pointer}/R-{number}") if number else None
    rooms = caller.palace.tree.latest_rooms(found.id, behind=behind, limit=PAGE_SIZE + 1)
    following = rooms[PAGE_SIZE - 1].number if len(rooms) > PAGE_SIZE else None
    return page(request, "wing.html", wing=found, rooms=rooms[:PAGE_SIZE], cursor=following)


@router.get("/palace/{wing}/{room}")
def room(
    request: Request,
    caller: Visitor,
    wing: W,
    room: R,
    closet: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    cursor: Cursor = "",
) -> Response:
    """Show a room's closets and drawers, in the order they were said."""
    tree = caller.palace.tree
    found = caller.room(f"{wing}/{room}")
    position, _, number = cursor.partition(".")
    behind = (int(position), int(number or 0)) if cursor else None
    drawers = tree.drawers_behind(found.id, behind, closet_id=closet, limit=PAGE_SIZE + 1)
    last = drawers[PAGE_SIZE - 1] if len(drawers) > PAGE_SIZE else None
    return page(
        request,
        "room.html",
        wing=caller.wing(wing),
        room=found,
        here=f"/palace/{wing}/{room}",
        closets=tree.closets(found),
        closet=closet,
        drawers=[seen_by(caller, each) for each in drawers[:PAGE_SIZE]],
        cursor=f"{last.position}.{last.pointer.drawer}" if last else None,
    )


@router.get("/palace/{wing}/{room}/{drawer}")
def drawer(request: Request, caller: Visitor, wing: W, room: R, drawer: D) -> Response:
    """Show a drawer with its neighbours."""
    shown = caller.drawer(f"{wing}/{room}/{drawer}", context=2)
    may_forget = KeyScope.FORGET in caller.grant.scopes
    return page(request, "drawer.html", shown=shown, drawer=shown.drawer, memory=shown.memory, may_forget=may_forget)


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit as the page shows it."""

    hit: Hit
    excerpt: tuple[str, str, str]
    """The best passage, in three parts: the second is the sentence that matches best, or empty."""
    reasons: str
    numbers: str

    @classmethod
    def of(cls, hit: Hit, better: tuple[Hit, ...]) -> ShownHit:
        """Return a hit as it is shown behind better ones."""
        text, (start, end) = hit.drawer.content, hit.passage
        first, last = hit.sentence or (end, end)
        excerpt = (text[start:first], text[first:last], text[last:end])
        return cls(hit, excerpt, reasons(hit, better), in_numbers(hit))
