"""Find the user's names in a query, as whole words that are not part of another person's name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS, TALK_WORDS

_RULES = rules("asked", "names")

PERSON = "\ue001"
"""Replaces the user while a query is rewritten; a private-use character, so that it is part of no word."""


SHORTEST = 3
"""Fewest letters of a name that is recognised in lower case; shorter ones may be words."""
_NAME = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_QUESTION_WITH_VERB = re.compile(r"\s*w\w+\s+\w+t\s+", re.IGNORECASE)
"""Beginning of a German question whose verb stands before its subject: "wo wohnt …"."""


def names_of_user(user: str) -> tuple[str, ...]:
    """Return the capitalised personal name in a user name ("marta", "Marta Lindqvist"); () where it contains none."""
    words = re.split(r"[\s._]+", user.strip())
    no_names = _RULES.words("no_names")
    if not all(_NAME.fullmatch(word) and len(word) > 1 and word.lower() not in no_names for word in words):
        return ()
    return (" ".join(word[:1].upper() + word[1:] for word in words),)


def mark_names(text: str, names: Sequence[str], opening: Collection[str], possessive: str) -> str:
    """Replace the user's names by ``PERSON``, possessive ones by ``PERSON's``.

    A full name may be in lower case; so may a single one that is no word, at the beginning, behind one of the
    ``opening`` words, or behind the verb of a question. ``opening`` are lower-case words that may be capitalised before
    a name, as they begin the sentence; ``possessive`` is the pattern of a possessive ending.
    """
    for full in _by_length(names):
        parts = full.split()
        alone = len(parts) == 1
        if alone and parts[0].lower() in _RULES.words("also_words"):
            continue
        counts_lower = not alone or (len(full) >= SHORTEST and not _is_word(full.lower()))
        forms = dict.fromkeys((full, full.lower())) if counts_lower else (full,)
        written = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
        pattern = re.compile(rf"(?<![\w@.'’/-])(?:{written})(?P<of>{possessive})?(?![\w@/-]|\.\w)")
        text = pattern.sub(partial(_marked, alone=alone, opening=opening), text)
    return text


def _is_word(name: str) -> bool:
    return name in _RULES.words("namesakes") or name in STOP_WORDS or name in TALK_WORDS


def _by_length(names: Sequence[str]) -> list[str]:
    """Return the names, with the first and last word of each, that have a capital letter; those of most words first."""
    found: dict[str, None] = {}
    for name in names:
        parts = name.split()
        for each in (" ".join(parts), *(parts[::-1] if len(parts) > 1 else ())):
            if each and each[0].isupper() and (len(each) > 1):
                found[each] = None
    return sorted(found, key=lambda each: -len(each.split()))


def _marked(found: re.Match[str], *, alone: bool, opening: Collection[str]) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    is_possessive = bool(found["of"])
    previous = re.search(r"([^\W\d_][\w'’-]*)\s+$", before)
    if previous and alone:
        word = previous[1]
        if word.lower().split("'")[0] in _RULES.words("before_a_namesake"):
            return found[0]
        if word.lower() not in opening and (word[0].isupper() or not _stands_as_name(found)):
            return found[0]
    if alone and not is_possessive and re.match(r"\s+[^\W\d_a-zß-ÿ]", after):
        return found[0]
    return f"{PERSON}'s" if is_possessive else PERSON


def _stands_as_name(found: re.Match[str]) -> bool:
    """Check whether a single name counts behind any word: it is capitalised, or "wo wohnt" stands before it."""
    return found[0][0].isupper() or bool(_QUESTION_WITH_VERB.fullmatch(found.string[: found.start()]))


def cased(word: str, like: str) -> str:
    """Return a word, capitalised if ``like`` is."""
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
