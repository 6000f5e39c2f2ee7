"""What is claimed by a German verb with its subject and objects. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, Tense, Use, acted
from palace.text.claims.english.objects import Complement
from palace.text.claims.german.clause import German
from palace.text.claims.german.copula import read_being, read_named, read_valued
from palace.text.claims.german.lexicon.nouns import is_counted, is_doing, is_illness, is_owned, person_noun
from palace.text.claims.german.lexicon.uses import USES
from palace.text.claims.german.objects import fits, is_price
from palace.text.claims.german.people import tell
from palace.text.claims.german.special.bonds import read_broken_up, read_left, read_parting, read_single
from palace.text.claims.german.special.health import plain_medicine
from palace.text.claims.german.special.posts import (
    read_broke,
    read_cancelled_membership,
    read_dismissal,
    read_dismissed,
    read_dropping_out,
    read_last_day,
    read_leaving_group,
    read_placed,
    read_running_out,
    read_staying,
    read_taken_on,
)
from palace.text.claims.german.special.unlikely import is_unlikely
from palace.text.claims.german.turns import (
    currency_told,
    lives_there,
    read_called_off,
    read_death,
    read_intolerance,
    read_origin,
    read_payment,
    read_put_down,
    read_weight,
)
from palace.text.claims.kinds import gender_of, kin, words

_OWN = ("mein", "unser")
_OWNERS = ("ein", "eine", "einen", "meinen", "mein", "meine", "nen", "ne", "n", "unseren", "unser", "unsere", "den")
_MANY = frozenset(["takes", "speaks", "plays", "owns", "likes", "visited", "does", "dislikes", "prefers"])
_POSITIONS = frozenset(
    ["job", "stelle", "festanstellung", "arbeitsstelle", "minijob", "nebenjob", "ausbildungsplatz", "zusage"]
)
_OF_THINGS = frozenset(["costs", "located_in"])
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
        if action is None or (clause.party.gender == "t") != (use.predicate in _OF_THINGS):
            continue
        for each in _objects(clause, use, behind):
            _claim_use(clause, use, each, action)
    if (
        clause.verb in ("wohnen", "leben")
        and "dort" in clause.texts
        and not any(each.before == "in" for each in behind)
    ):
        lives_there(clause)
    _priced(clause, behind)
    _took_job(clause, behind)
    _gave_up(clause, behind)
    if clause.verb == "bekommen":
        _born(clause)
    elif clause.verb == "verlassen" and clause.tense is Tense.PAST:
        _left(clause, behind)


def _born(clause: German) -> None:
    """Let pronouns mean the child, brother or dog without a name that somebody has."""
    for each in clause.behind:
        noun = person_noun(each.phrase.head)
        is_one = each.before == "" and noun in kin() and noun not in ("baby", "kind", "parents")
        if is_one and each.phrase.owner in ("ein", "eine", "einen", "ne", "nen") and noun is not None:
            clause.note(clause.message.of_owner(clause.party.text, noun), gender_of(noun) or "n")


def _took_job(clause: German, behind: list[Complement]) -> None:
    """Read "hat die Stelle in Straßburg bekommen, beim Europarat"."""
    if clause.verb not in ("bekommen", "annehmen", "antreten", "finden", "kriegen") or clause.tense is not Tense.PAST:
        return
    firm = next((each.phrase for each in behind if each.before in ("bei", "an") and fits(each.phrase, "firm")), None)
    if firm is not None and any(each.phrase.head in _POSITIONS and each.before == "" for each in behind):
        clause.claim(clause.party.text, "works_at", firm.text, Action.BEGINS)


def _gave_up(clause: German, behind: list[Complement]) -> None:
    """Read "ich trinke keinen Kaffee mehr"."""
    if not clause.is_ended or clause.verb not in ("trinken", "essen", "rauchen") or clause.tense is not Tense.PRESENT:
        return
    for each in behind[:1]:
        if each.before == "" and not each.phrase.is_value and each.phrase.tokens[-1].is_upper:
            clause.claim(clause.party.text, "does", each.phrase.text, Action.ENDS)


def _left(clause: German, behind: list[Complement]) -> None:
    """Read what one leaves that one was said to be of: "das Collegium Musicum habe ich verlassen"."""
    known = [claim for _, claim in clause.message.spoken.claims if claim.predicate in ("member_of", "works_at")]
    for each in behind:
        for claim in known:
            if each.before == "" and claim.object == each.phrase.text and claim.subject == clause.party.text:
                clause.claim(claim.subject, claim.predicate, claim.object, Action.ENDS)
                return


def _action(clause: German, use: Use) -> Action | None:
    if clause.verb == "verschreiben" and clause.tense is Tense.PAST:
        return Action.BEGINS
    if use.before == "statt":
        return Action.ENDS
    action = acted(use.aspect, clause.tense, clause.times, is_ended=clause.is_ended)
    if use.predicate == "costs" and action is not None:
        return Action.HOLDS
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
    if use.predicate == "costs" and obj.replace(".", "").replace(",", "").isdigit():
        obj = f"{obj} {currency_told(clause)}".rstrip()
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


def _priced(clause: German, behind: list[Complement]) -> None:
    if (
        clause.verb not in ("kaufen", "verkaufen", "holen", "gönnen", "zulegen", "anschaffen")
        or clause.tense is not Tense.PAST
    ):
        return
    price = next((each.phrase for each in behind if is_price(each.phrase) and each.before in ("", "für")), None)
    thing = next((each.phrase for each in behind if each.before == "" and fits(each.phrase, "sold")), None)
    thing = thing or next((each.phrase for each in behind if each.before == "" and fits(each.phrase, "goods")), None)
    if price is not None and thing is not None and price is not thing:
        clause.claim(thing.text, "costs", price.text, Action.HOLDS, Times())


def _undergone(clause: German) -> None:
    """Read "unser alter Passat ist verkauft", "mir wurde das Fahrrad geklaut", "die Miete wurde erhöht"."""
    if clause.tense is not Tense.PAST and clause.verb != "verkaufen":
        return
    if clause.verb in ("erhöhen", "senken"):
        read_valued(clause)
        return
    if clause.verb in ("nehmen", "annehmen", "einstellen", "übernehmen"):
        read_taken_on(clause)
    elif clause.verb == "entlassen":
        read_dismissed(clause)
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
    _counts(clause, action)
    for predicate, each in _had(clause):
        if predicate == "planned":
            clause.claim(clause.party.text, predicate, each.phrase.text, Action.HAPPENS)
        elif action is not Action.WAS or not each.phrase.owner.startswith(_OWN):
            clause.claim(clause.party.text, predicate, each.phrase.text, action)
        if predicate == "owns":
            is_animal = person_noun(each.phrase.head) in words("animals")
            clause.note(each.phrase.text, "a" if is_animal else "t")
    _employed(clause, action)


def _counts(clause: German, action: Action) -> None:
    """Read "hat drei Kinder"."""
    for place, token in enumerate(clause.rest[:-1] if action is Action.HOLDS else ()):
        after = clause.rest[place + 1]
        if is_counted(token.text) and after.text in (
            "kinder",
            "söhne",
            "töchter",
            "enkel",
            "geschwister",
            "schwestern",
            "brüder",
        ):
            clause.claim(clause.party.text, "has", clause.message.content[token.start : after.end], action, Times())


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


def _employed(clause: German, action: Action) -> None:
    """Read "hat einen neuen Job bei der AOK"."""
    heads = {each.phrase.head for each in clause.behind if each.before == ""}
    if not heads & _POSITIONS:
        return
    firm = next(
        (
            each.phrase
            for each in clause.behind
            if each.before in ("bei", "an") and fits(each.phrase, "firm|lower_firm")
        ),
        None,
    )
    if firm is not None and action is Action.HOLDS:
        clause.claim(clause.party.text, "works_at", firm.text, action)


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


def _made(clause: German) -> None:
    if not read_broken_up(clause):
        _uses(clause)


def _parted_from(clause: German) -> None:
    if not read_left(clause):
        _uses(clause)


def _is(clause: German) -> None:
    if not (read_broke(clause) or read_last_day(clause) or read_placed(clause)):
        read_being(clause)
        read_single(clause)


def _given_notice(clause: German) -> None:
    if not (read_cancelled_membership(clause) or read_dismissal(clause)):
        _uses(clause)


def _went(clause: German) -> None:
    if not read_broke(clause):
        _uses(clause)


_READERS: dict[str, Callable[[German], None]] = {
    "heißen": read_named,
    "sein": _is,
    "machen": _made,
    "verlassen": _parted_from,
    "gehen": _went,
    "kündigen": _given_notice,
    "einschläfern": read_put_down,
    "auslaufen": read_running_out,
    "bleiben": read_staying,
    **dict.fromkeys(("trennen", "scheiden"), read_parting),
    **dict.fromkeys(("abbrechen", "schmeißen", "hinschmeißen"), read_dropping_out),
    **dict.fromkeys(("austreten", "aussteigen"), read_leaving_group),
    "haben": _has,
    "sterben": read_death,
    **dict.fromkeys(("aufwachsen", "gebären", "kommen"), read_origin),
    "vertragen": read_intolerance,
    "wiegen": read_weight,
    **dict.fromkeys(("zahlen", "bezahlen"), read_payment),
    "ausfallen": read_called_off,
}
