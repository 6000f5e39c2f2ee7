"""Filing each user's conversations into a palace of their own, and judging what it holds and answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.graph.asked.timelines import Answered, ask_recall, ask_relations
from bench.graph.filing import file_all, without_extraction
from bench.graph.held import read_graph
from bench.graph.scoring import identities, relations, spans
from bench.graph.scoring.dates import Told
from bench.graph.scoring.identities import Joined
from bench.graph.scoring.relations import Relations
from bench.graph.scoring.spans import Spans
from bench.graph.sets import LabelledSet
from palace import Palaces


@dataclass(slots=True)
class Found:
    """All that is counted of a set."""

    spans: Spans = field(default_factory=Spans)
    joined: Joined = field(default_factory=Joined)
    relations: Relations = field(default_factory=Relations)
    through_relations: list[Answered] = field(default_factory=list)
    through_recall: list[Answered] = field(default_factory=list)
    throughput: dict[str, float] = field(default_factory=dict)


def measure(palaces: Palaces, labelled: LabelledSet, *, extracts: bool = True) -> Found:
    """Judge every user's palace; ``extracts``: names and claims are read as it is filed."""
    found = Found()
    for user in labelled.users:
        _measure_user(found, palaces, labelled, user, extracts=extracts)
    return found


def _measure_user(found: Found, palaces: Palaces, labelled: LabelledSet, user: str, *, extracts: bool) -> None:
    palace = palaces.palace(user)
    conversations = labelled.conversations_of(user)
    filed = file_all(palace if extracts else without_extraction(palace), conversations)
    graph = read_graph(palace, filed.turns)
    names = identities.Names(labelled.identities_of(user))
    said = {
        (each.id, place): Told(message.created_at.date(), "day")
        for each in conversations
        for place, message in enumerate(each.messages)
    }
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
