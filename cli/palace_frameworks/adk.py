"""Memory and sessions of Google's Agent Development Kit in palaces; import it only with it (extra ``adk``)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from palace import Administration, BadRequest, Hit, NotFound, Palaces, Scope, Settings, load_settings
from palace_frameworks.names import conversation_id

try:
    from google.adk.events import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions import DatabaseSessionService, Session
    from google.genai import types
except ImportError as problem:
    missing = "the memory service needs Google's Agent Development Kit: pip install 'memory-palace-pg[adk]'"
    raise ImportError(missing) from problem


class PalaceMemoryService(BaseMemoryService):
    """ADK's memory in the palaces of its users: ``Runner(memory_service=PalaceMemoryService(palaces))``.

    A user of ADK is a user of Palace, an app is a wing, a session a conversation. Filing again what was filed changes
    nothing; what was forgotten stays forgotten. A search finds nothing when nothing is relevant.
    """

    def __init__(self, palaces: Palaces, *, top_k: int | None = None) -> None:
        self._palaces = palaces
        self._top_k = top_k

    async def add_session_to_memory(self, session: Session) -> None:
        """File what a session has and the palace does not."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """File events of a session, or of none; the metadata is not kept.

        Raises:
            BadRequest: an event cannot be filed; the others are.
        """
        said = [message for event in events for message in _messages(event)]
        if said:
            name = conversation_id("adk", app_name, session_id)
            await asyncio.to_thread(self._file, user_id, said, name, app_name)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store typed memories; one with the id of another replaces it.

        A memory of the author "user" is the person's, any other the assistant's. Its own metadata may name a ``type``,
        by default "semantic"; other metadata is not kept.

        Raises:
            BadRequest: one has no text or an unknown type, or its time cannot be read.
        """
        await asyncio.to_thread(self._note, user_id, app_name, memories)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Recall what the user of an app said, and what was said to them."""
        return SearchMemoryResponse(memories=await asyncio.to_thread(self._search, user_id, app_name, query))

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget a memory, with its former versions, by the id that a search gave it.

        Raises:
            NotFound: the user has no such memory in the app.
        """
        if memory_id:
            await asyncio.to_thread(self._forget, user_id, app_name, memory_id)

    def _file(self, user: str, said: Sequence[Mapping[str, Any]], name: str, wing: str) -> None:
        filed = self._palaces.palace(user).file(said, id=name, wing=wing, partial=True)
        if filed.failures:
            raise BadRequest(f"{len(filed.failures)} events were not filed: {filed.failures[0].message}")

    def _note(self, user: str, wing: str, memories: Sequence[MemoryEntry]) -> None:
        palace = self._palaces.palace(user)
        for memory in memories:
            id = None if memory.id is None else conversation_id("adk", wing, None, memory.id)
            text = "\n".join(filter(None, map(_shown, memory.content.parts or ())))
            palace.memories.store(
                text,
                memory.custom_metadata.get("type", "semantic"),
                wing=wing,
                origin="person" if memory.author == "user" else "assistant",
                maker="agent",
                id=id,
                said_at=_moment(memory.timestamp),
                scope=Scope(wing_ids=()),  # memories of other apps are left alone
            )

    def _search(self, user: str, wing: str, query: str) -> list[MemoryEntry]:
        with suppress(NotFound):
            palace = self._palaces.palace(user, make_user=False)
            hits = palace.recall(query, wing=wing, top_k=self._top_k).hits
            return [_entry(hit) for hit in hits if hit.drawer.replaced_at is None]
        return []

    def _forget(self, user: str, wing: str, memory: str) -> None:
        palace = self._palaces.palace(user, make_user=False)
        palace.forget(str(palace.show(memory, wing=wing).drawer.pointer), versions=True)


def open_sessions(settings: Settings | None = None) -> DatabaseSessionService:
    """Open ADK's own sessions on the palace's server, in a schema of their own; ADK keeps users apart there.

    Raises:
        DatabaseUnavailable: no server answers.
    """
    address = Administration(settings or load_settings()).program_address("adk")
    return DatabaseSessionService(address.replace("postgresql:", "postgresql+psycopg:", 1))


def _messages(event: Event) -> Iterator[dict[str, Any]]:
    """Write an event as messages of a chat: what was said with the tools that were called, then each result."""
    parts = (event.content and event.content.parts) or ()
    at = datetime.fromtimestamp(event.timestamp, UTC).isoformat()
    text = "\n".join(filter(None, map(_shown, parts)))
    calls = [
        {"id": call.id, "name": call.name, "arguments": _json(call.args)}
        for part in parts
        if (call := part.function_call)
    ]
    if text or calls:
        speaker = {"role": "user"} if event.author == "user" else {"role": "assistant", "name": event.author}
        called = [{"id": call.pop("id"), "type": "function", "function": call} for call in calls]
        yield {
            "id": event.id,
            "created_at": at,
            **speaker,
            "content": text,
            **({"tool_calls": called} if called else {}),
        }
    for number, part in enumerate(parts):
        if result := part.function_response:
            about = {"id": f"{event.id}-{number}", "created_at": at, "role": "tool", "name": result.name}
            yield {**about, "tool_call_id": result.id, "content": _json(result.response)}


def _shown(part: types.Part) -> str | None:
    """Return the text of a part; of a file its type or address, of a thought nothing."""
    if part.text is not None:
        return None if part.thought else part.text
    if part.inline_data is not None:
        return f"[{part.inline_data.display_name or part.inline_data.mime_type or 'file'}]"
    if part.file_data is not None:
        return f"[{part.file_data.display_name or part.file_data.file_uri}]"
    if part.executable_code is not None:
        return part.executable_code.code
    return part.code_execution_result.output if part.code_execution_result else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _moment(timestamp: str | None) -> datetime | None:
    try:
        return None if timestamp is None else datetime.fromisoformat(timestamp)
    except ValueError as problem:
        raise BadRequest(f"the time of a memory must be ISO 8601, not {timestamp!r:.60}") from problem


def _entry(hit: Hit) -> MemoryEntry:
    """Return a hit as a memory, with the type and the origin of one that is typed."""
    drawer, typed = hit.drawer, hit.memory
    origin = drawer.role.value if typed is None else str(typed.origin).replace("person", "user")
    return MemoryEntry(
        id=str(drawer.pointer),
        content=types.Content(role="user" if origin == "user" else "model", parts=[types.Part(text=drawer.content)]),
        author=drawer.speaker or origin,
        timestamp=drawer.said_at.isoformat() if drawer.said_at else None,
        custom_metadata={} if typed is None else {"type": str(typed.type), "origin": str(typed.origin)},
    )
