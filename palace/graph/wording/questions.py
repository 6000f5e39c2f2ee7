"""Which of an entity's relations a question asks for, by its words. Pure, and without a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from palace.graph.wording.german import asked_in_german
from palace.records.graph import SELF, Relation
from palace.text.words import WORD, content_words, fold

_ASKED_WITH: dict[str, str] = {
    "lives_in": "live lives lived living home address town city reside resides residence based staying flat"
    " wohnt wohnen wohne wohnte wohnst wohnort lebt leben lebte adresse zuhause stadt",
    "comes_from": "come comes came origin originally born from grew hometown native nationality country"
    " kommt stammt herkunft geboren aufgewachsen heimat",
    "works_at": "work works worked working employer company employed firm job office"
    " arbeitet arbeiten arbeite arbeitgeber firma angestellt",
    "works_as": "do work works worked job profession occupation living career role position"
    " arbeitet beruf beruflich job stelle",
    "studies_at": "study studies studied studying university school college student"
    " studiert studieren uni universität schule",
    "studies": "study studies studied studying subject degree major course learn learning"
    " studiert studieren fach studium lernt",
    "married_to": "married marry wife husband spouse wedding verheiratet ehefrau ehemann frau mann",
    "partner_of": "partner girlfriend boyfriend together fiance fiancee dating"
    " partnerin freundin freund zusammen verlobt",
    "parent_of": "parent parents child children kid kids son daughter mother father"
    " kind kinder sohn tochter mutter vater eltern",
    "child_of": "parent parents child mother father mum mom dad son daughter eltern mutter vater",
    "sibling_of": "sibling siblings brother sister brothers sisters geschwister bruder schwester",
    "friend_of": "friend friends freund freunde freundin freundinnen",
    "colleague_of": "colleague colleagues coworker coworkers team kollege kollegen kollegin",
    "related_to": "related relative relatives family uncle aunt cousin verwandt familie",
    "owns": "own owns owned have has got bought buy possess pet pets car cars bike"
    " besitzt gehört hat habe haben gekauft",
    "has": "have has had hat habe haben",
    "uses": "use uses used using software tool tools app program service benutzt nutzt verwendet programm werkzeug",
    "takes": "take takes took taking medicine medication medicines pill pills drug"
    " nimmt nehme medikament medikamente tabletten",
    "does": "do does doing sport sports hobby hobbies course courses activity habit"
    " macht mache hobby hobbys kurs sport",
    "plays": "play plays played playing instrument instruments game games spielt spiele instrument",
    "speaks": "speak speaks spoken language languages spricht sprache sprachen",
    "likes": "like likes liked love loves enjoy enjoys favourite favorite fan mag liebt gern gerne lieblings",
    "dislikes": "dislike dislikes hate hates avoid mag hasst ungern nicht",
    "prefers": "prefer prefers preferred preference rather favourite favorite bevorzugt lieber",
    "allergic_to": "allergic allergy allergies intolerant intolerance tolerate allergisch allergie allergien",
    "member_of": "member membership club band team belong belongs association mitglied verein gruppe",
    "called": "call called name named names heißt heisst genannt name namen",
    "costs": "cost costs price paid pay expensive much kostet preis teuer kosten",
    "located_in": "where located location lie lies stand liegt befindet steht ort",
    "planned": "plan plans planned planning going trip trips upcoming soon travel plant geplant vorhat reise",
    "visited": "visit visits visited been go went trip trips travel travelled traveled holiday vacation"
    " besucht war gereist urlaub reise",
    "leads": "lead leads led leading boss manager head manage manages leitet leitung chef chefin",
    "works_on": "work works working project projects build building arbeitet projekt projekte",
}
_HINTED_AT: dict[str, tuple[str, ...]] = {
    "where": ("lives_in", "located_in", "works_at", "studies_at", "comes_from", "visited"),
    "wo": ("lives_in", "located_in", "works_at", "studies_at", "visited"),
    "woher": ("comes_from",),
    "who": ("married_to", "partner_of", "parent_of", "child_of", "sibling_of", "friend_of", "colleague_of", "leads"),
    "wer": ("married_to", "partner_of", "parent_of", "child_of", "sibling_of", "friend_of", "colleague_of", "leads"),
}
"""What a question word speaks for, which decides nothing against a verb."""
_ASKED_BY = "where what when why how who whom which whose wo was wann warum wie wer wen wem welche"
_ASKING = frozenset(_ASKED_BY.split())
_DOING = frozenset(("do", "does", "did"))
_HELPING = _DOING | {"have", "has", "had", "hat", "habe", "haben"}
_ALSO = {"gp": ("doctor", "arzt", "hausarzt"), "doctor": ("gp",), "doc": ("doctor",)}
"""What else asks for a property."""
_OF_ME = frozenset(("i", "we", "ich", "wir"))
_CUES = {predicate: frozenset(fold(word) for word in words.split()) for predicate, words in _ASKED_WITH.items()}

_NAMED, _AGAIN, _VALUE, _HINT, _OWN = 2.0, 0.5, 1.0, 0.4, 0.2


def ranked(relations: Iterable[Relation], question: str) -> tuple[Relation, ...]:
    """Put the relations that a question asks for in front, those it does not ask for left out.

    A relation is asked for by words that its predicate is asked with ("where does he live"), and by words of its object
    or its subject; "I" asks for what is so of the person before what is so of others. One with less than half of what
    the best has is left out. Of those alike the order stays as given.
    """
    relations = list(relations)
    cues = {each.predicate: _cues(each.predicate) for each in relations}
    words = _asking_words([fold(word) for word in WORD.findall(question)], [*_CUES.values(), *cues.values()])
    meant = frozenset(content_words(question))
    scored = [(score(relation, words, meant), relation) for relation in relations]
    best = max((worth for worth, _ in scored), default=0.0)
    kept = [pair for pair in scored if pair[0] > 0 and 2 * pair[0] >= best]
    return tuple(relation for _, relation in sorted(kept, key=lambda pair: -pair[0]))


def _asking_words(words: Sequence[str], cues: Iterable[frozenset[str]]) -> frozenset[str]:
    """Give the words of a question without those that only make it one: "do" of "where do I live", "have" of
    "which battery do I have". ``cues`` are the words that predicates are asked with.
    """
    kept = list(words)
    helps = next((place for place, word in enumerate(kept) if word in _DOING), None)
    if helps is not None and (helps == 0 or kept[0] in _ASKING):
        del kept[helps]
    others = frozenset(kept) - _HELPING
    return others if any(others & each for each in cues) else frozenset(kept)


def score(relation: Relation, words: frozenset[str], meant: frozenset[str]) -> float:
    """Say how much a question's words ask for a relation; ``meant`` are those of them that say what it is about."""
    asked = words & _cues(relation.predicate)
    worth = _NAMED + _AGAIN * (len(asked) - 1) if asked else 0.0
    if any(relation.predicate in _HINTED_AT.get(word, ()) for word in words):
        worth += _HINT
    worth += _VALUE * _share(relation.object, meant)
    if worth and relation.subject == SELF and words & _OF_ME:
        worth += _OWN
    return worth + _HINT * _share(relation.subject, meant)


def _cues(predicate: str) -> frozenset[str]:
    if predicate in _CUES:
        return _CUES[predicate] | asked_in_german(predicate)
    if predicate == "is":
        return frozenset()
    parts = [part for part in predicate.removeprefix("has_").split("_") if part]
    parts += [other for part in parts for other in _ALSO.get(part, ())]
    return frozenset(fold(part) for part in parts) | asked_in_german(predicate)


def _share(name: str, meant: frozenset[str]) -> float:
    of_name = frozenset(content_words(name))
    return len(of_name & meant) / len(of_name) if of_name else 0.0
