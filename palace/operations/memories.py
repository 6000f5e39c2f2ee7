"""Typed memories: store, get, retrieve, list, update, decide on and forget them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from palace.db.database import UserSession
from palace.db.drawers import list_drawers_by_identity
from palace.db.memories import get_memories, get_parts, identities_of, list_memory_ids, put_memories
from palace.db.memory_life import bring_back, with_superseded
from palace.db.memory_making import conversation_of, list_readable
from palace.errors import BadRequest
from palace.memories.aging import until
from palace.models import (
    EXPIRED,
    Drawer,
    ForgetSummary,
    MadeMemories,
    Memory,
    MemoryMaker,
    MemoryOrigin,
    MemoryState,
    MemoryType,
    Pointer,
    RetrievedMemory,
    Scope,
    intake,
)
from palace.models.json_values import MOST_SHOWN
from palace.operations.forget import ForgetVerbs
from palace.operations.memory_life import MemoryLifeVerbs, memory_at
from palace.operations.recall import recall, request_of, scope_in
from palace.operations.tree import get_drawer, wing_to_file_in

USUAL = 0.5
"""The importance of a memory for which none is given."""
MOST = 50
"""Memories that one question retrieves, at most."""


class MemoryVerbs(MemoryLifeVerbs):
    """Facts, how-tos, episodes, lessons and instructions, each standing on drawers (docs/memories.md)."""

    def store(
        self,
        content: str,
        type: str = "semantic",
        *,
        wing: str | None = None,
        evidence: Iterable[str] = (),
        importance: float = USUAL,
        confidence: float = 1.0,
        origin: str = "person",
        maker: str = "person",
        expires: datetime | None = None,
        said_at: datetime | None = None,
        id: str | None = None,
        scope: Scope | None = None,
    ) -> Memory:
        """Store a memory; one that says the same as a known one of its type is a new version of it.

        One that says otherwise takes the place of older ones if the person said it, else `conflicts` lists the pair.

        ``type`` is "semantic", "procedural", "episodic", "reflective" or "instruction"; ``evidence`` are pointers of
        the drawers that it stands on. ``origin`` says who said it ("person", "assistant" or "tool"), ``maker`` who
        wrote it ("person", "rule", "model" or "agent"). An instruction that no person said is only proposed. Under an
        ``id`` of yours, another text is a new version, whatever it says; ``said_at`` is by default the current time.
        With a ``scope`` of wings, memories of other wings than its own are left alone.

        Raises:
            BadRequest: the text is empty, or a value is out of range; ``NotFound``: there is no such evidence.
        """
        from palace.memories.storing import Draft, store

        opened = self._opened
        drafted = Draft(
            intake.message("content", content),
            intake.choice("type", type, MemoryType),
            wing=wing_to_file_in(opened, intake.optional_text("wing", wing)),
            evidence=self._identities(evidence),
            importance=intake.share("importance", importance),
            confidence=intake.share("confidence", confidence),
            origin=intake.choice("origin", origin, MemoryOrigin),
            maker=intake.choice("maker", maker, MemoryMaker),
            expires_at=intake.stored_moment("expires", expires, opened.settings.zone),
            said_at=intake.stored_moment("said_at", said_at, opened.settings.zone),
            id=intake.name("id", id),
            only_there=scope is not None and scope.wing_ids is not None,
        )
        return store(opened, [drafted])[0]

    def make(self, conversation: str | None = None, *, wing: str | None = None) -> MadeMemories:
        """Make memories of what was mined: of a conversation, by the pointer of a drawer of it, of a wing, or of all.

        What memories stand on already is left out, so that nothing is made twice. All that one call files is a run,
        which ``palace.runs.undo`` takes back.

        Raises:
            BadRequest: a conversation and a wing are named; ``NotFound``: there is no such drawer, or wing.
        """
        from palace.memories.making import make_memories
        from palace.mining.note import MEMORY_READER

        opened = self._opened
        pointer, within = intake.optional_text("conversation", conversation), scope_in(opened, wing, None, None)
        if pointer is not None and wing is not None:
            raise BadRequest("name a conversation or a wing, not both")
        if pointer is None:
            chosen = opened.run(lambda session: list_readable(session, within, MEMORY_READER))
        else:
            chosen = [opened.run(lambda session: conversation_of(session, get_drawer(session, pointer).id))]
        return make_memories(opened, chosen, only_new=False)

    def get(self, id: str) -> Memory:
        """Return a memory by the pointer of any of its versions; the version of that pointer. Raises ``NotFound``."""
        pointer = intake.text("id", id)
        return self._opened.run(lambda session: memory_at(session, pointer))

    def retrieve(
        self,
        query: str,
        *,
        types: Iterable[str] | None = None,
        wing: str | None = None,
        scope: Scope | None = None,
        threshold: float | None = None,
        limit: int = 5,
    ) -> tuple[RetrievedMemory, ...]:
        """Retrieve the memories that answer a question, best first; none where nothing is relevant.

        ``types`` limits them; ``threshold`` is the least score, in [0, 1], by default recall's floor of relevance.

        Raises:
            BadRequest: the query is empty, or a value is out of range; ``NotFound``: there is no such wing.
        """
        opened, least = self._opened, None if threshold is None else intake.share("threshold", threshold)
        most = min(intake.count("limit", limit), MOST)
        wanted = intake.choices("types", types, MemoryType) or tuple(MemoryType)
        within = replace(scope_in(opened, wing, None, scope), memories=tuple(each.value for each in wanted))
        request = request_of(opened, query, within, top_k=most, context=0, now=None)
        found = recall(opened, request, opened.effective(None), floor=None if least is None else "none", rerank=False)
        scored = [(hit, hit.score if hit.confidence is None else hit.confidence) for hit in found.hits]
        kept = [(hit, score) for hit, score in scored if score >= (least or 0.0)]
        return tuple(RetrievedMemory(hit.memory, score) for hit, score in kept if hit.memory is not None)

    def among(self, drawers: Iterable[Drawer], *, scope: Scope | None = None) -> dict[Pointer, Memory]:
        """Return the memories among some drawers, by pointer.

        With a ``scope`` of wings, evidence elsewhere is left out.
        """
        ids, within = [each.id for each in drawers], scope or Scope()
        found = self._opened.run(lambda session: get_memories(session, ids, within)) if ids else []
        return {each.id: each for each in found}

    def evidence(self, memories: Iterable[Memory]) -> dict[Pointer, Drawer]:
        """Return the drawers that memories stand on, by pointer."""
        listed = tuple(memories)
        cited = {pointer for each in listed for pointer in each.evidence}

        def read(session: UserSession) -> dict[Pointer, Drawer]:
            parts = get_parts(session, [each.drawer.id for each in listed])
            identities = {identity for part in parts.values() for identity in part.evidence}
            drawers = list_drawers_by_identity(session, sorted(identities))
            return {each.pointer: each for each in drawers if each.pointer in cited}

        return self._opened.run(read) if cited else {}

    def list(
        self,
        *,
        types: Iterable[str] | None = None,
        states: Iterable[str] | None = None,
        wing: str | None = None,
        scope: Scope | None = None,
        limit: int = 100,
    ) -> tuple[Memory, ...]:
        """List memories without those that are superseded, the latest first.

        ``states`` are "proposed", "accepted", "rejected" and "expired"; without any, those of every state. What has
        expired is not listed as accepted.
        """
        within, most = scope_in(self._opened, wing, None, scope), intake.row_count("limit", limit)
        named = () if states is None else intake.texts("states", states)
        chosen = tuple(each if each == EXPIRED else intake.choice("states", each, MemoryState) for each in named)
        kinds = intake.choices("types", types, MemoryType)

        def read(session: UserSession) -> tuple[Memory, ...]:
            ids = list_memory_ids(session, within, types=kinds, states=chosen, limit=most)
            return tuple(get_memories(session, ids, within))

        return self._opened.run(read)

    def versions(self, id: str) -> tuple[Memory, ...]:
        """Return the versions of a memory and those that it superseded, the current one last. Raises ``NotFound``."""
        from palace.operations.mine import list_note_versions

        self.get(id)
        ids = [each.id for each in list_note_versions(self._opened, id)]
        return tuple(self._opened.run(lambda session: get_memories(session, with_superseded(session, ids))))

    def update(self, id: str, content: str) -> Memory:
        """Give a memory another text: a newer version, which keeps type and evidence.

        Raises:
            BadRequest: the text is empty; ``Replaced``: it has a newer version; ``NotFound``.
        """
        from palace.operations.mine import note, note_of

        self.get(id)
        handed = note_of(self._opened, content, wing=None, said_at=None, id=None, replaces=id)
        return self.get(str(note(self._opened, handed, keeps_secrets=False, background=False).pointer))

    def pin(self, id: str, *, pinned: bool = True) -> Memory:
        """Keep a memory from expiring and fading, or no longer. Raises ``NotFound``."""
        return self._change(id, is_pinned=pinned, **({"expires_at": None} if pinned else {}))

    def accept(self, id: str) -> Memory:
        """Accept a proposed or rejected memory, or one that expired. Raises ``NotFound``."""
        found, now = self.get(id), datetime.now(UTC)
        is_over = found.expires_at is not None and found.expires_at <= now
        changed = {"importance": max(found.importance, USUAL)} if is_over else {}
        expires = until(found.type, self._opened.effective(), now) if is_over else None
        return self._change(id, state=MemoryState.ACCEPTED, reason=None, expires_at=expires, **changed)

    def reject(self, id: str, reason: str | None = None) -> Memory:
        """Reject a memory: it is no longer found, nor proposed again; what it superseded holds. Raises ``NotFound``."""
        from palace.memories.storing import redactor_of

        why = None if reason is None else redactor_of(self._opened).stored(intake.text("reason", reason)).text
        rejected = self._change(id, state=MemoryState.REJECTED, reason=why)
        self._opened.run(lambda session: bring_back(session, [rejected.drawer.id], versions_too=False))
        return rejected

    def forget(self, id: str, *, dry_run: bool = False) -> ForgetSummary:
        """Forget a memory with all its versions; it can be restored for some days. Raises ``NotFound``."""
        self.get(id)
        return ForgetVerbs(self._opened).note(id, scope=None, dry_run=dry_run)

    def _change(self, id: str, **changed: Any) -> Memory:
        drawer_id = self.get(id).drawer.id

        def change(session: UserSession) -> None:
            # One that was forgotten meanwhile is no memory any more, as the next line finds.
            parts = get_parts(session, [drawer_id], holds=True)
            now = datetime.now(UTC)
            put_memories(session, {each: replace(part, **changed, updated_at=now) for each, part in parts.items()})

        self._opened.run(change)
        return self.get(id)

    def _identities(self, pointers: Iterable[str]) -> tuple[bytes, ...]:
        named = intake.texts("evidence", pointers)
        if len(named) > MOST_SHOWN:
            raise BadRequest(f"a memory stands on {MOST_SHOWN:,} drawers at most, not {len(named):,}")

        def read(session: UserSession) -> tuple[bytes, ...]:
            ids = [get_drawer(session, each).id for each in named]
            found = identities_of(session, ids)
            return tuple(dict.fromkeys(found[each] for each in ids))

        return self._opened.run(read) if named else ()
