"""Plans that are dropped in English: "turned the job down", "we decided not to move to Oslo". Pure."""

from __future__ import annotations

import re

from palace.records import Span
from palace.records.graph import Action, Claim, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, Party
from palace.text.claims.english.changes.told import latest, predicate_of, stretches
from palace.text.claims.english.grammar.verbs import forms, uses
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.idioms.subjects import subject_before
from palace.text.claims.english.objects import fits

_JOB = r"(?:job|offer|position|post|role|place|internship|contract)"
_HOME = r"(?:flat|house|apartment|place|room|home|studio|cottage)"
_THE = r"(?:the|their|that|an?|my|our) (?:\w+ )?"
_DECLINED = re.compile(
    rf"(?<!\w)turn(?:ed|ing) (?:it|them|{_THE}{_JOB}) down(?: (?:at|from|with) (?=\S))?"
    rf"|(?<!\w)turn(?:ed|ing) down (?:{_THE}{_JOB}(?: (?:at|from|with|in) (?=\S))?|(?=\S))"
    rf"|(?<!\w)(?:(?:decided|going|had|have) to (?:decline|reject|refuse|turn down)"
    rf"|declined|rejected|refused|said no to|withdrew from|pulled out of) {_THE}{_JOB}"
    r"(?: (?:at|from|with) (?=\S))?"
)
_NOT_GOT = re.compile(
    rf"(?<!\w)(?:(?:did not|didn't|didnt|never) (?:get|got|take|win)|lost out on|missed out on) {_THE}"
    rf"(?P<what>{_JOB}|{_HOME})(?!\w)(?: (?:at|with|in|on) (?=\S))?"
    rf"|(?<!\w)the (?:\w+ )?(?P<fell>{_JOB}|{_HOME}|move|sale|purchase)"
    r" (?:(?:has |have )?(?:fell|fallen) through|is off)"
)
_FELL = re.compile(
    rf"(?<!\w)(?P<what>{_JOB}|{_HOME}) (?:at|in|with|from) (?P<where>\S+(?: \S+)?)"
    r" (?:has |have )?(?:fell|fallen) through"
)
_OFF = re.compile(
    r"(?<!\w)(?P<what>(?:\S+ )?(?:trip|holiday|vacation|wedding|party|surgery|operation|concert|interview|flight"
    r"|conference))"
    r" (?:to (?P<where>\S+) )?(?:(?:is|'s|has been|was|got) )?(?:now |all )?(?:off|cancelled|canceled|called off)"
    r"(?=\s*(?:$|[.,!;:)]|again|because|bc|after|they|so|and|but))"
)
_DECIDED = re.compile(
    r"(?<!\w)(?:decided|chose|opted|agreed) (?:not to|against)|(?<!\w)(?:changed (?:my|our|his|her) minds? about"
    r"|not going ahead with|called off|scrapped the (?:idea|plan) of|gave up on|dropped the (?:idea|plan) of"
    r"|backed out of)(?!\w)"
)
_MOVE = r"(?:the|our|my|that) (?:\w+ )?(?:move|relocation) to"
_MOVE_OFF = re.compile(
    rf"(?<!\w)(?:call(?:ed|ing) off|scrapp(?:ed|ing)|dropp(?:ed|ing)|shelv(?:ed|ing)|abandon(?:ed|ing)) {_MOVE} (?=\S)"
    rf"|(?<!\w){_MOVE} (?P<where>\S+(?: \S+)?) (?:(?:has|is|got|was|been|being) ){{0,2}}"
    r"(?:(?:fell|fallen|falling) through|cancelled|canceled|scrapped|shelved|abandoned|dropped)(?!\w)"
)
_AFTER_ALL = re.compile(
    r"(?:(?<!\w)(?:not|isnt|arent|wont|didnt)|n't) (?:be |going to |gonna |end up )?(?P<verb>\w+)[^.;!?]{0,60}?"
    r" (?:after all|in the end|any ?more)(?!\w)"
)
_STAYED = re.compile(
    r"(?<!\w)(?:stayed|staying|stay|sticking|stuck|stick|remain|remained|remaining) (?P<how>at|with|in) (?=\S)"
)
_IN_THE_END = re.compile(r"(?<!\w)(?:in the end|after all|instead)(?!\w)")
_HOMES = frozenset(["flat", "house", "apartment", "room", "home", "studio", "cottage", "move", "sale", "purchase"])
_KEPT = ("works_at", "uses", "has", "lives_in", "partner_of", "studies_at", "member_of")


