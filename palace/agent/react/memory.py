"""The memories of an agent in one collection: retrieve them, store them with their origin, write them as a block."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from palace.agent.react.settings import AgentSettings
from palace.errors import NotFound
from palace.models import Memory, Span
from palace.nlp.blocks import AFTER
from palace.nlp.inert import inert
from palace.nlp.instructions import is_against
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.words import content_words

FACTS = ("semantic", "procedural", "reflective", "instruction")
EPISODES = ("episodic",)
LONGEST = 2_000
"""Characters of a question that are searched for, and of a memory that the model sees."""
_SPEAKER = {"user", "person"}
"""Words by which a model calls the person, who does not say them."""


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
        how = {"origin": origin, "maker": "agent", "evidence": evidence, "expires": expires}
        stored: Memory = self.palace.memories.store(content, type, wing=self.wing, **how)
        return stored

    def file(self, conversation: str, *texts: str) -> list[str]:
        """File alternate questions and answers, and return their pointers, the evidence of memories."""
        roles, now = ("user", "assistant"), datetime.now(UTC).isoformat()
        messages = [{"role": roles[at % 2], "content": text, "created_at": now} for at, text in enumerate(texts)]
        filed = self.palace.file(messages, id=f"agent/{conversation}", wing=self.wing, partial=True)
        return [str(pointers[0]) for pointers in filed.pointers if pointers]


def block_of(memories: Sequence[Memory]) -> str:
    """Write memories as a block before a question, each with its pointer, type, day and who said it; "" for none."""
    lines = [_line(memory) for memory in memories]
    return "\n".join(("<memories>", *lines, f"</memories>{AFTER}")) if lines else ""


def _line(memory: Memory) -> str:
    who = str(memory.origin).replace("person", "user")
    head = f'id="{memory.id}" category="{memory.type}" when="{memory.updated_at:%Y-%m-%d}" who="{who}"'
    return f"<memory {head}>{inert(memory.content[:LONGEST])}</memory>"


def origin_of(fact: str, said: Sequence[str], *, has_seen_tools: bool) -> str:
    """Return the origin of a fact that a model wrote: "person", "assistant" or "tool".

    It is the person if sentences of theirs have all of its words, with a denial where these have one; what they quote
    or paste is not theirs. Otherwise it is a tool as soon as the model has seen what a tool returned, since that may
    have asked for the fact.
    """
    words = set(content_words(fact)) - _SPEAKER
    own = [text[slice(*each)] for text in map(own_words, said) for each in pieces(text, Span(0, len(text)), UNIT_END)]
    near = [each for each in own if not words.isdisjoint(content_words(each))]
    is_said = words <= {word for each in near for word in content_words(each)}
    if near and is_said and is_against(fact) in set(map(is_against, near)):
        return "person"
    return "tool" if has_seen_tools else "assistant"
