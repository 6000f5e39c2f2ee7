"""How far drawers name and tell of what the query names, by a name or by its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from palace.records import Compared
from palace.store.candidates.members import drawers_holding
from palace.store.candidates.words import Word
from palace.store.database import UserSession
from palace.store.graph.naming import list_named_in
from palace.store.graph.tags import list_tagged_in


def of_entities(
    session: UserSession,
    drawers: Sequence[Compared],
    tells: Mapping[int, float],
    holding: Mapping[int, float],
    tag: float,
) -> list[Compared]:
    """Say of drawers how far they name some entities, ``tells`` by id, and tell of them, ``holding`` by drawer id.

    What is about one without naming it counts for a ``tag`` of that.
    """
    ids = [each.passage.drawer_id for each in drawers]
    named = list_named_in(session, ids, tells)
    tagged = list_tagged_in(session, ids, tells) if tag else {}

    def known(drawer: Compared) -> Compared:
        drawer_id = drawer.passage.drawer_id
        names = named.get(drawer_id, set())
        about = sum(tells[entity_id] for entity_id in sorted(names))
        about += tag * sum(tells[entity_id] for entity_id in sorted(tagged.get(drawer_id, set()) - names))
        holds = holding.get(drawer_id, 0.0)
        return replace(drawer, about=about, holds=holds) if about or holds else drawer

    return [known(each) for each in drawers]


def of_kinds(
    session: UserSession, drawers: Sequence[Compared], nouns: Sequence[Word], naming: Set[int]
) -> list[Compared]:
    """Say of drawers whether they hold one of some nouns, or are among those that name what is of the kind."""
    holding = drawers_holding(session, [each.passage.drawer_id for each in drawers], nouns) | naming
    drawers = [replace(each, names_kind=True) if each.passage.drawer_id in naming else each for each in drawers]
    return [replace(each, is_of_kind=True) if each.passage.drawer_id in holding else each for each in drawers]
