"""Conversations that a model is asked about, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from palace import Palace
from tests.held import rows

MODEL = "openai/gpt-4o-mini"
ANNA = [
    {"role": "user", "content": "My sister Anna Berg lives in Ghent."},
    {"role": "assistant", "content": "Is the Café Brinkmann near her?"},
    {"role": "user", "content": "No idea. Her dog is Biscuit."},
]
GHENT_CLAIM = ("anna berg", "lives_in", "Ghent")


def user(content: str) -> list[dict[str, str]]:
    """Give a conversation in which one thing is said."""
    return [{"role": "user", "content": content}]


def reply(*entities: tuple[str, str, int], claims: Sequence[tuple[str, str, str, int]] = (), **more: object) -> str:
    """Write what a model replies: names with type and turn, claims, and what comes beside them."""
    named = [{"text": text, "type": type, "turn": turn} for text, type, turn in entities]
    told = [dict(zip(("subject", "predicate", "object", "turn"), claim, strict=True)) for claim in claims]
    return json.dumps({"entities": named, "assertions": told, "topics": [], **more})


GHENT = reply(("Anna Berg", "person", 1), ("Ghent", "place", 1), claims=[("Anna Berg", "lives_in", "Ghent", 1)])


def asserted(palace: Palace) -> list[tuple[str, str, str]]:
    query = "SELECT subject, predicate, object FROM assertion WHERE user_id = :user_id ORDER BY drawer_id, ordinal"
    return rows(palace, query)


def kept(palace: Palace) -> list[str]:
    """Give the replies that are kept, as text, in the order of their conversations."""
    query = "SELECT reply::text FROM extraction_reply WHERE user_id = :user_id ORDER BY conversation_id"
    return [row[0] for row in rows(palace, query)]


def outcomes(palace: Palace) -> list[str]:
    return [row[0] for row in rows(palace, "SELECT outcome FROM cost_entry WHERE user_id = :user_id ORDER BY id")]
