"""Claims of English notes that are no full sentences: "Bank: ING", "home now: Leeds". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from palace.models import Span
from palace.models.claims import Action, EntityType
from palace.nlp.claims.kinds import kin
from palace.nlp.claims.message import Message, draft
from palace.nlp.claims.sentence import HIDDEN, Sentence
from palace.nlp.claims.words import RULES, is_medicine_word
from palace.nlp.rules import Rules, late
from palace.nlp.time.clause import Times, times_of

_FRAGMENTS = Rules("claims", "fragments.toml")
_ACTIONS = {each.value: each for each in Action}
_SKIPPED = late(r"(?:\s|[:,(]|(?:the|a|an|with|mr|mrs|ms|dr|doctor)\.?\s)*")
_VALUE = late(r"[€£$]?\s?\d[\d.,]*(?<=\d)(?:\s?(?:€|£|\$|euros?|pounds|quid|k)(?!\w))?")
_WORD = late(r"[^\W\d_][\w'-]*")
_DONE = late(r"(?<!\w)(?:went|gave up|moved|left|took|found|got)(?!\w)")
_BREAK = late(r"[.;!?]\s")


@dataclass(frozen=True, slots=True)
class Fragment:
    """A pattern for a note, with the claim that it makes."""

    pattern: re.Pattern[str]
    kind: str
    predicate: str
    action: Action
    is_later: bool
    """Whether the day on which it begins stands behind it: "keys 1 July"."""


@cache
def fragments() -> tuple[Fragment, ...]:
    """Load the fragments of the data."""
    found = []
    for pattern, written in _FRAGMENTS.table("fragments").values():
        kind, predicate, does = (part.strip() for part in written.split("|"))
        compiled = re.compile(rf"(?:(?<![\w'])|(?=[.!?;,]))(?:{pattern})(?![^\W\d_])", re.MULTILINE)
        found.append(Fragment(compiled, kind, predicate, _ACTIONS[does.split()[0]], does.endswith("later")))
    return tuple(found)


def examples_of_fragments() -> Iterator[tuple[str, str]]:
    """Return an example of each fragment with the beginning of its predicate."""
    for example, (_, written) in _FRAGMENTS.table("fragments").items():
        yield example, written.split("|")[1].strip().removesuffix("noun")


def read_fragments(sentence: Sentence, message: Message) -> None:
    """Add the claims of a sentence's fragments to its message; a question has none."""
    if sentence.is_asked:
        return
    start, text = sentence.span.start, sentence.text
    for fragment in fragments():
        for found in fragment.pattern.finditer(text):
            before = max((each.end() for each in _BREAK.finditer(text, 0, found.start())), default=0)
            is_open = _FRAGMENTS["unsaid"].search(text, before, found.start()) or HIDDEN in text[before : found.end()]
            comma = max(before, text.rfind(",", 0, found.start()))
            others = message.names.within(start + comma, start + found.start())
            noun = found.groupdict().get("noun") or ""
            # "Brother" alone may be the make of a printer.
            is_kin = found[0].startswith(("my ", "our ")) or len(fragment.pattern.findall(sentence.folded)) > 1
            if is_open or (noun in kin() and not is_kin) or any(name.type is EntityType.PERSON for name in others):
                continue
            told = _object(fragment, message, start + found.end(), sentence)
            if told is not None:
                predicate = kin()[noun][0] if noun in kin() else fragment.predicate.replace("noun", noun)
                at = found.start() if fragment.action is Action.ENDS else before
                _claim(fragment, predicate, told, Span(start + at, sentence.span.end), message, sentence)


def _object(fragment: Fragment, message: Message, place: int, sentence: Sentence) -> str | None:
    """Read the object at an offset: a name of a fitting type, a number, a medicine or a capitalised word."""
    skipped = _SKIPPED.match(sentence.folded, place)
    at = skipped.end() if skipped else place
    found = (_VALUE if fragment.kind == "value" else _WORD).match(sentence.folded, at, sentence.span.end)
    # A name may begin with a title that was skipped: "Mr Hoekstra".
    names = (message.names.at(start) for start in (place, at, *range(place, at)))
    name = next((each for each in names if each is not None), None)
    if fragment.kind == "person" and name is not None and any(letter.isdigit() for letter in name.text):
        return None
    if fragment.kind not in ("value", "medicine") and name is not None:
        return name.text if name.type in _FRAGMENTS.table("types").get(fragment.kind, "").split() else None
    if found is None:
        return None
    is_fitting = {"value": True, "medicine": is_medicine_word(found[0]), "person": False}
    is_meant = is_fitting.get(fragment.kind, message.content[at].isupper())
    return message.content[found.start() : found.end()].strip() if is_meant else None


def _claim(fragment: Fragment, predicate: str, obj: str, span: Span, message: Message, sentence: Sentence) -> None:
    text = sentence.folded[span.start : span.end]
    if fragment.is_later:
        later = RULES.pattern("later_begin").search(text)
        text = text[later.end() : later.end() + 40] if later is not None else ""
    times, _ = times_of(text, message.now, ahead=_DONE.search(text) is None)
    action = fragment.action
    if fragment.is_later and times.at is None:
        return
    if action is Action.HOLDS and times.at is not None and times.since is None and predicate != "lives_in":
        action = Action.BEGINS
    if predicate == "lives_in" and action is Action.HOLDS:
        times = Times(since=times.at or times.since)
    message.claim(draft(message.speaker, predicate, obj, action, times, span))
