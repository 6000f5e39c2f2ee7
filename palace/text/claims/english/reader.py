"""Read the claims of an English sentence, clause by clause. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from palace.records import Span
from palace.text.claims.clauses import HIDDEN, Sentence
from palace.text.claims.dates import Times, times_of
from palace.text.claims.drafts import Message, Tense
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.copula import read_copula
from palace.text.claims.english.corrections import is_put_right, put_right, read_correction
from palace.text.claims.english.grammar.capitals import capitalised, is_without_capitals
from palace.text.claims.english.grammar.contractions import uncontracted
from palace.text.claims.english.grammar.cuts import clauses, is_time, taken_back
from palace.text.claims.english.grammar.groups import group_of, led
from palace.text.claims.english.idioms import read_idioms
from palace.text.claims.english.people import note_people, tell_belongings, tell_people
from palace.text.claims.english.predicates import is_disliked, read_verb
from palace.text.claims.english.refusals import is_asked, is_joke, is_supposed
from palace.text.claims.english.special.journeys import is_called_off
from palace.text.claims.tokens import Token, tokenize

_WAITING = frozenset(["when", "once", "until", "till", "before", "after"])
_REPORTS = frozenset(
    [
        "say",
        "says",
        "said",
        "read",
        "reads",
        "wrote",
        "writes",
        "posted",
        "told",
        "claims",
        "claimed",
        "goes",
        "went",
        "like",
    ]
)
_ENDED = re.compile(r"(?<!\w)(?:any ?more|any longer|no longer)(?!\w)")


@dataclass(frozen=True, slots=True)
class _Place:
    message: Message
    sentence: int
    span: Span


def read_sentence(sentence: Sentence, message: Message, number: int) -> None:
    """Add the claims of a sentence to its message's."""
    text, start = sentence.text, sentence.span.start
    tokens = uncontracted(tokenize(text, message.content, start))
    if is_without_capitals(message.content):
        tokens = capitalised(tokens)
    tell_people(tokens, _Place(message, number, sentence.span))
    if not tokens or is_joke(text) or is_supposed(tokens) or read_correction(sentence, message):
        return
    since = len(message.claims)
    tell_belongings(tokens, _Place(message, number, sentence.span))
    _read_clauses(tokens, sentence, message, number)
    tell_people(tokens, _Place(message, number, sentence.span), theirs=True)
    read_idioms(tokens, sentence, message, number)
    if is_put_right(text):
        put_right(message, since)


def _read_clauses(tokens: Sequence[Token], sentence: Sentence, message: Message, number: int) -> None:
    previous: tuple[Token, ...] | None = ()
    since, ended, where = len(message.claims), 0, _Place(message, number, sentence.span)
    front = Times()
    for first, end in clauses(tokens, message.names):
        part = tokens[first:end]
        if _is_quoted(tokens, first):
            return
        if all(token.is_mark for token in part):
            continue
        if _only_leads(part):
            continue
        part = _after_taking_back(part, message, since)
        since = len(message.claims)
        note_people(tokens[ended:first], where)
        ended = first
        if not part or any(token.text == HIDDEN for token in part) or is_asked(part, tokens[first:], sentence.is_asked):
            continue
        clause = _clause(part, sentence, message, number, is_first=not first)
        if clause is not None and _waits(tokens, first, clause):
            clause = None
        if clause is None or (previous is None and not clause.group.subject):
            previous = None
            continue
        front = _time_in_front(clause, part, front)
        if not clause.times.is_told and not clause.group.subject:
            clause = replace(clause, times=front)
        clause = _with_subject(clause, tokens, first, previous or ())
        previous = clause.group.subject
        for each in _parted(clause):
            (read_copula if each.group.verb == "be" else read_verb)(each)
    note_people(tokens[ended:], where)


def _only_leads(part: Sequence[Token]) -> bool:
    """Whether it only opens what follows, as "so," and "well," do."""
    return led(part) == len(part) and not any(token.text in _WAITING or token.text == "no" for token in part)


def _after_taking_back(part: Sequence[Token], message: Message, since: int) -> Sequence[Token]:
    """Take back what was claimed from a place on where a clause says so, and give what of it is still to be read."""
    back = taken_back(part)
    if back is None:
        return part
    if not back.is_sure:
        return part
    del message.claims[since:]
    return part[back.words :]


