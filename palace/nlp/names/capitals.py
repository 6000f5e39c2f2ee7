"""Names by their capitals, where a language keeps these for names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from palace.nlp.names.cues import Clue
from palace.nlp.names.lexicon import folded, given_names, is_ordinary, openers, places, well_known
from palace.nlp.names.page import Page, Token
from palace.nlp.rules import rules

_RULES = rules("names", "words")

ENGLISH = ("en", None)
"""Languages of a message that are read by the rules of English: short messages have none."""

_JOINS = re.compile(r" (?:& )?|-|['’]")
_POSSESSIVE = re.compile(r"['’]s?$")
_IDENTIFIER = re.compile(r"(?:Error|Exception)$|_|\.\w*[a-z][A-Z]")
_LED = re.compile(r"\b(?:by|at|like|as|from|or|and|called|named|the|visit|try)[ ]$")
"""What leads to a name in an assistant's running text, where terms are written with capitals as well."""


def clues_by_capitals(page: Page) -> Iterator[Clue]:
    """Find the runs of words with capitals that may be names, in order."""
    if page.is_shouted:
        return
    for whole in _runs(page):
        for run in _split_at_possessives(page, whole):
            yield from _weigh(page, run) if page.language in ENGLISH else _of_other_languages(run)


def _runs(page: Page) -> Iterator[list[Token]]:
    tokens, place = page.tokens, 0
    while place < len(tokens):
        if not _may_stand(tokens[place]):
            place += 1
            continue
        last = _run_end(page, place)
        yield list(tokens[place : last + 1])
        place = last + 1


def _split_at_possessives(page: Page, run: list[Token]) -> Iterator[list[Token]]:
    """Split a run behind a possessive ("Anna's Volvo"), unless the whole is a name ("Nora's Kitchen")."""
    for place, token in enumerate(run[:-1]):
        if _POSSESSIVE.search(token.text) and (place > 0 or len(run) > 2 or token.text[:-2].isupper()):
            yield run[: place + 1]
            yield from _split_at_possessives(page, run[place + 1 :])
            return
    if run:
        yield run


def _run_end(page: Page, first: int) -> int:
    """Find the last token of the run that begins with a token: lower-case words inside join what is on their sides."""
    tokens, last = page.tokens, first
    while last + 1 < len(tokens) and _is_adjacent(page, last, last + 1):
        if _may_stand(tokens[last + 1]) or tokens[last + 1].text.isdigit():
            last += 1
            continue
        inside = last + 1
        while (
            inside + 1 < len(tokens)
            and tokens[inside].lower in _RULES.words("inside")
            and _is_adjacent(page, inside, inside + 1)
        ):
            inside += 1
            if inside - last > 3:
                return last
        if inside > last + 1 and _may_stand(tokens[inside]) and _holds_together(tokens, last):
            last = inside
            continue
        if tokens[last + 1].lower == "and" and (end := _and_end(page, last)):
            last = end
            continue
        return last
    return last


def _holds_together(tokens: Sequence[Token], last: int) -> bool:
    """Check whether small words between two with capitals are part of a name: "on" and "for" only behind a long one.

    "Mayflower the Mayflower Curling Club" is a name said again.
    """
    if tokens[last + 1].lower == "the" and tokens[last + 2].lower == tokens[last].lower:
        return False
    if tokens[last + 1].lower == "an" and tokens[last + 2].is_capital:
        return False  # "Anna an Opel" is no town; "Bruck an der Mur" is
    return tokens[last + 1].lower not in ("on", "for", "the") or (last > 0 and tokens[last - 1].lower == "the")


def _and_end(page: Page, last: int) -> int | None:
    """Find where "Harbour Film and Music Festival" ends: joined by "and" only if the whole is plainly of one thing."""
    tokens, end = page.tokens, last + 2
    if (
        end >= len(tokens)
        or tokens[end].lower == "the"
        or not _may_stand(tokens[end])
        or not _is_adjacent(page, last + 1, end)
    ):
        return None
    while end + 1 < len(tokens) and _may_stand(tokens[end + 1]) and _is_adjacent(page, end, end + 1):
        end += 1
    return end if end > last + 2 and tokens[end].lower in rules("names", "heads").words("joined_by_and") else None


