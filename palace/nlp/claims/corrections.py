"""Sentences that correct an earlier claim: "no, it's 24 volts", "sorry, I meant Tuesday". Pure."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from palace.models.claims import Action, Claim
from palace.nlp.claims.kinds import words
from palace.nlp.claims.message import Message
from palace.nlp.claims.sentence import Sentence
from palace.nlp.rules import Rules, late
from palace.nlp.time.clause import times_of

_RULES = Rules("claims", "words.toml")
_WORDS = late(r"\w[\w.,'/-]*\w|\w")
_FAR = 2
"""How many of a speaker's messages a correction may reach back."""


def is_put_right(text: str) -> bool:
    """Check whether a sentence says that it is a correction."""
    return _RULES.pattern("put_right").search(text) is not None


def put_right(message: Message, since: int) -> None:
    """Turn the claims of a message from index ``since`` on into corrections, if their predicate allows one value."""
    for place in range(since, len(message.claims)):
        claim = message.claims[place]
        if _is_single(claim) and claim.action in (Action.HOLDS, Action.WAS):
            message.claims[place] = replace(claim, action=Action.CORRECTS, valid_to=None)


def _is_single(claim: Claim) -> bool:
    return claim.predicate in words("single") or claim.predicate.startswith("has_")


def read_correction(sentence: Sentence, message: Message) -> bool:
    """Read a sentence that gives only a new value or time for a recent claim; return whether it is a correction."""
    text = sentence.text
    lead = _RULES.pattern("lead").match(text)
    start = lead.end() if lead else 0
    meant = _RULES.pattern("meant").match(text, start)
    is_value = lead is not None and text[start : start + 1].strip("€£$").isdigit()
    is_plain = lead is None and meant is not None and not meant[0].startswith(("i mean", "make"))
    if is_plain or not (meant or is_value):
        return False
    start = meant.end() if meant else start
    old = _RULES.pattern("instead").search(text, start)
    return _corrected(sentence, message, start, old.start() if old else len(text))


def _corrected(sentence: Sentence, message: Message, first: int, end: int) -> bool:
    value = sentence.text[first:end].rstrip(" .!,\n")
    times, blanked = times_of(value, message.now, ahead=True)
    left = [word for word in _WORDS.finditer(blanked) if word[0] not in _RULES.words("empty")]
    if times.start is not None and not left:
        dated = next((each for each in _recent(message) if each.valid_from is not None), None)
        if dated is not None:
            message.claim(replace(_anew(dated, sentence), valid_from=times.start, valid_to=None))
        return True
    left = list(takewhile(lambda word: word[0] not in ("with", "because", "for"), left))
    if not 0 < len(left) < 5:
        return False
    start, stop = (sentence.span.start + first + at for at in (left[0].start(), left[-1].end()))
    start -= message.content[start - 1] in "€£$"
    text = message.content[start:stop]
    target = next((each for each in _recent(message) if _is_target(each, text)), None)
    if target is None:
        return False
    for each in [claim for claim in _recent(message) if claim.object == target.object and claim.start == target.start]:
        message.claim(replace(_anew(each, sentence), object=text))
    return True


def _recent(message: Message) -> list[Claim]:
    """List the claims that a correction may refer to, the latest first."""
    return [claim for turn, claim in reversed(message.spoken.claims) if turn >= message.turn - _FAR]


def _is_target(claim: Claim, value: str) -> bool:
    is_value, has_value = any(map(str.isdigit, claim.object)), any(map(str.isdigit, value))
    if is_value != has_value or claim.action in (Action.ENDS, Action.DENIES):
        return False
    if is_value:
        return _is_single(claim)
    return value[:1].isupper() and claim.object[:1].isupper() and claim.object[:2].casefold() == value[:2].casefold()


def _anew(claim: Claim, sentence: Sentence) -> Claim:
    return replace(claim, action=Action.CORRECTS, start=sentence.span.start, end=sentence.span.end)
