"""What becomes of memories: contradictions, expiry, merging, lessons, forgetting by scope."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext, suppress

from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.memories import get_memories, list_memory_ids
from palace.db.memory_life import list_used
from palace.errors import NotFound
from palace.memories.aging import sweep
from palace.memories.conflicts import list_conflicts, settle
from palace.models import Conflict, ForgetSummary, Impact, Memory, MemoryState, MemoryType, SweepSummary, intake
from palace.opened import OpenPalace, Verbs
from palace.operations.forget import ForgetVerbs
from palace.operations.recall import scope_in
from palace.operations.tree import get_drawer

MOST_GROUPED = 10_000
"""Memories among which groups of alike ones are looked for, the latest."""


class MemoryLifeVerbs(Verbs):
    """What becomes of memories after they are stored."""

    def conflicts(self) -> tuple[Conflict, ...]:
        """List the pairs of current memories that contradict each other, with their dates, the latest first."""
        return self._opened.run(list_conflicts)

    def resolve(self, keep_id: str) -> Memory:
        """Keep one of two memories that contradict each other: the other is superseded, or a superseded one is current.

        Raises:
            BadRequest: it contradicts nothing; ``Replaced``: it has a newer version; ``NotFound``.
        """
        pointer = intake.text("keep_id", keep_id)

        def resolve(session: UserSession) -> Memory:
            memory = memory_at(session, pointer)
            settle(session, memory)
            return memory_at(session, pointer)

        return self._opened.run(resolve)

    def sweep(self) -> SweepSummary:
        """Let memories fade and expire by the settings; a worker does it after each of its jobs."""
        effective = self._opened.effective()
        return self._opened.run(lambda session: sweep(session, effective))

    def consolidate(self, ids: Iterable[str] | None = None, *, wing: str | None = None) -> tuple[Memory, ...]:
        """Replace several memories of one type by one that says what they say and cites them as evidence.

        Without ``ids``, each group of alike memories of a type and wing is replaced, in ``wing`` or in all wings.
        `memory_model` writes the text, or else it has each distinct statement. Forgetting or rejecting the new memory
        makes the former ones current again, and they are not put together again.

        Raises:
            BadRequest: those of ``ids`` are fewer than two, of several types, not current, too long together, or were
                put together before; ``NotFound``: one is no memory, or there is no such wing.
        """
        from palace.memories.merging import consolidate, groups_of_alike
        from palace.mining.note import Forgotten

        opened = self._opened
        if ids is not None:
            named = intake.texts("ids", ids)
            groups = [opened.run(lambda session: [memory_at(session, each) for each in named])]
        else:
            within = scope_in(opened, wing, None, None)
            accepted = (MemoryState.ACCEPTED,)
            chosen = opened.run(lambda session: list_memory_ids(session, within, states=accepted, limit=MOST_GROUPED))
            groups = groups_of_alike(opened.run(lambda session: get_memories(session, chosen)))
        made = []
        for group in groups:
            with suppress(Forgotten) if ids is None else nullcontext():
                made.append(consolidate(opened, group))
        return tuple(opened.run(lambda session: get_memories(session, made)))

    def reflect(self) -> tuple[Memory, ...]:
        """Draw lessons from what was corrected twice after it was shown, and from facts that changed twice.

        `memory_model` writes those that are new.
        """
        from palace.memories.merging import reflect

        return tuple(reflect(self._opened))

    def forget_all(self, *, wing: str | None = None, type: str | None = None, dry_run: bool = False) -> ForgetSummary:
        """Forget the memories of a wing, of a type, of both, or all; the drawers that they stand on stay.

        They can be restored for some days. Raises ``NotFound``: there is no such wing.
        """
        kind = None if type is None else intake.choice("type", type, MemoryType)
        return ForgetVerbs(self._opened).memories(intake.optional_text("wing", wing), kind, dry_run=dry_run)


def memory_at(session: UserSession, pointer: str) -> Memory:
    """Return the memory of a pointer. Raises ``NotFound``."""
    found = get_memories(session, [get_drawer(session, pointer).id])
    if not found:
        raise NotFound(f"{pointer} is no memory: `palace show` shows it")
    return found[0]


def impact(opened: OpenPalace, wing: str | None, *, limit: int) -> tuple[Impact, ...]:
    """List what was put into requests, those that replies used most first; raises as ``Palace.impact``."""
    within, most = scope_in(opened, intake.optional_text("wing", wing), None, None), intake.row_count("limit", limit)

    def read(session: UserSession) -> tuple[Impact, ...]:
        used = list_used(session, within, limit=most)
        drawers = get_drawers(session, [each.drawer_id for each in used])
        memories = {each.drawer.id: each for each in get_memories(session, list(drawers))}
        known = ((each, drawers[each.drawer_id]) for each in used if each.drawer_id in drawers)
        return tuple(Impact(drawer, memories.get(drawer.id), *each[1:]) for each, drawer in known)

    return opened.run(read)
