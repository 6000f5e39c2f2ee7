"""Jobs that begin and end in English: "Bosch let me go", "my contract at Bosch ended", "I retired". Pure."""

from __future__ import annotations

import re

from palace.records import Span
from palace.records.graph import Action, EntityType
from palace.text.claims.drafts import Party
from palace.text.claims.english.changes.told import named_at, predicate_of, stretches, whom
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.idioms.subjects import speaker_of, subject_before
from palace.text.claims.english.objects import fits
from palace.text.claims.people import name_at
from palace.text.claims.phrases import Phrase, phrase_at

_OUT = r"(?:laid off|let go|made redundant|fired|sacked|dismissed)"
_FROM = re.compile(rf"(?<!\w)(?:(?:got|getting|get|was|been) )?{_OUT} (?:from|by|at) (?=\S)")
_NO_JOB = re.compile(
    rf"(?<!\w)(?:(?:got|was|been|am|i'm|getting|is|'s) {_OUT}(?! (?:from|by|at|of) )"
    r"|(?:lost|quit|left|resigned from|gave up|chucked in|packed in) (?P<whose>my|his|her) (?:old )?job"
    r"(?! (?:at|with|for|as) )"
    r"|(?:am|'m|is|'s|been|now) (?:unemployed|out of (?:work|a job)|between jobs|jobless|retired)"
    r"|(?:finally |officially )?retired(?= (?:in|last|on|at \d|this|two|three|a|early|yesterday)|\s*$|[.,!;]))"
)
_ME = re.compile(
    r" (?:has |have |just )?(?:(?:let|laid|letting) (?P<go>me|us|him|her|them|\w+) (?:go|off)"
    r"|(?:fired|sacked|dismissed) (?P<fired>me|us|him|her)"
    r"|made (?P<made>me|us|him|her) redundant"
    r"|(?:did not|didn't|didnt|won't|wont|will not|isn't|aren't) (?:renew|extend|renewing|extending) "
    r"(?P<kept>my|his|her|our) contract)(?!\w)"
)
_CONTRACT = re.compile(
    r"(?<!\w)(?P<whose>my|his|her) (?:\w+ )?(?:contract|employment|job|internship|position|post|stint|time|probation"
    r"|role|placement|traineeship|apprenticeship|secondment) (?:at|with|for) (?=\S)"
)
_IS_OVER = re.compile(
    r"(?:has |have |had |just |is |was |'s |now )*(?:ended|over|finished|ran out|run out|expired|came to an end|up"
    r"|terminated|not (?:renewed|extended)|wasn't (?:renewed|extended)|done|ends|runs out|expires)(?!\w)"
)
_HIRED_ME = re.compile(r" (?:has |have |just )?(?:hired|employed|recruited|took on|taken on) (?P<whom>me)(?!\w)")
_FAILED = re.compile(
    r" (?:has |have |is |are |just |'s )*(?:(?:went|gone|going|go) (?:bankrupt|bust|under|out of business|into"
    r" administration|insolvent|belly up|broke)|folded|bankrupt|insolvent|(?:closed|shut|closing|shutting)"
    r" (?:its |their )?(?:doors|down)|filed for (?:bankruptcy|insolvency)|liquidated)(?!\w)"
)
_HIRED = re.compile(
    r"(?<!\w)(?:got|was|been|am|i'm|is) (?:just )?(?:hired|taken on|recruited|employed) (?:at|by|with) (?=\S)"
    r"|(?<!\w)(?:got|landed) (?:in|a place|an offer and start) at (?=\S)"
)
_FREELANCE = re.compile(
    r"(?<!\w)(?:(?:i'm|i am|now|been|am|gone|went|going|started|'m) (?:now )?freelanc(?:e|ing)(?! (?:at|for) )"
    r"|freelancing now|freelance now)(?!\w)"
)
_OWN_FIRM = re.compile(
    r"(?<!\w)(?:freelanc\w+|out of a job|out of work|laid off|my (?:job|employer|company)|unemployed)(?!\w)"
)
_UNLIKE = re.compile(r"(?<!\w)(?:rumou?rs?|scared|afraid|worried|risk|worry|fear\w*)(?!\w)")


def read_posts(said: Said) -> None:
    """Read who has a job no longer, or a new one."""
    if _UNLIKE.search(said.sentence.text):
        return
    _read_named(said)
    for found, first, _place, span in stretches(said, _NO_JOB):
        _jobless(said, found, first, span)
    for found, first, place, span in stretches(said, _CONTRACT):
        _contract(said, found, (first, place), span)
    for pattern in (_ME, _FAILED):
        for found, first, _place, span in stretches(said, pattern):
            _by_firm(said, found, first, span)
    for _found, first, _place, span in stretches(said, _FREELANCE):
        party = subject_before(said, first)
        if party is not None and party.gender != "t" and said.is_said(span):
            said.claim(party.text, "works_as", "freelancer", Action.HOLDS, said.times(span), span)


