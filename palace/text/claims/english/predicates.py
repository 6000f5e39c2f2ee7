"""What is claimed by an English verb with its subject and objects. Pure."""

from __future__ import annotations

import re

from palace.records.graph import Action
from palace.text.claims.drafts import Aspect, Party, Tense, Use, acted
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.grammar.verbs import forms, uses
from palace.text.claims.english.objects import fits
from palace.text.claims.english.people import subjects_of
from palace.text.claims.english.special import READERS
from palace.text.claims.english.special.journeys import call_off, is_called_off
from palace.text.claims.english.special.things import gender_of_thing, is_software, is_somebody, left_firm
from palace.text.claims.tokens import listed

_SILENT = listed("say tell mention want need think plan look help try know keep")
_TOGETHER = listed("live move reside relocate settle")
"""What "my wife and I" do, she does as well, so that it is worth a claim of its own."""
_MOVED_WITH = listed("house houses home flat flats apartment apartments")
"""What somebody moves who moves themselves: of "moved the database to Dublin" nobody lives there."""
_AFTER_ING = {
    "start": Aspect.BEGIN,
    "begin": Aspect.BEGIN,
    "stop": Aspect.END,
    "quit": Aspect.END,
    "keep": Aspect.STATE,
}
_NAMED = listed("owns works_at member_of leads studies_at")
_QUIT = frozenset(["quit", "leave"])
_QUIT_TOO = frozenset(["member_of", "studies_at", "studies", "plays", "does", "leads", "works_on"])
_OF_GROUPS = re.compile(
    r"(?<!\w)(?:band|bandmates?|gigs?|rehears\w+|choir|orchestra|drummer|singer|gym|workouts?|club|team|league|course"
    r"|lessons?|classes|training|season|coach|squad|troupe|sets?)(?!\w)"
)
"""Of what else than a firm a message speaks that somebody may quit."""
_NARROWS = listed("with on that which when where who while")
"""Behind what is liked, of which only some is: "hotels with a pool"."""
_LIKING = frozenset(["like", "love", "enjoy"])


def read_verb(clause: Clause) -> None:
    """Read a clause whose verb is another than "to be"."""
    group = clause.group
    parties = subjects_of(group.subject, clause.message, clause.sentence)
    if not parties and group.verb == "put":
        parties = [Party("", "t", clause.message.turn, clause.sentence)]
    if not parties or group.verb in _SILENT:
        return
    party = parties[0]
    for each in parties:
        clause.note(each.text, each.gender, is_subject=True)
    behind = clause.behind(group.next)
    if is_called_off(clause):
        call_off(clause, party, behind)
        return
    if is_disliked(clause):
        _dislike(clause, party, behind)
        return
    reader = READERS.get(group.verb)
    if reader is not None:
        reader(clause, party, behind)
    for each in parties:
        if each is party or party.gender != "s" or group.verb in _TOGETHER:
            _read_uses(clause, each, behind)
    if group.verb in _QUIT and clause.is_done and party.gender != "t":
        _quit(clause, party, behind)
    _nested(clause, party)


def is_disliked(clause: Clause) -> bool:
    """Whether it says what somebody does not like: "don't like", "can't stand"."""
    group = clause.group
    if not group.is_negated or clause.is_ended or group.tense is not Tense.PRESENT:
        return False
    return (group.verb in _LIKING and not group.is_unsure) or (group.verb == "stand" and group.is_unsure)


def _dislike(clause: Clause, party: Party, behind: list[Complement]) -> None:
    direct = [each for each in behind if each.before == ""]
    for each in direct if direct and fits(direct[0].phrase, "liked") else ():
        if party.gender != "t":
            clause.claim(party.text, "dislikes", each.phrase.text, Action.HOLDS)


def _read_uses(clause: Clause, party: Party, behind: list[Complement]) -> None:
    for use in uses()[clause.group.verb]:
        aspect, tense = use.aspect, clause.group.tense
        action = acted(aspect, tense, clause.times, is_ended=clause.is_ended)
        if use.predicate == "visited" and clause.group.verb == "spend" and _is_for_years(behind):
            continue
        if use.predicate in ("likes", "dislikes", "prefers") and tense is Tense.PAST:
            continue
        if action is None or (party.gender == "t" and use.predicate != "located_in"):
            continue
        for each in _objects(use, behind) or _known_firm(clause, use, behind):
            if each.phrase.owner in ("his", "her", "their") and party.gender == "s":
                continue
            if use.wants == "liked" and clause.text_at(each.phrase.next) in _NARROWS:
                continue
            obj = left_firm(behind) if each.phrase.head == "job" else _object(clause, use, each)
            if action is Action.ENDS and (_is_known_otherwise(clause, use, obj) or _is_of_a_household(clause, use)):
                continue
            obj = _in_full(clause, party, use.predicate, obj, action)
            clause.claim(party.text, use.predicate, obj, action)
            if use.predicate == "owns":
                clause.note(obj, gender_of_thing(each))


