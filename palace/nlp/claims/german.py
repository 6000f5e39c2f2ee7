"""Claims of German sentences, by patterns: verbs with the prepositions of their objects, kin by name. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from palace.models import Span
from palace.models.claims import Action, EntityType, NamedSpan
from palace.nlp.claims.kinds import gender_of, is_job, words
from palace.nlp.claims.message import Aspect, Message, Party, Tense, acted
from palace.nlp.claims.people import Context, claim_named, meant_by
from palace.nlp.claims.sentence import HIDDEN, Sentence
from palace.nlp.claims.words import is_medicine_word
from palace.nlp.rules import Rules, late
from palace.nlp.time.clause import Times, times_of

_RULES = Rules("claims", "german.toml")
_ASPECTS = {"state": Aspect.STATE, "begin": Aspect.BEGIN, "end": Aspect.END, "thing": Aspect.STATE}
_KIN = late(r"(?<!\w)(?:mein|unser|my|our)(?:e[nmrs]?)? (?:\w+ ){0,1}?(?P<noun>[\w-]+)")
_NOUN = late(r"[A-ZÄÖÜ][\wäöüß-]*(?: [A-ZÄÖÜ0-9][\wäöüß-]*)*")
_ANY_WORD = late(r"[\wäöüß-]+")
_LED = r"(?<!\w)(?:in|im|bei|beim|von|vom|mit|nach|für|an|am|auf|aus|zu|zum|zur)"
_VALUE = late(r"[€$]?\s?\d[\d.,]*(?: ?(?:euro|€|franken|stutz))?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A German verb pattern, with the claim that it makes."""

    present: re.Pattern[str]
    past: re.Pattern[str]
    before: tuple[str, ...]
    kind: str
    predicate: str
    does: str
    is_mine: bool
    """Whether the claim is about the speaker ("mir"), though another person is the subject."""


@cache
def entries() -> tuple[tuple[str, Entry], ...]:
    """Load the entries of the data, each with its example."""
    found = []
    for example, written in _RULES.table("says").items():
        present, past, before, kind, says = _parts(written)
        predicate, does, *mine = says.split()
        now, then = (re.compile(rf"(?<!\w)(?:{each})(?!\w)" if each != "-" else "(?!)") for each in (present, past))
        found.append((example, Entry(now, then, tuple(before.split("/")), kind, predicate, does, bool(mine))))
    return tuple(found)


def _parts(written: str) -> list[str]:
    """Split an entry at the bars that have a space on either side."""
    return [each.strip() for each in re.split(r" \| |(?<= )\|(?= )", written)]


def is_german(text: str, language: str | None) -> bool:
    """Check whether a folded sentence is German by its function words; the message's language decides a tie."""
    german, english = len(_RULES["spoken"].findall(text)), len(_RULES["english"].findall(text))
    return german > english or (language == "de" and german >= english)


def read_german(sentence: Sentence, message: Message, number: int) -> None:
    """Add the claims of a German sentence to its message."""
    is_open = sentence.is_asked or _RULES.pattern("open").search(sentence.text) is not None
    party = Context(message, number, (), sentence.span).speaker
    for span in _clauses(sentence):
        context = Context(message, number, (), span)
        text = sentence.folded[span.start : span.end]
        somebody, subject = _kin(context, sentence), _subject(context, text)
        party = (None if re.search(r"(?<!\w)(?:ich|wir)(?!\w)", text) else somebody) or subject or party
        if not is_open and HIDDEN not in text:
            _read(context, sentence, party)


def _clauses(sentence: Sentence) -> Iterator[Span]:
    start = sentence.span.start
    for found in _RULES.pattern("cut").finditer(sentence.folded, start, sentence.span.end):
        yield Span(start, found.start())
        start = found.end()
    yield Span(start, sentence.span.end)


def _kin(context: Context, sentence: Sentence) -> Party | None:
    """Claim the names of kin and animals ("meine Schwester Anna"), and return the one that the clause is about."""
    message, span = context.message, context.span
    for found in _KIN.finditer(sentence.folded, span.start, span.end):
        noun = found["noun"]
        gender = gender_of(noun)
        if gender is None and noun not in words("animals"):
            continue
        linked = re.match(r" (?:heißt|heisst|ist) ", sentence.folded[found.end() : span.end])
        name = message.names.at(found.end() + (linked.end() if linked else 1))
        called = None
        if name is not None and name.type in (EntityType.PERSON, EntityType.ITEM):
            called = name.text
            claim_named(context, message.speaker, noun, called)
        elif found.start() - span.start < 3 and gender is not None:
            called = message.of_owner(message.speaker, noun)
        if called is not None:
            context.note(called, gender or "a", is_subject=True)
            return context.party(called, gender or "a")
    return None


def _subject(context: Context, text: str) -> Party | None:
    """Return the subject of a clause: the speaker, a name at its beginning, or the referent of "er" or "sie"."""
    start, end = context.span
    if _RULES.pattern("mine").search(text):
        return context.speaker
    first = context.message.names.within(start, min(end, start + 30))
    if first and first[0].start - start < 5 and first[0].type is EntityType.PERSON:
        context.note(first[0].text, "n", is_subject=True)
        return context.party(first[0].text, "n")
    pronoun = re.search(r"(?<!\w)(?:er|sie)(?!\w)", text)
    if pronoun is None:
        return None
    meant = meant_by("mna" if pronoun[0] == "er" else "fna", context)
    return context.party(meant or "", "n" if meant else "?")


