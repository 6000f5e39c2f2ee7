"""Facts that a person tells in passing, each with a question of another conversation; the same each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_THINGS = (
    ("sailing boat", "is called", "What is my sailing boat called?"),
    ("dentist", "is", "Who is my dentist?"),
    ("landlord", "is", "What is the name of my landlord?"),
    ("tabby cat", "is named", "Do you remember the name of my cat?"),
    ("piano teacher", "is", "Who teaches me the piano?"),
    ("tax adviser", "is", "Who does my taxes again?"),
    ("village of birth", "is", "In which village was I born?"),
    ("first school", "was", "Which school did I go to first?"),
    ("favourite café", "is", "What is my favourite café?"),
    ("mountain hut", "is called", "What is my hut in the mountains called?"),
    ("running club", "is called", "Which running club am I in?"),
    ("wifi network", "is called", "What is my wifi network called?"),
    ("bakery round the corner", "is called", "How is the bakery round my corner called?"),
    ("allergy doctor", "is", "Who is my doctor for the allergy?"),
    ("old bicycle", "was a", "What bicycle did I have before?"),
    ("book club", "meets at", "Where does my book club meet?"),
    ("sourdough starter", "is called", "What did I name my sourdough starter?"),
    ("choir", "is called", "Which choir do I sing in?"),
    ("godchild", "is", "Who is my godchild?"),
    ("vegetable plot", "lies in", "Where is my vegetable plot?"),
)
_OWNERS = (
    ("My", "my"),
    ("My brother's", "my brother's"),
    ("My sister's", "my sister's"),
    ("My mother's", "my mother's"),
    ("My colleague's", "my colleague's"),
)
_SYLLABLES = [
    "bra",
    "quen",
    "zor",
    "fel",
    "mar",
    "tiv",
    "lun",
    "ska",
    "dro",
    "wey",
    "pim",
    "kol",
    "ras",
    "neb",
    "jut",
    "vin",
    "hax",
    "gor",
    "lip",
    "tem",
]
_AROUND = (
    "Thanks for yesterday. {fact} Anyway, could you help me plan the weekend?",
    "{fact} What would you cook for six people?",
    "I had a long day. {fact} I just wanted to mention it.",
    "Before I forget it: {fact}",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with its question."""

    told: str
    """The message in which it is told."""
    question: str
    answer: str
    """What the block must hold."""


def facts(count: int = 100, *, seed: int = 7) -> Iterator[Fact]:
    """Make facts; each answer is a name that nothing else has."""
    chance = random.Random(seed)
    made = [(owner, thing) for owner in _OWNERS for thing in _THINGS][:count]
    for number, ((mine, of_mine), (thing, verb, asked)) in enumerate(made):
        answer = "".join(chance.sample(_SYLLABLES, 3)).capitalize()
        told = _AROUND[number % len(_AROUND)].format(fact=f"{mine} {thing} {verb} {answer}.")
        yield Fact(told, asked if mine == "My" else f"What did I say of {of_mine} {thing}?", answer)
