"""Questions with all that recall compares for them, and which of it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.everyday.asking import file_load
from bench.everyday.sets import Load
from bench.retrieval.dataset import Question, Session
from bench.retrieval.product import Places, list_rooms, moment_of, open_palace
from bench.retrieval.run import Run, by_haystack, progress
from palace import Palace, Palaces
from palace.recall.arms.propose import Asked
from palace.recall.comparison import Comparison, compare
from palace.recall.request import make_request
from palace.records import Compared, Scope
from palace.store.drawers import get_recalled


@dataclass(frozen=True, slots=True)
class Example:
    """One question."""

    group: str
    """What is measured together."""
    question: str
    """Its id: whoever asks it and in whatever palace, it stays in one fold."""
    found: Comparison
    answers: frozenset[int]
    """The drawers, by id, each of which answers."""
    places: Mapping[int, str]
    """What counts as one place, by drawer id: its session, or its turn."""
    wanted: frozenset[str]
    """The places that hold an answer."""


def everyday_examples(palaces: Palaces, load: Load, group: str, user: str) -> Iterator[Example]:
    """Ask one of the everyday palaces all of its questions that have an answer."""
    palace = palaces.palace(user, person=load.person or None)
    turns = file_load(palace, load)
    names = palace._opened.names
    for question in load.questions:
        if not question.answers:
            continue
        request = make_request(question.text, top_k=5, scope=Scope(), context=0, now=question.at, person=names)
        found = compare(Asked(palace._opened.database, palace._opened.find_model), request)
        places = {drawer_id: turns[pointer] for drawer_id, pointer in _pointers(palace, found).items()}
        answers = frozenset(drawer_id for drawer_id, turn in places.items() if turn in question.answers)
        yield Example(group, f"{user.partition('-profile')[0]} {question.id}", found, answers, places, question.answers)


def _pointers(palace: Palace, found: Comparison) -> dict[int, str]:
    keys = [drawer.passage for drawer in found.drawers]
    said = palace._opened.run(lambda session: get_recalled(session, keys, found.words, None)) if keys else {}
    return {key.drawer_id: str(recalled.drawer.pointer) for key, recalled in said.items()}


def benchmark_examples(run: Run) -> Iterator[Example]:
    """Ask every question of a benchmark that has evidence; the haystacks are mined already."""
    for _, example in progress("asked", _of_run(run), total=sum(map(_has_evidence, run.dataset.questions))):
        yield example


def _has_evidence(question: Question) -> bool:
    return bool(question.gold_sessions) and not question.is_abstention


def _of_run(run: Run) -> Iterator[Example]:
    for haystack, questions in by_haystack(run, run.dataset.questions):
        with open_palace(run.settings, haystack, run.embedder) as palace:
            places = Places.of(palace, haystack)
            rooms = {room.id: places.sessions[at] for at, room in list_rooms(palace) if at in places.sessions}
            for question in filter(_has_evidence, questions):
                yield _of_question(palace, rooms, question, f"{run.benchmark.name} {run.haystack}")


def _of_question(palace: Palace, rooms: Mapping[int, Session], question: Question, group: str) -> Example:
    request = make_request(question.text, top_k=5, scope=Scope(), context=0, now=moment_of(question))
    found = compare(Asked(palace._opened.database, palace._opened.find_model), request)
    sessions = {drawer.passage.drawer_id: rooms[drawer.room_id] for drawer in found.drawers}
    wanted, turns = frozenset(question.gold_sessions), frozenset(question.gold_turns)

    def answers(drawer: Compared) -> bool:
        session, position = rooms[drawer.room_id], drawer.turn[1]
        if session.id not in wanted:
            return False
        return not turns or (position < len(session.turns) and session.turns[position].id in turns)

    return Example(
        group,
        question.id,
        found,
        frozenset(drawer.passage.drawer_id for drawer in found.drawers if answers(drawer)),
        {drawer_id: session.id for drawer_id, session in sessions.items()},
        wanted,
    )
