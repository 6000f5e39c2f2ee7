"""The person's names as they stand in a query: whole words, and nobody else's."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

from palace.text.asked.namesakes import NAMESAKES, SHORTEST

PERSON = "\ue001"
"""Stands in a text for the person while it is rewritten; of a private range, so that it is part of no word."""

_ALSO_WORDS_WRITTEN = """
will may april june august jan mai juni juli januar mark art bill sunday monday user nutzer assistant i
"""
_ALSO_WORDS = frozenset(_ALSO_WORDS_WRITTEN.split())
"""First or last names that mean something else at the beginning of a sentence, or anywhere: alone they do not count."""

_NO_NAMES_WRITTEN = """
root admin administrator user users palace postgres test tester guest default dev demo agent app bot me home work team
system git docker node jenkins deploy build ci vagrant
ubuntu debian ec2-user runner nobody service server memory main local developer daemon www
"""
_NO_NAMES = frozenset(_NO_NAMES_WRITTEN.split())
_NAME = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_QUESTION_WITH_VERB = re.compile(r"\s*w\w+\s+\w+t\s+", re.IGNORECASE)
"""What a question begins with whose verb stands before who does it, as in German: "wo wohnt …"."""

_BEFORE_A_NAMESAKE_WRITTEN = """
friend friends colleague cousin aunt uncle sister brother boss neighbour neighbor daughter son wife husband mother
father niece nephew named called the a an another other freundin freund kollegin kollege schwester bruder tante onkel
cousine chefin chef nachbarin nachbar tochter sohn frau herr mutter vater namens der die das den dem des ein eine
einem einen einer zum zur beim vom mr mrs ms miss dr prof familie family in at nach street straße
"""
_BEFORE_A_NAMESAKE = frozenset(_BEFORE_A_NAMESAKE_WRITTEN.split())
"""Before a name, it is somebody else's, a place's, or a word: "my friend Marta", "der Koch", "in Paris"."""


def names_of_user(user: str) -> tuple[str, ...]:
    """Give the names that a palace's user name comes to ("marta", "Marta Lindqvist"); none where it is no name."""
    words = re.split(r"[\s._]+", user.strip())
    if not all(_NAME.fullmatch(word) and len(word) > 1 and word.lower() not in _NO_NAMES for word in words):
        return ()
    return (" ".join(word[:1].upper() + word[1:] for word in words),)


def mark_names(text: str, names: Sequence[str], opening: Collection[str], possessive: str) -> str:
    """Put ``PERSON`` where the person's name stands, ``PERSON's`` where it is a possessive.

    In lower case a name counts in full, and alone where it is no word by itself and stands where a name does: first,
    behind one of the ``opening`` words, or behind a verb that a question begins with. ``opening`` are, in lower case,
    those that may stand before a name at the beginning of a sentence with a capital of their own; ``possessive`` is a
    pattern of what follows a name in the possessive.
    """
    for full in _by_length(names):
        parts = full.split()
        alone = len(parts) == 1
        if alone and parts[0].lower() in _ALSO_WORDS:
            continue
        counts_lower = not alone or (len(full) >= SHORTEST and full.lower() not in NAMESAKES)
        forms = dict.fromkeys((full, full.lower())) if counts_lower else (full,)
        written = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
        pattern = re.compile(rf"(?<![\w@.'’/-])(?:{written})(?P<of>{possessive})?(?![\w@/-]|\.\w)")
        text = pattern.sub(partial(_marked, alone=alone, opening=opening), text)
    return text


def _by_length(names: Sequence[str]) -> list[str]:
    """List the names as given, then the first and the last of each, each with a capital; the longest first."""
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
        if word.lower().split("'")[0] in _BEFORE_A_NAMESAKE:
            return found[0]
        if word.lower() not in opening and (word[0].isupper() or not _stands_as_name(found)):
            return found[0]
    if alone and not is_possessive and re.match(r"\s+[^\W\d_a-zß-ÿ]", after):
        return found[0]
    return f"{PERSON}'s" if is_possessive else PERSON


def _stands_as_name(found: re.Match[str]) -> bool:
    """Tell whether a name is one although any word may stand before it: by its capital, or as "wohnt" stands before."""
    return found[0][0].isupper() or bool(_QUESTION_WITH_VERB.fullmatch(found.string[: found.start()]))