def _time_in_front(clause: Clause, part: Sequence[Token], front: Times) -> Times:
    """Give the time that is told before all of a sentence: "In March I sold the canoe and bought a kayak"."""
    if not clause.group.subject:
        return front
    place = next((n for n, token in enumerate(part) if clause.tokens and token.start == clause.tokens[0].start), 0)
    is_front = place > 0 or (bool(clause.tokens) and clause.tokens[0].is_mark and is_time(part[:4]))
    return clause.times if is_front else Times()


def _is_quoted(tokens: Sequence[Token], first: int) -> bool:
    """Whether what follows a colon is another's: "the ad said: I quit"."""
    reports = [token.text for token in tokens[max(0, first - 3) : first]]
    return tokens[first].text == ":" and any(text in _REPORTS for text in reports)


def _waits(tokens: Sequence[Token], first: int, clause: Clause) -> bool:
    """Whether a clause in the present is of a time to come: "once I have a dog"."""
    leads = tokens[max(0, first - 1) : first + led(tokens[first:])]
    is_open = clause.group.tense in (Tense.PRESENT, Tense.FUTURE, Tense.PERFECT)
    return is_open and any(token.text in _WAITING for token in leads)


def _clause(
    part: Sequence[Token], sentence: Sentence, message: Message, number: int, *, is_first: bool
) -> Clause | None:
    """Read times, subject and verb; None of a clause without these, of one that is denied or only supposed."""
    start, end = part[0].start, part[-1].end
    folded = sentence.folded[start:end]
    is_ended = _ENDED.search(folded) is not None
    times, blanked = times_of(folded, message.now, ahead=False)
    tokens = [token for token in part if blanked[token.start - start : token.end - start].strip()]
    group = group_of(_without_ending(tokens) if is_ended else tokens, message.names, is_first=is_first)
    if group is None:
        return None
    if blanked != folded and group.tense in (Tense.PRESENT, Tense.PROGRESSIVE, Tense.FUTURE):
        times, _ = times_of(folded, message.now, ahead=True)
    clause = Clause(tokens, group, times, message, number, Span(start, end), is_ended)
    if is_ended:
        clause = replace(clause, tokens=_without_ending(tokens))
    is_said = is_disliked(clause) or is_called_off(clause)
    if not is_said and (group.is_unsure or (group.is_negated and not is_ended)):
        return None
    return clause


def _parted(clause: Clause) -> tuple[Clause, ...]:
    """Part "lives in Porto, not in Lisbon any more" into what is so and what is no longer."""
    place = next((at for at in range(clause.group.next, len(clause.tokens)) if clause.text_at(at) == "not"), None)
    if not clause.is_ended or clause.group.is_negated or place is None:
        return (clause,)
    ended = [*clause.tokens[: clause.group.next], *clause.tokens[place + 1 :]]
    return replace(clause, tokens=clause.tokens[:place], is_ended=False), replace(clause, tokens=ended)


def _without_ending(tokens: Sequence[Token]) -> list[Token]:
    """Take out "no longer" and "any more", which say only that it ended."""
    pairs = [" ".join(token.text for token in tokens[place : place + 2]) for place in range(len(tokens))]
    ending = ("no longer", "any more", "any longer")
    return [
        token
        for place, token in enumerate(tokens)
        if pairs[place] not in ending and (not place or pairs[place - 1] not in ending) and token.text != "anymore"
    ]


def _with_subject(clause: Clause, tokens: Sequence[Token], first: int, previous: tuple[Token, ...]) -> Clause:
    """Put in the subject that is left out: what stands before "who", the clause's before, or the speaker."""
    subject = clause.group.subject
    if len(subject) == 1 and subject[0].text in ("who", "which"):
        antecedent = _antecedent(tokens, first, clause.message)
        return replace(clause, group=replace(clause.group, subject=antecedent or subject))
    if not subject:
        return replace(clause, group=replace(clause.group, subject=previous or _I))
    return clause


_I = (Token("i", 0, 1),)


def _antecedent(tokens: Sequence[Token], end: int, message: Message) -> tuple[Token, ...]:
    """Find the noun phrase right before a relative clause: a name, or a noun with its possessive or article."""
    last = end
    while last > 0 and tokens[last - 1].is_mark:
        last -= 1
    for first in range(max(0, last - 5), last):
        name = message.names.at(tokens[first].start)
        if name is not None and name.end >= tokens[last - 1].end:
            return tuple(tokens[first:last])
    first = last
    while first > 0 and last - first < 3 and tokens[first - 1].is_upper and tokens[first - 1].is_word:
        first -= 1
    return tuple(tokens[first:last])
