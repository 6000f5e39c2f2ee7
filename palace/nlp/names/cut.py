"""Cut a name out of what stands behind a cue: words with capitals, or without where the writer uses none."""

from __future__ import annotations

import re

from palace.nlp.names.lexicon import folded, given_names, is_ordinary, no_names, openers, places
from palace.nlp.rules import rules

_RULES = rules("names", "words")


_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"\S+")
_TAIL = re.compile(r"(?:['’]s|['’]|[.,;:!?&+-]+)+$")


def cut_place(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Cut the name of a known town out of what stands behind a cue, though it may be a word ("nice", "reading")."""
    found = _LETTERS.match(text, start, end)
    return found.span() if found and folded(found[0]) in places() and found[0].lower() not in no_names() else None


def cut_name(
    text: str, start: int, end: int, *, most: int = 4, ordinary: bool = False, lower: bool = True
) -> tuple[int, int] | None:
    """Cut a name out of what stands behind a cue, ``text[start:end]``; None where no name begins there.

    A first word with a capital takes those with capitals behind it; one without takes others that are no words of
    English, or, where ``ordinary`` is allowed, stands alone whatever it is. Without ``lower`` a capital is needed,
    except by what can be nothing but a given name or a town.
    """
    stop, kept, capital = start, 0, False
    for found in _WORD.finditer(text, start, end):
        word = found[0]
        bare = _TAIL.sub("", word)
        if not bare:
            break
        if bare.lower() in _RULES.words("small") and kept:
            continue
        begins_capital = bare[0].isupper() or any(c.isupper() for c in bare)
        if kept == 0:
            if not _may_begin(bare, begins_capital, ordinary):
                return None
            if not (begins_capital or lower or _is_listed(bare)):
                return None
            capital = begins_capital
        elif not (begins_capital if capital else _goes_on(bare)) or bare.lower() in no_names():
            break
        kept, stop = kept + 1, found.start() + len(bare)
        if bare != word or kept == most:
            break
    return (start, stop) if kept else None


def _may_begin(word: str, capital: bool, ordinary: bool) -> bool:
    lower = word.lower()
    if lower in openers() or lower in no_names() or len(word) < 2:
        return False
    if capital:
        return not word.isupper() or not is_ordinary(lower) or len(word) < 2
    return ordinary or not is_ordinary(lower)


def _is_listed(word: str) -> bool:
    return not is_ordinary(word) and (folded(word) in given_names() or folded(word) in places())


def is_surely_given(word: str) -> bool:
    """Tell whether a word in lower case is a given name and nothing else in English."""
    is_word = word.lower() in _RULES.words("also_words") or is_ordinary(word.lower())
    return len(word) > 2 and folded(word) in given_names() and not is_word


def _goes_on(word: str) -> bool:
    return not is_ordinary(word.lower()) and not word[0].isdigit()
