"""Commands that a user had run another way after they had run: what was said about it holds for the next run."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from palace.models import ActionKind, FiledTurn, WorkAction
from palace.nlp.work.commands import command_key, shows_texts
from palace.nlp.work.lasting import weight_of_lasting
from palace.nlp.work.names import LONGEST_TURN, best_sentence

MOST_BETWEEN = 3
"""Messages of the user between two runs."""
LEAST_LETTERS = 4
"""Letters of a word that is looked for in a message, if it is no option."""


@dataclass(slots=True)
class Reruns:
    """The commands of one conversation that ran without failing, and what the user said since."""

    found: list[WorkAction] = field(default_factory=list)
    """Decisions about commands."""
    _runs: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The last run of each program and verb: the number of the user's message before it, and its key."""
    _said: list[tuple[int, FiledTurn]] = field(default_factory=list)

    def add_message(self, turn: FiledTurn, prompt: int) -> None:
        """Add a message of the user that may correct; ``prompt`` is its number."""
        self._said = [*self._said[1 - MOST_BETWEEN :], (prompt, turn)]

    def add_run(self, line: str, prompt: int) -> None:
        """Add a run of a command; it is the corrected one if a message names what the last run had not."""
        key = command_key(line)
        verb, (then, before) = " ".join(key.split()[:2]), self._runs.get(" ".join(key.split()[:2]), (prompt, key))
        self._runs[verb] = prompt, key
        words, added = set(before.split()), _telling(set(key.split()) - set(before.split()))
        if not added or not words <= set(key.split()) or prompt > then + MOST_BETWEEN or shows_texts(key):
            return
        for number, turn in reversed(self._said):
            if number > then and _named(turn.content[:LONGEST_TURN], added):
                self._add(turn, before, added)
                return

    def _add(self, turn: FiledTurn, key: str, added: Collection[str]) -> None:
        def weight(sentence: str) -> float:
            return math.inf if _named(sentence, added) else weight_of_lasting(sentence)

        if span := best_sentence(turn.content[:LONGEST_TURN], weight):
            self.found.append(WorkAction(turn.drawer_id, ActionKind.DECISION, key, key, "named", span=span))


def _telling(words: Collection[str]) -> set[str]:
    return {each for each in words if each.startswith("-") or sum(map(str.isalpha, each)) >= LEAST_LETTERS}


def _named(text: str, words: Collection[str]) -> bool:
    """Check whether a text has one of some words, as it is."""
    return any(f" {each} " in f" {' '.join(text.split())} ".replace("`", " ").replace(",", " ") for each in words)
