"""The writer's own words of a message, without quoted, pasted or attached text, material for a task and games. Pure.

Only the person's own statements are evidence about them. In doubt, words count as another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.instructions import says_how_to_answer
from palace.nlp.rules import Rules, late, rules
from palace.nlp.statements import is_request
from palace.nlp.words import STOP_WORDS, lowered

_RULES = rules("own", "layout")

LONGEST = 6000
"""Most characters of a message; a longer one is a document."""
LONGEST_TYPED, SHORT = 2000, 300
"""Most characters of a typed message, and of one that a request alone shows to be typed."""
FEW = 2
"""Most sentences of a message that needs no evidence that the person typed it."""
LABEL, BEHIND = 80, 160
"""Characters read before and behind a colon."""
PASTED = 3
"""Fewest lines of program or log output at which all lines between them count as output too."""

_CUES = Rules("own", "cues.toml")
_FENCED = late(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARKED = late(r"(?m)^(?:[ \t]*>|\|| {4,}(?![-*•\d])|\t(?![-*•\d])|[ \t]*[$%] ).*$")
_TAGGED = late(r"<(\w[\w-]{0,40})>.{0,4000}?</\1>", re.DOTALL)
_OPENED = late(r"\s*(?:https?://\S+\s*$|-{3,}|={3,}|.{1,60}\d{1,2}:\d\d(?: ?[AP]M)?\s*$)|.*(?<![\w.])@[\w~./-]+[./]\w+")
"""A line that a pasted page, chat or file follows: a URL, a rule, a speaker with a time, ``@notes.md``."""
_HEADING = late(r"\s*#{1,6}\s+(.*)")
_COLON = late(r":(?=\s|$)")
_SHEET = late(r"\s*[^\s:.!?][^:.!?\n]{0,30}:\s+\S")
_BEHIND = late(r"(?:[^.!?]*[.!?]*){0,2}")
_CLAUSE = late(r"[.!?;]\s+|\s[–—-]\s+|[(\[]|(?<!\w),\s")
_SENTENCE = late(r"(?<=[.!?…:])\s+|\n+")
_WORD = late(r"[^\W\d_][\w'’-]*")
_BULLET = late(r"(?m)^\s*(?:[-*•]|\d{1,2}[.)])\s")


def own_words(text: str) -> str:
    """Return a message with blanks for everything but the person's own words; offsets stay the same.

    Blank is what ``speech_of`` blanks, quotations of more than a word, and in a longer text each paragraph without a
    sign that the person typed it ("I", "you", "please", and in a short one a request, or how to answer). Of more than
    2,000 characters nothing is left.
    """
    return _blank(text) if len(text) > LONGEST_TYPED else _typed(text)


def _typed(text: str) -> str:
    own = _unquoted(speech_of(text, in_doubt=False))
    sentences = [each for each in _SENTENCE.split(own) if each.strip()]
    if len(sentences) <= FEW or own[:1].islower():
        return own
    if len(own) <= SHORT:
        is_addressed = any(is_request(each) or says_how_to_answer(each) for each in sentences)
        return own if is_addressed or _is_typed(own) else _blank(own)
    return "\n\n".join(part if _is_typed(part) else _blank(part) for part in own.split("\n\n"))


def speech_of(text: str, *, in_doubt: bool = True) -> str:
    """Return a message with blanks for text that its writer passes on; offsets stay the same.

    Blank are code, lines behind ``>``, ``|`` or ``$``, indented lines, program output, letters, chats, text behind a
    colon whose label is not the writer's own, and all of a text that is to be edited or judged, or that is a game or a
    joke. With ``in_doubt``, text behind a colon stays unless it is in the first person or its label names material. Of
    more than 6,000 characters nothing is left.
    """
    if len(text) > LONGEST:
        return _blank(text)
    for pattern in (_FENCED, _TAGGED, _MARKED):
        text = pattern.sub(lambda found: _blank(found[0]), text)
    text = _without_printed(text)
    if _is_handed(_unquoted(lowered(text))):
        return _blank(text)
    return _without_pasted(text, in_doubt)


def is_written(text: str) -> bool:
    """Check whether a message asks for a text to be written, so that its "I" need not be the person."""
    return _CUES.pattern("written").search(lowered(text[:2000])) is not None


def begins_a_game(text: str) -> bool:
    """Check whether a role-play begins with this message."""
    return _CUES.pattern("played").search(lowered(text[:2000])) is not None


def _is_handed(text: str) -> bool:
    """Check whether a whole text is material or a game; a standing instruction about such texts is not."""
    if any(_CUES.pattern(cue).search(text) for cue in ("played", "greeting", "signed")):
        return True
    starts = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text) + 1]
    for found in _CUES.pattern("handed").finditer(text):
        before = max(start for start in starts if start <= found.start())
        after = min(start for start in starts if start > found.start())
        if not _CUES.pattern("standing").search(text, before, after):
            return True
    return False


def _without_pasted(text: str, in_doubt: bool) -> str:
    """Blank the text behind lines and labels that introduce another's words."""
    reported = _CUES.pattern("reported").search(lowered(text))
    if reported:
        text = text[: reported.start()] + _blank(text[reported.start() :])
    lines = text.split("\n")
    is_sheet = sum(any(_foreign(line, in_doubt)) for line in lines if _SHEET.match(line)) > 1
    hidden, is_all = False, False
    for number, line in enumerate(lines):
        hidden = is_all or (hidden and bool(line.strip()))
        end = 0 if hidden else len(line)
        if not hidden and (heading := _HEADING.match(line)):
            is_all = not _is_own(heading[1])
            end = 0 if is_all else end
        elif not hidden and (label := next(_foreign(line, in_doubt), None)) is not None:
            hidden, end = True, label
            is_all = is_sheet or not line[label + 1 :].strip() or _names_material(line[:label])
        elif not hidden and _OPENED.match(line):
            is_all = True
        lines[number] = line[:end] + _blank(line[end:])
    return "\n".join(lines)