def _read_named(said: Said) -> None:
    """Read of whom a firm that is named hires, or has no longer."""
    for _found, first, place, span in stretches(said, _FROM):
        _claim(said, subject_before(said, first), _firm(said, place), Action.ENDS, span)
    for _found, first, place, span in stretches(said, _HIRED):
        _claim(said, subject_before(said, first), _firm(said, place), Action.BEGINS, span)
    for _found, first, _place, span in stretches(said, _HIRED_ME):
        phrase = _subject(said, first)
        if phrase is not None:
            _claim(said, speaker_of(said), phrase.text, Action.BEGINS, span)


def _claim(said: Said, party: Party | None, firm: str, action: Action, span: Span) -> None:
    if party is not None and party.gender != "t" and firm and said.is_said(span):
        said.claim(party.text, "works_at", firm, action, said.times(span, ahead=action is Action.BEGINS), span)


def _firm(said: Said, place: int) -> str:
    phrase = named_at(said, place)
    if phrase is None or not fits(phrase, "employer"):
        return ""
    return "" if phrase.name is not None and phrase.name.type is EntityType.PERSON else phrase.text


def _jobless(said: Said, found: re.Match[str], first: int, span: Span) -> None:
    party = subject_before(said, first)
    if party is None or party.gender not in "smfn" or not said.is_said(span):
        return
    if re.search(r"retired", found[0]) and re.search(r"(?<!\w)retired (?:from|as)(?!\w)", said.sentence.text):
        return
    said.claim(party.text, "works_at", "", Action.ENDS, said.times(span), span)


def _contract(said: Said, found: re.Match[str], where: tuple[int, int], span: Span) -> None:
    phrase = named_at(said, where[1])
    if phrase is None or not fits(phrase, "employer") or phrase.next >= len(said.tokens):
        return
    offset = said.sentence.span.start
    behind = said.sentence.text[said.tokens[phrase.next].start - offset :]
    over = _IS_OVER.match(behind)
    if over is None:
        return
    whose = found["whose"]
    party, _ = whom(said, where[0]) if whose == "my" else (None, 0)
    party = Party(said.message.speaker, "s", said.message.turn, said.number) if whose == "my" else party
    if party is None:
        meant = said.message.spoken.meant("mn" if whose == "his" else "fn", said.message.turn, said.number)
        party = Party(meant, "n", said.message.turn, said.number) if meant else None
    if party is not None:
        span = said.window(where[0], phrase.next)
        times = said.times(span, ahead=over[0].endswith("s"))
        said.claim(party.text, "works_at", phrase.text, Action.ENDS, times, span)


def _by_firm(said: Said, found: re.Match[str], first: int, span: Span) -> None:
    """Read "Bosch let me go", "Fluxbyte went bankrupt" of whose it was told to be."""
    phrase = _subject(said, first)
    if phrase is None:
        return
    groups = {name: value for name, value in found.groupdict().items() if value}
    if not groups:
        known = predicate_of(said.message, said.message.speaker, phrase.text, ("works_at",))
        is_cued = _OWN_FIRM.search(said.message.content.lower()) is not None
        if (known or is_cued) and said.is_said(span):
            said.claim(said.message.speaker, "works_at", phrase.text, Action.ENDS, said.times(span), span)
        return
    group, pronoun = next(iter(groups.items()))
    word = {"my": "me", "our": "me", "his": "him"}.get(pronoun, pronoun)
    place = said.place(said.sentence.span.start + found.start(group))
    if word in ("me", "us"):
        party: Party | None = Party(said.message.speaker, "s", said.message.turn, said.number)
    else:
        party, _ = whom(said, place)
    if party is not None:
        said.claim(party.text, "works_at", phrase.text, Action.ENDS, said.times(span), span)


def _subject(said: Said, end: int) -> Phrase | None:
    """Read the firm that is the subject before a place."""
    while end and said.tokens[end - 1].text in ("has", "have", "is", "are", "just", "'s", "finally", "recently"):
        end -= 1
    for first in range(max(0, end - 4), end):
        phrase = phrase_at(said.tokens[:end], first, said.message.content, said.message.names)
        if phrase is not None and phrase.next == end and _is_firm(said, first, phrase):
            return phrase
    return None


def _is_firm(said: Said, first: int, phrase: Phrase) -> bool:
    if phrase.name is not None:
        known = predicate_of(said.message, said.message.speaker, phrase.text, ("works_at",))
        return phrase.name.type is EntityType.ORGANISATION or known is not None
    named = name_at(said.tokens, first, said.message)
    return named is not None and predicate_of(said.message, said.message.speaker, named[0], ("works_at",)) is not None
