"""``/v1/entities``: who and what the palace knows."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from palace_server.caller import WholeReader
from palace_server.models import Answer
from palace_server.paging import Cursor, Limit, cursor_after, item_before
from palace_server.problems import responses

router = APIRouter(prefix="/v1/entities", tags=["entities"])
Type = Literal["person", "place", "organisation", "event", "item", "project", "time", "unknown"]


class EntityOut(Answer):
    """A person or thing that messages name."""

    name: str = Field(examples=["Derek"])
    type: str = Field(examples=["person"])
    kinds: list[str] = Field(description="General words for it, the most specific first.", examples=[["friend"]])
    aliases: list[str] = Field(examples=[[]])
    mentions: int = Field(validation_alias="mention_count")
    first_said_at: datetime | None
    last_said_at: datetime | None


class EntityPage(BaseModel):
    """A page of entities, the most mentioned first."""

    items: list[EntityOut]
    next_cursor: str | None


@router.get("", operation_id="list_entities", responses=responses(404))
def list_entities(
    caller: WholeReader,
    type: Annotated[Type | None, Query(description="Only those of a type.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> EntityPage:
    """List entities, the most mentioned first, a page at a time."""
    found = caller.palace.entities.list(type=type, limit=limit + 1, behind=item_before(cursor))
    following = cursor_after(found[limit - 1].id) if len(found) > limit else None
    return EntityPage(items=[*map(EntityOut.of, found[:limit])], next_cursor=following)


@router.get(
    "/{name}",
    operation_id="get_entity",
    responses=responses(404),
)
def get_entity(
    caller: WholeReader, name: Annotated[str, Path(min_length=1, max_length=200, examples=["Derek"])]
) -> EntityOut:
    """Return an entity by its name or an alias; "Austin (place)" where several have the name."""
    return EntityOut.of(caller.palace.entities.find(name))
