"""Conversations, with what people would know each by: labelled before the rules were written."""

from __future__ import annotations

from typing import NamedTuple

from tests.text.tables import tables


class NamedTalk(NamedTuple):
    """A conversation about one thing."""

    title: str
    nouns: tuple[str, ...]
    """Nouns of which its name has to hold one: those of what it says most often, in any case, singular or plural."""
    texts: tuple[str, ...]
    """What is said, the person and an assistant taking turns."""


TALKS = tuple(
    NamedTalk(talk["title"], tuple(talk["nouns"]), tuple(talk["texts"])) for talk in tables("named_talks")["talks"]
)
