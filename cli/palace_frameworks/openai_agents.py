"""A session of the OpenAI Agents SDK that files what is said; import it only with it (extra ``openai-agents``)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from palace import Palace, PalaceError
from palace_frameworks.names import conversation_id

try:
    from agents import FunctionTool, TResponseInputItem, function_tool
    from agents.memory import Session, SessionSettings
except ImportError as problem:
    missing = "the session needs the OpenAI Agents SDK: pip install 'memory-palace-pg[openai-agents]'"
    raise ImportError(missing) from problem

_LOG = logging.getLogger("palace.frameworks")


class PalaceSession:
    """A session that files each item in a palace and leaves the history to another session, which it is built on.

    ``Runner.run(agent, message, session=PalaceSession(SQLiteSession("chat-7"), palace))``. The history is that of
    ``inner``, item by item; what is popped or cleared there stays in the palace, where ``palace.forget`` removes it.
    An item that cannot be filed is logged, and the run goes on: ``inner`` has it.
    """

    session_id: str
    session_settings: SessionSettings | None

    def __init__(self, inner: Session, palace: Palace, *, wing: str | None = None) -> None:
        self.session_id = inner.session_id
        self.session_settings = inner.session_settings
        self._inner = inner
        self._palace = palace
        self._wing = wing

    def __getattr__(self, name: str) -> Any:
        """Return what else the inner session has, such as ``run_compaction``."""
        if name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the latest items of the inner session, in order."""
        return await self._inner.get_items(limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items to the inner session, then file them."""
        await self._inner.add_items(items)
        if items:
            await asyncio.to_thread(self._file, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the latest item from the inner session and return it."""
        return await self._inner.pop_item()

    async def clear_session(self) -> None:
        """Remove all items from the inner session."""
        await self._inner.clear_session()

    def _file(self, items: list[TResponseInputItem]) -> None:
        now = datetime.now(UTC).isoformat()
        # Their own ids are not theirs alone: the SDK gives one to every message of a model without the Responses API.
        said: list[Mapping[str, Any]] = [{"created_at": now, **item, "id": uuid4().hex} for item in items]
        name = conversation_id("openai-agents", self.session_id)
        try:
            filed = self._palace.file(said, id=name, wing=self._wing, partial=True, background=True)
        except PalaceError as problem:
            _LOG.warning("items of a session were not filed: %s", problem.code)
            return
        for failure in filed.failures:
            _LOG.warning("an item of a session was not filed: %s", failure.message)


def recall_tool(palace: Palace, *, wing: str | None = None) -> FunctionTool:
    """Return a tool by which an agent recalls what was said before: ``Agent(tools=[recall_tool(palace)])``."""

    async def recall(query: str) -> str:
        """Recall what was said in earlier conversations.

        Args:
            query: A question, in words of its own.
        """
        found = await asyncio.to_thread(palace.recall, query, wing=wing)
        return palace.context_block(found) or "Nothing is known about this."

    return function_tool(recall)
