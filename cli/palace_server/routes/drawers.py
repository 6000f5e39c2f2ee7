"""``/v1/drawers``: list, look at, note, forget and take back."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi import Request as HttpRequest
from pydantic import BaseModel, Field

from palace import Drawer, ForgetSummary, NotFound, Pointer
from palace.nlp.pointers import is_pointer, parse_pointer
from palace_server.caller import Caller, Forgetter, Reader, Writer
from palace_server.models import Answer, DrawerOut, MemoryFields, Moment, Name, Request, cited
from palace_server.paging import Cursor, Limit, cursor_after, place_before
from palace_server.problems import Refused, responses
from palace_server.repeats import IdempotencyKey, once

router = APIRouter(prefix="/v1/drawers", tags=["drawers"])
PLACE = "/{wing}/{room}/{drawer}"


def pointer_of(
    wing: Annotated[str, Path(pattern=r"^W-[0-9]{1,9}$", examples=["W-001"])],
    room: Annotated[str, Path(pattern=r"^R-[0-9]{1,9}$", examples=["R-02"])],
    drawer: Annotated[str, Path(pattern=r"^D-[0-9]{1,9}$", examples=["D-003"])],
) -> str:
    """Return the pointer that a path names."""
    return f"{wing}/{room}/{drawer}"


PointerPath = Annotated[str, Depends(pointer_of)]
Matches = Annotated[str | None, Header(max_length=200, description="The `ETag` that the drawer must still have.")]


class DrawerPage(BaseModel):
    """A page of drawers."""

    items: list[DrawerOut]
    next_cursor: str | None = Field(description="The cursor of the next page; null on the last.")


class DrawerIn(Request):
    """A note to file."""

    content: str = Field(min_length=1, examples=["The spare key is under the blue pot."])
    wing: Name | None = Field(None, description="The wing, by name; Notes unless given.")
    said_at: Moment | None = None
    id: Name | None = Field(None, description="Your own id: a new text replaces the old one, in its wing.")
    background: bool = Field(False, description="Searchable by its words at once; a worker does the rest.")


class Filed(BaseModel):
    """Where a note stands."""

    pointer: str = Field(examples=["W-001/R-02/D-003"])
    location: str = Field(description="The path of the drawer.", examples=["/v1/drawers/W-001/R-02/D-003"])
    secrets: int = Field(description="Secrets that were taken out.")


class ShownDrawerOut(Answer):
    """A drawer with its neighbours."""

    drawer: DrawerOut
    memory: MemoryFields | None = Field(description="Null for what is no memory.")
    before: list[DrawerOut] = Field(examples=[[]])
    after: list[DrawerOut] = Field(examples=[[]])


class Forgotten(BaseModel):
    """What was forgotten, or would be."""

    drawers: int
    dry_run: bool
    pointers: list[str] = Field(
        description="What POST /v1/drawers/restore takes back.", examples=[["W-001/R-02/D-003"]]
    )
    restorable_until: datetime | None

    @classmethod
    def of(cls, summary: ForgetSummary) -> Self:
        """Convert a summary."""
        pointers = [pointer.removeprefix("§ ") for pointer in summary.pointers]
        count, until = summary.removal.drawers, summary.until
        return cls(drawers=count, dry_run=summary.dry_run, pointers=pointers, restorable_until=until)


class RestoreIn(Request):
    """Forgotten drawers to take back."""

    pointers: list[Name] = Field(min_length=1, max_length=1000, examples=[["W-001/R-02/D-003"]])


class Restored(BaseModel):
    """What was taken back."""

    drawers: int
    pointers: list[str] = Field(examples=[["W-001/R-02/D-003"]])
    there: int = Field(description="How many had been filed again meanwhile.")


@router.get("", operation_id="list_drawers", responses=responses(404))
def list_drawers(
    caller: Reader,
    wing: Annotated[Name | None, Query(description="Only this wing, by name or number.")] = None,
    room: Annotated[str | None, Query(description="Only this room.", examples=["W-001/R-02"], max_length=40)] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> DrawerPage:
    """List drawers in the order of their pointers, a page at a time: wing by wing, each room from its beginning."""
    seen, following = page_of(caller, wing, room, limit, cursor)
    return DrawerPage(items=[*map(DrawerOut.of, seen)], next_cursor=following)


@router.post("", operation_id="file_note", status_code=201, response_model=Filed, responses=responses(404, 409))
def file_note(note: DrawerIn, caller: Writer, request: HttpRequest, idempotency_key: IdempotencyKey = None) -> Response:
    """File a note; the same text of the same time again is the same drawer."""
    if caller.wings is not None and note.id is not None:
        raise Refused(403, "this key is for some wings alone, and an id may stand for a note elsewhere")

    def file() -> tuple[int, dict[str, object]]:
        refuse_other_wing(caller, note.id, note.wing)
        drawer = caller.palace.note(
            note.content, wing=caller.home(note.wing), said_at=note.said_at, id=note.id, background=note.background
        )
        pointer = str(cited(drawer.pointer))
        caller.did("drawers.file", pointer)
        secrets = sum(count for _, count in drawer.redacted)
        return 201, {"pointer": pointer, "location": f"/v1/drawers/{pointer}", "secrets": secrets}

    with caller.service.filing(caller.user):
        return once(caller, request, idempotency_key, note.model_dump_json().encode(), file)


@router.post("/restore", operation_id="restore_drawers", responses=responses(404))
def restore_drawers(what: RestoreIn, caller: Forgetter) -> Restored:
    """Take forgotten drawers back, under the pointers that they had."""
    places = [parse_pointer(pointer) for pointer in what.pointers]
    if caller.wings is not None and {place.wing for place in places} - {wing.number for wing in caller.wings}:
        raise Refused(403, "this key is for some wings alone, and not all of this stood there")
    found = caller.palace.forgotten.restore(*map(str, places))
    caller.did("drawers.restore", str(cited(places[0])) if len(places) == 1 else str(len(places)))
    return Restored(
        drawers=found.drawers, pointers=[each.removeprefix("§ ") for each in found.pointers], there=found.there
    )


@router.get(
    PLACE,
    operation_id="get_drawer",
    responses={
        304: {"description": "It has not changed"},
        **responses(404),
    },
    response_model=ShownDrawerOut,
)
def get_drawer(
    caller: Reader,
    pointer: PointerPath,
    response: Response,
    context: Annotated[int, Query(ge=0, le=100, description="So many neighbours on each side as well.")] = 0,
    if_none_match: Annotated[str | None, Header(max_length=200)] = None,
) -> ShownDrawerOut | Response:
    """Return a drawer by its pointer, which may be a former one."""
    shown = ShownDrawerOut.of(caller.drawer(pointer, context=context))
    tag = tag_of(shown.drawer)
    if if_none_match == tag and not context:
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return shown


@router.delete(PLACE, operation_id="forget_drawer", responses=responses(404, 409, 412))
def forget_drawer(
    caller: Forgetter,
    pointer: PointerPath,
    conversation: Annotated[bool, Query(description="Forget its whole conversation.")] = False,
    dry_run: Annotated[bool, Query(description="Only count.")] = False,
    if_match: Matches = None,
) -> Forgotten:
    """Forget a drawer: it is no longer found, and can be taken back for some days."""
    found = caller.drawer(pointer).drawer
    if conversation:
        caller.require_whole()
    if if_match not in (None, "*", tag_of(DrawerOut.of(found))):
        raise Refused(412, "the drawer has changed since: look at it again")
    summary = caller.palace.forget(str(found.pointer), conversation=conversation, dry_run=dry_run)
    if not dry_run:
        caller.did("drawers.forget", str(cited(found.pointer)))
    return Forgotten.of(summary)


def page_of(
    caller: Caller, wing: str | None, room: str | None, limit: int, cursor: str | None
) -> tuple[Sequence[Drawer], str | None]:
    """Return a page of drawers that a caller may see, and the cursor of the next one; None on the last."""
    last = place_before(cursor, 3)
    behind = Pointer(*last) if last else None
    if room is not None and is_pointer(room):
        raise Refused(400, "room is the first two parts of a pointer: W-001/R-02")
    place = None if room is None else caller.room(room)
    wings = caller.wings if wing is None else (caller.wing(wing),)
    found = caller.palace.tree.all_drawers(behind=behind, wings=wings, room=place, limit=limit + 1)
    end = found[limit - 1].pointer if len(found) > limit else None
    following = cursor_after(end.wing, end.room, end.drawer) if end else None
    return found[:limit] if caller.wings is None else [drawer.alone() for drawer in found[:limit]], following


def refuse_other_wing(caller: Caller, id: str | None, wing: str | None) -> None:
    """Refuse a note under an id whose note stands in another wing than the named one.

    Raises:
        Refused: it does.
    """
    if id is None or wing is None or is_pointer(id):
        return
    try:
        standing = caller.palace.note_versions(id)[-1].pointer.wing
    except NotFound:
        return
    try:
        number: int | None = caller.palace.tree.wing(wing).number
    except NotFound:
        number = None
    if number != standing:
        raise Refused(409, f"the note with this id is in the wing W-{standing:03d}, where it stays")


def tag_of(drawer: DrawerOut) -> str:
    """Return the ``ETag`` of a drawer."""
    # Tags are left out: lists have none, and they are derived.
    said = drawer.model_dump_json(exclude={"tags"})
    return f'"{hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'
