"""Sentences that only put a time or a figure right: "nicht seit 2019, sondern seit 2021", "doch erst im Juni". Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from palace.records.graph import Action, Claim, VagueDate
from palace.text.claims.clauses import Sentence
from palace.text.claims.dates import Times, times_of
from palace.text.claims.drafts import Message

_OPENERS = (
    r"(?:sorry|korrektur|quatsch|ups|hoppla|falsch|entschuldigung|moment|nee?|nein|ach|stopp|halt"
    r"|stimmt (?:gar |ja )?nicht|das stimmt nicht|verschrieben|vertippt|vertan|ich mein(?:e|te)?|äh+m?|also"
    r"|update|nachtrag)"
)
_LEAD = re.compile(rf"\s*(?P<opened>(?:{_OPENERS}[\s,.:;!–-]+)*)")
_SUBJECT = r"(?:(?:es|das) (?:ist|sind|war|waren) |(?:der |die |das )?(?:start|beginn|umzug|einzug|termin) (?:ist|war|wird) |los gehts? |los geht es )?"  # noqa: E501
_RATHER = re.compile(
    rf"{_SUBJECT}nicht (?P<old>[^,;.!?]{{1,40}}?),? sondern (?:doch |erst |schon |erst ab )*"
    r"(?P<new>[^,;!?]{1,50}?)[\s.!]*"
)
_NOT = re.compile(rf"{_SUBJECT}(?P<new>[^,;!?]{{1,40}}?)(?:,| und)? (?:nicht|statt) (?P<old>[^,;!?]{{1,40}}?)[\s.!]*")
_LATER = re.compile(rf"{_SUBJECT}(?P<doch>doch )?(?:(?P<shift>erst|schon|bereits) )?(?P<new>[^,;!?]{{1,40}}?)[\s.!]*")
_FIGURE = re.compile(r"(?<![\w.,])\d[\d.,]*(?<=\d)")
_AMOUNT = re.compile(r"(?:auf |bei |um )?[€$£]?\s?\d[\d.,]*\S{0,4}(?: [^\W\d]+){0,2}")
_FAR = 2
"""Messages of a speaker back to which it reaches."""


def read_amendment(sentence: Sentence, message: Message) -> bool:
    """Read a sentence that gives only another time or figure for what was told before; tell whether it is one."""
    text = sentence.text.rstrip()
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    is_opened = bool(lead and lead["opened"])
    found = _RATHER.fullmatch(text, start) or (_NOT.fullmatch(text, start))
    old = found["old"] if found else ""
    if found is None:
        found = _LATER.fullmatch(text, start)
        if found is None or not (is_opened or (found["doch"] and found["shift"])):
            return False
    new = found["new"]
    return _retimed(sentence, message, new, old) or (
        bool(old) and _refigured(sentence, message, sentence.span.start + found.start("new"), new, old)
    )


def _only_times(text: str, message: Message, *, ahead: bool) -> Times | None:
    """Read the times of a text that holds nothing else."""
    times, rest = times_of(text, message.now, ahead=ahead)
    return times if times.is_told and not re.search(r"\w", rest) else None


def _retimed(sentence: Sentence, message: Message, new: str, old: str) -> bool:
    told = _only_times(new, message, ahead=True)
    if told is None:
        return False
    before = _only_times(old, message, ahead=True) if old else None
    if old and before is None:
        return False
    for claim in _recent(message):
        is_start = _is_meant(claim.valid_from, before)
        if not is_start and not _is_meant(claim.valid_to, before):
            continue
        at = _nearest(
            new, message, (claim.valid_from if is_start else claim.valid_to), is_later="erst" in sentence.text
        )
        anew = _anew(claim, sentence)
        message.claim(replace(anew, valid_from=at, valid_to=None) if is_start else replace(anew, valid_to=at))
        break
    return True


def _nearest(new: str, message: Message, before: VagueDate | None, *, is_later: bool) -> VagueDate | None:
    """Resolve a time to where it is nearest to the one it stands for, behind it where it is said to be later."""
    dates = []
    for ahead in (True, False):
        times = _only_times(new, message, ahead=ahead)
        dates += [each for each in ((times.start or times.until) if times else None,) if each is not None]
    if before is None or not dates:
        return dates[0] if dates else None
    day = before.day
    return min(dates, key=lambda each: (is_later and each.day < day, abs((each.day - day).days)))


def _is_meant(date: VagueDate | None, before: Times | None) -> bool:
    if date is None:
        return False
    wrong = (before.start or before.until) if before else None
    return wrong is None or (date.day.year, date.day.month) == (wrong.day.year, wrong.day.month)


def _refigured(sentence: Sentence, message: Message, start: int, new: str, old: str) -> bool:
    wrong, right = _FIGURE.findall(old), _FIGURE.findall(new)
    if len(wrong) != 1 or len(right) != 1 or _AMOUNT.fullmatch(new.strip()) is None:
        return False
    for claim in _recent(message):
        if wrong[0] not in _FIGURE.findall(claim.object.casefold()):
            continue
        written = " ".join(message.content[start : start + len(new)].split())
        is_bare = _FIGURE.fullmatch(new.strip()) is not None
        value = claim.object.replace(wrong[0], right[0]) if is_bare else written
        message.claim(replace(_anew(claim, sentence), object=value))
        return True
    return False


def _recent(message: Message) -> list[Claim]:
    """List what was claimed of late, the latest first."""
    kept = [claim for turn, claim in reversed(message.spoken.claims) if turn >= message.turn - _FAR]
    return [claim for claim in kept if claim.action is not Action.DENIES]


def _anew(claim: Claim, sentence: Sentence) -> Claim:
    return replace(claim, action=Action.CORRECTS, start=sentence.span.start, end=sentence.span.end)
