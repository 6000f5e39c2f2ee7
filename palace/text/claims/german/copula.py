"""What is claimed with "sein" and "heißen": names, jobs, kin, membership, values. Pure."""

from __future__ import annotations

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, acted
from palace.text.claims.english.objects import Complement
from palace.text.claims.german.clause import German
from palace.text.claims.german.lexicon.nouns import (
    PROPERTIES,
    is_calling,
    is_doing,
    is_owned,
    is_plural,
    person_noun,
)
from palace.text.claims.german.lexicon.words import grammar
from palace.text.claims.german.objects import fits, is_model, is_written_so, trimmed
from palace.text.claims.german.people import names_behind, noun_at, noun_place, owner_of, tell_of
from palace.text.claims.kinds import kin, roles, words
from palace.text.claims.people import name_at
from palace.text.claims.phrases import phrase_at
from palace.text.claims.tokens import Token

_OWN = ("mein", "unser")
_FORMER = frozenset(
    [
        "gelernte",
        "gelernter",
        "ehemalige",
        "ehemaliger",
        "studierte",
        "studierter",
        "angehende",
        "angehender",
        "frühere",
    ]
)


def read_named(clause: German) -> None:
    """Read "meine Schwester heißt Anna", "unsere Kinder heißen Jonte und Malin", "die heißt jetzt Smilla"."""
    message, tokens = clause.message, clause.rest
    noun = noun_place(clause.subject)
    if noun is not None:
        owner = owner_of(clause.subject, noun, message, clause.where.sentence)
        names = list(names_behind([clause.subject[noun], *tokens], 0, message))
        is_many = is_plural(clause.subject[noun].text)
        for name in names if is_many else names[:1]:
            if owner is not None:
                tell_of(clause.where, owner, noun_at(clause.subject, noun), name, is_only=not is_many)
        if names:
            return
    text = _name_told(clause)
    if not text:
        return
    if (
        clause.party.text.startswith("my ")
        and (kind := clause.party.text.removeprefix("my ")) in kin().keys() | roles().keys()
    ):
        tell_of(clause.where, message.speaker, kind, text)
        return
    is_owned_so = message.spoken.owned(clause.party.text)
    if not message.name(clause.party.text, text):
        clause.claim(clause.party.text, "called", text, Action.HOLDS, Times())
        if is_owned_so:
            clause.claim(message.speaker, "owns", text, Action.HOLDS, Times())
    if clause.party.text != message.speaker:
        clause.note(text, clause.party.gender, is_subject=True)


def _name_told(clause: German) -> str:
    message, tokens = clause.message, clause.rest
    name = name_at(tokens, 0, message)
    if name is not None:
        return name[0]
    phrase = phrase_at(tokens, 0, message.content, message.names, grammar())
    if phrase is None or phrase.owner:
        return ""
    phrase = trimmed(phrase, tokens, message.content, message.names)
    return phrase.text if len(phrase.tokens) <= 3 else ""


def read_valued(clause: German) -> bool:
    """Read "die Miete ist 1.200 Euro", "mein Geburtstag ist am 3. März"; tell whether it is such a value."""
    subject, message = clause.subject, clause.message
    word = subject[-1].text if subject else ""
    noun = PROPERTIES.get(word)
    is_mine = bool(subject) and subject[0].text.startswith(_OWN)
    if not subject or len(subject) > 3:
        return False
    if noun is None:
        return _is_code(clause, word)
    if not is_mine and noun != "rent":
        return False
    if noun in ("birthday", "anniversary"):
        told = message.content[subject[-1].end : clause.where.span.end].split(" ist ")[-1].strip(" .,;!\n")
        text = told.removeprefix("am ").removeprefix("der ")
    else:
        text = _value(clause)
    if (
        text
        and len(text) < 40
        and (any(letter.isdigit() for letter in text) or noun in ("star_sign", "surname", "password"))
    ):
        times = clause.times if noun == "rent" else Times()
        action = Action.BEGINS if times.start is not None else Action.HOLDS
        clause.claim(message.speaker, f"has_{noun}", text, action, times)
    return True


