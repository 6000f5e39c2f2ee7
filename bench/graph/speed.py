"""How fast a palace answers: what held on a day among many relations, and what an arm costs a recall."""

from __future__ import annotations

import gzip
import json
import random
import re
import time
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from bench.graph.kinds import strategy_without
from bench.graph.measure import file_all
from bench.graph.sets import Conversation, Message
from bench.harness import read_statements
from bench.metrics import percentiles
from palace import Palace
from palace.errors import BadRequest

PREDICATES, PERIODS = 5, 4
"""Of each entity: predicates, and the values that each of them had one after another, a year each."""
ASKED = 200
MANY = 10_000
"""Relations from which on the server looks at tables by itself."""
SEED = 12
BEGUN = datetime(2020, 1, 1, tzinfo=UTC)

_FILL = read_statements(Path(__file__).with_name("many_relations.sql"))

_SEEN = """
    SELECT bool_and(last_autoanalyze IS NOT NULL) FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND relname IN ('assertion', 'relation', 'evidence')"""


def fill(palace: Palace, relations: int) -> int:
    """Put so many relations into a palace that was just made; give the number of entities they are of."""
    entities = max(1, relations // (PREDICATES * PERIODS))
    palace.file(
        [{"role": "user", "content": "All that there is to be said of things.", "timestamp": BEGUN.isoformat()}]
    )
    with palace._opened.session() as session:
        run = session.connection.exec_driver_sql
        drawer, conversation = run("SELECT id, conversation_id FROM drawer").one()
        given = {
            "user": session.user_id,
            "entities": entities,
            "conversation": conversation,
            "drawer": drawer,
            "predicates": PREDICATES,
            "periods": PERIODS,
            "begun": BEGUN,
        }
        for statement in _FILL.values():
            run(statement, given)
    if relations >= MANY:
        _wait_for_statistics(palace)
    return entities


def _wait_for_statistics(palace: Palace) -> None:
    """Wait, for three minutes at most, until the server has looked at the tables, as it does within a minute."""
    for _ in range(90):
        with palace._opened.session() as session:
            seen = session.connection.exec_driver_sql(_SEEN).scalar_one()
        if seen:
            return
        time.sleep(2)


def time_as_of(palace: Palace, entities: int) -> dict[str, Any]:
    """Ask what held of entities drawn by lot, on days drawn by lot; milliseconds a question."""
    chance = random.Random(SEED)
    spent = []
    for _ in range(ASKED):
        name, day = f"Thing {chance.randint(1, entities)}", BEGUN + timedelta(days=chance.randrange(365 * PERIODS))
        begun = time.perf_counter()
        found = palace.relations(name, as_of=day)
        spent.append(1000 * (time.perf_counter() - begun))
        assert len(found) == PREDICATES, f"{name} has {len(found)} relations on {day:%Y-%m-%d}"
    return {"relations": entities * PREDICATES * PERIODS, "asked": ASKED, "milliseconds": percentiles(spent)}


QUERIES, ROUNDS = 100, 3
FILED_FROM = datetime(2024, 1, 1, tzinfo=UTC)
_QUESTION = re.compile(r"[A-Z][^.?!\n]{15,150}\?")


def measure_latency(palace: Palace, sessions: Path, drawers: int, without: Collection[str]) -> dict[str, Any]:
    """File sessions until there are so many drawers, and ask questions that stand in them, with and without by turns.

    Milliseconds a recall: what a question costs is the median of its rounds.

    Raises:
        BadRequest: there are not as many drawers in the sessions, or recall has nothing of such a name.
    """
    strategy = strategy_without(without)
    conversations = list(_taken(sessions, drawers))
    filed = file_all(palace, conversations)
    questions = _questions(conversations)
    spent: dict[bool, list[list[float]]] = {True: [[] for _ in questions], False: [[] for _ in questions]}
    for turn in range(ROUNDS + 1):
        for place, question in enumerate(questions):
            for usual in (True, False) if place % 2 else (False, True):
                found = palace.recall(question, strategy=None if usual else strategy)
                # The first round warms what later ones find warm.
                if turn:
                    spent[usual][place].append(found.timings_ms["total"])
    on, off = ([median(each) for each in spent[usual]] for usual in (True, False))
    return {
        "drawers": len(filed.turns),
        "seconds_to_file": round(filed.seconds, 1),
        "queries": len(questions),
        "without": sorted(without),
        "on": percentiles(on),
        "off": percentiles(off),
        "more": percentiles([one - other for one, other in zip(on, off, strict=True)]),
    }


def _taken(sessions: Path, drawers: int) -> Iterator[Conversation]:
    """Take whole sessions, a day each, until there are so many drawers."""
    held = 0
    with gzip.open(sessions, "rt", encoding="utf-8") as lines:
        for day, line in enumerate(lines):
            session = json.loads(line)
            begun = FILED_FROM + timedelta(days=day % 700)
            turns = [turn for turn in session["turns"] if turn["content"].strip()]
            messages = tuple(
                Message(turn["role"], turn["content"], begun + timedelta(minutes=place))
                for place, turn in enumerate(turns)
            )
            if messages:
                yield Conversation(session["session_id"], "latency", None, messages)
            held += len(messages)
            if held >= drawers:
                return
    raise BadRequest(f"{sessions} has only {held:,} messages")


def _questions(conversations: Sequence[Conversation]) -> list[str]:
    said = [
        question
        for each in conversations
        for message in each.messages
        if message.role == "user"
        for question in islice(_QUESTION.findall(message.content), 1)
    ]
    return random.Random(SEED).sample(said, min(QUERIES, len(said)))
