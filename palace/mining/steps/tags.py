"""The index step that records which known names occur in a drawer, whoever said them, as a source of tags.

A name is known once any conversation introduces it. Conversations are searched for all names known so far, and the
names they introduce are searched in the others, so the order of mining does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from palace.db.database import UserSession
from palace.db.graph import tags
from palace.db.rows import batches, grouped
from palace.mining.extraction.windows import as_said
from palace.mining.steps.step import BatchStep, TurnsByConversation, Work
from palace.models import FiledTurn, StepVersion
from palace.nlp.names.known import KnownNames, first_words
from palace.nlp.names.page import Page, page_of

TAGS = StepVersion("tags", 1)
MOST_NAMES = 20_000
"""Most names that a conversation is searched for."""
FEW = 4
"""Most conversations for which only names that begin with their words are loaded; for more, all of the palace."""
MOST_LOADED = 100_000
"""Most names of a palace that are loaded at once for more conversations."""
MOST_NEW = 200
"""Most names, introduced by a conversation, that are searched in the others."""
MOST_ELSEWHERE = 400
"""Most drawers of other conversations that are searched for those."""


class Known(NamedTuple):
    """The names found in drawers."""

    looked_for: list[str]
    found: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Tags(BatchStep):
    """The step that searches drawers for known names, without a model; tool output is left out."""

    made: StepVersion = TAGS
    needs: tuple[str, ...] = ("extraction",)
    participle: str = "tagged"
    calls_model: bool = False

    def make_each(self, work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, Known]]:
        """Find known names in conversations, and the names that each introduces in others."""
        pages = {number: _pages(work, each) for number, each in turns.items()}
        words = {number: {word for _, page in each for word in first_words(page)} for number, each in pages.items()}
        known, new, naming = work.database.run(lambda session: _look_up(session, words))
        # Conversations that come later are searched for the names anyway.
        left = {turn.drawer_id for each in turns.values() for turn in each}
        others = {}
        for number, each in turns.items():
            others[number] = set(naming.get(number, ())) - left
            left.difference_update(turn.drawer_id for turn in each)
        elsewhere = _find_elsewhere(work, new, others)
        for number in turns:
            names = [name for word in sorted(words[number]) for name in known.get(word, ())][:MOST_NAMES]
            matcher = KnownNames(names)
            here = [(drawer_id, name) for drawer_id, page in pages[number] for name in matcher.found_in(page)]
            yield number, Known(names, here + elsewhere.get(number, []))

    def write_each(self, session: UserSession, made: Mapping[int, Known]) -> None:
        """Replace the previously found names."""
        looked_for = {number: set(each.looked_for) for number, each in made.items()}
        tags.replace_known_names(session, looked_for, {pair for each in made.values() for pair in each.found})


class _LookedUp(NamedTuple):
    known: dict[str, list[str]]
    """Names of the palace by their first words."""
    new: dict[int, list[str]]
    """The names that each conversation introduces."""
    naming: dict[int, list[int]]
    """The drawers that may contain one of those."""


def _look_up(session: UserSession, words: Mapping[int, set[str]]) -> _LookedUp:
    """Look up what conversations with some words are searched for, and where else."""
    together = set().union(*words.values())
    known = tags.list_names(session, None if len(words) > FEW else together, most=MOST_LOADED + 1)
    if len(known) > MOST_LOADED:
        known = tags.list_names(session, together, most=MOST_LOADED)
    new = tags.list_new_names(session, words.keys(), most=MOST_NEW)
    naming = tags.list_drawers_naming(session, new, most=MOST_ELSEWHERE)
    return _LookedUp(grouped((name.split(" ", 1)[0], name) for name in sorted(known)), new, naming)


def _find_elsewhere(
    work: Work, new: Mapping[int, Sequence[str]], others: Mapping[int, set[int]]
) -> dict[int, list[tuple[int, str]]]:
    """Find the names that conversations introduce in other drawers that may contain them."""
    matchers = {number: KnownNames(new[number]) for number, drawers in others.items() if drawers}
    of_drawer = grouped((drawer_id, number) for number in matchers for drawer_id in others[number])
    found: dict[int, list[tuple[int, str]]] = {}
    for batch in batches(sorted(of_drawer)):
        for drawer_id, said in work.database.run(partial(tags.list_said, drawer_ids=batch)):
            page = page_of(said)
            for number in of_drawer[drawer_id]:
                found.setdefault(number, []).extend((drawer_id, name) for name in matchers[number].found_in(page))
    return found


def _pages(work: Work, turns: Sequence[FiledTurn]) -> list[tuple[int, Page]]:
    said = as_said(turns, work.person, work.zone)
    return [(turn.drawer_id, page_of(one)) for turn, one in zip(turns, said, strict=True) if not turn.is_tool]
