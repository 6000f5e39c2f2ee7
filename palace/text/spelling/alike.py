"""Which of the names that somebody has was meant by one that nobody has. Pure: it is given the names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3
"""Names that are suggested at most."""
LONGEST = 200
"""Characters of a name that are compared: what is longer is no slip of the finger."""
NEAR, NEAR_OF_SHORT = 0.6, 0.7
"""The share of letters in the same order from which on a name is like another; "Nope" is not meant for "Notes"."""
SHORT = 6
TELLING = 3
"""Letters from which on a name may be meant by how it begins."""


def names_like(name: str, names: Iterable[str]) -> list[str]:
    """Choose the three names most like one, by all of a name or by a word of it; best first."""
    known: dict[str, list[str]] = {}
    for each in names:
        folded = each[:LONGEST].casefold()
        for part in dict.fromkeys((folded, *folded.split())):
            known.setdefault(part, []).append(each)
    typed = name[:LONGEST].casefold()
    alike = get_close_matches(typed, known, cutoff=NEAR if len(typed) >= SHORT else NEAR_OF_SHORT)
    begun = [part for part in known if len(typed) >= TELLING and part.startswith(typed)]
    return list(dict.fromkeys(found for part in (*alike, *begun) for found in known[part]))[:MOST]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Say which names may have been meant, to be put behind what was not found; "" where none is like it."""
    alike = names_like(name, names)
    return f"; did you mean {' or '.join(map(repr, alike))}?" if alike else ""