def _in_full(clause: Clause, party: Party, predicate: str, obj: str, action: Action) -> str:
    """Name what ends as it was told in full: "the rowing club" of who joined the Aire Rowing Club."""
    told = [claim for _, claim in clause.message.spoken.claims if claim.predicate == predicate]
    known = {claim.object for claim in told if claim.subject == party.text and claim.action is not Action.ENDS}
    longer = {each for each in known if each.casefold().endswith(f" {obj.casefold()}")}
    is_known = obj.casefold() in {each.casefold() for each in known}
    return longer.pop() if action is Action.ENDS and len(longer) == 1 and not is_known else obj


def _is_for_years(behind: list[Complement]) -> bool:
    """Whether it was long enough to live there: "spent two years in Toulouse"."""
    return any(each.phrase.head in ("years", "year", "months") for each in behind[:1])


def _objects(use: Use, behind: list[Complement]) -> list[Complement]:
    """Choose the objects that a use wants; none where a thing is for somebody else ("bought my sister a lamp")."""
    places = use.before.split("|")
    fitting = [each for each in behind if each.before in places and fits(each.phrase, use.wants)]
    if use.predicate == "owns":
        fitting = [each for each in fitting if not is_software(each.phrase)]
    direct = [each for each in behind if each.before == ""]
    if places == [""] and direct and direct[0] not in fitting:
        return []
    is_back = any(each.before.startswith("back") for each in behind) and use.predicate == "owns"
    if is_back or (use.wants == "employer" and direct):
        return []
    if use.predicate == "lives_in" and any(each.phrase.head not in _MOVED_WITH for each in direct):
        return []
    is_given = any(each.before == "2" for each in behind)
    is_for = any(each.before == "for" and is_somebody(each) for each in behind)
    if use.predicate == "owns" and use.aspect is Aspect.BEGIN and (is_given or is_for):
        return []
    return fitting[:1] if use.predicate in ("lives_in", "works_at", "works_as") else fitting


def _is_known_otherwise(clause: Clause, use: Use, obj: str) -> bool:
    """Whether what ends was said to be another thing to the speaker that the verb may end: a firm, or a service."""
    others = {other.predicate for other in uses()[clause.group.verb] if other.aspect is Aspect.END} - {use.predicate}
    claims = (claim for _, claim in clause.message.spoken.claims if claim.action is not Action.ENDS)
    known = {claim.predicate for claim in claims if claim.object.casefold() == obj.casefold()}
    if clause.group.verb in _QUIT and use.predicate in ("works_at", "uses") and not known & {"works_at", *others}:
        return bool(known & _QUIT_TOO) or _OF_GROUPS.search(clause.message.content.lower()) is not None
    return use.predicate not in known and bool(others & known)


def _is_of_a_household(clause: Clause, use: Use) -> bool:
    """Whether several leave a firm, as customers do: "we've left AXA"."""
    return use.predicate == "works_at" and clause.group.subject[0].text == "we"


def _quit(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """End what somebody was told to be in, by whatever it was told: "quit Wet Concrete" of a band."""
    for each in behind[:1]:
        text = each.phrase.text.casefold()
        others = [
            claim for _, claim in clause.message.spoken.claims if f" {claim.object.casefold()}".endswith(f" {text}")
        ]
        claims = [claim for claim in others if claim.object.casefold() == text] or others
        told = [claim for claim in claims if claim.predicate in _QUIT_TOO and claim.subject == party.text]
        is_firm = any(claim.predicate == "works_at" for claim in claims)
        is_named = each.before == "" and fits(each.phrase, "company") and not is_firm
        if each.before == "" and told:
            clause.claim(party.text, told[-1].predicate, told[-1].object, Action.ENDS)
        elif is_named and _OF_GROUPS.search(clause.message.content.lower()):
            clause.claim(party.text, "member_of", each.phrase.text, Action.ENDS)


def _known_firm(clause: Clause, use: Use, behind: list[Complement]) -> list[Complement]:
    """Take for a firm what was said to be one: "I'm leaving Siemens"."""
    claims = clause.message.spoken.claims if use.wants == "firm" else []
    known = {claim.object.casefold() for _, claim in claims if claim.predicate == "works_at"}
    return [each for each in behind if each.before in use.before.split("|") and each.phrase.text.casefold() in known]


def _object(clause: Clause, use: Use, each: Complement) -> str:
    """Write the object: an animal or a thing that is called by name goes by that."""
    named = clause.name_behind(each.phrase)
    if named and use.predicate in _NAMED:
        return named
    return clause.medicine(each.phrase) if use.wants == "medicine" else each.phrase.text


def _nested(clause: Clause, party: Party) -> None:
    """Read "started taking amlodipine", "stopped playing the violin": what the second verb says begins or ends."""
    aspect = _AFTER_ING.get(clause.group.verb)
    form = forms().get(clause.text_at(clause.group.next))
    if aspect is None or form is None or not form.is_ing or party.gender == "t":
        return
    behind = clause.behind(clause.group.next + 1)
    for use in uses()[form.verb]:
        if use.aspect is not Aspect.STATE or use.predicate in ("owns", "likes"):
            continue
        action = acted(aspect, clause.group.tense, clause.times, is_ended=False)
        for each in _objects(use, behind) if action else ():
            clause.claim(party.text, use.predicate, _object(clause, use, each), action or Action.HOLDS)
