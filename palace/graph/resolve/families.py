"""Which families must be resolved together. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from palace.graph.names.folded import family_of, fold_name
from palace.graph.names.nouns import noun_of
from palace.records.graph import Decision


def families_reached(
    families: Iterable[str], called: Sequence[tuple[int, str, str]], decisions: Iterable[Decision]
) -> frozenset[str]:
    """List families with all that claims ("my sister" called "Anna") and decisions tie to them, directly or not.

    ``called`` is (conversation_id, folded noun, folded name), of all conversations.
    """
    ties: dict[str, set[str]] = defaultdict(set)
    pairs = [(noun, name) for _, noun, name in called]
    pairs += [(noun, noun_of(noun).noun) for _, noun, _ in called]
    pairs += [(fold_name(each.name), fold_name(each.other)) for each in decisions if each.undone_at is None]
    for one, other in pairs:
        ties[family_of(one)].add(family_of(other))
        ties[family_of(other)].add(family_of(one))
    reached: set[str] = set()
    ahead = list(families)
    while ahead:
        family = ahead.pop()
        if family not in reached:
            reached.add(family)
            ahead += ties.get(family, ())
    return frozenset(reached)
