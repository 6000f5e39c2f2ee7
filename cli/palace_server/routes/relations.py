"""``/v1/relations``: what held when, of whom."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from palace_server.caller import WholeReader
from palace_server.models import Answer, Cited, Moment
from palace_server.problems import responses

router = APIRouter(prefix="/v1/relations", tags=["relations"])
ABOUT = "A question (“where does he live”): only what its words ask for, best first."


class RelationOut(Answer):
    """A statement with its time, and the drawers that say so."""

    subject: str = Field(examples=["Derek"])
    predicate: str = Field(examples=["owns"])
    object: str = Field(examples=["efoil"])
    valid_from: datetime | None
    valid_to: datetime | None = Field(description="The first moment at which it was no longer so; null while it is.")
    recorded_at: datetime
    evidence: list[Cited] = Field(description="Pointers of the drawers that state it.", examples=[["W-001/R-02/D-003"]])


class RelationList(BaseModel):
    """Relations, the latest begun first."""

    items: list[RelationOut]


@router.get("", operation_id="list_relations", responses=responses(404))
def list_relations(
    caller: WholeReader,
    entity: Annotated[str | None, Query(min_length=1, max_length=200, description="Of whom or what.")] = None,
    as_of: Annotated[Moment | None, Query(description="What held then; now unless given.")] = None,
    believed: Annotated[Moment | None, Query(description="As it was known then.")] = None,
    about: Annotated[str | None, Query(min_length=1, max_length=1000, description=ABOUT)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> RelationList:
    """List the relations that held at a moment."""
    found = caller.palace.relations(entity, as_of=as_of, believed=believed, about=about, limit=limit)
    return RelationList(items=[*map(RelationOut.of, found)])