def _read(context: Context, sentence: Sentence, party: Party) -> None:
    message, span = context.message, context.span
    text = sentence.folded[span.start : span.end]
    is_ended = _RULES.pattern("ended").search(text) is not None
    is_denied = _RULES.pattern("denied").search(text) is not None and not is_ended
    for _, entry in entries():
        past, present = entry.past.search(text), entry.present.search(text)
        is_doctor = entry.predicate == "takes" and re.search(rf"dr\.? {re.escape(party.text.lower())}", text)
        is_mine = bool(is_doctor or (entry.is_mine and re.search(r"(?<!\w)mir(?!\w)", text)))
        who = message.speaker if is_mine else party.text
        is_of_a_thing = entry.predicate == "lives_in" and _RULES.pattern("moved_things").search(text)
        if is_of_a_thing or not (past or present) or not who or (is_denied and entry.predicate != "likes"):
            continue
        if who == message.speaker and not _is_own(text, past or present, is_mine=is_mine):
            continue
        times, blanked = times_of(text, message.now, ahead=not past)
        action = _action(entry, times, is_past=past is not None, is_ended=is_ended)
        if entry.kind == "job" and not entry.before[0] and past is None and present is not None:
            blanked = " " * present.end() + blanked[present.end() :]
        for obj in _objects(entry, blanked, context, sentence, party) if action is not None else ():
            predicate = "dislikes" if is_denied else entry.predicate
            context.claim(who, predicate, obj, action or Action.HOLDS, times, span)


def _is_own(text: str, verb: re.Match[str] | None, *, is_mine: bool) -> bool:
    """Check whether a clause is about its speaker: by a pronoun, or else by a verb in the first person."""
    if is_mine or _RULES.pattern("mine").search(text) or verb is None:
        return True
    # "Meine Eltern wohnen in Kiel" has neither; "Wohne jetzt in Kiel" begins with its verb.
    return _RULES.pattern("own").match(text) is not None and not re.search(r"(?<!\w)(?:hat|ist|wird|\w+t)$", verb[0])


def _action(entry: Entry, times: Times, *, is_past: bool, is_ended: bool) -> Action | None:
    if entry.predicate == "comes_from":
        return None if times.is_told else Action.HOLDS
    if entry.does == "event":
        return Action.HAPPENS if is_past and times.at is not None else None
    tense = Tense.PAST if is_past and not (entry.does == "state" and times.since and not times.until) else Tense.PRESENT
    if entry.does in ("state", "thing") and not is_past and times.start and times.is_ahead:
        tense = Tense.FUTURE
    return acted(_ASPECTS[entry.does], tense, times, is_ended=is_ended)


def _objects(entry: Entry, blanked: str, context: Context, sentence: Sentence, party: Party) -> Iterator[str]:
    """Return the objects of an entry: behind its preposition, or any that fits where it has none."""
    article = _RULES.table("article")
    for before in entry.before:
        lead = rf"(?<!\w){before} {article}" if before else rf"(?:(?<!\w){article}|^)"
        for found in re.finditer(lead, blanked):
            if not blanked[found.end() : found.end() + 1].strip():
                continue
            obj = _object_at(entry, context.span.start + found.end(), context, sentence)
            is_free = before or not re.search(rf"{_LED} {article}$", blanked[: found.end()])
            # "Eigentlich mag ich keinen Käse": an adverb at the beginning has a capital as well.
            is_free = is_free and not (found.end() == 0 and entry.kind == "liked")
            if obj and obj != party.text and is_free:
                yield obj
                if before or entry.kind not in ("language", "liked"):
                    return


def _object_at(entry: Entry, at: int, context: Context, sentence: Sentence) -> str | None:
    content, end = context.message.content, context.span.end
    name = context.message.names.at(at)
    if name is not None and name.end <= end:
        return name.text if _fits_name(entry.kind, name) else None
    if entry.kind == "value":
        value = _VALUE.match(sentence.folded, at, end)
        return content[value.start() : value.end()] if value else None
    word = _NOUN.match(content, at, end)
    if word is None and entry.kind in ("medicine", "language"):
        word = _ANY_WORD.match(content, at, end)
    return word[0] if word is not None and _fits_word(entry.kind, word[0].lower().split()) else None


def _fits_name(kind: str, name: NamedSpan) -> bool:
    is_medicine = is_medicine_word(name.text.lower())
    if kind == "medicine" or is_medicine:
        return kind == "medicine" and is_medicine
    return name.type in _RULES.table("types").get(kind, "").split()


def _fits_word(kind: str, lowers: list[str]) -> bool:
    last = lowers[-1]
    if kind == "job":
        return is_job(last)
    if kind == "medicine":
        return any(map(is_medicine_word, lowers))
    if kind in ("liked", "allergen"):
        return not _RULES["spoken"].fullmatch(last) and gender_of(last) is None and last not in words("pronounish")
    return any(last in words(each) for each in _RULES.table("lists").get(kind, "").split())
