"""`python -m bench.longmemeval VERB`: LongMemEval, 500 questions about long chat histories (Wu et al., ICLR 2025).

The layout is that of github.com/xiaowu0162/LongMemEval: a list of questions, each with its haystack in three lists of
one length; turns that hold evidence are marked ``has_answer``; the id of a question without an answer ends in ``_abs``.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from bench.command import main
from bench.retrieval.dataset import (
    Benchmark,
    Dataset,
    Haystack,
    Judging,
    Problems,
    Question,
    Session,
    Turn,
    just_after,
    read_json,
    reference,
    repeated,
    require_questions,
)
from palace.errors import UnreadableSource
from palace.mining.readers.longmemeval import find_moment

ABSTENTION = "_abs"
LISTS = ("haystack_session_ids", "haystack_dates", "haystack_sessions")

JUDGINGS = {
    "single-session-user": Judging.PLAIN,
    "single-session-assistant": Judging.PLAIN,
    "multi-session": Judging.PLAIN,
    "temporal-reasoning": Judging.DAYS,
    "knowledge-update": Judging.UPDATE,
    "single-session-preference": Judging.PREFERENCE,
}
"""How the official evaluation judges each type; whatever the type, a question without an answer as such."""

_TEXTS = ("question_id", "question_type", "question")


class _Unusable(Exception):
    """The question cannot be scored; says why."""


def read(path: Path) -> Dataset:
    """Read a file; questions that cannot be scored are left out, and everything odd is in ``problems``.

    Raises:
        UnreadableSource: it cannot be read, is cut off, is no list of questions, or none of them can be scored.
    """
    records, sha256 = read_json(path)
    if not isinstance(records, list):
        raise UnreadableSource(str(path), "is no list of questions")
    problems, haystacks, questions = Problems(), {}, []
    twice = repeated(str(record.get("question_id")) for record in records if isinstance(record, dict))
    for number, record in enumerate(records, 1):
        place = (
            str(record.get("question_id") or f"question {number}") if isinstance(record, dict) else f"entry {number}"
        )
        try:
            question, haystack = _question(record, twice, place, problems)
        except _Unusable as reason:
            problems.skip(str(reason), place)
            continue
        haystacks[haystack.id] = haystack
        questions.append(question)
    dataset = Dataset(path.stem, sha256, haystacks, tuple(questions), problems)
    return require_questions(path, dataset)


def source(haystack: Haystack) -> object:
    """Write a haystack as one question of the layout, with nothing but its sessions."""
    values = ([session.raw[name] for session in haystack.sessions] for name in LISTS)
    return [dict(zip(LISTS, values, strict=True))]


def _question(record: Any, twice: set[str], place: str, problems: Problems) -> tuple[Question, Haystack]:
    if not isinstance(record, dict):
        raise _Unusable("is no question")
    if any(not isinstance(record.get(name), str) or not record[name].strip() for name in _TEXTS):
        raise _Unusable(f"lacks one of {', '.join(_TEXTS)}")
    if record["question_id"] in twice:
        # Which of them is meant cannot be known.
        raise _Unusable("stands in the file more than once")
    haystack = Haystack(record["question_id"], _sessions(record, place, problems))
    gold = _gold(record, haystack)
    if (asked_at := find_moment(record.get("question_date"))) is None:
        asked_at = just_after(haystack)
        when = "just after the last session" if asked_at else "as of the day it is run"
        problems.mend(f"has no date of the question: asked {when}", place)
    if (answer := reference(record.get("answer"))) is None:
        problems.mend("has no answer: it cannot be judged", place)
    question = Question(
        id=record["question_id"],
        type=record["question_type"],
        text=record["question"],
        date=record.get("question_date"),
        haystack=haystack.id,
        gold_sessions=gold,
        gold_turns=_marked(haystack, gold),
        is_abstention=record["question_id"].endswith(ABSTENTION),
        asked_at=asked_at,
        answer=answer,
        judging=_judging(record, place, problems),
    )
    return question, haystack


def _judging(record: dict[str, Any], place: str, problems: Problems) -> Judging:
    if record["question_id"].endswith(ABSTENTION):
        return Judging.ABSTENTION
    if record["question_type"] not in JUDGINGS:
        problems.mend("is of a type without an instruction for judging: the plain one is taken", place)
    return JUDGINGS.get(record["question_type"], Judging.PLAIN)


def _gold(record: dict[str, Any], haystack: Haystack) -> tuple[str, ...]:
    given = record.get("answer_session_ids")
    if not isinstance(given, list):
        raise _Unusable("lacks answer_session_ids")
    gold = tuple(dict.fromkeys(str(session_id) for session_id in given))
    if not gold and not record["question_id"].endswith(ABSTENTION):
        raise _Unusable("has no gold session")
    if not set(gold) <= {session.id for session in haystack.sessions}:
        raise _Unusable("has a gold session that is not in its haystack, or is empty")
    return gold


def _marked(haystack: Haystack, gold: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        turn.id
        for session in haystack.sessions
        if session.id in gold
        for turn, raw in zip(session.turns, session.raw["marks"], strict=True)
        if raw
    )


def _sessions(record: dict[str, Any], place: str, problems: Problems) -> tuple[Session, ...]:
    lists = [record.get(name) for name in LISTS]
    if not all(isinstance(values, list) for values in lists):
        raise _Unusable(f"lacks one of {', '.join(LISTS)}")
    if len({len(values) for values in lists if values is not None}) != 1:
        raise _Unusable(f"has {', '.join(LISTS)} of different lengths")
    found: dict[str, Session] = {}
    for session_id, date, turns in zip(*(values or () for values in lists), strict=True):
        session = _session(str(session_id), date, turns, f"{place}, session {session_id}", problems)
        if session is None:
            continue
        if found.setdefault(session.id, session).turns != session.turns:
            raise _Unusable("has two sessions of one id that say different things")
        if found[session.id] is not session:
            problems.mend("is in its haystack twice: once is enough", f"{place}, session {session_id}")
    return tuple(found.values())


def _session(session_id: str, date: Any, turns: Any, place: str, problems: Problems) -> Session | None:
    if not isinstance(turns, list) or not all(_is_turn(turn) for turn in turns):
        raise _Unusable("has a session that is no list of turns with role and content")
    said = [(number, turn) for number, turn in enumerate(turns) if turn["content"]]
    if len(said) < len(turns):
        problems.mend("has turns without content: left out", place)
    if not said:
        problems.mend("is an empty session: left out", place)
        return None
    if (moment := find_moment(date)) is None:
        problems.mend("has no date of the session", place)
    return Session(
        id=session_id,
        date=moment,
        turns=tuple(Turn(f"{session_id}#{number}", turn["content"], turn["role"] == "user") for number, turn in said),
        raw={
            "haystack_session_ids": session_id,
            "haystack_dates": date,
            "haystack_sessions": [{"role": turn["role"], "content": turn["content"]} for _, turn in said],
            "marks": [turn.get("has_answer") is True for _, turn in said],
        },
    )


def _is_turn(turn: Any) -> bool:
    return isinstance(turn, dict) and turn.get("role") in ("user", "assistant", "system") and isinstance(
        turn.get("content"), str
    )  # fmt: skip


THINGS = (
    ("kayak", "the boathouse by the weir", "a red one with a patched hull"),
    ("accordion", "a flea market in Ghent", "it has eighty basses"),
    ("greenhouse", "the north wall", "tomatoes and one stubborn fig"),
    ("telescope", "the roof of the library", "an eight-inch mirror"),
    ("sourdough", "a jar from my aunt", "fed every second morning"),
    ("motorbike", "a barn in Wales", "the clutch still slips"),
    ("loom", "the spare room", "linen for a tablecloth"),
    ("beehive", "the orchard", "two supers of lime honey"),
    ("canoe", "a cedar log", "steam-bent ribs"),
    ("harpsichord", "a kit from Boston", "the jacks need voicing"),
)
TALK = ("weather", "train tickets", "a film about lighthouses", "how to fold maps", "a recipe for lentils", "tax forms")
SESSIONS = 8


def made_up(questions: int) -> list[dict[str, object]]:
    """Make up so many questions, each with eight sessions, of which one or two hold the answer."""
    return [_made_question(number, random.Random(number)) for number in range(questions)]


def _made_question(number: int, chance: random.Random) -> dict[str, object]:
    thing, place, detail = THINGS[number % len(THINGS)]
    gold = [f"made_{number}_0"] + ([f"made_{number}_1"] if number % 2 else [])
    sessions = {gold[0]: _evidence(f"I found my {thing} at {place}.", thing)}
    if number % 2:
        sessions[gold[1]] = _evidence(f"About the {thing}: {detail}.", thing)
    while len(sessions) < SESSIONS:
        sessions[f"made_{number}_{len(sessions)}"] = _small_talk(chance)
    order = chance.sample(list(sessions), k=SESSIONS)
    days = {name: f"2024/03/{place + 1:02} (Fri) 10:{number:02}" for place, name in enumerate(order)}
    return {
        "question_id": f"made_{number}" + ("_abs" if number % 10 == 9 else ""),
        "question_type": "multi-session" if number % 2 else "single-session-user",
        "question": f"Where did I find my {thing}, and what did I say about it?",
        "answer": f"{place}; {detail}",
        "question_date": "2024/04/01 (Mon) 09:00",
        "answer_session_ids": gold,
        "haystack_session_ids": order,
        "haystack_dates": [days[name] for name in order],
        "haystack_sessions": [sessions[name] for name in order],
    }


def _evidence(said: str, thing: str) -> list[dict[str, object]]:
    return [
        {"role": "user", "content": said, "has_answer": True},
        {"role": "assistant", "content": f"That sounds like a fine {thing}. What comes next?", "has_answer": False},
    ]


def _small_talk(chance: random.Random) -> list[dict[str, object]]:
    first, second = chance.sample(TALK, k=2)
    return [
        {"role": "user", "content": f"Tell me about {first}, number {chance.randrange(1000)}."},
        {"role": "assistant", "content": f"Gladly: {first} is a wide subject, much like {second}."},
    ]


_HUB = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned/resolve/main"
_FILES = ("longmemeval_oracle.json", "longmemeval_s_cleaned.json", "longmemeval_m_cleaned.json")

BENCHMARK = Benchmark(
    name="longmemeval",
    about="Measure retrieval, and answers, on any file of the official LongMemEval layout.",
    read=read,
    source=source,
    date_field="haystack_dates",
    made_up=made_up,
    downloads={name: f"{_HUB}/{name}" for name in _FILES},
    usual_download="longmemeval_s_cleaned.json",
)


if __name__ == "__main__":
    sys.exit(main(BENCHMARK))