def _value(clause: German) -> str:
    for each in clause.behind:
        is_told = each.phrase.is_value and (each.before in ("", "auf", "bei") or clause.verb == "erhöhen")
        if is_told:
            return each.phrase.text
    first = next((token for token in clause.rest if not token.is_mark), None)
    if first is not None and clause.subject[-1].text == "passwort":
        return clause.message.content[first.start : first.end]
    return ""


def _is_code(clause: German, word: str) -> bool:
    """Read "das WLAN-Passwort ist …", which is a thing's value and nobody's."""
    if not word.endswith(("passwort", "code", "pin", "nummer")) or clause.verb != "sein" or not clause.rest:
        return False
    first = clause.rest[0]
    text = clause.message.content[first.start : clause.where.span.end].split()[0].rstrip(".,;")
    if any(letter.isdigit() for letter in text):
        clause.claim(clause.party.text, "is", text, Action.HOLDS, Times())
    return True


def read_being(clause: German) -> None:
    """Read jobs, marriage, membership, allergies, prices, kin, and whom one is with."""
    action = acted(Aspect.STATE, clause.tense, clause.times, is_ended=clause.is_ended)
    if read_valued(clause) or action is None or not clause.rest:
        return
    if "geboren" in clause.texts or _is_introduced(clause, action):
        return
    behind = clause.behind
    for each in behind:
        if clause.party.gender != "t":
            _is_so(clause, each, action)
    if clause.party.gender in ("t", "a") or not behind:
        return
    first = next((each for each in behind if each.before in ("", "als") and _is_job(each)), None)
    if first is not None and first.phrase.owner in ("", "ein", "eine", "ne", "n") and not _FORMER & clause.texts:
        clause.claim(clause.party.text, "works_as", first.phrase.text, action)
        for each in behind:
            is_firm = each.before in ("bei", "an") and fits(each.phrase, "firm")
            if is_firm or (each.before in ("in", "auf") and fits(each.phrase, "named_firm")):
                clause.claim(clause.party.text, "works_at", each.phrase.text, action)
                return


def _is_job(each: Complement) -> bool:
    """Whether it is what somebody does for a living: a known job, or what may be one where it has no article."""
    phrase = each.phrase
    is_bare = not phrase.owner and phrase.name is None and len(phrase.tokens) == 1 and phrase.tokens[0].is_upper
    return fits(phrase, "job") or (is_bare and is_calling(phrase.head))


def _is_introduced(clause: German, action: Action) -> bool:
    """Read "meine Zahnärztin ist Frau Dr. Lindner", "mein Arbeitgeber ist die Allianz"; tell whether it is such."""
    noun = noun_place(clause.subject)
    if noun is not None:
        named = _person_told(clause) if action is Action.HOLDS else None
        owner = owner_of(clause.subject, noun, clause.message, clause.where.sentence)
        if named and owner is not None:
            tell_of(clause.where, owner, noun_at(clause.subject, noun), named)
        return bool(named) and owner is not None
    if not clause.subject or not clause.subject[0].text.startswith(_OWN) or not clause.behind:
        return False
    predicate = _introduced_as(clause.subject[-1].text, clause.behind[0])
    if predicate is not None:
        clause.claim(clause.message.speaker, predicate, clause.behind[0].phrase.text, action)
    return predicate is not None


def _introduced_as(word: str, each: Complement) -> str | None:
    """Say what the speaker is to what they call their employer, their job, their car."""
    phrase = each.phrase
    if word.endswith(("arbeitgeber", "firma")) and fits(phrase, "firm"):
        return "works_at"
    if word == "beruf" and is_written_so(phrase):
        return "works_as"
    if word.startswith("lieblings") and each.before == "" and not phrase.is_value:
        return "likes"
    is_called = phrase.owner in ("ein", "eine", "der", "die", "das", "") and each.before == ""
    return "owns" if is_owned(word) and is_called and is_model(phrase) else None


