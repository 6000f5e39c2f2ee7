"""Times that are told beside a claim: "I live in Ghent. Moved here in 2021", "my Volvo, bought in 2019". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from palace.records import Span
from palace.records.graph import SELF, Action, Claim
from palace.text.claims.clauses import HIDDEN, Sentence
from palace.text.claims.dates import Times
from palace.text.claims.dates.loose import Loose, Turn, is_aside, read_loose
from palace.text.claims.drafts import Message
from palace.text.times.vocabulary import compiled

_TIMELESS = frozenset({"called", "sibling_of", "parent_of", "child_of", "comes_from", "has_age", "related_to", "costs"})
_TIMED = re.compile(
    r"[0-9]|(?<!\w)(?:since|seit\w*|in|im|on|am|last|next|letzte\w*|nächste\w*|yesterday|gestern|ago|vor)(?!\w)"
)
_CUT = compiled(r"[,;:()–—]|(?<!\w)(?:and|but|then|und|aber|which|who|because)(?!\w)")
_JOINED = re.compile(r"(?<!\w)(?:and|&|und)\W*$")
_THEN = re.compile(r"(?<!\w)(?:then|before|danach|dann|bevor)(?!\w)")
_SUBJECT = re.compile(r"\W*(?:i|we|he|she|they|it|my|our|the|ich|wir|er|sie)(?!\w)")


def settle_times(message: Message, sentence: Sentence, since: int) -> None:
    """Give the claims of a sentence, or those right before it, the times that are told beside them.

    ``since`` is the place of the sentence's first claim among the message's.
    """
    if message.now is None or sentence.is_asked or not _TIMED.search(sentence.text) or HIDDEN in sentence.text:
        return
    _share(message, sentence, since)
    aside: Span | None = None
    for span in list(_beside(message, sentence, since)):
        text = sentence.folded[span.start : span.end]
        loose = read_loose(text, message.now)
        if loose is None and not is_aside(text):
            aside = span
        elif loose is not None and (loose.predicates or not _stands_between(message, aside, span)):
            _take(message, loose, span)


def _stands_between(message: Message, aside: Span | None, span: Span) -> bool:
    """Whether something else is spoken of between the last claim and a time that says of nothing what it is."""
    return aside is not None and not any(aside.start < claim.start < span.start for claim in message.claims)


def _share(message: Message, sentence: Sentence, since: int) -> None:
    """Let what was done in one breath have one time: "quit my job and moved to Berlin in March"."""
    for place in range(len(message.claims) - 1, since, -1):
        first, then = message.claims[place - 1], message.claims[place]
        if _follows(first, then, sentence):
            message.claims[place] = replace(then, valid_from=first.valid_to)
            continue
        done = (Action.BEGINS, Action.ENDS)
        if first.action not in done or then.action not in done or first.subject != then.subject or _is_dated(first):
            continue
        between = sentence.folded[first.start : then.start]
        is_one = first.start < then.start and _JOINED.search(between)
        if is_one and not _SUBJECT.match(sentence.folded, then.start):
            time = then.valid_from or then.valid_to
            is_end = first.action is Action.ENDS
            message.claims[place - 1] = replace(
                first, valid_from=None if is_end else time, valid_to=time if is_end else None
            )


def _follows(first: Claim, then: Claim, sentence: Sentence) -> bool:
    """Whether one began as the other ended: "lived in Berlin until 2019, then moved to Ghent"."""
    is_next = first.valid_to is not None and then.action is Action.BEGINS and not _is_dated(then)
    is_same = (first.subject, first.predicate) == (then.subject, then.predicate)
    between = sentence.folded[first.start : then.start + 8]
    return is_next and is_same and _THEN.search(between) is not None


def _beside(message: Message, sentence: Sentence, since: int) -> Iterator[Span]:
    """Give the stretches of a sentence that nothing is claimed by, in order, cut at marks and joints."""
    place, end = sentence.span.start, sentence.span.end
    claimed = sorted((claim.start, claim.end) for claim in message.claims[since:] if claim.predicate not in _TIMELESS)
    for first, last in [*claimed, (end, end)]:
        cut = place
        for found in _CUT.finditer(sentence.folded, place, max(place, first)):
            yield Span(cut, found.start())
            cut = found.start()
        if cut < first:
            yield Span(cut, first)
        place = max(place, last)


def _take(message: Message, loose: Loose, span: Span) -> None:
    for place in _meant(message, loose, span):
        claim = message.claims[place]
        if loose.turn is Turn.BEGIN:
            message.claims[place] = _begun(claim, loose.times)
        elif claim.action in (Action.ENDS, Action.WAS):
            message.claims[place] = replace(claim, valid_to=claim.valid_to or loose.times.until or loose.times.start)
        else:
            end = loose.times.until or loose.times.start
            message.claim(replace(claim, action=Action.ENDS, valid_from=None, valid_to=end, start=span.start,
                                  end=span.end))  # fmt: skip


def _meant(message: Message, loose: Loose, span: Span) -> list[int]:
    """Find the claims that a time is told of: those of the last clause before it, as far as they can have it."""
    before = [each for each in message.claims if each.start < span.start]
    if not before:
        return []
    last = max(each.start for each in before)
    places = [n for n, each in enumerate(message.claims) if each.start == last and _can_take(each, loose)]
    return places if span.start - max(each.end for each in before) < 160 else []


def _can_take(claim: Claim, loose: Loose) -> bool:
    if claim.predicate in _TIMELESS or claim.action in (Action.DENIES, Action.CORRECTS):
        return False
    if loose.predicates and claim.predicate not in loose.predicates:
        return False
    if loose.pronoun and (claim.subject == SELF) != (loose.pronoun in ("i", "we", "ich", "wir")):
        return False
    if loose.turn is Turn.END:
        return claim.valid_to is None
    return not _is_dated(claim)


def _begun(claim: Claim, times: Times) -> Claim:
    if claim.action is Action.ENDS:
        return replace(claim, valid_to=times.start)
    if claim.action is Action.WAS:
        return replace(claim, valid_from=times.start, valid_to=times.until or times.at_end)
    return replace(claim, valid_from=times.start, valid_to=times.until or times.at_end)


def _is_dated(claim: Claim) -> bool:
    return claim.valid_from is not None or claim.valid_to is not None
