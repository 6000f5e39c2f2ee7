"""Filing palaces and asking them, as a program that embeds Palace does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.everyday.sets import Asked, Load
from palace import Palace, Palaces, Recollection, Strategy

GIVEN = 10
"""Hits that are looked at; a person sees five of them at first."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was given back for a question."""

    question: Asked
    hits: tuple[str, ...]
    """Ids of turns, best first; those that an earlier hit stands for are left out."""
    scores: tuple[float, ...]
    milliseconds: float
    given: tuple[str, ...] = ()
    """Ids of turns of what is given back where nobody says how much, of a question that wants all of its answers."""

    @property
    def all_in_ten(self) -> float:
        """The share of the answers that is among the first ten."""
        return len(self.question.answers & set(self.hits[:GIVEN])) / len(self.question.answers)

    @property
    def all_given(self) -> float:
        """The share of the answers that is in what is given back where nobody says how much."""
        return len(self.question.answers & set(self.given)) / len(self.question.answers)

    @property
    def rank(self) -> int | None:
        """Where the first answer stands, from 1; None where it is not among the hits."""
        return next((place for place, hit in enumerate(self.hits, start=1) if hit in self.question.answers), None)

    def within(self, places: int) -> bool:
        """Tell whether an answer is among the first so many."""
        return self.rank is not None and self.rank <= places


def ask_all(palaces: Palaces, user: str, load: Load, strategy: Strategy | None = None) -> Iterator[Found]:
    """File a palace where it is not there yet, and ask it all of its questions."""
    palace = palaces.palace(user, person=load.person or None)
    turns = file_load(palace, load)
    for question in load.questions:
        yield _ask(palace, turns, question, strategy)


def file_load(palace: Palace, load: Load) -> dict[str, str]:
    """File all talks, and map pointers to the ids of their turns."""
    return dict(_filed(palace, load))


def _filed(palace: Palace, load: Load) -> Iterable[tuple[str, str]]:
    for talk in load.talks:
        messages = [
            {"role": turn.role, "content": turn.text, "timestamp": turn.said_at.isoformat()} for turn in talk.turns
        ]
        summary = palace.file(messages, id=talk.id, title=talk.title)
        for turn, pointers in zip(talk.turns, summary.pointers, strict=True):
            for pointer in pointers:
                yield str(pointer), turn.id


def _ask(palace: Palace, turns: dict[str, str], question: Asked, strategy: Strategy | None) -> Found:
    found = palace.recall(question.text, top_k=GIVEN, now=question.at, strategy=strategy)
    scores, spent = tuple(hit.score for hit in found.hits), found.timings_ms["total"]
    given = palace.recall(question.text, now=question.at, strategy=strategy) if question.is_broad else found
    return Found(question, _turns(turns, found), scores, spent, _turns(turns, given))


def _turns(turns: dict[str, str], found: Recollection) -> tuple[str, ...]:
    """Give the ids of the turns that were found, each once."""
    return tuple(dict.fromkeys(turns[str(hit.drawer.pointer)] for hit in found.hits))
