"""The memories of an agent in one collection: retrieve and store them, file what they cite, delete them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote

from palace.agent.react.settings import AgentSettings
from palace.errors import NotFound
from palace.models import Drawer, Memory, Scope
from palace.nlp.blocks import AFTER
from palace.nlp.inert import inert

FACTS = ("semantic", "procedural", "reflective", "instruction")
EPISODES = ("episodic",)
LONGEST = 2_000
"""Characters of a question that are searched for, and of a memory that the model sees."""
AGENT = "ReActAgent"
"""The speaker of filed answers, by which the conversations of agents are known, and the owner of open ones."""
MAKER = "agent"
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """The memories of one user in one collection."""

    palace: Any
    wing: str
    settings: AgentSettings

    def begin(self, query: str) -> list[Memory]:
        """Retrieve facts and episodes in parallel; return the facts first."""
        settings = self.settings
        asked = ((FACTS, settings.fact_retrieval_top_k), (EPISODES, settings.episode_retrieval_top_k))
        with ThreadPoolExecutor(2, "palace-agent") as threads:
            running = [
                threads.submit(copy_context().run, partial(self.retrieve, query, types, limit))
                for types, limit in asked
            ]
            return [memory for each in running for memory in each.result()]

    def retrieve(self, query: str, types: Sequence[str], limit: int) -> list[Memory]:
        """Retrieve memories of some types; none from a collection that does not exist yet."""
        try:
            asked = {"types": types, "wing": self.wing, "limit": max(limit, 1)}
            found = self.palace.memories.retrieve(query[:LONGEST], **asked) if limit else ()
        except NotFound:
            return []
        return [each.memory for each in found]

    def store(self, content: str, type: str, origin: str, evidence: Sequence[str] = ()) -> Memory:
        """Store a memory, which expires when the settings say."""
        days = self.settings.retention_days
        expires = datetime.now(UTC) + timedelta(days=days) if days else None
        # Memories of other collections are left alone.
        within = Scope(wing_ids=())
        how = {"origin": origin, "maker": MAKER, "evidence": evidence, "expires": expires, "scope": within}
        stored: Memory = self.palace.memories.store(content, type, wing=self.wing, **how)
        return stored

    def name_of(self, conversation: str) -> str:
        """Return the name of a conversation in the palace."""
        return "/".join(
            ("agent", *(quote(each, safe="", errors="surrogatepass") for each in (self.wing, conversation)))
        )

    def file(self, conversation: str, said: Sequence[str], answer: str = "") -> list[str]:
        """File what a person said, and an answer to it; return the pointer of each, "" for what was forgotten."""
        now = datetime.now(UTC).isoformat()
        messages = [{"role": "user", "content": text, "created_at": now} for text in said]
        if answer:
            messages.append({"role": "assistant", "name": AGENT, "content": answer, "created_at": now})
        filed = self.palace.file(messages, id=self.name_of(conversation), wing=self.wing, partial=True)
        return [str(pointers[0]) if pointers else "" for pointers in filed.pointers]

    def delete(self, before: datetime | None = None) -> None:
        """Delete agents' conversations with the memories that cite them, and agents' other memories; no other drawers.

        With ``before`` only conversations whose latest answer was filed earlier.
        """
        latest: dict[tuple[int, ...], Drawer] = {}
        for drawer in self._drawers():
            room = drawer.pointer[:2]
            if drawer.speaker == AGENT and (room not in latest or latest[room].filed_at < drawer.filed_at):
                latest[room] = drawer
        for drawer in latest.values():
            if before is None or drawer.filed_at < before:
                with suppress(NotFound):  # it was forgotten meanwhile
                    self.palace.forget(str(drawer.pointer), conversation=True, now=True)
        for version in self._made() if before is None else ():
            with suppress(NotFound):  # a version that stands on a former one is deleted with it
                self.palace.forget(str(version.id), now=True)

    def _made(self) -> list[Memory]:
        memories = self.palace.memories
        with suppress(NotFound):  # there is no such wing
            listed = [each for each in memories.list(wing=self.wing, limit=_ALL) if each.maker == MAKER]
            versions = [version for each in listed for version in memories.versions(str(each.id))]
            return [each for each in versions if each.maker == MAKER]
        return []

    def _drawers(self) -> list[Drawer]:
        found: list[Drawer] = []
        try:
            wings = [self.palace.tree.wing(self.wing)]
        except NotFound:
            return found
        page = self.palace.tree.all_drawers(wings=wings)
        while page:
            found += page
            page = self.palace.tree.all_drawers(wings=wings, behind=page[-1].pointer)
        return found


def block_of(memories: Sequence[Memory]) -> str:
    """Write memories as a block before a question, each with its pointer, type, day and who said it; "" for none."""
    lines = [_line(memory) for memory in memories]
    return "\n".join(("<memories>", *lines, f"</memories>{AFTER}")) if lines else ""


def _line(memory: Memory) -> str:
    who = str(memory.origin).replace("person", "user")
    head = f'id="{memory.id}" category="{memory.type}" when="{memory.updated_at:%Y-%m-%d}" who="{who}"'
    return f"<memory {head}>{inert(memory.content[:LONGEST])}</memory>"
