"""``/v1/memory``: store, retrieve, update and forget memories as other services do: typed ones, notes and messages."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal, Self, get_args

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi import Request as HttpRequest
from pydantic import BaseModel, Field

from palace import Drawer, Memory
from palace.errors import MoreToForget, Replaced
from palace.nlp.pointers import is_pointer
from palace.nlp.words import slugify
from palace_server.caller import Caller, Forgetter, Reader, Writer, not_there
from palace_server.models import DrawerOut, Moment, Name, Request, cited
from palace_server.paging import Cursor, Limit
from palace_server.problems import Refused, responses
from palace_server.repeats import IdempotencyKey, once
from palace_server.routes.drawers import Forgotten, Matches, page_of, refuse_other_wing, tag_of

router = APIRouter(prefix="/v1/memory", tags=["memory"])
ONE = "/{memory_id:path}"
CHANGED = "the memory has changed since: look at it again"
MOST = 50
"""Hits of a recall, at most."""
Type = Literal["semantic", "procedural", "episodic", "reflective", "instruction"]
State = Literal["proposed", "accepted", "rejected"]
Role = Literal["user", "assistant", "system", "tool"]
Project = Annotated[Name | None, Query(description="Only this project: a wing, by name or number.")]


def id_of(
    memory_id: Annotated[
        str, Path(min_length=1, max_length=200, description="Its `id`, or your own.", examples=["W-001/R-02/D-003"])
    ],
) -> str:
    """Return the id that a path names."""
    return memory_id


MemoryId = Annotated[str, Depends(id_of)]


class MemoryIn(Request):
    """A text to remember."""

    content: str = Field(min_length=1, examples=["The spare key is under the blue pot."])
    id: Name | None = Field(None, description="Your own id: a new text under it replaces the old one.")
    project_id: Name | None = Field(None, description="The project: a wing, by name; Notes unless given.")
    said_at: Moment | None = None
    type: Type | None = Field(None, description="The type of a memory; a plain note without one.")
    evidence: list[Name] = Field([], max_length=100, description="Pointers of the drawers that a typed one stands on.")
    importance: float = Field(0.5, ge=0, le=1, description="Of a typed one.")


class MemoryChange(Request):
    """The text that a memory has from now on."""

    content: str = Field(min_length=1, examples=["The spare key is under the red pot."])
    said_at: Moment | None = None


class StoredMemory(BaseModel):
    """Where a memory stands: ids, no text."""

    id: str = Field(description="Its pointer; those of former versions return it too.")
    location: str = Field(description="Its path.")
    secrets: int = Field(description="Secrets that were taken out.")

    @classmethod
    def of(cls, drawer: Drawer) -> Self:
        """Convert the drawer of a note."""
        pointer = str(cited(drawer.pointer))
        return cls(id=pointer, location=f"/v1/memory/{pointer}", secrets=sum(count for _, count in drawer.redacted))


class MemoryOut(BaseModel):
    """A memory: a note, or a message of a conversation."""

    id: str = Field(examples=["W-001/R-02/D-003"])
    content: str
    type: Type | Role = Field(description="The type of a memory; the role that wrote a message; user for a note.")
    state: State | None = Field(None, description="Of a memory with a type: whether a person has accepted it.")
    evidence: list[str] = Field([], description="Pointers of the drawers that a memory stands on.")
    project_id: str = Field(description="Its wing.")
    said_at: datetime | None
    filed_at: datetime

    @classmethod
    def of(cls, drawer: Drawer, memory: Memory | None = None) -> Self:
        """Convert a drawer, and the memory that it states."""
        return cls(
            id=str(cited(drawer.pointer)),
            content=drawer.content,
            type=drawer.role.value if memory is None else memory.type.value,
            state=None if memory is None else memory.state.value,
            evidence=[] if memory is None else [str(cited(each)) for each in memory.evidence],
            project_id=drawer.wing_name,
            said_at=drawer.said_at,
            filed_at=drawer.filed_at,
        )


class RetrievedMemory(BaseModel):
    """A memory that answers a question."""

    memory: MemoryOut
    score: float = Field(description="The probability that it answers; for a model without one, its rank's score.")


class RetrieveIn(Request):
    """A query and its filters."""

    query: str = Field(min_length=1, max_length=20_000, examples=["where is the spare key?"])
    type: Type | Role | None = Field(None, description="Only memories of this type, or messages of this role.")
    project_id: Name | None = Field(None, description="Only this project: a wing, by name or number.")
    threshold: float | None = Field(
        None, ge=0, le=1, description="The least score; unless given, what is not relevant is left out as by recall."
    )
    limit: int = Field(5, ge=1, le=MOST)


class Retrieved(BaseModel):
    """Memories that answer a question: none where nothing is relevant."""

    items: list[RetrievedMemory] = Field(description="Best first.")


class MemoryPage(BaseModel):
    """A page of memories, without former versions."""

    items: list[MemoryOut]
    next_cursor: str | None = Field(description="The cursor of the next page; null on the last.")


@router.post(
    "", operation_id="store_memory", status_code=201, response_model=StoredMemory, responses=responses(404, 409)
)
def store_memory(
    memory: MemoryIn, caller: Writer, request: HttpRequest, idempotency_key: IdempotencyKey = None
) -> Response:
    """Store a memory, as a note; the same text at the same time again is the same memory."""
    if memory.id is not None and is_pointer(memory.id):
        raise Refused(400, "an id of yours must not look like a pointer: PUT /v1/memory/{id} replaces a text")
    if caller.wings is not None and memory.id is not None:
        raise Refused(403, "this key is for some wings alone, and an id may stand for a note elsewhere")

    def store() -> tuple[int, dict[str, object]]:
        refuse_other_wing(caller, memory.id, memory.project_id)
        wing = caller.home(memory.project_id)
        stored = StoredMemory.of(_store(caller, memory, wing))
        caller.did("memory.store", stored.id)
        return 201, stored.model_dump()

    with caller.service.filing(caller.user):
        return once(caller, request, idempotency_key, memory.model_dump_json().encode(), store)


@router.post("/retrieve", operation_id="retrieve_memories", responses=responses(404))
def retrieve_memories(asked: RetrieveIn, caller: Reader) -> Retrieved:
    """Retrieve the memories that answer a question."""
    palace = caller.palace
    scope = caller.scope(None if asked.project_id is None else [asked.project_id])
    if asked.type in get_args(Type):
        retrieved = palace.memories.retrieve(
            asked.query, types=[str(asked.type)], scope=scope, threshold=asked.threshold, limit=asked.limit
        )
        typed = (
            RetrievedMemory(memory=MemoryOut.of(each.memory.drawer, each.memory), score=each.score)
            for each in retrieved
        )
        return Retrieved(items=list(typed))
    floor = None if asked.threshold is None else "none"
    # Former versions are left out, so that a text that is no longer so is never among the answers.
    found = palace.recall(asked.query, scope=scope, top_k=MOST, role=asked.type, floor=floor)
    items = [
        RetrievedMemory(
            memory=MemoryOut.of(hit.drawer, hit.memory), score=hit.score if hit.confidence is None else hit.confidence
        )
        for hit in found.hits
        if hit.drawer.replaced_at is None
    ]
    return Retrieved(items=[each for each in items if each.score >= (asked.threshold or 0)][: asked.limit])


@router.get("", operation_id="list_memories", responses=responses(404))
def list_memories(caller: Reader, project_id: Project = None, limit: Limit = 50, cursor: Cursor = None) -> MemoryPage:
    """List memories in the order of their ids, a page at a time; a page may have fewer than ``limit``."""
    drawers, following = page_of(caller, project_id, None, limit, cursor)
    current = [each for each in drawers if each.replaced_at is None]
    typed = caller.palace.memories.among(current, scope=caller.scope(None))
    items = [MemoryOut.of(each, typed.get(each.pointer)) for each in current]
    return MemoryPage(items=items, next_cursor=following)


@router.delete("", operation_id="forget_memories", responses=responses(404, 409))
def forget_memories(
    caller: Forgetter,
    project_id: Annotated[Name, Query(description="The project: a wing, by name or number.")],
    dry_run: Annotated[bool, Query(description="Only count.")] = False,
) -> Forgotten:
    """Forget all memories of a project, messages too: they can be taken back for some days."""
    wing = caller.wing(project_id)
    if slugify(project_id) not in {wing.slug, slugify(wing.name), slugify(str(wing.pointer))}:
        raise Refused(409, f"that is a former name of {wing.pointer}: name it as it is called now")
    summary = caller.palace.forget(str(wing.pointer), dry_run=dry_run)
    if not dry_run:
        caller.did("memory.forget_all", str(wing.pointer))
    return Forgotten.of(summary)


@router.get(ONE, operation_id="get_memory", responses=responses(404))
def get_memory(caller: Reader, memory_id: MemoryId, response: Response) -> MemoryOut:
    """Return the current version of a memory, by its id, yours, or that of a former version."""
    current = _current(_versions(caller, memory_id))
    response.headers["ETag"] = tag_of(DrawerOut.of(current))
    typed = caller.palace.memories.among([current], scope=caller.scope(None))
    return MemoryOut.of(current, typed.get(current.pointer))


@router.put(ONE, operation_id="update_memory", responses=responses(404, 412))
def update_memory(change: MemoryChange, caller: Writer, memory_id: MemoryId, if_match: Matches = None) -> StoredMemory:
    """Give a stored memory another text: a newer version, which recall shows instead of the former."""
    while True:
        former = str(_current(_matching(caller, memory_id, if_match)).pointer)
        # Where another update came between, this one replaces that one's text, or no longer matches.
        with suppress(Replaced):
            stored = StoredMemory.of(caller.palace.note(change.content, said_at=change.said_at, replaces=former))
            caller.did("memory.update", stored.id)
            return stored


@router.delete(ONE, operation_id="forget_memory", responses=responses(404, 409, 412))
def forget_memory(caller: Forgetter, memory_id: MemoryId, if_match: Matches = None) -> Forgotten:
    """Forget a memory with its former versions: POST /v1/drawers/restore takes it back for some days."""
    forget = partial(caller.palace.forget, versions=True, scope=caller.scope(None))
    pointer = str(_versions(caller, memory_id)[-1].pointer)
    at_most = None if if_match is None else forget(pointer, dry_run=True).removal.drawers
    # What is filed after this count has no tag that was seen.
    _matching(caller, memory_id, if_match)
    try:
        summary = forget(pointer, at_most=at_most)
    except MoreToForget as problem:
        raise Refused(412, CHANGED) from problem
    caller.did("memory.forget", pointer.removeprefix("§ "))
    return Forgotten.of(summary)


def _store(caller: Caller, memory: MemoryIn, wing: str | None) -> Drawer:
    """Store a memory as a note, or as a typed one."""
    palace = caller.palace
    named: dict[str, Any] = {"wing": wing, "said_at": memory.said_at, "id": memory.id}
    if memory.type is None:
        return palace.note(memory.content, **named)
    for pointer in memory.evidence:
        caller.drawer(pointer)
    stored = palace.memories.store(
        memory.content,
        memory.type,
        evidence=memory.evidence,
        importance=memory.importance,
        scope=caller.scope(None),
        **named,
    )
    return stored.drawer


def _versions(caller: Caller, memory_id: str) -> tuple[Drawer, ...]:
    """Return the versions of a memory that the caller may reach, the current one last."""
    if is_pointer(memory_id):
        caller.drawer(memory_id)
    elif caller.wings is not None:
        raise not_there()
    versions = caller.palace.note_versions(memory_id)
    if caller.wings is None:
        return versions
    numbers = {wing.number for wing in caller.wings}
    return tuple(each for each in versions if each.pointer.wing in numbers)


def _current(versions: tuple[Drawer, ...]) -> Drawer:
    """Return the current version of a memory."""
    if versions[-1].replaced_at is not None:
        raise Refused(404, "this memory has no current version here")
    return versions[-1]


def _matching(caller: Caller, memory_id: str, if_match: str | None) -> tuple[Drawer, ...]:
    versions = _versions(caller, memory_id)
    if if_match not in (None, "*", tag_of(DrawerOut.of(versions[-1]))):
        raise Refused(412, CHANGED)
    return versions
