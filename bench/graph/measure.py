"""Filing each user's conversations into a palace of their own, and judging what it holds and answers."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bench.graph import identities, relations, spans
from bench.graph.held import Graph, read_graph
from bench.graph.identities import Joined
from bench.graph.relations import Relations, Told, Turn
from bench.graph.sets import Conversation, LabelledSet
from bench.graph.spans import Spans
from bench.graph.timelines import Answered, ask_recall, ask_relations
from palace import Palace, Palaces

EXTRACTION = "extraction"
"""The index step that reads names and claims."""


@dataclass(frozen=True, slots=True)
class Filed:
    """What was filed, and how long that took."""

    turns: Mapping[str, Turn]
    """By pointer."""
    seconds: float


def file_all(palace: Palace, conversations: Iterable[Conversation]) -> Filed:
    """File conversations one after another."""
    turns: dict[str, Turn] = {}
    begun = time.perf_counter()
    for each in conversations:
        messages = [
            {"role": message.role, "content": message.content, "timestamp": message.created_at.isoformat()}
            for message in each.messages
        ]
        summary = palace.file(messages, id=each.id, title=each.title)
        for place, pointers in enumerate(summary.pointers):
            turns.update((str(pointer), (each.id, place)) for pointer in pointers)
    return Filed(turns, time.perf_counter() - begun)


def without_extraction(palace: Palace) -> Palace:
    """Give the palace back, filing from now on without looking for names and claims."""
    opened = palace._opened
    palace._opened = replace(opened, chosen_steps=tuple(step for step in opened.steps if step.name != EXTRACTION))
    return palace


def without_model() -> None:
    """Have this process file as one in which spaCy is not installed."""
    # None has the import refused, which the type of sys.modules does not know.
    sys.modules["spacy"] = None  # type: ignore[assignment]


@dataclass(slots=True)
class Found:
    """All that is counted of a set."""

    spans: Spans = field(default_factory=Spans)
    joined: Joined = field(default_factory=Joined)
    relations: Relations = field(default_factory=Relations)
    through_relations: list[Answered] = field(default_factory=list)
    through_recall: list[Answered] = field(default_factory=list)


def measure(palaces: Palaces, labelled: LabelledSet, *, extracts: bool = True) -> Found:
    """Judge every user's palace; ``extracts``: names and claims are read as it is filed."""
    found = Found()
    for user in labelled.users:
        palace = palaces.palace(user)
        filed = file_all(palace if extracts else without_extraction(palace), labelled.conversations_of(user))
        judge_user(found, labelled, user, palace, read_graph(palace, filed.turns))
    return found


def days_said(labelled: LabelledSet, user: str) -> dict[Turn, Told]:
    """Map each of a user's messages to its day."""
    return {
        (each.id, place): Told(message.created_at.date(), "day")
        for each in labelled.conversations_of(user)
        for place, message in enumerate(each.messages)
    }


def judge_user(found: Found, labelled: LabelledSet, user: str, palace: Palace, graph: Graph) -> None:
    """Judge one user's palace, and count it with the others."""
    names = identities.Names(labelled.identities_of(user))
    said = days_said(labelled, user)
    for label in labelled.names:
        if label.turn in said:
            where = f"{label.turn[0]} {label.turn[1]}"
            spans.judge(found.spans, where, label.wanted, label.optional, graph.spans.get(label.turn, ()))
    found.joined.add(identities.judge_joins(labelled.identities_of(user), graph.entities_of))
    relations.judge(found.relations, names, labelled.facts_of(user), (*graph.relations, *graph.namings), said)
    last_day = max(told.day for told in said.values())
    questions = labelled.questions_of(user)
    found.through_relations += ask_relations(palace, graph, names, questions, last_day)
    found.through_recall += ask_recall(palace, names, questions, last_day)
