"""Rows of aliases for tests, written short, and who is one with whom in what is resolved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from palace.graph.resolve import Resolved, families_in, fold_name, resolve
from palace.records.graph import Alias, Decision, DecisionVerb, EntityType

PERSON, PLACE, ITEM = EntityType.PERSON, EntityType.PLACE, EntityType.ITEM
ORGANISATION, PROJECT = EntityType.ORGANISATION, EntityType.PROJECT
DECIDED_AT = datetime(2026, 5, 1, tzinfo=UTC)


def said(
    conversation_id: int, *names: str, type: EntityType = PERSON, count: int = 1, is_named: bool = True
) -> list[Alias]:
    """Make rows of names that a conversation says."""
    return [Alias(conversation_id, fold_name(name), name, type, is_named, count) for name in names]


def decision(verb: DecisionVerb, name: str, other: str, *, id: int = 1, **fields: Any) -> Decision:
    """Make a decision about persons, unless ``fields`` say otherwise."""
    about: dict[str, Any] = {"type": PERSON, "other_type": PERSON, "decided_at": DECIDED_AT} | fields
    return Decision(id, verb, fold_name(name), other=other, **about)


def entities(
    rows: Sequence[Alias],
    called: Sequence[tuple[int, str, str]] = (),
    decisions: Sequence[Decision] = (),
    self_names: Sequence[str] = (),
) -> dict[str, set[tuple[int, str]]]:
    """Resolve, and list the rows of each by key; the person themselves only where they have any."""
    return {each.key: set(each.members) for each in resolved(rows, called, decisions, self_names) if each.members}


def resolved(
    rows: Sequence[Alias],
    called: Sequence[tuple[int, str, str]] = (),
    decisions: Sequence[Decision] = (),
    self_names: Sequence[str] = (),
) -> list[Resolved]:
    """Resolve, with the names of claims as they are written."""
    folded = [(conversation, fold_name(noun), fold_name(name)) for conversation, noun, name in called]
    return resolve(rows, folded, decisions, self_names=self_names, families=families(rows))


def families(rows: Sequence[Alias]) -> dict[tuple[int, str], str]:
    """Give the family of each row, by all that its conversation says."""
    conversations: dict[int, list[Alias]] = {}
    for row in rows:
        conversations.setdefault(row.conversation_id, []).append(row)
    return {
        (number, folded): family
        for number, same in conversations.items()
        for folded, family in families_in(same).items()
    }