def _is_adjacent(page: Page, one: int, other: int) -> bool:
    between = page.text[page.tokens[one].end : page.tokens[other].start]
    return bool(_JOINS.fullmatch(between)) and not page.tokens[other].begins


def _may_stand(token: Token) -> bool:
    if token.text.islower() or not (token.is_capital or token.has_inner_capital):
        return False
    bare = _POSSESSIVE.sub("", token.lower)
    if bare in _RULES.words("no_names") or token.lower in _RULES.words("no_names"):
        return False
    if "-" in token.text and (last := bare.rsplit("-", 1)[1]) and token.text.split("-")[-1][:1].islower():
        return not is_ordinary(last)
    if token.text.isupper() and len(token.text) > 1:
        return (
            not is_ordinary(token.lower)
            or token.text in _RULES.words("acronyms")
            or token.text in _RULES.words("states")
        )
    return len(token.text) > 1 and (token.is_capital or bare in well_known()) and not _IDENTIFIER.search(token.text)


def _weigh(page: Page, run: list[Token]) -> Iterator[Clue]:
    first, known = run[0], _is_known(run)
    if len(run) == 1 and not known and _is_unit(page, first):
        return
    if len(run) == 1 and (len(first.text) < 2 or first.text in _RULES.words("states") - _RULES.words("acronyms")):
        return
    if len(run) == 1 and first.text.isupper() and not known:
        yield _clue(run, 0.35)
        return
    if first.begins and not known and (first.lower in openers() or _bare(first) in openers()):
        rest = list(dropwhile(lambda token: token.lower in _RULES.words("inside") | openers(), run[1:]))
        if rest:
            yield _clue(rest, 1.0)
        return
    ordinary = [is_ordinary(_bare(token)) for token in run]
    if all(ordinary) and not known:
        yield from _of_ordinary_words(page, run)
    elif (
        first.begins
        and ordinary[0]
        and len(run) > 1
        and not any(ordinary[1:])
        and not page.is_label(first.start, run[-1].end)
    ):
        yield _clue(run, 0.5)
        yield _clue(run[1:], 0.7)
    else:
        yield _clue(run, 1.0 if not first.begins or len(run) > 1 or known else 0.8)


def _is_unit(page: Page, token: Token) -> bool:
    """Check whether a word is written as a unit behind a number is: "49.98 Hz", "4.2 MWh", "900 SEK"."""
    is_short = len(token.text) < 3 or (len(token.text) < 6 and not token.text[1:].islower())
    return is_short and page.text[max(0, token.start - 2) : token.start].strip().isdigit()


def _of_other_languages(run: list[Token]) -> Iterator[Clue]:
    """Weigh a run without a dictionary: the first word of a sentence counts only if a list contains it."""
    if run[0].begins and folded(_bare(run[0])) not in given_names() and not _is_known(run):
        run = run[1:]
    if len(run) == 1 and run[0].begins and len(run[0].text) < 5:
        yield _clue(run, 0.3)
    elif run and (len(run) > 1 or len(run[0].text) > 2):
        yield _clue(run, 0.7 if run[0].text.isupper() else 1.0)


def _of_ordinary_words(page: Page, run: list[Token]) -> Iterator[Clue]:
    """Weigh a run of ordinary words, a name or a term ("Night Owl", "Customer Journey"), by its position."""
    first = run[0]
    if len(run) > 1:
        is_led = _LED.search(page.text, max(0, first.start - 12), first.start)
        yield _clue(run, 1.0 if not first.begins and (page.is_persons or is_led) else 0.6)
    elif not first.begins and len(first.text) > 2:
        yield _clue(run, 0.45)


def _clue(run: Sequence[Token], worth: float) -> Clue:
    end = run[-1].end
    if found := _POSSESSIVE.search(run[-1].text):
        end -= len(found[0])
    return Clue(run[0].start, end, None, worth)


def _bare(token: Token) -> str:
    return _POSSESSIVE.sub("", token.lower)


def _is_known(run: Sequence[Token]) -> bool:
    name = folded(" ".join([*(token.lower for token in run[:-1]), _bare(run[-1])]))
    if len(run) == 1 and is_ordinary(name):
        return run[0].text in _RULES.words("acronyms")
    return name in places() or name in well_known()
