"""``/v1/turns``: what memory has for the next message of a chat."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from palace.turns import TurnOptions
from palace_server.caller import Reader
from palace_server.models import Holdable, Name, Request, cited
from palace_server.problems import responses

router = APIRouter(prefix="/v1/turns", tags=["turns"])


class TurnIn(Request):
    """A message of a person, and what was said before."""

    message: Annotated[str, Holdable] = Field(
        min_length=1, max_length=1_000_000, examples=["Where did I put the spare key?"]
    )
    history: Annotated[list[dict[str, Any]], Holdable] = Field(
        [], max_length=5_000, description="The messages before it, oldest first."
    )
    session: Name | None = Field(None, description="Your own id of the conversation.")
    agent: Name | None = Field(None, description="The agent that replies, whose settings hold.")
    wings: list[Name] | None = Field(None, max_length=100, description="Only these wings, by name or number.")
    top_k: int | None = Field(None, ge=1, le=50)
    token_budget: int = Field(1500, ge=50, le=100_000)
    tools: bool = False


class TurnOut(BaseModel):
    """What memory has for the message."""

    searched: bool = Field(description="Whether it was looked for.")
    reason: str = Field(description="Why, or why not.")
    query: str | None
    block: str = Field(description='The block to put before the message; "" where there is nothing.')
    pointers: list[str] = Field(description="The drawers in the block.", examples=[["W-001/R-02/D-003"]])
    messages: list[dict[str, Any]] = Field(
        description="The whole request for the model: history and message with blocks."
    )
    notes: list[str]


@router.post("", operation_id="take_turn", responses=responses(404))
def take_turn(turn: TurnIn, caller: Reader) -> TurnOut:
    """Recall for a message, and return the request to send; file the reply with POST /v1/conversations."""
    options = TurnOptions(
        files=False,
        scope=caller.scope(turn.wings),
        top_k=turn.top_k,
        token_budget=turn.token_budget,
        tools=turn.tools,
    )
    message = {"role": "user", "content": turn.message}
    taken = caller.palace.turn(message, history=turn.history, agent=turn.agent, session=turn.session, options=options)
    return TurnOut(
        searched=taken.decision.searched,
        reason=taken.decision.reason,
        query=taken.query.text if taken.query else None,
        block=taken.block,
        pointers=[str(cited(hit.drawer.pointer)) for hit in taken.hits],
        messages=taken.messages,
        notes=list(taken.notes),
    )
