"""A context provider of Microsoft's Agent Framework; import it only with it (extra ``agent-framework``)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from palace import BadRequest, Palace
from palace_frameworks.names import conversation_id

try:
    from agent_framework import AgentSession, Content, ContextProvider, Message, SessionContext, SupportsAgentRun
except ImportError as problem:
    missing = "the context provider needs Microsoft's Agent Framework: pip install 'memory-palace-pg[agent-framework]'"
    raise ImportError(missing) from problem


class PalaceProvider(ContextProvider):
    """Recalls before each run of an agent, and files what was said: ``Agent(…, context_providers=[…])``.

    What is recalled stands as a message before those of the run and is never filed. If recall fails, that is a line of
    the log and the run goes on; it takes ``turn_timeout_seconds`` at most (docs/turns.md).
    """

    def __init__(self, palace: Palace, *, source_id: str = "palace", wing: str | None = None) -> None:
        super().__init__(source_id)
        self._palace = palace
        self._wing = wing

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Add the block for the latest message of the person, if there is anything to tell."""
        asked = [message.text for message in context.input_messages if message.role == "user" and message.text]
        if asked:
            turn = await asyncio.to_thread(self._palace.turn, asked[-1], session=_name(session))
            if turn.block:
                context.extend_messages(self, [Message("user", [turn.block])])

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """File the messages of the run and its reply.

        Raises:
            BadRequest: a message cannot be filed; the others are.
        """
        replies = context.response.messages if context.response else ()
        said = [each for message in (*context.input_messages, *replies) for each in _messages(message)]
        if said:
            await asyncio.to_thread(self._file, said, _name(session))

    def _file(self, said: Sequence[dict[str, Any]], name: str) -> None:
        filed = self._palace.file(said, id=name, wing=self._wing, partial=True, background=True)
        if filed.failures:
            raise BadRequest(f"{len(filed.failures)} messages were not filed: {filed.failures[0].message}")


def _name(session: AgentSession) -> str:
    return conversation_id("agent-framework", session.session_id)


def _messages(message: Message) -> Iterator[dict[str, Any]]:
    """Write a message as chat APIs do: what was said with the tools that were called, then each result."""
    about = {"created_at": datetime.now(UTC).isoformat()} | (
        {"name": message.author_name} if message.author_name else {}
    )
    text = "\n".join(filter(None, map(_shown, message.contents)))
    calls = [
        {"id": each.call_id, "type": "function", "function": {"name": each.name, "arguments": _json(each.arguments)}}
        for each in message.contents
        if each.type == "function_call"
    ]
    if text or calls:
        called = {"tool_calls": calls} if calls else {}
        yield {**about, "id": uuid4().hex, "role": str(message.role), "content": text, **called}
    for each in message.contents:
        if each.type == "function_result":
            yield {
                "role": "tool",
                "id": uuid4().hex,
                "tool_call_id": each.call_id,
                "content": _json(each.result),
            } | about


def _shown(content: Content) -> str | None:
    """Return the text of a part of a message; of a file its type or address."""
    if content.type == "text":
        return content.text
    if content.type == "data":
        return f"[{content.media_type or 'file'}]"
    return f"[{content.uri}]" if content.type == "uri" else None


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
