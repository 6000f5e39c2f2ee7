"""Correct mistyped words of a query, and suggest known names that are similar to an unknown one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from palace.models.wordpiece import tokenizer
from palace.nlp.words import STOP_WORDS

SHORTEST, LONGEST = 4, 24
"""Fewest and most letters of a word that is corrected; too many words are one edit from a shorter one."""
MOST = 4
"""Most words of a query that are corrected; a query with more unknown words is about something else."""
LONG = 6
"""Fewest letters of a word in which a letter may be missing, extra or its neighbour on the keyboard; in a shorter word
only swapped and doubled letters are corrected, as other edits often make another word."""
LONGER = 8
"""Fewest letters of a word in which a letter may be any other, or two edits be made (a vowel for another too)."""
ENDING = 3
"""Number of last letters in which forms of one word differ."""
MOST_NAMES = 3
"""Most names that are suggested."""
LONGEST_NAME = 200
"""Most characters of a name that are compared."""
NEAR, NEAR_OF_SHORT = 0.6, 0.7
"""Least ``difflib`` ratio of similar names, and of short ones: "Nope" is not similar to "Notes"."""
TELLING = 3
"""Fewest letters that are taken as the beginning of a name."""

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
    """A difference between a typed and a meant word."""

    place: int
    """Index in the typed word."""
    typed: str
    meant: str
    """Like ``typed``, one letter; "" if it was left out or put in, two letters if they were swapped."""


def doubtful_words(query: str) -> list[str]:
    """Return the words of a query that may be mistyped, in lower case and in order.

    Quoted words, parts of identifiers, URLs or numbers, words in capitals and common English words are left out.
    """
    said = _QUOTED.sub(lambda found: " " * len(found[0]), query)
    found = sorted((match.start(), match[0]) for kind in (_PLAIN, _POSSESSIVE) for match in kind.finditer(said))
    plain = (word for _, word in found if SHORTEST <= len(word) <= LONGEST and word[1:] == word[1:].lower())
    return [word for word in dict.fromkeys(map(str.lower, plain)) if not is_common(word)]


def is_common(word: str) -> bool:
    """Check whether a word is a common English word or name, or an inflection of one.

    Common words are those in the tokenizer's vocabulary of 30,000 words and parts of words.
    """
    if word in STOP_WORDS:
        return True
    first, *behind = tokenizer().encode(word, add_special_tokens=False).tokens
    return not behind or (len(first) >= SHORTEST and len(behind) == 1 and behind[0] in _ENDINGS)


def put_right(query: str, meant: Mapping[str, str]) -> str:
    """Replace mistyped words of a query; ``meant`` maps each in lower case to its correction."""
    quoted = [found.span() for found in _QUOTED.finditer(query)]

    def corrected(found: re.Match[str]) -> str:
        right = meant.get(found[0].lower())
        if right is None or any(start <= found.start() < end for start, end in quoted):
            return found[0]
        return right[0].upper() + right[1:] if found[0][0].isupper() else right

    return _POSSESSIVE.sub(corrected, _PLAIN.sub(corrected, query))


def likely_meant(typed: str, known: Mapping[str, int], *, at_most: int = 5) -> list[str]:
    """Return the words that ``typed`` was likely meant to be, best first; ``known`` maps words to passage counts.

    Fewer edits come first, then the same letters in another order, then the more frequent word. Function words are
    candidates as well, so that a mistyped one is not searched for. All in lower case.
    """
    ranked = []
    for word in (*known, *(word for word in STOP_WORDS if len(word) > 2 and word not in known)):
        edits = edits_between(typed, word, 2 if len(typed) >= LONGER else 1) if word.isalpha() else None
        if edits and are_slips(typed, word, edits):
            ranked.append((len(edits), sorted(word) != sorted(typed), -known.get(word, 0), word))
    return [word for *_, word in sorted(ranked)][:at_most]


def edits_between(typed: str, meant: str, most: int) -> list[Edit] | None:
    """List the fewest insertions, deletions, replacements and swaps of neighbours that turn ``typed`` into ``meant``.

    Swapped letters are not touched again (optimal string alignment). None where it takes more than ``most``.
    """
    from rapidfuzz.distance import OSA  # most queries have no slip

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
    """Check whether these edits are likely slips of typing, and not the difference between two words."""
    if not edits or abs(len(typed) - len(meant)) > 1:
        return False
    light = [len(edit.typed) == 2 or _is_doubling(edit, typed, meant) for edit in edits]
    if all(light):
        return True
    # Forms of one word differ only in their last letters.
    shared = next((n for n, (one, other) in enumerate(zip(typed, meant, strict=False)) if one != other), None)
    if shared is None or shared >= max(len(typed), len(meant)) - ENDING:
        return False
    return all(ok or _is_slip(edit, typed, meant, len(edits)) for ok, edit in zip(light, edits, strict=True))


def _is_doubling(edit: Edit, typed: str, meant: str) -> bool:
    """Check whether a single letter was typed twice, or a double one once."""
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
    """Return every spelling that is one edit from a lower-case word, in the letters of its alphabet."""
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
    """Split a word of six letters or more into three pieces; most words that are two edits away contain one of them.

    Two edits change all three pieces only where letters are swapped across the border of two.
    """
    third, rest = divmod(len(word), 3)
    ends = (third + (rest > 0), 2 * third + rest)
    return word[: ends[0]], word[ends[0] : ends[1]], word[ends[1] :]


def names_like(name: str, names: Iterable[str]) -> list[str]:
    """Return the three names most similar to ``name``, by whole names and by their words; best first."""
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
    """Return "; did you mean 'X'?" for an error message; "" where no name is similar."""
    alike = names_like(name, names)
    return f"; did you mean {' or '.join(map(repr, alike))}?" if alike else ""
