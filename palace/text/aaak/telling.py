"""Which tags are shown beside a text that has no room for all of them."""

from __future__ import annotations

from collections.abc import Collection

from palace.records import Tag

LONGEST = 60
"""Characters of a name; a longer one is left out, as a part of it names nobody."""


def most_telling(tags: Collection[Tag], text: str, most: int) -> tuple[Tag, ...]:
    """Choose tags to show beside a text, in their order: first those whose names it does not have."""
    said = " ".join(text.casefold().split())
    short = [tag for tag in tags if len(tag.name) <= LONGEST]
    chosen = sorted(short, key=lambda tag: " ".join(tag.name.casefold().split()) in said)[:most]
    return tuple(tag for tag in short if tag in chosen)
