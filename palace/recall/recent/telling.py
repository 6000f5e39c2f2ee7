"""How much a sentence tells when nothing is asked for: who says it, what sort it is, how rare its words are. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from palace.recall.recent.sentences import Sentence
from palace.records import Role, Why
from palace.text.open_ends import intent_of
from palace.text.own import own_words
from palace.text.preferences import states_preference
from palace.text.standing import gives_instruction
from palace.text.statements import is_request, leans_back


@dataclass(frozen=True, slots=True)
class Weights:
    """What makes a sentence tell more, or less."""

    full: int = 5
    """Words that tell something, from which a sentence is full: more of them add nothing."""
    standing: float = 0.3
    """What a preference or an instruction has more."""
    own: float = 0.1
    """What the person says of themselves, or dates, has more."""
    assistant: float = 0.35
    """What is left of what an assistant says."""
    asking: float = 0.25
    """What is left of a question, or a request."""
    leaning: float = 0.6
    """What is left where a sentence leans on one before it."""


USUAL = Weights()
FEWEST = 1000
"""Passages that are reckoned with in a smaller palace: of few passages no word is rare or common."""

LEAST_LETTERS = 0.55
"""Share of a sentence that letters and spaces are: what has less is data."""

FULL_LENGTH = 60
"""Characters from which a sentence may say all that one needs."""

_STANDING = (
    "always",
    "never",
    "from now",
    "remember",
    "please",
    "by default",
    "keep in mind",
    "bitte",
    "ab jetzt",
    "immer",
)
_OWN = ("i ", "i'", "my ", "we ", "our ", "we'", "ich ", "mein", "wir ", "unser")


def rarity(counts: Mapping[str, int], passages: int) -> Callable[[str], float]:
    """Give what tells how rare a word is among the user's own, from 0 to 1; one not counted is as rare as can be.

    It is BM25's inverse document frequency over the highest there can be.
    """
    total = max(passages, *counts.values(), FEWEST)
    highest = math.log(1 + (total + 0.5) / 0.5)

    def rare(word: str) -> float:
        count = counts.get(word, 0)
        return math.log(1 + (total - count + 0.5) / (count + 0.5)) / highest

    return rare


def outlook(sentence: Sentence) -> float:
    """Say at one look how much a sentence may tell: to choose those that are worth the longer one."""
    begins = sentence.text[:40].lower().replace("’", "'")
    score = min(len(sentence.text), FULL_LENGTH) / FULL_LENGTH
    if begins.startswith(_OWN):
        score += 0.5
    if begins.startswith(_STANDING):
        score += 1.0
    return score if sentence.said.role is Role.USER else score * USUAL.assistant


def telling(sentence: Sentence, rare: Callable[[str], float], weights: Weights = USUAL) -> float:
    """Say how much a sentence tells, from 0; what has no telling word, or is no language, tells nothing.

    Its rarest words count, up to as many as make it full: a long sentence does not tell more for being long.
    """
    rarest = sorted(map(rare, sentence.words), reverse=True)[: weights.full]
    if not rarest or not _is_language(sentence.text) or sentence.text.endswith(":"):
        return 0.0
    score = sum(rarest) / weights.full
    lowered = sentence.text[:40].lower().replace("’", "'")
    if lowered.startswith(_OWN):
        score += weights.own
    if kind_of(sentence) is not Why.SAID:
        score += weights.standing
    # What is meant to be done, and does not stand open, is done, or led to a question.
    if sentence.asks or is_request(sentence.text) or intent_of(sentence.text) is not None:
        score *= weights.asking
    if leans_back(sentence.text):
        score *= weights.leaning
    if sentence.said.role is not Role.USER:
        score *= weights.assistant
    return score


def kind_of(sentence: Sentence) -> Why:
    """Say what sort of statement a sentence is: a preference or an instruction of the person's, or something said."""
    if sentence.said.role is Role.USER and not sentence.asks:
        said = sentence.said
        if said.is_own and gives_instruction(sentence.text) and sentence.text in own_words(said.text):
            return Why.INSTRUCTION
        if states_preference(sentence.text):
            return Why.PREFERENCE
    return Why.SAID


def _is_language(text: str) -> bool:
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return letters >= LEAST_LETTERS * len(text)
