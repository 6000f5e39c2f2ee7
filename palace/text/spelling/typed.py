"""The words of a query that may be mistyped: plain words that nobody's dictionary has. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from palace.text.stopwords import STOP_WORDS
from palace.wordpiece import tokenizer

SHORTEST = 4
"""Letters: of a shorter word, too much else is one edit away."""
LONGEST = 24
MOST = 4
"""Words of one query that are looked at: what has more that nobody says is about something else."""

_QUOTED = re.compile(r'["“][^"“”]{3,200}["”]')
_PLAIN = re.compile(r"(?<![\w@/\\#&'’`._-])[^\W\d_]+(?![\w@/\\#`_-]|[.:'’&](?=\w))")
_POSSESSIVE = re.compile(r"(?<![\w@/\\#&'’`._-])[^\W\d_]+(?=['’]s(?![\w'’-]))")
_ENDINGS = frozenset(("##s", "##es", "##ed", "##d", "##ing", "##er", "##ers", "##ly", "##ness"))


def doubtful_words(query: str) -> list[str]:
    """List the words of a query that may be mistyped, in lower case and in order.

    None is quoted, part of an identifier, an address or a number, in capitals, or a word of common English.
    """
    said = _QUOTED.sub(lambda found: " " * len(found[0]), query)
    found = sorted((match.start(), match[0]) for kind in (_PLAIN, _POSSESSIVE) for match in kind.finditer(said))
    words = dict.fromkeys(word.lower() for _, word in found if _is_plainly_written(word))
    return [word for word in words if not is_common(word)]


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
        if any(start <= found.start() < end for start, end in quoted):
            return found[0]
        right = meant.get(found[0].lower())
        if right is None:
            return found[0]
        return right[0].upper() + right[1:] if found[0][0].isupper() else right

    return _POSSESSIVE.sub(corrected, _PLAIN.sub(corrected, query))


def _is_plainly_written(word: str) -> bool:
    return SHORTEST <= len(word) <= LONGEST and word[1:] == word[1:].lower()
