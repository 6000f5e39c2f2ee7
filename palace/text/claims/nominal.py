"""What noun phrases say by themselves: doses, where firms are, what is called one's own. Pure."""

from __future__ import annotations

from palace.patterns import late
from palace.records.graph import Action, EntityType
from palace.text.claims.kinds import words
from palace.text.claims.people import Telling
from palace.text.claims.phrases import Phrase, phrase_of
from palace.text.claims.tree import Node
from palace.text.claims.words import is_medicine_word

_DOSE = late(
    r"(?P<name>[a-z][\w-]{3,30}),? (?:is |at |now )?(?P<dose>(?:\d[\d.,]*|one|two|three|five|ten|twenty|forty|fifty)"
    r" ?(?:mg|mcg|µg|ml|iu|milligrams?|micrograms?)|\d[\d.,]*(?:mg|mcg|µg|ml))(?!\w)"
)
_NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def read_nominal(telling: Telling, said: frozenset[int]) -> None:
    """Claim what the noun phrases of a sentence say, but for words that only stand in what is asked or supposed."""
    is_supposed = any(node.lower in ("if", "unless", "whether", "imagine") for node in telling.nodes)
    for node in telling.nodes:
        if node.one("poss") is not None and not is_supposed:
            _belonging(node, telling)
        if node.place in said and node.word.name is not None and node.word.name.type is EntityType.ORGANISATION:
            _located(node, telling)


def read_doses(text: str, start: int, telling: Telling) -> None:
    """Claim the doses of medicines: "sertraline 50mg"."""
    for found in _DOSE.finditer(text):
        if is_medicine_word(found["name"]):
            name, dose = (
                telling.message.content[start + found.start(each) : start + found.end(each)]
                for each in ("name", "dose")
            )
            number = dose.split()[0].lower()
            told = f"{_NUMBERS.index(number)} {dose.split()[-1]}" if number in _NUMBERS else dose
            telling.claim(name, "has_dose", told, Action.HOLDS)


def _located(node: Node, telling: Telling) -> None:
    """Read "Bosch in Stuttgart"."""
    for prep in node.all("prep"):
        place = prep.one("pobj")
        name = place.word.name if place is not None and prep.place == node.place + 1 and prep.lower == "in" else None
        if name is not None and name.type is EntityType.PLACE and node.word.name is not None:
            telling.claim(node.word.name.text, "located_in", name.text, Action.HOLDS)


def _belonging(node: Node, telling: Telling) -> None:
    """Read that the speaker owns what they call theirs by more than its noun: "my mountain bike"."""
    poss = node.one("poss")
    phrase = phrase_of(node, telling.message.content)
    if poss is None or poss.lower not in ("my", "our") or len(phrase.nodes) > 4 or phrase.is_hidden:
        return
    if poss.place and telling.nodes[poss.place - 1].lower in ("not", "like", "of"):
        return
    is_kept = (
        {phrase.lemma, phrase.head} & (words("owned") - words("rooms"))
        and not phrase.is_value
        and len(phrase.nodes) > 1
    )
    if (is_kept or _is_model(phrase)) and not any(map(_is_no_own, phrase.nodes[:-1])):
        telling.note(phrase.text, "t")
        telling.claim(telling.message.speaker, "owns", phrase.text, Action.HOLDS)


def _is_model(phrase: Phrase) -> bool:
    last = phrase.text.split()[-1]
    return (
        phrase.text[:1].isupper()
        and last[0].isalnum()
        and any(map(str.isdigit, last))
        and phrase.type in (None, EntityType.ITEM)
    )


def _is_no_own(node: Node) -> bool:
    return node.lower.endswith(("ing", "ed")) or node.lower in words("former") or node.lower in ("work", "company")
