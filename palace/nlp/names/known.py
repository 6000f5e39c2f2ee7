"""Which names that are known already a message has: nothing is guessed, so an assistant's message is read as any."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from palace.models import Role
from palace.nlp.names.lexicon import is_ordinary
from palace.nlp.names.page import Page
from palace.nlp.names.tracing import Names, forms_of
from palace.nlp.rules import rules

KIN = rules("names", "words").words("kin")
"""Words for who somebody is to somebody else, folded."""
NO_SPEAKERS = rules("names", "words").words("no_speakers")
"""Folded names of assistants and tools, and words that stand where a speaker has no name."""

MOST = 40
"""Names of one message."""


OWN = "my "
"""How what the person calls theirs begins."""
_OWNERS = {Role.USER: "my", Role.ASSISTANT: "your"}
_LONGEST = 3
"""Words behind "my"."""


class KnownNames:
    """Names to look for, folded; what begins with "my" is what the person calls theirs."""

    def __init__(self, names: Collection[str]) -> None:
        self._own = frozenset(name for name in names if name.startswith(OWN))
        named = [name for name in names if name not in self._own]
        self._names = Names(named, persons=named)

    def found_in(self, page: Page) -> set[str]:
        """Return the names that a message has, 40 at most.

        What the person calls "my sister" an assistant calls "your sister": both are found as "my sister", and so is
        every word for who somebody is to them, whether it is known who that is or not.
        """
        found: set[str] = set()
        for name in (*self._told(page), *self._owned(page)):
            if len(found) == MOST:
                break
            found.add(name)
        return found

    def _told(self, page: Page) -> Iterator[str]:
        for one in self._names.trace(page):
            words = one.key.split()
            # At the beginning of a sentence its capital does not tell "Will" from "will".
            if not (page.tokens[one.first].begins and all(is_ordinary(word) for word in words)):
                yield one.key

    def _owned(self, page: Page) -> Iterator[str]:
        owner = _OWNERS.get(page.role) if page.said.is_self or page.role is Role.ASSISTANT else None
        for place, token in enumerate(page.tokens):
            if token.lower != owner:
                continue
            words = [forms_of(each.lower)[-1] for each in page.tokens[place + 1 : place + 1 + _LONGEST]]
            for length in range(len(words), 0, -1):
                name = OWN + " ".join(words[:length])
                if name in self._own or (length == 1 and words[0] in KIN):
                    yield name
                    break


def first_words(page: Page) -> set[str]:
    """Return the words of a message as names may begin with them."""
    words = {token.lower for token in page.tokens}
    return {form for word in words for form in forms_of(word)} | {OWN.strip()}
