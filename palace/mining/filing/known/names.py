"""Identities for turns without ids: by content, and how many times the same is filed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from palace.intake.key import Key
from palace.mining.filing.identity import identities_by_id, identity_by_count, possible_identities, scopes_of
from palace.mining.redaction.keeping import Keeping
from palace.records import Conversation, Turn

MOST_COUNTS = 20
"""How many times over a turn that is filed again is looked for among the forgotten."""


class Names:
    """Gives the turns of one conversation their identities, one after the other."""

    def __init__(self, conversation: Conversation, identity: str, keeping: Keeping, taken: AbstractSet[bytes]) -> None:
        self._keeping, self._taken = keeping, taken
        self._scopes = scopes_of(identity, conversation.turns, keeping.key)
        self._given: Counter[tuple[str, str]] = Counter()

    def fresh(self, turn: Turn, buried: set[bytes]) -> bytes:
        """Give the next identity that no turn has but, should one be, a forgotten turn that says the same."""
        said = (turn.role, turn.content)
        while True:
            self._given[said] += 1
            plain = [identity_by_count(scope, turn, self._given[said]) for scope in self._scopes]
            forms = [form for name in plain for form in self._keeping.key.forms(name)]
            known = next((form for form in forms if form in buried), None)
            if known is not None:
                return known
            if self._taken.isdisjoint(forms):
                return self._keeping.key.hide(plain[0]) if self._keeping.hides(turn.content) else plain[0]


def names_of(conversation: Conversation, identity: str, given: Iterable[int], key: Key) -> set[bytes]:
    """Give all the identities under which some turns of a conversation may have been forgotten."""
    turns = conversation.turns
    found: set[bytes] = set()
    for turn in (turns[place] for place in given):
        for scope in scopes_of(identity, turns, key):
            if turn.source_id is None:
                plain = possible_identities(scope, turn, min(len(turns), MOST_COUNTS))
            else:
                plain = identities_by_id(conversation, scope, turn)
            found.update(form for name in plain for form in key.forms(name))
    return found