def read_withdrawn(said: Said) -> None:
    """Read what was planned, or said to be so from a day on, and will not be."""
    for _found, first, place, span in stretches(said, _DECLINED):
        _decline(said, "works_at", (first, place), span)
    for found, first, _place, span in stretches(said, _FELL):
        predicate = "lives_in" if found["what"] in _HOMES else "works_at"
        _decline(said, predicate, (first, said.place(said.sentence.span.start + found.start("where"))), span)
    for found, first, place, span in stretches(said, _MOVE_OFF):
        named = said.place(said.sentence.span.start + found.start("where")) if found["where"] else place
        _stay_put(said, (first, named), span)
    for found, _first, _place, span in stretches(said, _OFF):
        _off(said, found, span)
    for found, first, place, span in stretches(said, _NOT_GOT):
        what = found["what"] or found["fell"]
        is_home = what in _HOMES or (what == "place" and "job" not in said.message.content.lower())
        _decline(said, "lives_in" if is_home else "works_at", (first, place), span)
    for _found, first, place, span in stretches(said, _DECIDED):
        _drop(said, first, place, span)
    for found, _first, _place, span in stretches(said, _AFTER_ALL):
        place = said.place(said.sentence.span.start + found.start("verb"))
        _drop(said, said.place(said.sentence.span.start + found.start()), place, span)
    if _IN_THE_END.search(said.sentence.text):
        for found, first, place, span in stretches(said, _STAYED):
            _stay(said, found["how"], (first, place), span)


def _decline(said: Said, predicate: str, where: tuple[int, int], span: Span) -> None:
    """Take back the post or the home that was to come: the one that is named, else the one told last."""
    party = subject_before(said, where[0]) or Party(said.message.speaker, "s", said.message.turn, said.number)
    phrase = said.phrase(where[1]) if where[1] < len(said.tokens) else None
    is_behind = where[1] and said.tokens[where[1] - 1].text in ("at", "from", "with", "in", "on", "down")
    kinds = (EntityType.ORGANISATION,) if predicate == "works_at" else (EntityType.PLACE,)
    is_named = phrase is not None and phrase.name is not None and phrase.name.type in kinds
    if phrase is not None and is_behind and is_named:
        said.claim(party.text, predicate, phrase.text, Action.DENIES, Times(), span)
        return
    told = latest(said.message, (predicate,), party.text)
    if told is not None and _is_to_come(said, told):
        said.claim(party.text, predicate, told.object, Action.DENIES, Times(), span)


def _stay_put(said: Said, where: tuple[int, int], span: Span) -> None:
    """Read "scrapped the move to Oslo", "our move to Oslo has fallen through"."""
    party = subject_before(said, where[0]) or Party(said.message.speaker, "s", said.message.turn, said.number)
    phrase = said.phrase(where[1]) if where[1] < len(said.tokens) else None
    if phrase is not None and phrase.name is not None and phrase.name.type is EntityType.PLACE:
        said.claim(party.text, "lives_in", phrase.text, Action.DENIES, Times(), span)


def _off(said: Said, found: re.Match[str], span: Span) -> None:
    """Read "Porto trip off", "the wedding is off"."""
    offset = said.sentence.span.start
    group = "where" if found["where"] else "what"
    phrase = said.phrase(said.place(offset + found.start(group)))
    noun = found["what"].rpartition(" ")[2]
    name = said.message.names.at(phrase.tokens[0].start) if phrase is not None else None
    is_there = name is not None and name.type is EntityType.PLACE
    is_own = found["what"].split()[0] in ("the", "our", "my", noun)
    if is_there or is_own:
        text = f"{name.text} trip" if is_there and name is not None else noun
        said.claim(said.message.speaker, "planned", text, Action.DENIES, Times(), span)


def _is_to_come(said: Said, claim: Claim) -> bool:
    now = said.message.now
    is_later = claim.valid_from is not None and now is not None and claim.valid_from.day >= now.date()
    return claim.action is Action.BEGINS and is_later


def _drop(said: Said, first: int, place: int, span: Span) -> None:
    """Read what does not begin after all from the verb at a place: "moving to Oslo", "get the dog"."""
    while place < len(said.tokens) and said.tokens[place].text in ("to", "be", "going", "the", "idea", "plan", "of"):
        place += 1
    while first and said.tokens[first - 1].text in ("not", "did", "do", "does", "will", "have"):
        first -= 1
    form = forms().get(said.tokens[place].text) if place < len(said.tokens) else None
    party = subject_before(said, first)
    if form is None or party is None or party.gender == "t":
        return
    for each in said.behind(place + 1):
        for use in uses()[form.verb]:
            is_beginning = use.aspect is Aspect.BEGIN or (use.aspect is Aspect.STATE and use.predicate == "takes")
            if is_beginning and each.before in use.before.split("|") and fits(each.phrase, use.wants):
                said.claim(party.text, use.predicate, each.phrase.text, Action.DENIES, Times(), span)
            elif use.predicate == "visited" and each.before in use.before.split("|") and fits(each.phrase, use.wants):
                said.claim(party.text, "planned", f"{each.phrase.text} trip", Action.DENIES, Times(), span)


def _stay(said: Said, how: str, where: tuple[int, int], span: Span) -> None:
    """Read "stayed with Bosch in the end"."""
    party, phrase = subject_before(said, where[0]), said.phrase(where[1])
    if party is None or party.gender == "t" or phrase is None or phrase.name is None or not said.is_said(span):
        return
    known = predicate_of(said.message, party.text, phrase.text, _KEPT)
    kind = phrase.name.type
    if known is None and how == "at" and kind is EntityType.ORGANISATION:
        known = "works_at"
    elif known is None and how == "in" and kind is EntityType.PLACE:
        known = "lives_in"
    if known is not None:
        said.claim(party.text, known, phrase.text, Action.HOLDS, Times(), span)
