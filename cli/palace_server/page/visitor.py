"""Who looks at the page: the caller of a browser's session, and what of the palace they see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Query, Request

from palace import Drawer, KeyScope
from palace.nlp.pointers import parse_pointer, parse_room
from palace_server.caller import Caller, Service
from palace_server.problems import Refused
from palace_server.sessions import require_session

PAGE_SIZE = 50
Cursor = Annotated[str, Query(pattern="^[0-9]{1,18}([.][0-9]{1,18})?$")]


def visitor(scope: KeyScope, *, whole: bool = False) -> Callable[[Request], Caller]:
    """Return the dependency that checks what a session allows; with ``whole``, that its key is not for some wings."""

    def caller(request: Request) -> Caller:
        service: Service = request.app.state.service
        grant = require_session(request).grant
        if scope not in grant.scopes:
            raise Refused(403, f"your key does not allow that: it may {', '.join(grant.scopes)}")
        made = Caller(service, grant, grant.user)
        if whole:
            made.require_whole()
        action = f"page.{request.scope['route'].name}"
        if request.method == "GET" and service.is_first_of_hour(grant.id, grant.user, action):
            made.did(action)
        return made

    return caller


Visitor = Annotated[Caller, Depends(visitor(KeyScope.READ))]
WholeVisitor = Annotated[Caller, Depends(visitor(KeyScope.READ, whole=True))]
WritingVisitor = Annotated[Caller, Depends(visitor(KeyScope.WRITE))]
ForgettingVisitor = Annotated[Caller, Depends(visitor(KeyScope.FORGET))]
WholeForgettingVisitor = Annotated[Caller, Depends(visitor(KeyScope.FORGET, whole=True))]
AdministeringVisitor = Annotated[Caller, Depends(visitor(KeyScope.ADMIN, whole=True))]


def is_within(caller: Caller, pointer: str) -> bool:
    """Check whether a former place is one that the key reaches: a room (``W-001/R-02``) or a drawer."""
    number = (parse_room(pointer) if pointer.count("/") == 1 else parse_pointer(pointer)).wing
    return caller.wings is None or number in {wing.number for wing in caller.wings}


def seen_by(caller: Caller, drawer: Drawer) -> Drawer:
    """Return a drawer as the key may see it."""
    return drawer if caller.wings is None else drawer.alone()
