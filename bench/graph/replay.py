"""A language model's part played by the labels: turns that it is shown are answered with what is labelled in them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from html import unescape
from typing import Any

from bench.graph.scoring.dates import Told
from bench.graph.scoring.identities import SELF, Names
from bench.graph.scoring.predicates import is_event
from bench.graph.scoring.relations import Fact, Turn, is_corrected
from bench.graph.scoring.vocabulary import TITLES
from bench.graph.scoring.words import Tokens, contains, tokens
from bench.graph.sets import LabelledSet
from palace.testing import LanguageModelServer, ModelRequest

MODEL = "openai/gpt-4o-mini"
"""What the settings name; it is never reached."""

_LINE = re.compile(r"^(\d+) \| [^|]+ \| [^|]+ \| (.*)$", re.MULTILINE)
_LENGTH_OF_PRECISION = {"year": 4, "month": 7}

Item = dict[str, Any]


class LabelsServer(LanguageModelServer):
    """Replies to each prompt with the labels of the turns that it shows. One prompt at a time."""

    def __init__(self, labelled: LabelledSet) -> None:
        super().__init__()
        self._replies = Replies(labelled)

    def answer(self, request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        """Give the reply to what a prompt shows."""
        self.script.append(json.dumps(self._replies.to(request.prompt)))
        return super().answer(request)


@contextmanager
def played(labelled: LabelledSet) -> Iterator[LabelsServer]:
    """Have calls of ``MODEL`` answered by the labels."""
    before = {name: os.environ.get(name) for name in ("OPENAI_API_BASE", "OPENAI_API_KEY")}
    with LabelsServer(labelled) as server:
        os.environ.update(OPENAI_API_BASE=server.api_base, OPENAI_API_KEY="scripted")
        try:
            yield server
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


class Replies:
    """What a model that reads as the labels do would reply."""

    def __init__(self, labelled: LabelledSet) -> None:
        self._texts: dict[Turn, str] = {}
        self._days: dict[Turn, date] = {}
        self._said: set[Turn] = set()
        """What a person says, not an assistant."""
        for each in labelled.conversations:
            for place, message in enumerate(each.messages):
                self._texts[each.id, place] = _one_line(message.content)
                self._days[each.id, place] = message.created_at.date()
                if message.role == "user":
                    self._said.add((each.id, place))
        self._names = {each.turn: each.wanted for each in labelled.names}
        self._claims: dict[Turn, list[tuple[Names, Item]]] = {}
        for user in labelled.users:
            names = Names(labelled.identities_of(user))
            facts = [fact for fact in labelled.facts_of(user) if not fact.must_not]
            for fact in facts:
                for turn, claim in _claims(names, fact, facts, self._days):
                    self._claims.setdefault(turn, []).append((names, claim))

    def to(self, prompt: str) -> dict[str, list[Item]]:
        """Reply to a prompt; turns that no conversation of the set has are passed over."""
        shown = self._shown(prompt)
        entities = [
            {"text": span.text, "type": span.type, "turn": number}
            for number, turn in shown
            for span in self._names.get(turn, ())
        ]
        words = tuple(word for _, turn in shown if turn in self._said for word in tokens(self._texts[turn]))
        claims = [
            {
                **claim,
                "subject": _as_said(names, claim["subject"], words),
                "object": _as_said(names, claim["object"], words),
                "turn": number,
            }
            for number, turn in shown
            for names, claim in self._claims.get(turn, ())
        ]
        return {"entities": entities, "assertions": claims, "topics": []}

    def _shown(self, prompt: str) -> list[tuple[int, Turn]]:
        """Tell which turns a prompt shows, by number; what stands in several conversations is of the likeliest."""
        lines = [(int(number), _one_line(unescape(text))) for number, text in _LINE.findall(prompt)]
        candidates = {
            number: [turn for turn, text in self._texts.items() if line and text.startswith(line)]
            for number, line in lines
        }
        votes: dict[str, int] = {}
        for turns in candidates.values():
            for conversation in {turn[0] for turn in turns}:
                votes[conversation] = votes.get(conversation, 0) + 1
        likeliest = max(votes, key=votes.__getitem__, default="")
        shown: list[tuple[int, Turn]] = []
        for number, turns in candidates.items():
            taken = shown[-1][1][1] if shown else -1
            here = [turn for turn in turns if turn[0] == likeliest and turn[1] > taken]
            shown += [(number, turn) for turn in here[:1]]
        return shown


def _claims(names: Names, fact: Fact, facts: Sequence[Fact], days: dict[Turn, date]) -> Iterator[tuple[Turn, Item]]:
    """Say in which turns a fact is claimed, and how: it begins with its first evidence and ends with its last."""
    for turn in fact.evidence:
        yield turn, _claim(fact, turn, days)
    if fact.kind == "correction":
        for other in facts:
            if other.predicate != fact.predicate and is_corrected(names, other, [fact]):
                yield fact.evidence[0], _item(other, "denies", None, None)


def _claim(fact: Fact, turn: Turn, days: dict[Turn, date]) -> Item:
    begun, ended = fact.valid_from, fact.valid_to
    if is_event(fact.predicate):
        return _item(fact, "happens", begun, ended)
    if fact.kind == "correction":
        return _item(fact, "corrects", begun, ended)
    if ended and turn == fact.evidence[-1]:
        if len(fact.evidence) > 1:
            return _item(fact, "ends", None, ended)
        return _item(fact, "was" if ended.day <= days[turn] else "holds", begun, ended)
    if begun and turn == fact.evidence[0]:
        return _item(fact, "begins", begun, None)
    return _item(fact, "holds", None, None)


def _item(fact: Fact, action: str, begun: Told | None, ended: Told | None) -> Item:
    return {
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "action": action,
        "valid_from": _written(begun),
        "precision": begun and begun.precision,
        "valid_to": _written(ended),
        "precision_to": ended and ended.precision,
    }


def _as_said(names: Names, name: str, words: Tokens) -> str:
    """Give a name as the turns have it, at its fullest and without a title that they do not have."""
    if name == SELF:
        return name
    without_title = [part for part in name.split() if tokens(part)[:1] and tokens(part)[0] not in TITLES]
    spellings = sorted(names.spellings(name), key=len, reverse=True)
    return next(
        (each for each in (name, *spellings, " ".join(without_title)) if contains(words, tokens(each))),
        name,
    )


def _written(told: Told | None) -> str | None:
    return None if told is None else told.day.isoformat()[: _LENGTH_OF_PRECISION.get(told.precision, 10)]


def _one_line(text: str) -> str:
    return " ".join(text.split())
