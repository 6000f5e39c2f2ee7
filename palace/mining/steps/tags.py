"""The index step that records which known names occur in a drawer, whoever said them, as a source of tags.

A name is known once any conversation introduces it. Conversations are searched for all names known so far, and the
names they introduce are searched in the others, so the order of mining does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from palace.db.database import UserSession
from palace.db.graph import tags
from palace.db.rows import grouped
from palace.mining.extraction.windows import as_said
from palace.mining.steps.step import ConversationStep, Work
from palace.models import FiledTurn, StepVersion
from palace.models.claims import Said
from palace.nlp.names.known import KnownNames, first_words
from palace.nlp.names.page import Page, page_of

TAGS = StepVersion("tags", 1)
MOST_NAMES = 20_000
"""Most names that a conversation is searched for."""
FEW = 4
"""Conversations up to which the names that may be in each are looked up: looking reads all names of the palace."""
MOST_LOADED = 100_000
"""Most names of a palace that are loaded at once for more conversations."""
MOST_NEW = 200
"""Most names, introduced by a conversation, that are searched in the others."""
MOST_ELSEWHERE = 400
"""Most drawers of other conversations that are searched for those."""


class Known(NamedTuple):
    """The names found in drawers."""

    looked_for: list[str]
    here: list[tuple[int, str]]
    elsewhere: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Tags(ConversationStep):
    """The step that searches drawers for known names, without a model; tool output is left out."""

    made: StepVersion = TAGS
    needs: tuple[str, ...] = ("extraction",)
    participle: str = "tagged"
    calls_model: bool = False
    names: Mapping[str, Sequence[str]] | None = None
    """The palace's names by their first words, while many conversations are processed."""

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Process conversations; for more than a few, the palace's names are loaded once, unless there are too many."""
        names = None
        if len(conversations) > FEW:
            known = work.database.run(lambda session: tags.list_names(session, most=MOST_LOADED + 1))
            if len(known) <= MOST_LOADED:
                names = grouped((name.split(" ", 1)[0], name) for name in sorted(known))
        ConversationStep.do(replace(self, names=names), work, conversations)

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> Known:
        """Find known names in a conversation, and the names it introduces in other conversations."""
        said = as_said(turns, work.person, work.zone)
        pages = [(turn.drawer_id, page_of(one)) for turn, one in zip(turns, said, strict=True) if not turn.is_tool]
        words = {word for _, page in pages for word in first_words(page)}

        def look_up(session: UserSession) -> tuple[list[str], list[str], list[tuple[int, Said]]]:
            new = tags.list_new_names(session, turns[0].drawer_id, most=MOST_NEW)
            return self._known(session, words), new, tags.list_drawers_naming(session, new, most=MOST_ELSEWHERE)

        names, new, others = work.database.run(look_up)
        own = {turn.drawer_id for turn in turns}
        elsewhere = [(drawer_id, page_of(one)) for drawer_id, one in others if drawer_id not in own]
        return Known(names, _found(names, pages), _found(new, elsewhere))

    def _known(self, session: UserSession, words: set[str]) -> list[str]:
        """Return the names of the palace that begin with one of some words."""
        if self.names is None:
            return tags.list_names(session, words, most=MOST_NAMES)
        return [name for word in sorted(words) for name in self.names.get(word, ())][:MOST_NAMES]

    def write(self, session: UserSession, conversation_id: int, made: Known) -> None:
        """Replace the previously found names."""
        tags.replace_known_names(session, conversation_id, made.looked_for, made.here)
        tags.add_known_names(session, made.elsewhere)


def _found(names: Sequence[str], pages: Sequence[tuple[int, Page]]) -> list[tuple[int, str]]:
    known = KnownNames(names)
    return [(drawer_id, name) for drawer_id, page in pages for name in sorted(known.found_in(page))]
