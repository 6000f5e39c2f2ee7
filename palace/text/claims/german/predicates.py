"""What is claimed by a German verb with its subject and objects. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, Tense, Use, acted
from palace.text.claims.english.objects import Complement
from palace.text.claims.german.clause import German
from palace.text.claims.german.copula import read_being, read_named, read_valued
from palace.text.claims.german.health import plain_medicine
from palace.text.claims.german.lexicon.nouns import is_doing, is_illness, is_owned, person_noun
from palace.text.claims.german.lexicon.uses import USES
from palace.text.claims.german.objects import fits
from palace.text.claims.german.people import tell
from palace.text.claims.kinds import gender_of, kin, words

_OWN = ("mein", "unser")
_OWNERS = ("ein", "eine", "einen", "meinen", "mein", "meine", "nen", "ne", "n", "unseren", "unser", "unsere", "den")
_MANY = frozenset(["takes", "speaks", "plays", "owns", "likes", "visited", "does", "dislikes", "prefers"])
_APPOINTED = (
    "termin",
    "prüfung",
    "operation",
    "op",
    "vorstellungsgespräch",
    "bewerbungsgespräch",
    "untersuchung",
    "hochzeit",
)


def read_death(clause: German) -> None:
    """Read of an animal that died: it is nobody's any longer."""
    is_animal = clause.party.gender == "a" or clause.message.spoken.owned(clause.party.text)
    if is_animal and clause.tense is Tense.PAST:
        clause.claim(clause.message.speaker, "owns", clause.party.text, Action.ENDS)


def read_origin(clause: German) -> None:
    """Read "ich komme aus Passau", "aufgewachsen bin ich in Görlitz", "in Izmir geboren"."""
    if clause.party.gender in ("t", "a") or (clause.verb == "kommen") != (clause.tense is Tense.PRESENT):
        return
    before = "aus" if clause.verb == "kommen" else "in"
    place = next((each.phrase for each in clause.behind if each.before == before and fits(each.phrase, "place")), None)
    if place is not None and clause.times.at is None:
        clause.claim(clause.party.text, "comes_from", place.text, Action.HOLDS, Times())


def read_clause(clause: German) -> None:
    """Read the claims of a clause."""
    clause.note(clause.party.text, clause.party.gender, is_subject=True)
    if clause.is_passive:
        _undergone(clause)
    else:
        _READERS.get(clause.verb, _uses)(clause)


def _uses(clause: German) -> None:
    behind = list(clause.behind)
    if clause.verb in ("kosten", "betragen", "steigen", "erhöhen") and read_valued(clause):
        return
    if clause.verb in ("fliegen", "fahren", "reisen", "verreisen"):
        _travels(clause, behind)
    for use in USES.get(clause.verb, ()):
        action = _action(clause, use)
        if action is None or (clause.party.gender == "t") != (use.predicate == "located_in"):
            continue
        for each in _objects(clause, use, behind):
            _claim_use(clause, use, each, action)
    if clause.verb == "bekommen":
        _born(clause)


def _born(clause: German) -> None:
    """Let pronouns mean the child, brother or dog without a name that somebody has."""
    for each in clause.behind:
        noun = person_noun(each.phrase.head)
        is_one = each.before == "" and noun in kin() and noun not in ("baby", "kind", "parents")
        if is_one and each.phrase.owner in ("ein", "eine", "einen", "ne", "nen") and noun is not None:
            clause.note(clause.message.of_owner(clause.party.text, noun), gender_of(noun) or "n")


def _action(clause: German, use: Use) -> Action | None:
    if clause.verb == "verschreiben" and clause.tense is Tense.PAST:
        return Action.BEGINS
    if use.before == "statt":
        return Action.ENDS
    action = acted(use.aspect, clause.tense, clause.times, is_ended=clause.is_ended)
    if use.aspect is Aspect.STATE and action is Action.HOLDS and clause.times.is_ahead:
        return Action.BEGINS
    return action


def _claim_use(clause: German, use: Use, each: Complement, action: Action) -> None:
    obj, party = each.phrase.text, clause.party.text
    if use.predicate in ("plays", "speaks") and each.phrase.name is None and len(each.phrase.tokens) > 1:
        last = each.phrase.tokens[-1]
        obj = clause.message.content[last.start : last.end]
    if use.predicate == "prefers" and action is Action.ENDS:
        action = Action.HOLDS
    is_cured = clause.verb == "absetzen" and clause.subject and clause.subject[0].text in ("dr.", "dr", "prof.")
    if clause.verb == "verschreiben" or is_cured:
        party = clause.message.speaker
        obj = plain_medicine(each)
    elif use.predicate == "takes":
        obj = plain_medicine(each)
    if use.predicate == "takes" and obj[:1].isdigit():
        return
    clause.claim(party, use.predicate, obj, action)
    if use.predicate == "owns" and obj:
        is_animal = person_noun(each.phrase.head) in words("animals")
        clause.note(obj, "a" if is_animal else "t")


def _objects(clause: German, use: Use, behind: list[Complement]) -> list[Complement]:
    places = use.before.split("|")
    is_fond = "liebsten" in clause.texts and "gern" in places
    fitting = [
        each
        for each in behind
        if (each.before in places or (is_fond and each.before == ""))
        and fits(each.phrase, use.wants)
        and not is_unlikely(clause, use, each)
    ]
    if (
        clause.verb == "lernen"
        and use.predicate == "studies"
        and any(fits(each.phrase, "instrument") for each in behind)
    ):
        return []
    return fitting if use.predicate in _MANY else fitting[:1]


