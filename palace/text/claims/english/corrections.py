"""Sentences that put right what was said before: "no, it's 24 volts", "sorry, I meant Tuesday". Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from palace.records.graph import Action, Claim
from palace.text.claims.clauses import Sentence
from palace.text.claims.dates import times_of
from palace.text.claims.drafts import Message
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token, listed, tokenize

_SINGLE = listed("lives_in works_at works_as married_to called costs located_in is comes_from studies_at")
"""Predicates of which one at a time is so, as are all that begin with "has"."""

_WRONG = (
    r"(?:sorry|oops|correction|my mistake|my bad|typo|scratch that|i misspoke|i was wrong|i mixed (?:that|it) up|edit"
    r"|korrektur|quatsch|ups|falsch|entschuldigung|moment)"
)
_LEAD = re.compile(rf"(?:(?:oh|ah|ach|hmm|no|nein|doch|nope|nah|wait|well|actually|{_WRONG})[\s,.:;!*-]{{1,3}}){{1,4}}")
_MEANT = re.compile(
    r"(?:i (?:meant|mean)(?: to say)?|it'?s|it is|that'?s|it was|it should be|should be|make (?:that|it)|ich meinte"
    r"|ich meine|es sind|es ist|das ist|das sind|das waren|es waren) (?:actually |really )?"
)
_PUT_RIGHT = re.compile(
    rf"^(?:{_WRONG}|no,|nope,|nein,)|(?<!\w)(?:i mixed up|hatte mich vertippt)|, (?:not|nicht) [€£$]?\d"
    r"|(?<!\w)not [€£$]?\d\S* but "
)
_INSTEAD = re.compile(
    r",? (?:and |und )?(?:now )?(?:not|nicht|statt|instead of|rather than|no longer) (?P<old>[^,.;!?]{1,60})"
)
_NOT_FIRST = re.compile(
    r"(?:it'?s |it is |i meant )?not (?P<old>[^,.;!?]{1,30}?)(?:[,;]| -)? (?:but |it'?s |it is |rather )(?=[€£$]?\d)"
)
_BESIDES = re.compile(r",? \(?(?:incl(?:uding|uded|\.)?|excl(?:uding|\.)?|plus|before|after|without|with) .{1,40}$")
"""What is told of a figure besides: "875 incl council tax"."""
_NOW = re.compile(r"(?<!\w)(?:now|these days|from now on|since|jetzt|nun)(?!\w)")
_MADE = ("make that", "make it")
_EMPTY = frozenset(["on", "in", "at", "the", ",", "with", "now", "actually", "instead", "really", "to"])
_FAR = 2
"""Messages of a speaker back to which a correction reaches."""


def is_put_right(text: str) -> bool:
    """Whether a sentence says of itself that it corrects what was said."""
    return _PUT_RIGHT.search(text) is not None


def put_right(message: Message, since: int) -> None:
    """Turn the claims of a message from a place on into corrections, as far as only one of a kind can be so."""
    for place in range(since, len(message.claims)):
        claim = message.claims[place]
        if _is_single(claim) and claim.action in (Action.HOLDS, Action.WAS):
            message.claims[place] = replace(claim, action=Action.CORRECTS, valid_to=None)


def _is_single(claim: Claim) -> bool:
    return claim.predicate in _SINGLE or claim.predicate.startswith("has_")


def read_correction(sentence: Sentence, message: Message) -> bool:
    """Read a sentence that gives only another value or time for what was claimed last; tell whether it is one."""
    text = sentence.text
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    meant = _MEANT.match(text, start)
    denied = _NOT_FIRST.match(text, start)
    if meant is None and denied is not None and (lead is not None or _is_known(denied, message)):
        end = len(text.rstrip(" .!\n"))
        return _corrected(sentence, message, (denied.end(), end), denied["old"])
    old = _INSTEAD.search(text, start)
    is_value = text[start : start + 1] in "0123456789€£$" and start < len(text)
    if meant is None and not (is_value and (lead is not None or _is_known(old, message))):
        return False
    is_plain = lead is None and meant is not None and not meant[0].startswith(("i mean", "ich mein", *_MADE))
    if is_plain and not _is_known(old, message):
        return False
    start = meant.end() if meant else start
    end = old.start() if old else len(text.rstrip(" .!\n"))
    return _corrected(sentence, message, (start, end), old["old"] if old else "")


def _is_known(old: re.Match[str] | None, message: Message) -> bool:
    """Whether what is said not to be so is a figure that was claimed of late: "it's 925 now, not 895"."""
    figures = set(_FIGURES.findall(old["old"])) if old else set()
    return any(figures & set(_FIGURES.findall(claim.object)) for claim in _recent(message))


_FIGURES = re.compile(r"\d[\d.,]*\d|\d")


def _corrected(sentence: Sentence, message: Message, where: tuple[int, int], old: str) -> bool:
    first, offset = where[0], sentence.span.start
    value = sentence.text[first : where[1]]
    if value[:1] in "0123456789€£$":
        value = _BESIDES.sub("", value)
    times, blanked = times_of(value, message.now, ahead=True)
    tokens = tokenize(blanked, message.content, offset + first) if first < where[1] else []
    tokens = [token for token in tokens if token.text not in _EMPTY]
    if times.start is not None and not tokens:
        target = next((each for each in _recent(message) if each.valid_from is not None), None)
        if target is not None:
            message.claim(replace(_anew(target, sentence), valid_from=times.start, valid_to=None))
        return True
    phrase = phrase_at(tokens, 0, message.content, message.names) if tokens else None
    if phrase is None or not _is_all(tokens, phrase):
        return False
    target = next((each for each in _recent(message) if _is_target(each, phrase, old)), None)
    if target is None:
        return False
    is_change = phrase.is_value and _NOW.search(sentence.text) is not None
    for each in [claim for claim in _recent(message) if claim.object == target.object and claim.start == target.start]:
        claim = replace(_anew(each, sentence), object=phrase.text)
        message.claim(replace(claim, action=Action.HOLDS, valid_from=None) if is_change else claim)
    return True


def _is_all(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Whether nothing but an explanation follows the phrase ("Anna with one n")."""
    return phrase.next >= len(tokens) or len(tokens) - phrase.next <= 2


def _recent(message: Message) -> list[Claim]:
    """List what was claimed of late, the latest first."""
    return [claim for turn, claim in reversed(message.spoken.claims) if turn >= message.turn - _FAR]


def _is_target(claim: Claim, value: Phrase, old: str) -> bool:
    is_value = any(letter.isdigit() for letter in claim.object)
    if is_value != value.is_value or claim.action in (Action.ENDS, Action.DENIES):
        return False
    words = set(re.findall(r"\w+", claim.object.casefold()))
    if old:
        return bool(words & set(re.findall(r"\w+", old)))
    if is_value:
        return _is_single(claim)
    return value.is_named and claim.object[:1].isupper() and claim.object[:2].casefold() == value.text[:2].casefold()


def _anew(claim: Claim, sentence: Sentence) -> Claim:
    return replace(claim, action=Action.CORRECTS, start=sentence.span.start, end=sentence.span.end)
