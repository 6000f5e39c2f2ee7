"""Titles before names, which tell a man from a woman. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from palace.models.claims import EntityType, NamedSpan

_BEFORE = re.compile(
    r"(?<![\w-])(?P<title>(?:mrs|mr|ms|miss|mister|missus|herrn|herr|frau|monsieur|madame|mme|se[ñn]ora?|meneer|mevrouw)"
    r"\.?)[ \t]+(?:(?:dr|prof|doctor|doktor)\.?[ \t]+)*$",
    re.IGNORECASE,
)
_LONGEST = 40
"""Characters of titles."""


def with_titles(content: str, names: Sequence[NamedSpan]) -> tuple[NamedSpan, ...]:
    """Give the names of a message with the courtesy that stands before each person's: "Mrs Okafor"; places stay."""
    return tuple(_titled(content, name) for name in names)


def _titled(content: str, name: NamedSpan) -> NamedSpan:
    if name.type is not EntityType.PERSON:
        return name
    found = _BEFORE.search(content[max(0, name.start - _LONGEST) : name.start])
    return name if found is None else replace(name, text=f"{found['title']} {name.text}")
