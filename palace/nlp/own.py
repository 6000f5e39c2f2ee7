"""What of a message its writer says in their own words: nothing quoted, pasted, attached, handed over or played. Pure.

Who says a thing is the evidence for it. Where that is in doubt, words count as somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import Rules, late, rules
from palace.nlp.statements import is_request
from palace.nlp.words import STOP_WORDS, lowered

_RULES = rules("own", "layout")

LONGEST = 6000
"""Characters beyond which a message is a document."""
LONGEST_TYPED, SHORT = 2000, 300
"""Characters beyond which a message is long, and up to which a task in it says that somebody typed it."""
FEW = 2
"""Sentences that need nothing that tells who wrote them."""
LABEL, BEHIND = 80, 160
"""Characters before and behind a colon that are looked at."""
PASTED = 3
"""Lines of a program or of a log beside each other, from which on the lines between them are taken for some as well."""

_CUES = Rules("own", "cues.toml")
_FENCED = late(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARKED = late(r"(?m)^(?:[ \t]*>|\|| {4,}(?![-*•\d])|\t(?![-*•\d])|[ \t]*[$%] ).*$")
_TAGGED = late(r"<(\w[\w-]{0,40})>.{0,4000}?</\1>", re.DOTALL)
_OPENED = late(r"\s*(?:https?://\S+\s*$|-{3,}|={3,}|.{1,60}\d{1,2}:\d\d(?: ?[AP]M)?\s*$)|.*(?<![\w.])@[\w~./-]+[./]\w+")
"""A line behind which a page, a chat or a file stands: an address, a rule, who speaks and when, ``@notes.md``."""
_HEADING = late(r"\s*#{1,6}\s+(.*)")
_COLON = late(r":(?=\s|$)")
_SHEET = late(r"\s*[^\s:.!?][^:.!?\n]{0,30}:\s+\S")
_BEHIND = late(r"(?:[^.!?]*[.!?]*){0,2}")
_CLAUSE = late(r"[.!?;]\s+|\s[–—-]\s+|[(\[]|(?<!\w),\s")
_SENTENCE = late(r"(?<=[.!?…:])\s+|\n+")
_WORD = late(r"[^\W\d_][\w'’-]*")
_BULLET = late(r"(?m)^\s*(?:[-*•]|\d{1,2}[.)])\s")


def own_words(text: str) -> str:
    """Return a message with blanks for what the person does not say themselves; every character stays in its place.

    Left out is what ``speech_of`` leaves out, what stands in quotation marks and has more than a word, and of a longer
    text what nothing tells that the person typed: no "I", "you" or "please". Of more than 2,000 characters nothing is
    left.
    """
    if len(text) > LONGEST_TYPED:
        return _blank(text)
    own = _unquoted(speech_of(text, in_doubt=False))
    sentences = [each for each in _SENTENCE.split(own) if each.strip()]
    if len(sentences) <= FEW or own[:1].islower():
        return own
    if len(own) <= SHORT:
        return own if _is_typed(own) or any(map(is_request, sentences)) else _blank(own)
    return "\n\n".join(part if _is_typed(part) else _blank(part) for part in own.split("\n\n"))


def speech_of(text: str, *, in_doubt: bool = True) -> str:
    """Return a message with blanks for what its writer passes on; every character stays in its place.

    Left out are code, what stands behind ``>``, ``|`` or ``$``, what is indented, what programs print, letters, chats,
    what stands behind a colon that leads to nothing of their own, and all of a text that is to be worked on or judged,
    or that is a game or a joke. ``in_doubt``, what stands behind a colon is left where nobody speaks of themselves in
    it. Of more than 6,000 characters nothing is left.
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
    """Tell whether a message asks for a text to be written, so that its "I" may be anybody."""
    return _CUES.pattern("written").search(lowered(text[:2000])) is not None


def begins_a_game(text: str) -> bool:
    """Tell whether somebody plays a part from this message on."""
    return _CUES.pattern("played").search(lowered(text[:2000])) is not None


def _is_handed(text: str) -> bool:
    """Tell whether a text is handed over as a whole, or meant by nobody; an instruction for such texts is none."""
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
    """Leave out what stands behind the lines and the labels that lead to somebody else's words."""
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
    """Find the places of the colons of a line behind which somebody else's words stand."""
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
    """Tell whether a label leads to what its writer says: "Update", "Rules for this repo", "I have three cats"."""
    if _CUES.pattern("stated").match(lowered(label)):
        return not _names_material(label)
    words = [word.replace("’", "'").lower() for word in _WORD.findall(label)]
    known = _CUES.words("labels")
    return not words or (not known.isdisjoint(words) and all(word in known or word in STOP_WORDS for word in words))


def _names_material(label: str) -> bool:
    return _CUES.pattern("material").search(lowered(label)) is not None


def _is_typed(part: str) -> bool:
    """Tell whether something in a paragraph says that a person typed it."""
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
