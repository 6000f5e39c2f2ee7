"""Mistyped words of a query and what was meant by them; names that are like one that nobody has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from rapidfuzz.distance import OSA

from palace.models.wordpiece import tokenizer
from palace.nlp.words import STOP_WORDS

SHORTEST, LONGEST = 4, 24
"""Letters of a word that may be mistyped: of a shorter one, too much else is one edit away."""
MOST = 4
"""Words of one query that are looked at: what has more that nobody says is about something else."""
LONG = 6
"""Letters from which on a letter may be missing, too much, or the one beside it; in a shorter word letters are only
swapped or doubled, as most else makes a word that somebody may well mean."""
LONGER = 8
"""Letters from which on any letter may be another, and two edits may be slips, a vowel for another among them."""
ENDING = 3
"""Letters at the end in which words differ that are forms of one another."""
MOST_NAMES = 3
"""Names that are suggested at most."""
LONGEST_NAME = 200
"""Characters of a name that are compared: what is longer is no slip of the finger."""
NEAR, NEAR_OF_SHORT = 0.6, 0.7
"""The share of letters in the same order from which on a name is like another; "Nope" is not meant for "Notes"."""
TELLING = 3
"""Letters from which on a name may be meant by how it begins."""

_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyzäöüßéèêàáâçñíóôúåøæ",
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
)
_VOWELS = "aeiouy"
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm")
_QUOTED = re.compile(r'["“][^"“”]{3,200}["”]')
_PLAIN = re.compile(r"(?<![\w@/\\#&'’`._-])[^\W\d_]+(?![\w@/\\#`_-]|[.:'’&](?=\w))")
_POSSESSIVE = re.compile(r"(?<![\w@/\\#&'’`._-])[^\W\d_]+(?=['’]s(?![\w'’-]))")
_ENDINGS = frozenset(("##s", "##es", "##ed", "##d", "##ing", "##er", "##ers", "##ly", "##ness"))


class Edit(NamedTuple):
    """Letters that stand in one word where others stand in the other."""

    place: int
    """Where in the first word, from 0."""
    typed: str
    meant: str
    """One letter each, none where it was put in or left out, two where they were swapped."""


def doubtful_words(query: str) -> list[str]:
    """List the words of a query that may be mistyped, in lower case and in order.

    None is quoted, part of an identifier, an address or a number, in capitals, or a word of common English.
    """
    said = _QUOTED.sub(lambda found: " " * len(found[0]), query)
    found = sorted((match.start(), match[0]) for kind in (_PLAIN, _POSSESSIVE) for match in kind.finditer(said))
    plain = (word for _, word in found if SHORTEST <= len(word) <= LONGEST and word[1:] == word[1:].lower())
    return [word for word in dict.fromkeys(map(str.lower, plain)) if not is_common(word)]


def is_common(word: str) -> bool:
    """Tell whether a word is one of English that many texts have, or an inflection of one; names are among them.

    The vocabulary of the tokenizer says so: it has the 30,000 words and parts of words that English is written with.
    """
    if word in STOP_WORDS:
        return True
    first, *behind = tokenizer().encode(word, add_special_tokens=False).tokens
    return not behind or (len(first) >= SHORTEST and len(behind) == 1 and behind[0] in _ENDINGS)


def put_right(query: str, meant: Mapping[str, str]) -> str:
    """Write a query with the words that were meant in the place of those that were typed, which are in lower case."""
    quoted = [found.span() for found in _QUOTED.finditer(query)]

    def corrected(found: re.Match[str]) -> str:
        right = meant.get(found[0].lower())
        if right is None or any(start <= found.start() < end for start, end in quoted):
            return found[0]
        return right[0].upper() + right[1:] if found[0][0].isupper() else right

    return _POSSESSIVE.sub(corrected, _PLAIN.sub(corrected, query))


def likely_meant(typed: str, known: Mapping[str, int], *, at_most: int = 5) -> list[str]:
    """Choose from words, each with how many passages hold it, those that were likely meant by ``typed``; best first.

    Fewer edits come first, then the same letters in another order, then the more usual word. Function words are known
    as well: what is nearest to one of them is nothing to look for. All in lower case.
    """
    ranked = []
    for word in (*known, *(word for word in STOP_WORDS if len(word) > 2 and word not in known)):
        edits = edits_between(typed, word, 2 if len(typed) >= LONGER else 1) if word.isalpha() else None
        if edits and are_slips(typed, word, edits):
            ranked.append((len(edits), sorted(word) != sorted(typed), -known.get(word, 0), word))
    return [word for *_, word in sorted(ranked)][:at_most]


def edits_between(typed: str, meant: str, most: int) -> list[Edit] | None:
    """List the fewest letters to put in, leave out, replace, or swap with the next, to make a word of what was typed.

    Swapped letters are not touched again (optimal string alignment). None where it takes more than ``most``.
    """
    cost = OSA.distance(typed, meant, score_cutoff=most)
    edits: list[Edit] = []
    while cost <= most and (typed or meant):
        place = len(typed)
        if typed[-1:] == meant[-1:]:
            typed, meant = typed[:-1], meant[:-1]
            continue
        cost -= 1
        if typed[-2:] == meant[-2:][::-1] and len(typed) > 1 and OSA.distance(typed[:-2], meant[:-2]) == cost:
            edit = Edit(place - 2, typed[-2:], meant[-2:])
        elif typed and meant and OSA.distance(typed[:-1], meant[:-1]) == cost:
            edit = Edit(place - 1, typed[-1], meant[-1])
        elif typed and OSA.distance(typed[:-1], meant) == cost:
            edit = Edit(place - 1, typed[-1], "")
        else:
            edit = Edit(place, "", meant[-1])
        typed, meant = typed[: place - len(edit.typed)], meant[: len(meant) - len(edit.meant)]
        edits.append(edit)
    return edits[::-1] if cost <= most else None


def are_slips(typed: str, meant: str, edits: Sequence[Edit]) -> bool:
    """Tell whether what was typed is most likely the word that was meant, after so few edits."""
    if not edits or abs(len(typed) - len(meant)) > 1:
        return False
    light = [len(edit.typed) == 2 or _is_doubling(edit, typed, meant) for edit in edits]
    if all(light):
        return True
    # Forms and relatives of a word differ in their last letters alone.
    shared = next((n for n, (one, other) in enumerate(zip(typed, meant, strict=False)) if one != other), None)
    if shared is None or shared >= max(len(typed), len(meant)) - ENDING:
        return False
    return all(ok or _is_slip(edit, typed, meant, len(edits)) for ok, edit in zip(light, edits, strict=True))


def _is_doubling(edit: Edit, typed: str, meant: str) -> bool:
    """Tell whether a letter was typed twice that stands there once, or once that stands there twice."""
    letter = edit.typed or edit.meant
    if len(edit.typed) + len(edit.meant) != 1:
        return False
    end = edit.place + len(edit.typed)
    beside = (typed[edit.place - 1 : edit.place], typed[end : end + 1])
    return letter * 2 in (typed if edit.typed else meant) and letter in beside


def _is_slip(edit: Edit, typed: str, meant: str, edits: int) -> bool:
    if min(len(typed), len(meant)) < LONG or edit.place == 0:
        return False
    if not edit.typed or not edit.meant or any(pair in row for row in _KEYS for pair in _pairs(edit)):
        return True
    return len(typed) >= LONGER and (edits == 1 or (edit.typed in _VOWELS and edit.meant in _VOWELS))


def _pairs(edit: Edit) -> tuple[str, str]:
    return edit.typed + edit.meant, edit.meant + edit.typed


def one_edit_from(word: str) -> set[str]:
    """List every spelling that is one edit away from a word in lower case, in the letters of its alphabet."""
    return set(_edited(word)) - {word}


def _edited(word: str) -> Iterator[str]:
    letters = next((each for each in _ALPHABETS if word[0] in each), "".join(dict.fromkeys(word)))
    for place in range(len(word) + 1):
        before, behind = word[:place], word[place:]
        for letter in letters:
            yield before + letter + behind
            if behind:
                yield before + letter + behind[1:]
        if behind:
            yield before + behind[1:]
        if len(behind) > 1:
            yield before + behind[1] + behind[0] + behind[2:]


def pieces_of(word: str) -> tuple[str, str, str]:
    """Cut a word of six letters or more into three pieces: what is two edits away holds one of them, mostly.

    Two edits touch more than two pieces only where letters are swapped over the edge of one.
    """
    third, rest = divmod(len(word), 3)
    ends = (third + (rest > 0), 2 * third + rest)
    return word[: ends[0]], word[ends[0] : ends[1]], word[ends[1] :]


def names_like(name: str, names: Iterable[str]) -> list[str]:
    """Choose the three names most like one, by all of a name or by a word of it; best first."""
    known: dict[str, list[str]] = {}
    for each in names:
        folded = each[:LONGEST_NAME].casefold()
        for part in dict.fromkeys((folded, *folded.split())):
            known.setdefault(part, []).append(each)
    typed = name[:LONGEST_NAME].casefold()
    alike = get_close_matches(typed, known, cutoff=NEAR if len(typed) >= LONG else NEAR_OF_SHORT)
    begun = [part for part in known if len(typed) >= TELLING and part.startswith(typed)]
    return list(dict.fromkeys(found for part in (*alike, *begun) for found in known[part]))[:MOST_NAMES]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Say which names may have been meant, to be put behind what was not found; "" where none is like it."""
    alike = names_like(name, names)
    return f"; did you mean {' or '.join(map(repr, alike))}?" if alike else ""
