"""What of a message the palace knows as a name, looked up only where the gate would skip it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palace.store.database import UserDatabase
from palace.store.graph.naming import list_known
from palace.turns.chat.messages import Message
from palace.turns.gate import Decision, Rules, gate

SKIPPING = frozenset({"tool", "knowledge", "follow-up"})
"""What a known name overrides."""


def decide(text: str, before: Sequence[Message], rules: Rules, database: UserDatabase) -> Decision:
    """Decide whether a message needs memory.

    Most messages are decided without a look at the palace. One that would be skipped costs one look at an index, for
    all of its words at once.

    Raises:
        DatabaseError: the palace cannot be asked.
    """
    history = [dict(message.shape) for message in before]
    seen: dict[str, None] = {}

    def note(name: str) -> bool:
        seen[name] = None
        return False

    decision = gate(text, history, known=note, rules=rules)
    if decision.searched or decision.rule not in SKIPPING or not seen:
        return decision
    known = database.run(lambda session: list_known(session, list(seen)))
    if not known:
        return decision
    return gate(text, history, known=known.__contains__, rules=replace(rules, classifier=None))
