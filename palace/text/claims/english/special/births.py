"""Children that are born in English, and by what they are called: "she had a boy, he's called Leif". Pure."""

from __future__ import annotations

import re

from palace.text.claims.drafts import Party
from palace.text.claims.english.clause import Clause
from palace.text.claims.people import name_at, tell_one
from palace.text.claims.phrases import Phrase

_CHILD = r"(?:baby|boy|girl|son|daughter|child|newborn)"
_BORN = re.compile(
    r"(?<!\w)(?:had|has had|have had|gave birth to|given birth to|welcomed|got|adopted|having|expecting)"
    rf" (?:the|a|her|his|their|our|my)(?: \w+)?? {_CHILD}(?!\w)"
)
_BOY = re.compile(r"(?<!\w)(?:boy|son)(?!\w)")
_GIRL = re.compile(r"(?<!\w)(?:girl|daughter)(?!\w)")
_KIN = {"boy": "son", "girl": "daughter", "baby": "child"}
_SPEAKER = re.compile(r"(?<!\w)(?:i|we|i've|we've|i have|we have)(?: just| finally| have)* $")
_CALLED = ("called", "named")


def read_born(clause: Clause, place: int) -> bool:
    """Read of a child that was told to be born by what it is called from there on; tell whether it is that."""
    subject, message = [token.text for token in clause.group.subject], clause.message
    is_called = subject in (["he"], ["she"], ["they"], ["it"]) and clause.text_at(place) in _CALLED
    is_name = subject in (["his", "name"], ["her", "name"])
    if not (is_called or is_name):
        return False
    before = message.content[: clause.span.start].lower().replace("’", "'")
    born = next(reversed(list(_BORN.finditer(before))), None)
    name = name_at(clause.tokens, place + is_called, message)
    if born is None or name is None:
        return False
    behind = before[born.start() :]
    noun = "son" if _BOY.search(behind) else "daughter" if _GIRL.search(behind) else "child"
    if noun != "child" and subject[0] in {"son": ("she", "her"), "daughter": ("he", "his")}[noun]:
        return False
    mother = _parent(clause, before[: born.start()])
    if mother:
        tell_one(clause, mother, noun, name[0])
    return True


def read_child(clause: Clause, party: Party, phrase: Phrase) -> bool:
    """Read "she had a boy called Leif"; tell whether it is that."""
    noun = _KIN.get(phrase.head)
    name = clause.name_behind(phrase) if noun and phrase.owner == "a" else None
    if noun and name:
        tell_one(clause, party.text, noun, name)
    return name is not None


def _parent(clause: Clause, before: str) -> str:
    """Name who had the child: who is named last before that is said, or the speaker."""
    if _SPEAKER.search(before):
        return clause.message.speaker
    parties = [each.text for each in clause.message.spoken.parties if each.gender in "fmn"]
    named = [(before.rfind(text.lower().removeprefix("my ")), text) for text in parties]
    return max(named, default=(-1, ""))[1] if any(place >= 0 for place, _text in named) else ""
