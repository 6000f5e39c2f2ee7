"""Parse requests to a provider: the members for Palace, the conversation, and the messages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError
from starlette.datastructures import Headers

from palace_server.models import Name, Request
from palace_server.problems import Refused
from palace_server.proxy.dialects import RESPONSES, Dialect, Json

CONFIG, CONTEXT = "memory_config", "memory_context"
CONVERSATION = "x-palace-conversation"


class MemoryConfig(Request):
    """``memory_config``: how memory is used for a request."""

    enabled: bool = True
    memory_types: Annotated[list[Literal["user", "assistant", "system", "tool"]] | None, Field(max_length=1)] = None
    """Recall only messages of this role."""
    retrieval_limit: Annotated[int | None, Field(ge=1, le=50)] = None
    similarity_threshold: Annotated[float | None, Field(ge=0, le=1)] = None
    auto_store: bool = True


class MemoryContext(Request):
    """``memory_context``: whose memory, and which wing of it."""

    user_id: Name | None = None
    project_id: Name | None = None


class _Members(BaseModel):
    memory_config: MemoryConfig = MemoryConfig()
    memory_context: MemoryContext = MemoryContext()


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to a provider, as memory reads it."""

    dialect: Dialect
    body: Json
    """The request without the members that are Palace's."""
    is_changed: bool
    """Whether it had any."""
    config: MemoryConfig
    context: MemoryContext
    messages: list[Json] = field(default_factory=list)
    size: int = 0
    """Characters of the messages, as JSON."""
    conversation: str | None = None
    """The program's id of the conversation."""
    follows: str | None = None
    """The id that the provider has the history under."""
    grows: str | None = None
    """The same, where what is said now is added to it."""

    def written(self, blocks: dict[int, str]) -> bytes:
        """Write the request with blocks put into its messages."""
        return json.dumps(self.dialect.put_into(self.body, blocks) if blocks else self.body).encode()


def read_request(dialect: Dialect, content: bytes, headers: Headers) -> Asked | None:
    """Read a request; None if it is no JSON object, which the provider may answer.

    Raises:
        Refused: its members for Palace are invalid.
    """
    try:
        body = json.loads(content)
        if not isinstance(body, dict):
            return None
        messages = dialect.list_messages(body)
        size = len(json.dumps(messages))
        json.dumps(body, allow_nan=False)
    except (ValueError, RecursionError):
        return None  # also what we could not write again: numbers beyond a float, deep nesting
    ours = {name: body.pop(name) for name in (CONFIG, CONTEXT) if name in body}
    try:
        members = _Members.model_validate(ours)
    except ValidationError as problem:
        first = problem.errors()[0]
        raise Refused(422, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    grows = _id(body.get("conversation"))
    follows = grows or _id(body.get("previous_response_id"))
    metadata = body.get("metadata")
    named = [metadata.get(name) for name in ("conversation_id", "session_id")] if isinstance(metadata, dict) else []
    return Asked(
        dialect,
        body,
        bool(ours),
        members.memory_config,
        members.memory_context,
        messages,
        size,
        _id(headers.get(CONVERSATION)) or grows or next(filter(None, map(_id, named)), None),
        follows if dialect is RESPONSES else None,
        grows if dialect is RESPONSES else None,
    )


def _id(value: Any) -> str | None:
    found = value.get("id") if isinstance(value, dict) else value
    return found if isinstance(found, str) and 0 < len(found) <= 500 and found.isprintable() else None