def _foreign(line: str, in_doubt: bool) -> Iterator[int]:
    """Yield the offsets of the colons of a line that introduce another's words."""
    for colon in _COLON.finditer(line):
        label = _CLAUSE.split(line[max(0, colon.start() - LABEL) : colon.start()])[-1].strip()
        behind = line[colon.end() : colon.end() + BEHIND].strip()
        is_told = in_doubt and behind and not _names_material(label)
        stays = is_told and not _CUES.pattern("first_person").search(lowered(_beginning(behind)))
        if not stays and not _is_own(label):
            yield colon.start()


def _beginning(text: str) -> str:
    found = _BEHIND.match(text)
    return found[0] if found else ""


def _is_own(label: str) -> bool:
    """Check whether a label introduces the writer's own words: "Update", "Rules for this repo", "I have three cats"."""
    if _CUES.pattern("stated").match(lowered(label)):
        return not _names_material(label)
    words = [word.replace("’", "'").lower() for word in _WORD.findall(label)]
    known = _CUES.words("labels")
    return not words or (not known.isdisjoint(words) and all(word in known or word in STOP_WORDS for word in words))


def _names_material(label: str) -> bool:
    return _CUES.pattern("material").search(lowered(label)) is not None


def _is_typed(part: str) -> bool:
    """Check whether a paragraph has a sign that a person typed it."""
    return _BULLET.match(part) is not None or _CUES.pattern("typed").search(lowered(part)) is not None


def _without_printed(text: str) -> str:
    lines = text.split("\n")
    printed = [number for number, line in enumerate(lines) if line.strip() and _RULES["printed"].match(line)]
    if len(printed) >= PASTED:
        printed = list(range(printed[0], printed[-1] + 1))
    for number in printed:
        lines[number] = _blank(lines[number])
    return "\n".join(lines)


def _unquoted(text: str) -> str:
    return _RULES["quoted"].sub(lambda found: _blank(found[0]), text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
