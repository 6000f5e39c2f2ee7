"""Filing each user's conversations into a palace of their own, and judging what it holds and answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.graph.asked.timelines import Answered, ask_recall, ask_relations
from bench.graph.filing import file_all, without_extraction
from bench.graph.held import Graph, read_graph
from bench.graph.scoring import identities, relations, spans
from bench.graph.scoring.dates import Told
from bench.graph.scoring.identities import Joined
from bench.graph.scoring.relations import Relations, Turn
from bench.graph.scoring.spans import Spans
from bench.graph.sets import LabelledSet
from palace import Palace, Palaces


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