def _person_told(clause: German) -> str | None:
    tokens: list[Token] = [token for token in clause.rest if token.text not in ("die", "der")]
    if not tokens or any(fits(each.phrase, "job") for each in clause.behind[:1] if each.before == ""):
        return None
    placeholder = [clause.subject[-1], *tokens]
    found = next(names_behind(placeholder, 0, clause.message), None)
    is_named = clause.message.names.at(tokens[0].start) is not None or len(tokens) <= 3
    return found if is_named else None


def _is_so(clause: German, each: Complement, action: Action) -> None:
    """Read what one noun phrase beside "sein" claims of somebody."""
    party, phrase = clause.party, each.phrase
    is_there = each.before in ("in", "an", "auf") and action is Action.WAS and fits(phrase, "sight")
    predicate = _being_with(clause, each)
    if is_there and {"vorher", "früher", "davor"} & clause.texts:
        clause.claim(party.text, "lives_in", phrase.text, Action.WAS)
    elif is_there and (clause.times.start is not None or _is_visit(clause, each)):
        clause.claim(party.text, "visited", phrase.text, Action.HAPPENS)
    elif predicate is not None:
        clause.claim(party.text, predicate, phrase.text, action)
    elif each.before in ("bei", "an") and fits(phrase, "firm"):
        _with_firm(clause, phrase.text, action, is_sport=is_doing(phrase.head))
    elif each.before == "in" and fits(phrase, "club") and clause.times.since and action is Action.HOLDS:
        clause.claim(party.text, "member_of", phrase.text, action)
    elif phrase.owner.startswith(_OWN) and (noun := person_noun(phrase.head)) and action is Action.HOLDS:
        _is_kin(clause, noun)


def _is_visit(clause: German, each: Complement) -> bool:
    """Whether the speaker only says to have been in a town or a country: "ich war in Lissabon"."""
    name = each.phrase.name
    is_town = name is not None and name.type is EntityType.PLACE and not each.phrase.owner and each.before == "in"
    is_all = all(other.before in ("in", "mit") or _is_at_somebodys(other) for other in clause.behind)
    return is_town and is_all and clause.party.text == clause.message.speaker and not clause.is_denied


def _is_at_somebodys(each: Complement) -> bool:
    """Whether it says with whom: "bei Tante Inge", "zu Besuch"."""
    nouns = [token.text for token in each.phrase.tokens]
    is_person = each.before == "bei" and (
        fits(each.phrase, "person") or any(person_noun(noun) in kin() for noun in nouns)
    )
    return is_person or (each.before == "zu" and each.phrase.head == "besuch")


def _being_with(clause: German, each: Complement) -> str | None:
    """Say what an adjective with its preposition claims: "allergisch gegen", "verheiratet mit"."""
    phrase, texts = each.phrase, clause.texts
    if "allergisch" in texts and each.before in ("auf", "gegen"):
        return "allergic_to"
    if each.before == "mit" and fits(phrase, "person") and {"verheiratet", "zusammen"} & texts:
        return "married_to" if "verheiratet" in texts else "partner_of"
    is_group = each.before in ("in", "bei") and (fits(phrase, "firm") or fits(phrase, "group"))
    return "member_of" if "mitglied" in texts and is_group else None


def _is_kin(clause: German, noun: str) -> None:
    """Read "Anna ist meine Schwester"."""
    message = clause.message
    if noun in kin() or noun in roles() or noun in words("animals"):
        tell_of(clause.where, message.speaker, noun, clause.party.text)


def _with_firm(clause: German, text: str, action: Action, *, is_sport: bool) -> None:
    party, texts = clause.party, clause.texts
    if is_sport:
        clause.claim(party.text, "does", text, action)
    elif "angestellt" in texts or "beschäftigt" in texts or "tätig" in texts:
        clause.claim(party.text, "works_at", text, Action.BEGINS if clause.times.since else action)
    elif clause.times.since is not None and action is Action.HOLDS:
        clause.claim(party.text, "works_at", text, Action.BEGINS)
