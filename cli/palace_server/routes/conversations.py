"""``/v1/conversations``: file the messages of a conversation, at once or in the background."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, tzinfo
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi import Request as HttpRequest
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from palace import MineSummary, SourceFailure
from palace.mining.drafts.messages import named_time_of
from palace.mining.drafts.times import TimeFault, read_moment
from palace_server.caller import Caller, Writer
from palace_server.models import Name, Request, cited
from palace_server.problems import Refused, responses
from palace_server.repeats import IdempotencyKey, once

MOST_BRACKETS = 500_000
"""More lists and objects would keep others waiting while they are made and deleted, which no thread can share."""


class LargeBodies(APIRoute):
    """A route whose bodies may be large."""

    def get_route_handler(self) -> Callable[[HttpRequest], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        handle = super().get_route_handler()

        async def answer(request: HttpRequest) -> Response:
            body = await request.body()
            if body.count(b"[") + body.count(b"{") > MOST_BRACKETS:
                raise Refused(413, f"a body has at most {MOST_BRACKETS:,} opening brackets: send it in parts")
            return await handle(request)

        return answer


router = APIRouter(prefix="/v1/conversations", tags=["conversations"], route_class=LargeBodies)
MANY = 100
"""Messages from which on a conversation is indexed in the background."""
MOST_MESSAGES = 20_000
ASYNCHRONOUS = "respond-async"


class ConversationIn(Request):
    """A conversation, or as much of it as there is by now."""

    messages: list[dict[str, Any]] = Field(
        min_length=1,
        max_length=MOST_MESSAGES,
        description="As chat APIs have them: role and content; optionally name, id, timestamp, tool calls.",
        examples=[[{"role": "user", "content": "The spare key is under the blue pot."}]],
    )
    id: Name | None = Field(None, description="Your own id of it: sent again as it grows, only what is new is filed.")
    title: Name | None = None
    wing: Name | None = Field(None, description="The wing of a new conversation, by name.")


class FiledConversation(BaseModel):
    """What was filed: ids and numbers, no text."""

    new: int = Field(description="Messages that were filed.")
    unchanged: int = Field(description="Messages that were there already.")
    forgotten: int = Field(description="Messages that were left out because they were forgotten.")
    unreadable: int = Field(description="Messages that could not be read; `pointers` has an empty list for each.")
    failures: list[str] = Field([], description="Why each could not be read; left out of a repeated answer.")
    secrets: int = Field(description="Secrets that were taken out.")
    pointers: list[list[str]] = Field(
        description="For each message, in order, the pointers of its drawers.", examples=[[["W-001/R-02/D-003"]]]
    )
    job: int | None = Field(description="The background job that indexes it; null where that is done.")
    location: str | None = Field(description="The path of that job; progress is at /events below it.")


@router.post(
    "",
    operation_id="file_conversation",
    status_code=201,
    response_model=FiledConversation,
    responses={202: {"model": FiledConversation, "description": "Filed; a job indexes it"}, **responses(404, 409)},
)
def file_conversation(
    conversation: ConversationIn,
    caller: Writer,
    request: HttpRequest,
    idempotency_key: IdempotencyKey = None,
    prefer: Annotated[
        str | None, Header(max_length=200, description="`respond-async`: index it in the background.")
    ] = None,
) -> Response:
    """File a conversation; with 100 messages or more, a job indexes what is searchable by its words at once."""
    _refuse_odd_times(conversation, caller.service.palaces.settings.zone)
    in_background = len(conversation.messages) >= MANY or ASYNCHRONOUS in (prefer or "")
    wing = caller.home(conversation.wing)
    named = _named(caller, conversation, wing)

    def file() -> tuple[int, dict[str, object]]:
        summary = caller.palace.file(
            conversation.messages, id=named, title=conversation.title, wing=wing, background=in_background
        )
        if summary.failures and not any(summary.pointers) and not summary.drawers_forgotten:
            raise Refused(422, f"nothing could be filed: {_reason(summary.failures[0])}")
        filed = _filed(caller, summary, in_background=in_background)
        caller.did("conversations.file", filed.pointers[0][0] if filed.pointers and filed.pointers[0] else "")
        return 202 if filed.job else 201, filed.model_dump()

    with caller.service.filing(caller.user):
        return once(caller, request, idempotency_key, _digest(conversation, in_background=in_background), file)


def _refuse_odd_times(conversation: ConversationIn, zone: tzinfo) -> None:
    """Refuse messages whose times cannot be read or cannot be, which would be filed without."""
    now, faults = datetime.now(UTC), list[dict[str, Any]]()
    for number, message in enumerate(conversation.messages):
        name, value = named_time_of(message)
        moment = read_moment(value, now, zone)
        if isinstance(moment, TimeFault) and moment is not TimeFault.MISSING:
            place = ("body", "messages", number, *name)
            faults.append({"type": "time", "loc": place, "msg": f"a message {moment}: write 2026-04-30T18:20:00Z"})
    if faults:
        raise RequestValidationError(faults)


def _digest(conversation: ConversationIn, *, in_background: bool) -> bytes:
    """Return a hash of a request, message by message, so that nobody else waits meanwhile."""
    digest = hashlib.sha256()
    for each in ([in_background, conversation.model_dump(exclude={"messages"})], *conversation.messages):
        digest.update(json.dumps(each, sort_keys=True).encode("utf-8", "surrogatepass") + b"\n")
    return digest.digest()


def _named(caller: Caller, conversation: ConversationIn, wing: str | None) -> str | None:
    """Return the id to file under: for a key for some wings one of its wing's own.

    Such a key must not continue a conversation that stands elsewhere, whether by its id or by its content.
    """
    if caller.wings is None:
        return conversation.id
    if conversation.id is None:
        raise Refused(403, "this key is for some wings alone: give the conversation an id")
    return f"{wing}:{conversation.id}"


def _filed(caller: Caller, summary: MineSummary, *, in_background: bool) -> FiledConversation:
    pointers = [[str(cited(pointer)) for pointer in of_message] for of_message in summary.pointers]
    first = next((each for of_message in pointers for each in of_message), None)
    # A key for some wings may not look at jobs.
    follows = in_background and first is not None and caller.wings is None
    job = caller.palace.jobs.of(first) if follows and first else None
    return FiledConversation(
        new=summary.drawers_new,
        unchanged=summary.drawers_unchanged,
        forgotten=summary.drawers_forgotten,
        unreadable=len(summary.failures),
        failures=[*map(_reason, summary.failures)],
        secrets=sum(count for _, count in summary.secrets),
        pointers=pointers,
        job=job.id if job else None,
        location=f"/v1/jobs/{job.id}" if job else None,
    )


def _reason(failure: SourceFailure) -> str:
    """Say why a message could not be read, without the place of the only conversation."""
    return failure.message.removeprefix("messages, conversation 1, ")
