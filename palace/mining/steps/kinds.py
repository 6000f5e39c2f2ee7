"""The index step that finds what kinds of things names stand for, and stores them with entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palace.db.database import UserSession
from palace.db.filing.steps import mark_done
from palace.db.graph import kinds as store
from palace.db.graph.entities import AliasKey, key_of
from palace.db.locks import Guarded, wait_alone
from palace.mining.steps.extraction import EXTRACTION
from palace.mining.steps.replies import find_kinds
from palace.mining.steps.step import IndexStep, Work
from palace.models import StepVersion
from palace.models.graph import Alias
from palace.nlp.kinds import MOST_KINDS, WIDTH, NameRead, kinds_of

KINDS = StepVersion("kinds", 1)


@dataclass(frozen=True, slots=True)
class Kinds(IndexStep):
    """The step that stores general words for what each name stands for, from statements about it and from lists."""

    made: StepVersion = KINDS
    needs: tuple[str, ...] = (EXTRACTION.name,)
    participle: str = "sorted into kinds"
    calls_model: bool = False

    def list_pending(
        self, session: UserSession, *, among: Sequence[int] | None = None, asked: bool = False
    ) -> list[int]:
        """Return conversations that are pending, were extracted again, or lost a drawer since."""
        behind = IndexStep.list_pending(self, session, among=among, asked=asked)
        unread = store.list_unread(session, among) - set(behind)
        return [*behind, *sorted(unread)]

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Process all conversations together, because database queries dominate the cost."""
        told = find_kinds(work, conversations)
        work.database.run(lambda session: _keep(session, conversations, told), flush=False)
        # In a transaction of its own: forgetting a conversation locks its row and then waits for the graph.
        work.database.run(lambda session: mark_done(session, self.made, conversations), flush=False)


def _keep(session: UserSession, conversations: Sequence[int], told: Mapping[int, Mapping[str, str]]) -> None:
    wait_alone(session, Guarded.GRAPH)
    aliases = store.list_aliases_in(session, conversations)
    if not aliases:
        return
    read = kinds_of(_names(session, conversations, aliases), lambda words: _stems(session, words))
    found = {key_of(alias): kinds for alias, kinds in zip(aliases, read, strict=True)}
    for key, kinds in found.items():
        if kind := told.get(key[0], {}).get(key[1]):
            found[key] = tuple(dict.fromkeys((*kinds, kind)))[:MOST_KINDS]
    store.keep_kinds(session, found)
    store.fold_kinds(session, store.list_entities_in(session, conversations))


def _names(session: UserSession, conversations: Sequence[int], aliases: Sequence[Alias]) -> list[NameRead]:
    around = store.list_around(session, conversations, width=WIDTH)
    of: dict[AliasKey, list[tuple[str, str]]] = {}
    on: dict[AliasKey, list[tuple[str, str]]] = {}
    for claim in store.list_claimed(session, conversations):
        of.setdefault((claim.conversation_id, claim.subject), []).append((claim.predicate, claim.object))
        if claim.object_folded is not None:
            on.setdefault((claim.conversation_id, claim.object_folded), []).append((claim.subject, claim.predicate))
    told = (around, of, on)
    return [
        NameRead(one.folded, one.name, one.type, one.is_named, *(each.get(key_of(one), ()) for each in told))
        for one in aliases
    ]


def _stems(session: UserSession, words: Sequence[str]) -> dict[str, str]:
    return {word: english for word, (english, _) in store.stems_of(session, words).items()}
