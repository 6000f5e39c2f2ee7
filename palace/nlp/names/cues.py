"""Names by the words around them, as rows of data tell: "my sister …", "… is my dog"; capitals may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from palace.models.claims import EntityType
from palace.nlp.names.lexicon import (
    folded,
    given_names,
    is_ordinary,
    is_surely_given,
    no_names,
    openers,
    places,
    well_known,
)
from palace.nlp.names.page import Page, Token
from palace.nlp.rules import Caseless, caseless, rules

_WORDS = rules("names", "words")
_GERMAN = rules("names", "german_cues")
_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[A-Z][\w'’-]+")
_TAIL = re.compile(r"(?:['’]s|['’]|[.,;:!?&+-]+)+$")


class Clue(NamedTuple):
    """One reason to take ``text[start:end]`` for a name."""

    start: int
    end: int
    type: EntityType | None
    """None for a cue to a name of any type."""
    worth: float
    """How much it counts; from one on it is enough alone."""
    is_typing_only: bool = False
    """Whether it decides only the type, as any noun may follow it ("in", "with")."""


class Cue(NamedTuple):
    """A row of data: a pattern with the name in it, or beside it."""

    pattern: re.Pattern[str] | Caseless
    type: EntityType | None
    worth: float
    """How much it counts for the name."""
    most: int
    """Words that the name has at most."""
    unless: frozenset[str]
    """Words that are no names there."""
    only: frozenset[str]
    """What the name has to be: the tests of ``_may_be``."""
    is_ordinary: bool
    """Whether ordinary words may be a name behind it, in a message without capitals."""
    is_typing_only: bool


@cache
def cues(language: str, table: str, within: str = "%s") -> tuple[Cue, ...]:
    """Compile the rows of a table of "english" or "german", each within a pattern that has ``%s`` for it."""
    data = rules("names", f"{language}_cues")
    # Of those before a name, only the spans and words in lower case are used.
    compiled = caseless if table == "before" else re.compile
    return tuple(
        Cue(
            compiled(within.replace("%s", data.filled(row["pattern"]))),
            EntityType(row["type"]) if "type" in row else None,
            row["worth"],
            row.get("most", 2),
            data.words(row["unless"]) if "unless" in row else frozenset(),
            frozenset(row.get("only", "").split()),
            row.get("ordinary", False),
            row.get("typing", row["worth"] < 0.8 and table == "before"),
        )
        for row in data.table(table)
    )


def clues_in_english(page: Page) -> Iterator[Clue]:
    """Find the names that words of English point to, with capitals or without."""
    text = page.text
    name_pattern = rules("names", "english_cues").source("name")
    for cue in cues("english", "before", rf"(?i)(?:%s)(?=(?P<name>{name_pattern}))"):
        for found in cue.pattern.finditer(text):
            is_town = cue.type is EntityType.PLACE and cue.worth >= 1.0 and found["name"].split()[0].lower() in places()
            is_any = is_town or (cue.is_ordinary and page.is_lower)
            name = _cut_name(text, *found.span("name"), ordinary=is_any, lower=page.is_lower or is_town)
            if name and all(_may_be(test, text[slice(*name)], page) for test in cue.only):
                yield Clue(*name, cue.type, cue.worth, cue.is_typing_only)
    yield from _named(page, "english", "names")


def clues_in_german(page: Page, *, is_whole: bool) -> Iterator[Clue]:
    """Find names by German cues; if the whole message is German, also by their shape."""
    yield from _named(page, "german", "names")
    if is_whole:
        yield from _named(page, "german", "own")
        yield from _full_german_names(page)


def is_german_word(text: str) -> bool:
    """Check whether a word is a noun of everyday or a small word that lists of names have as well."""
    return text in _GERMAN.words("stops") or text.lower() in _GERMAN.words("small")


def is_partly_german(page: Page) -> bool:
    """Check whether a message of another language has words of German between."""
    return sum(token.lower in _GERMAN.words("function_words") for token in page.tokens) > 2


def _named(page: Page, language: str, table: str) -> Iterator[Clue]:
    """Find the names within the patterns of a table."""
    stops = rules("names", f"{language}_cues").words("stops")
    if language == "english":
        stops |= openers() | no_names()
    for cue in cues(language, table):
        for found in cue.pattern.finditer(page.text) if page.is_lower or "lower" not in cue.only else ():
            for start, end in _stretches(found):
                name = _before_stop(page.text[start:end], cue.most, stops)
                first = name.partition(" ")[0]
                if name and not {first, first.lower()} & cue.unless and all(_may_be(t, name, page) for t in cue.only):
                    yield Clue(start, start + len(name), cue.type, cue.worth, cue.is_typing_only)


def _stretches(found: re.Match[str]) -> Iterator[tuple[int, int]]:
    if "names" not in found.re.groupindex:
        yield found.span("name")
        return
    start, end = found.span("names")
    yield from (each.span() for each in _NAME.finditer(found.string, start, end))


def _before_stop(written: str, most: int, stops: frozenset[str]) -> str:
    """Cut a name before a word that is none; "" where it begins with one."""
    words, kept = written.split(" "), 0
    while kept < min(len(words), most) and not {words[kept].rstrip(".-"), words[kept].lower().rstrip(".-")} & stops:
        kept += 1
    return " ".join(words[:kept]).rstrip("-.&")


def _cut_name(text: str, start: int, end: int, *, ordinary: bool, lower: bool) -> tuple[int, int] | None:
    """Cut a name out of what stands behind a cue, ``text[start:end]``; None where no name begins there.

    A first word with a capital takes those with capitals behind it; one without takes others that are no words of
    English, or, where ``ordinary`` is allowed, stands alone whatever it is. Without ``lower`` a capital is needed,
    except by what can be nothing but a given name or a town.
    """
    stop, kept, capital = start, 0, False
    for found in _WORD.finditer(text, start, end):
        word = found[0]
        bare = word if word == "&" else _TAIL.sub("", word)
        if not bare:
            break
        if kept and bare.lower() in _WORDS.words("small"):
            continue
        has_capital = any(letter.isupper() for letter in bare)
        if kept == 0:
            if not _may_begin(bare, has_capital, ordinary) or not (has_capital or lower or _is_listed(bare)):
                return None
            capital = has_capital
        elif bare.lower() in no_names() or not (has_capital if capital else _goes_on(bare)):
            break
        kept, stop = kept + 1, found.start() + len(bare)
        if bare != word or kept == 4:
            break
    return (start, stop) if kept else None


def _may_begin(word: str, capital: bool, ordinary: bool) -> bool:
    lower = word.lower()
    if lower in openers() or lower in no_names() or len(word) < 2:
        return False
    if capital:
        return not word.isupper() or not is_ordinary(lower)
    return ordinary or not is_ordinary(lower)


def _goes_on(word: str) -> bool:
    return not is_ordinary(word) and not word[0].isdigit()


def _is_listed(word: str) -> bool:
    return not is_ordinary(word) and (folded(word) in given_names() or folded(word) in places())


def _may_be(test: str, word: str, page: Page) -> bool:
    """Check a word by one of the tests that rows name."""
    lower, key = word.lower(), folded(word)
    is_word, is_given = is_ordinary(word), key in given_names()
    is_short = len(word) < 5 and is_given and lower in _WORDS.words("short_names")
    return {
        "lower": page.is_lower,
        "quiet": not page.is_shouted,
        "written": word[0].isupper() or page.is_lower,
        "unknown": word[0].isupper() or (page.is_lower and not is_word),
        "town": lower in places(),
        "known": key in well_known(),
        "given": is_given and key not in places(),
        "nobody": key in well_known() or key.split()[0] not in given_names() or any(map(is_ordinary, key.split()[1:])),
        "person": lower not in _WORDS.words("kin") and (is_surely_given(word) or not is_word or is_short),
        "base": is_given or not (is_word and lower.endswith(("s", "ed", "ing", "ly"))),
    }[test]


def _full_german_names(page: Page) -> Iterator[Clue]:
    """Find a given name followed by a capitalised word, neither of which begins a sentence."""
    for first, last in pairwise(page.tokens):
        is_pair = last.is_capital and not last.begins and last.start == first.end + 1 and not last.text.isupper()
        if is_pair and first.is_capital and first.lower in given_names() and _may_follow(page, first, last):
            yield Clue(first.start, last.end, EntityType.PERSON, 1.0 if not first.begins else 0.8)


def _may_follow(page: Page, first: Token, last: Token) -> bool:
    """Check whether a word may be a family name: no noun of everyday, and no job behind a town ("in Kiel Pastorin")."""
    led = page.text[max(0, first.start - 5) : first.start].lower().split()
    is_town = bool(led) and led[-1] in ("in", "nach", "aus", "bei") and first.lower in places()
    return not is_german_word(last.text) and not is_town
