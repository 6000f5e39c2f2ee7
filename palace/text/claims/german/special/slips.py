"""Slips that are put right in the same breath, and greetings that say nothing: "in Graz, äh Linz". Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from palace.records.graph import NamedSpan
from palace.text.claims.clauses import Sentence
from palace.text.claims.drafts import Message
from palace.text.claims.phrases import Names

_WORD = r"[^\W_]+(?:[.,:'-][^\W_]+)*"
_HESITANT = r"(?:äh+m?|öh+m?|ehm+|uhm?|hmm?)"
_WRONG = r"(?:nein|nee?|quatsch|sorry|falsch|stimmt nicht|korrektur|ich mein(?:e|te)?|moment|halt|stopp)"
_SLIP = re.compile(
    rf"(?P<old>{_WORD})(?P<unit> (?:euro|€|uhr|prozent|kilo|grad))?\s*(?:[,–…-]|\.{{2,3}})?\s*"
    rf"(?<!\w)(?:{_HESITANT}(?:[\s,]+{_WRONG})*|(?<=[,–…. -]){_WRONG}(?:[\s,]+{_WRONG})*)[\s,]+(?:doch |also )?"
    rf"(?:(?P<lead>in|im|am|bei|beim|nach|aus|um|auf|seit|von|ab|bis)\s(?:der |dem )?)?(?P<new>{_WORD})"
)
_HINT = re.compile(rf"(?<!\w)(?:{_HESITANT}|{_WRONG})(?!\w)")
_LEAD = re.compile(r"(?<!\w)(?:in|im|am|bei|beim|nach|aus|um|auf|seit|von|ab|bis)(?: der| dem)? $")
_DATES = re.compile(
    r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|gestern|morgen|übermorgen|vorgestern"
)
_GREETED = r"(?:[A-ZÄÖÜ][\w.-]*|und|alle|allerseits|zusammen|an|ihr|euch|meine|mein|liebe[rns]?)"
_GREETING = re.compile(
    r"\s*(?:[Ll]iebe[rs]?|[Hh]all?o|[Hh]i|[Hh]ey|[Mm]oin|[Ss]ervus|[Gg]rüezi|[Gg]uten (?:Tag|Morgen|Abend)"
    rf"|[Ss]ehr geehrte[rs]?)(?: {_GREETED}){{1,7}}\s?[,!]"
)


def without_greeting(sentence: Sentence) -> Sentence:
    """Blank the salutation of a letter: "Liebe Sabine, wir sind umgezogen"."""
    found = _GREETING.match(sentence.content, sentence.span.start, sentence.span.end)
    return _blanked(sentence, found.start(), found.end()) if found else sentence


def put_straight(sentence: Sentence, message: Message) -> Sentence:
    """Blank what is taken back at once, and what takes it back: of "in Graz, äh Linz" is left "in Linz"."""
    if _HINT.search(sentence.text) is None:
        return sentence
    place = sentence.span.start
    while found := _SLIP.search(sentence.folded, place, sentence.span.end):
        place = found.end("old")
        start = _began(found, sentence, message.names)
        if start is None:
            continue
        lead = _LEAD.search(sentence.folded, sentence.span.start, start) if found["lead"] else None
        end = found.start("lead") if found["lead"] else found.start("new")
        sentence = _blanked(sentence, lead.start() if lead else start, end)
    return sentence


def _began(found: re.Match[str], sentence: Sentence, names: Names) -> int | None:
    """Find where what was wrong begins; None where what follows is of another kind."""
    old, new = found["old"], found["new"]
    if (old[0].isdigit() and new[0].isdigit()) or (_DATES.fullmatch(old) and _DATES.fullmatch(new)):
        return found.start("old")
    if found["lead"] and _is_led_alike(found, sentence):
        return found.start("old")
    after = names.at(found.start("new"))
    before = _ending(names, found.end("old"))
    return before.start if before and after and before.type is after.type else None


def _is_led_alike(found: re.Match[str], sentence: Sentence) -> bool:
    """Whether two nouns with capitals stand behind the same preposition: "bei der Post, sorry, bei der Bahn"."""
    lead = _LEAD.search(sentence.folded, sentence.span.start, found.start("old"))
    is_written = all(sentence.content[found.start(name)].isupper() for name in ("old", "new"))
    return lead is not None and is_written and lead[0].split()[0] == found["lead"]


def _ending(names: Names, end: int) -> NamedSpan | None:
    return next((each for each in names.within(max(0, end - 60), end) if each.end == end), None)


def _blanked(sentence: Sentence, start: int, end: int) -> Sentence:
    folded = sentence.folded[:start] + " " * (end - start) + sentence.folded[end:]
    return replace(sentence, folded=folded)
