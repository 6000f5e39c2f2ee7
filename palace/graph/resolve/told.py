"""What claims say that names go by, as far as it keeps names apart. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from palace.graph.names.folded import COURTESIES
from palace.graph.names.nouns import Noun, is_kin, noun_of
from palace.graph.resolve.groups import Place


class Told:
    """Which nouns ("my sister") are said to go by which names, and where."""

    def __init__(self, called: Iterable[tuple[int, str, str]]) -> None:
        """``called`` is (conversation_id, folded noun, folded name)."""
        self._nouns: dict[Place, set[Noun]] = defaultdict(set)
        self._everywhere: dict[str, set[Noun]] = defaultdict(set)
        self._told: set[Place] = set()
        for conversation_id, noun, name in called:
            if noun == name:
                continue
            self._told.add(Place(conversation_id, name))
            read = noun_of(noun)
            # A boss may be a friend as well; a sister is nobody else.
            if is_kin(read.noun):
                self._nouns[Place(conversation_id, name)].add(read)
                self._everywhere[name].add(read)

    def keeps_apart(self, short: Place, full: str, *, is_here: bool) -> bool:
        """Tell whether a short name is another noun's than a fuller one: my sister Anna is not my friend Anna Kowalska.

        Where the fuller one is named in its conversation (``is_here``), only what is said of both keeps them apart.
        Elsewhere a name that a noun goes by is nobody's of whom that is not said: there may be another Anna.
        """
        nouns = self._nouns.get(short) or (set() if is_here else self._everywhere.get(short.folded, set()))
        others = self._everywhere.get(full, set())
        return bool(nouns and (others or not is_here) and not nouns & others)

    def is_courtesy_of(self, place: Place) -> bool:
        """Tell whether a claim says whose "Mrs Weber" is."""
        return place.folded.split()[0] in COURTESIES and place in self._told
