"""The product under measurement: haystacks are mined as a person would mine them, and asked as a person would ask."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from bench.retrieval.dataset import Haystack, Question, Session
from bench.retrieval.log import Ranking, Scored
from palace import BadRequest, Drawer, Hit, Palace, Recollection, Room, Settings, Strategy, UnreadableSource
from palace.db.database import Database, owner_connection
from palace.models import Scope
from palace.models.intake import repair
from palace.recall.comparison import Comparison, compare
from palace.recall.propose import Asked
from palace.recall.request import make_request

PAGE = 200
"""Drawers of a room that identify its session: more are never looked at."""
DELIVERED = 5
"""Drawers that the product gives back when nothing else is asked for."""


class Mined(NamedTuple):
    """What mining one haystack came to."""

    drawers: int
    passages: int
    seconds: float


def drop_schema(settings: Settings) -> None:
    """Drop the run's schema with all that was mined into it."""
    with owner_connection(Database(settings)) as connection:
        # The name is one that the settings accept: letters, digits and underscores.
        name = settings.database_schema
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {name}, {name}_queue CASCADE")


def mine(palace: Palace, haystack: Haystack, source: object, folder: Path) -> Mined | None:
    """Mine a haystack whole; None when all of it was there already, as after an interruption.

    Raises:
        UnreadableSource: the product left something out.
    """
    expected, status = sum(len(session.turns) for session in haystack.sessions), palace.status()
    if status.drawers == expected and not any(state.pending for state in status.embeddings):
        return None
    path = folder / "haystack.json"
    path.write_text(json.dumps(source, ensure_ascii=False), encoding="utf-8")
    summary = palace.mine(path)
    path.unlink()
    filed = summary.drawers_new + summary.drawers_unchanged
    if summary.failures:
        raise UnreadableSource(haystack.id, summary.failures[0].message)
    if filed != expected:
        raise UnreadableSource(haystack.id, f"has {expected:,} turns, of which {filed:,} were filed")
    if summary.passages_pending:
        raise UnreadableSource(haystack.id, f"{summary.passages_pending:,} passages could not be embedded")
    return Mined(summary.drawers_new, palace.status().passages, summary.seconds)


class Places:
    """Which turn of the haystack each drawer of its palace is."""

    def __init__(self, sessions: Mapping[tuple[int, int], Session]) -> None:
        self.sessions = sessions
        """By the numbers of wing and room."""

    @classmethod
    def of(cls, palace: Palace, haystack: Haystack) -> Places:
        """Find every session's room by what is said in it; sessions that say the same are distinguished by their order.

        Raises:
            BadRequest: a session has no room: the haystack was not mined, or not as it is now.
        """
        waiting = defaultdict(list)
        for session in haystack.sessions:
            waiting[tuple(repair(turn.content)[0] for turn in session.turns[:PAGE])].append(session)
        found = {}
        for place, room in list_rooms(palace):
            said = tuple(drawer.content for drawer in palace.tree.drawers(room, limit=PAGE))
            if waiting[said]:
                found[place] = waiting[said].pop(0)
        if len(found) < len(haystack.sessions):
            lacking = len(haystack.sessions) - len(found)
            raise BadRequest(f"{lacking:,} sessions of {haystack.id} are not in its palace: run `ingest` first")
        return cls(found)

    def turn(self, drawer: Drawer) -> str:
        """Give the id of the turn that a drawer was filed from."""
        return self.sessions[drawer.pointer.wing, drawer.pointer.room].turns[drawer.position].id

    def session(self, drawer: Drawer) -> str:
        """Give the id of the session that a drawer was filed from."""
        return self.sessions[drawer.pointer.wing, drawer.pointer.room].id


def list_rooms(palace: Palace) -> Iterator[tuple[tuple[int, int], Room]]:
    """List every room with the numbers of its wing and its own."""
    for wing in palace.tree.wings():
        for room in palace.tree.rooms(wing):
            yield (wing.number, room.number), room


def ask(palace: Palace, places: Places, question: Question, *, depth: int, strategy: Strategy) -> Ranking:
    """Ask one question twice: as a person does, for five drawers, which is timed, and for so many as to rank sessions.

    It is asked as of the moment of the question. A session stands where its first drawer stands. What the product keeps
    back is not ranked; a drawer that a hit stands for, because it says the same, stands with it, and so does the
    question that it answers, which is shown with it.
    """
    started = time.perf_counter()
    found = recall(palace, question, DELIVERED, strategy)
    latency = (time.perf_counter() - started) * 1000
    deep = recall(palace, question, depth, strategy)
    scored = [(drawer, round(hit.score, 6)) for hit in deep.hits for drawer in _shown(hit)]
    return Ranking(
        sessions=_first_of_each(scored, places.session),
        turns=_first_of_each(scored, places.turn),
        delivered=[places.turn(drawer) for hit in found.hits for drawer in _shown(hit)],
        latency_ms=round(latency, 3),
        timings_ms={step: round(spent, 3) for step, spent in found.timings_ms.items()},
        warnings=list(dict.fromkeys((*found.warnings, *deep.warnings))),
    )


def _shown(hit: Hit) -> tuple[Drawer, ...]:
    return (hit.drawer, *((hit.question,) if hit.question else ()), *hit.again)


def compared(palace: Palace, text: str, now: datetime) -> Comparison:
    """Compare the candidates for a question without ranking them."""
    opened = palace._opened
    request = make_request(text, top_k=DELIVERED, scope=Scope(), context=0, now=now, person=opened.names)
    return compare(Asked(opened.database, opened.model_of), request)


def moment_of(question: Question) -> datetime:
    """Give the moment a question is asked at; now, where the data has none."""
    return question.asked_at or datetime.now().astimezone()


def recall(palace: Palace, question: Question, top_k: int, strategy: Strategy) -> Recollection:
    """Ask as a person does, with the strategy of a variant."""
    return palace.recall(question.text, top_k=top_k, now=question.asked_at, strategy=strategy)


def _first_of_each(scored: list[tuple[Drawer, float]], name: Callable[[Drawer], str]) -> Scored:
    found: dict[str, float] = {}
    for drawer, score in scored:
        found.setdefault(name(drawer), score)
    return list(found.items())
