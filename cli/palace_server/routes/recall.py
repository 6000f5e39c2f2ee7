"""``/v1/recall``: find the drawers that answer a question."""

from __future__ import annotations

from typing import Literal, Self

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from palace import Hit
from palace_server.caller import Reader
from palace_server.models import Answer, Cited, DrawerOut, MemoryFields, Moment, Name, Request
from palace_server.problems import responses

router = APIRouter(prefix="/v1/recall", tags=["recall"])


class RecallIn(Request):
    """A question, and what may answer it."""

    query: str = Field(min_length=1, max_length=20_000, examples=["where is the spare key?"])
    top_k: int | None = Field(None, ge=1, le=50, description="The most hits; five unless given.")
    wings: list[Name] | None = Field(None, max_length=100, description="Only these wings, by name or number.")
    since: Moment | None = Field(None, description="Only what was said from then on.")
    until: Moment | None = Field(None, description="Only what was said before.")
    now: Moment | None = Field(None, description="When the question is asked; it filters nothing.")
    role: Literal["user", "assistant", "system", "tool"] | None = None
    speaker: Name | None = None
    language: str | None = Field(None, pattern="^[A-Za-z]{2}$")
    tools: bool = Field(False, description="Whether results of tools are searched.")
    context: int = Field(0, ge=0, le=20, description="So many neighbours on each side of a hit.")
    floor: Literal["none", "low", "normal", "strict"] | None = Field(
        None, description="How likely an answer must be for hits to be returned."
    )
    order: Literal["relevance", "time"] = "relevance"
    agent: Name | None = Field(None, description="The agent whose settings hold.")
    format: Literal["hits", "block", "both"] = "hits"
    max_tokens: int = Field(1500, ge=50, le=100_000, description="The most tokens of the block.")


class Reason(Answer):
    """How well a hit matches by one signal."""

    signal: str = Field(validation_alias="arm", examples=["semantic"])
    score: float
    rank: int


class HitOut(BaseModel):
    """A drawer that answers, and why."""

    drawer: DrawerOut
    memory: MemoryFields | None = Field(description="Null for what is no memory.")
    score: float = Field(description="From 0 to 1, comparable within one answer.")
    confidence: float | None = Field(description="The probability that it answers; null for a model without one.")
    why: list[Reason]
    sentence: str | None = Field(description="Its sentence that matches best.")
    newer: Cited | None = Field(description="Pointer of what says the same at a later time.")
    question: DrawerOut | None = Field(description="The message that it answers.")
    before: list[DrawerOut] = Field(examples=[[]])
    after: list[DrawerOut] = Field(examples=[[]])

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """Convert a hit."""
        said = hit.sentence and hit.drawer.content[slice(*hit.sentence)]
        fields = {name: getattr(hit, name) for name in cls.model_fields if name != "why"}
        return cls.model_validate(fields | {"why": hit.arms, "sentence": said})


class Recalled(BaseModel):
    """The hits of a question; empty if an answer is unlikely."""

    hits: list[HitOut] = Field(description="Best first; empty with format=block.")
    block: str | None = Field(description='The hits as a block for a model, "" without any; null with format=hits.')
    chance: float | None = Field(
        description="Probability that any drawer answers; null for a model without a calibration."
    )
    nearest: DrawerOut | None = Field(description="The nearest drawer if an answer is unlikely, else null.")
    warnings: list[str] = Field(examples=[[]])
    read_as: dict[str, str] = Field(description="Words of the query that occur nowhere, and what they were read as.")


@router.post("", operation_id="recall", response_model=Recalled, responses=responses(404))
def recall(asked: RecallIn, caller: Reader) -> Response:
    """Recall the drawers that answer a question; none if an answer is unlikely."""
    palace = caller.palace
    by = asked.model_dump(exclude={"query", "wings", "format", "max_tokens"})
    found = palace.recall(asked.query, scope=caller.scope(asked.wings), **by)
    block = None if asked.format == "hits" else palace.context_block(found, token_budget=asked.max_tokens)
    answer = Recalled(
        hits=[] if asked.format == "block" else [*map(HitOut.of, found.hits)],
        block=block,
        chance=found.chance,
        nearest=None if found.nearest is None else DrawerOut.of(found.nearest.drawer),
        warnings=list(found.warnings),
        read_as={each.typed: each.read_as for each in found.corrections},
    )
    # Written here: FastAPI would check it again, in another thread.
    return Response(answer.model_dump_json(), media_type="application/json")