def _undergone(clause: German) -> None:
    """Read "unser alter Passat ist verkauft", "mir wurde das Fahrrad geklaut", "die Miete wurde erhöht"."""
    if clause.tense is not Tense.PAST and clause.verb != "verkaufen":
        return
    if clause.verb in ("erhöhen", "senken"):
        read_valued(clause)
        return
    is_ours = bool(clause.subject) and clause.subject[0].text.startswith(_OWN)
    is_known = clause.message.spoken.owned(clause.party.text)
    is_lost = clause.verb in (
        "verkaufen",
        "stehlen",
        "klauen",
        "verschenken",
        "einschläfern",
        "verschrotten",
        "entsorgen",
        "verlieren",
        "überfahren",
    )
    if (
        clause.party.gender in ("t", "a", "n")
        and is_lost
        and (is_ours or is_known or "mir" in clause.texts or "uns" in clause.texts)
    ):
        clause.claim(clause.message.speaker, "owns", clause.party.text, Action.ENDS)


def _has(clause: German) -> None:
    """Read what somebody has: kin by name, things, animals, illnesses, appointments, and a job."""
    action = acted(Aspect.STATE, clause.tense, clause.times, is_ended=clause.is_ended)
    if action is None or clause.party.gender in ("t", "a"):
        return
    for place, token in enumerate(clause.rest):
        is_told = token.is_word and person_noun(token.text) is not None
        if (
            is_told
            and clause.rest[max(0, place - 1)].text not in ("von", "bei", "mit", "für")
            and tell(clause.where, clause.party.text, clause.rest, place)
        ):
            return
    _born(clause)
    for predicate, each in _had(clause):
        if predicate == "planned":
            clause.claim(clause.party.text, predicate, each.phrase.text, Action.HAPPENS)
        elif action is not Action.WAS or not each.phrase.owner.startswith(_OWN):
            clause.claim(clause.party.text, predicate, each.phrase.text, action)
        if predicate == "owns":
            is_animal = person_noun(each.phrase.head) in words("animals")
            clause.note(each.phrase.text, "a" if is_animal else "t")


def _is_long_had(clause: German, each: Complement) -> bool:
    """Whether something is had since a time that is told: "haben seit 2016 eine Parzelle"."""
    is_one = each.phrase.owner in ("ein", "eine", "einen", "ne", "nen")
    return clause.times.since is not None and is_one and fits(each.phrase, "goods") and not is_doing(each.phrase.head)


def _had(clause: German) -> Iterator[tuple[str, Complement]]:
    now = clause.message.now
    at = clause.times.at
    is_ahead = at is not None and now is not None and at.day >= now.date()
    for each in clause.behind:
        if each.before != "":
            continue
        if is_illness(each.phrase.head):
            yield "has", each
        elif is_ahead and each.phrase.head.endswith(_APPOINTED):
            yield "planned", each
        elif _is_possession(each) or _is_long_had(clause, each):
            yield "owns", each


def _is_possession(each: Complement) -> bool:
    phrase = each.phrase
    is_item = (
        phrase.name is not None
        and phrase.name.type is EntityType.ITEM
        and (phrase.owner != "" or is_owned(phrase.head))
    )
    if phrase.name is not None and phrase.name.type is EntityType.PERSON:
        return False
    is_kept = phrase.owner in _OWNERS or phrase.owner in ("", "zwei", "drei", "vier", "das", "die")
    return is_kept and not is_doing(phrase.head) and (is_item or is_owned(phrase.head))


def _travels(clause: German, behind: list[Complement]) -> None:
    drives = [each.phrase for each in behind if each.before == "" and each.phrase.is_named]
    for phrase in drives if clause.party.gender not in ("t", "a") and clause.tense is Tense.PRESENT else ():
        is_car = phrase.owner in _OWNERS and (
            phrase.name is None or phrase.name.type in (EntityType.ITEM, EntityType.ORGANISATION)
        )
        if (
            is_car
            and not person_noun(phrase.head)
            and not phrase.head.endswith(("bahn", "weg", "kurs", "tour", "runde", "kind"))
        ):
            clause.claim(clause.party.text, "owns", phrase.text, Action.HOLDS)
            clause.note(phrase.text, "t")
    now = clause.message.now
    if clause.times.at is None or now is None or clause.times.at.day < now.date() or clause.tense is Tense.PAST:
        return
    for each in behind:
        if each.before in ("nach", "in") and fits(each.phrase, "sight" if each.before == "in" else "place"):
            times = replace(clause.times, since=None)
            clause.claim(clause.party.text, "planned", f"{each.phrase.text} trip", Action.HAPPENS, times)


_READERS: dict[str, Callable[[German], None]] = {
    "heißen": read_named,
    "sein": read_being,
    "haben": _has,
    "sterben": read_death,
    **dict.fromkeys(("aufwachsen", "gebären", "kommen"), read_origin),
}


_MOVED = ("ziehen", "umziehen")
_HAVING = re.compile(r"habe?|hast|hat|haben|habt|hatten?")
_HOUSE = re.compile(
    r".*(?:schule|institut|universität|uni|klinik|klinikum|gymnasium|akademie|theater|oper|museum|lehrstuhl|fakultät"
    r"|zentrum|gericht|krankenhaus|spital|fh|tu|amt|flughafen|hof|haus|college|kolleg|bühne|seminar)"
)
"""Nouns of what somebody works at: "am Institut", while "am Parser" is what they work on."""


def is_unlikely(clause: German, use: Use, each: Complement) -> bool:
    """Tell whether an object is none of a use: nobody lives where they moved a server to, or works at a parser."""
    if use.predicate == "lives_in" and clause.verb in _MOVED:
        return any(_HAVING.fullmatch(text) for text in clause.texts)
    is_named = each.phrase.name is not None
    return (
        use.predicate == "works_at" and each.before == "an" and not is_named and not _HOUSE.fullmatch(each.phrase.head)
    )
