"""How much of a medicine is taken in English: "sertraline today, 50 mg", "levothyroxine went up to 75 mcg". Pure."""

from __future__ import annotations

import re

from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.english.changes.told import places
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.objects import is_medicine_word

_DOSE = r"\d[\d.,]*\s?(?:mg|mcg|µg|ug|micrograms?|milligrams?|units?)(?!\w)"
_BEHIND = re.compile(rf"[^\W\d_](?:,|;| -|:| \() ?(?P<dose>{_DOSE})(?!,? (?:of )?[^\W\d_]{{6,}})")
_BEFORE = re.compile(
    rf"(?<![\d.,-])(?P<dose>{_DOSE}) (?:of )?(?P<medicine>[^\W\d_][\w-]{{3,30}}(?:(?<=vitamin) [a-k]\d*(?!\w))?)"
)
_CHANGED = re.compile(rf"(?<!\w)to (?P<dose>{_DOSE})(?! (?:of )?[^\W\d_]{{6,}})")
_CHANGE = re.compile(
    r"(?<!\w)(?:(?:went|gone|going|put|bumped|moved|taken|took|brought|came|come|turned|stepped)"
    r" (?:.{1,40} )?(?:up|down)|upped|raised|increased|doubled|lowered|reduced|cut|dropped|tapered|adjusted|changed)"
    r"(?!\w)"
)
_IS = re.compile(
    r"(?<!\w)(?:my |the )?(?P<medicine>[^\W\d_][\w-]{3,30})(?: dos(?:e|age))?(?: is|'s)"
    rf" (?:(?:now|currently|up to|at) ){{0,2}}(?P<dose>{_DOSE})"
)
_WORD = re.compile(r"[^\W\d_][\w-]{3,30}")
_OTHERS = re.compile(r"(?:'s|(?<!\w)(?:his|her|their)) (?:\w+ )?$")
_FAR = 40
_IT = re.compile(r"(?<!\w)(?:it|dose|dosage|that|me)(?!\w)")


def read_doses(said: Said) -> None:
    """Read how much is taken of a medicine, and how much of it from now on."""
    text = said.sentence.text
    _beside(said, text)
    _noted(said, text)
    _changed(said, text)


def _beside(said: Said, text: str) -> None:
    """Read "50 mg of sertraline" and "sertraline in the morning, 50 mg"."""
    for found in _BEFORE.finditer(text):
        before = text[: found.start()].split()[-1:]
        is_listed = "of" not in found[0].split() and any(is_medicine_word(word.strip(",;:")) for word in before)
        if is_medicine_word(found["medicine"].split()[0]) and not is_listed:
            _claim(said, found, _written(said, found.span("medicine")), Action.HOLDS)
    for found in _BEHIND.finditer(text):
        named = list(_WORD.finditer(text, max(0, found.start() - _FAR), found.start() + 1))
        medicine = next((word for word in reversed(named) if is_medicine_word(word[0])), None)
        is_near = medicine is not None and not any(mark in text[medicine.end() : found.start()] for mark in ",.;:")
        if medicine is not None and is_near and medicine.end() <= found.start():
            _claim(said, found, _written(said, medicine.span()), Action.HOLDS)


def _noted(said: Said, text: str) -> None:
    """Read "citalopram is now 30 mg" and "my dose is 75 mcg"."""
    for found in _IS.finditer(text):
        is_dose = found["medicine"] in ("dose", "dosage") and found[0].startswith(("my", "the"))
        of_what = _latest(said) if is_dose else ""
        if is_medicine_word(found["medicine"]) and not _OTHERS.search(text[: found.start("medicine")]):
            of_what = _written(said, found.span("medicine"))
        if of_what:
            _claim(said, found, of_what, Action.HOLDS)


def _changed(said: Said, text: str) -> None:
    """Read "put the sertraline up to 100 mg" and "it went up to 75 mcg"."""
    for found in _CHANGED.finditer(text):
        change = next(iter(_CHANGE.finditer(text, 0, found.start())), None)
        named = [word for word in _WORD.finditer(text, 0, found.start()) if is_medicine_word(word[0])]
        if change is None or (named and _OTHERS.search(text[: named[-1].start()])):
            continue
        of_what = _written(said, named[-1].span()) if named else _latest(said) if _IT.search(text) else ""
        if of_what:
            _claim(said, found, of_what, Action.BEGINS)


def _written(said: Said, span: tuple[int, int]) -> str:
    offset = said.sentence.span.start
    return said.message.content[offset + span[0] : offset + span[1]]


def _latest(said: Said) -> str:
    """Name the medicine that was last told to be taken; empty where it is not the speaker's."""
    claims = [claim for _, claim in said.message.spoken.claims if claim.predicate == "takes"]
    return claims[-1].object if claims and claims[-1].subject == said.message.speaker else ""


def _claim(said: Said, found: re.Match[str], medicine: str, action: Action) -> None:
    first, place = places(said, found)
    span = said.window(min(first, len(said.tokens) - 1), min(place, len(said.tokens) - 1))
    if said.is_said(span):
        times = said.times(span) if action is Action.BEGINS else Times()
        said.claim(medicine, "has_dose", _written(said, found.span("dose")), action, times, span)
