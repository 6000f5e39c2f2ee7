"""What an arm or a signal costs a recall, in a palace of real conversations."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from bench.graph.asked.kinds import strategy_without
from bench.graph.filing import file_all
from bench.graph.sets import Conversation, Message
from bench.metrics import percentiles
from palace import Palace
from palace.errors import BadRequest

QUERIES, ROUNDS = 100, 3
SEED = 12
BEGUN = datetime(2024, 1, 1, tzinfo=UTC)
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
            begun = BEGUN + timedelta(days=day % 700)
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
