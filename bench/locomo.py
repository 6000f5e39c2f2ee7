"""`python -m bench.locomo VERB`: LoCoMo, questions about two people's conversations (Maharana et al., ACL 2024).

The layout is that of github.com/snap-research/locomo: a list of conversations, each with numbered sessions and
questions; the evidence of a question are ``dia_id``s such as ``D3:11``, the eleventh turn of session 3.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
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

CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
ADVERSARIAL = 5

_SESSION_KEY = re.compile(r"session_(\d+)")
_SESSION = re.compile(r"D(\d+)")
_TURN = re.compile(r"D(\d+):(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"


def read(path: Path) -> Dataset:
    """Read a file; questions that cannot be scored are left out, and everything odd is in ``problems``.

    Raises:
        UnreadableSource: it cannot be read, is cut off, is no list of conversations, or no question can be scored.
    """
    samples, sha256 = read_json(path)
    if not isinstance(samples, list) or not all(_is_sample(sample) for sample in samples):
        raise UnreadableSource(str(path), "is no list of conversations with sample_id, conversation and qa")
    if twice := repeated(sample["sample_id"] for sample in samples):
        raise UnreadableSource(str(path), f"has two conversations called {', '.join(sorted(twice))}")
    problems = Problems()
    haystacks = {sample["sample_id"]: _haystack(sample, problems) for sample in samples}
    questions = tuple(
        question for sample in samples for question in _questions(sample, haystacks[sample["sample_id"]], problems)
    )
    return require_questions(path, Dataset(path.stem, sha256, haystacks, questions, problems))


def source(haystack: Haystack) -> object:
    """Write a haystack as conversations of the layout, without questions and annotations."""
    samples: dict[str, dict[str, Any]] = {}
    for session in haystack.sessions:
        raw = session.raw
        people = {name: raw[name] for name in ("speaker_a", "speaker_b")}
        sample = samples.setdefault(raw["sample_id"], {"sample_id": raw["sample_id"], "conversation": people})
        sample["conversation"] |= {raw["key"]: raw["turns"], f"{raw['key']}_date_time": raw["date"]}
    return list(samples.values())


def _is_sample(sample: Any) -> bool:
    return (
        isinstance(sample, dict)
        and isinstance(sample.get("sample_id"), str)
        and isinstance(sample.get("conversation"), dict)
        and isinstance(sample.get("qa"), list)
    )


def _haystack(sample: dict[str, Any], problems: Problems) -> Haystack:
    conversation = sample["conversation"]
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION_KEY.fullmatch(key)))
    sessions = (_session(sample, number, problems) for number in numbers)
    return Haystack(sample["sample_id"], tuple(session for session in sessions if session))


def _session(sample: dict[str, Any], number: int, problems: Problems) -> Session | None:
    conversation, key = sample["conversation"], f"session_{number}"
    session_id = f"{sample['sample_id']}/{key}"
    turns = list(_turns(conversation[key], session_id, problems))
    if not turns:
        problems.mend("is an empty session: left out", session_id)
        return None
    date = conversation.get(f"{key}_date_time")
    if (moment := _date(date)) is None:
        problems.mend("has no date of the session", session_id)
    raw = {
        "sample_id": sample["sample_id"],
        "key": key,
        "date": date,
        "turns": [raw for _, raw in turns],
        "speaker_a": conversation.get("speaker_a"),
        "speaker_b": conversation.get("speaker_b"),
    }
    return Session(session_id, moment, tuple(turn for turn, _ in turns), raw)


def _turns(given: Any, session_id: str, problems: Problems) -> Iterator[tuple[Turn, dict[str, Any]]]:
    if not isinstance(given, list):
        problems.mend("is a session that is no list of turns", session_id)
        return
    known: set[str] = set()
    for place, turn in enumerate(given, 1):
        if not isinstance(turn, dict) or not all(isinstance(turn.get(name), str) for name in ("speaker", "dia_id")):
            problems.mend("is a turn without speaker or dia_id: left out", f"{session_id}, turn {place}")
        elif turn["dia_id"] in known:
            problems.mend("is a turn whose dia_id stands there twice: left out", f"{session_id}, turn {place}")
        elif not (content := _content(turn)):
            problems.mend("is a turn without content: left out", f"{session_id}, turn {place}")
        else:
            known.add(turn["dia_id"])
            yield Turn(f"{session_id}#{turn['dia_id']}", content, is_user=True, speaker=turn["speaker"]), turn


def _content(turn: dict[str, Any]) -> str:
    """Give what mining files: the text, then a picture's caption in brackets."""
    said, caption = turn.get("text"), turn.get("blip_caption")
    parts = (
        said if isinstance(said, str) else "",
        f"[shares {caption}]" if isinstance(caption, str) and caption else "",
    )
    return "\n".join(part for part in parts if part)


def _questions(sample: dict[str, Any], haystack: Haystack, problems: Problems) -> Iterator[Question]:
    asked: set[str] = set()
    if (asked_at := just_after(haystack)) is None:
        problems.mend("has no dated session: its questions are asked as of the day it is run", haystack.id)
    for number, given in enumerate(sample["qa"], 1):
        place = f"{haystack.id}, question {number}"
        text = given.get("question") if isinstance(given, dict) else None
        if not isinstance(text, str) or not text.strip():
            problems.skip("is no question", place)
            continue
        if text in asked:
            problems.mend("is asked a second time: both count", place)
        asked.add(text)
        sessions, turns = _gold(given.get("evidence"), haystack, place, problems)
        if not sessions:
            problems.skip("has no evidence in the conversation", place)
            continue
        category = given.get("category")
        kind = CATEGORIES.get(category, str(category)) if isinstance(category, int) else str(category)
        name = f"{haystack.id}/q{number}"
        question = Question(name, kind, text, None, haystack.id, sessions, turns, asked_at=asked_at)
        yield _with_answer(question, given, place, problems)


def _with_answer(question: Question, given: dict[str, Any], place: str, problems: Problems) -> Question:
    if given.get("category") == ADVERSARIAL:
        tempting = reference(given.get("adversarial_answer"))
        return replace(question, answer=tempting, judging=Judging.ADVERSARIAL)
    answer = reference(given.get("answer"))
    if answer is None:
        problems.mend("has no answer: it cannot be judged", place)
    return replace(question, answer=answer, judging=Judging.GENERAL)


def _gold(evidence: Any, haystack: Haystack, place: str, problems: Problems) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the sessions and turns that evidence names; of malformed evidence whatever can be read."""
    known = {session.id: {turn.id for turn in session.turns} for session in haystack.sessions}
    sessions, turns = [], []
    for given in evidence if isinstance(evidence, list) else ():
        if not isinstance(given, str) or not _TURN.fullmatch(given.strip()):
            problems.mend("has malformed evidence: what can be read of it counts", f"{place}, {given!r}")
        said = str(given)
        sessions += [f"{haystack.id}/session_{int(number)}" for number in _SESSION.findall(said)]
        turns += [f"{haystack.id}/session_{int(one)}#D{int(one)}:{int(two)}" for one, two in _TURN.findall(said)]
    turn_ids = set().union(*known.values())
    if not set(sessions) <= known.keys() or not set(turns) <= turn_ids:
        problems.mend("names evidence that is not there: the rest counts", place)
    return (
        tuple(dict.fromkeys(name for name in sessions if name in known)),
        tuple(dict.fromkeys(name for name in turns if name in turn_ids)),
    )


def _date(given: Any) -> datetime | None:
    try:
        return datetime.strptime(given.strip(), _DATE).replace(tzinfo=UTC)
    except (AttributeError, ValueError):
        return None


PEOPLE = (("Ada", "Bo"), ("Cleo", "Dag"))
TRIPS = ("Porto", "Tromsø", "Cork", "Ghent", "Split", "Turku", "Bern", "Lviv", "Faro", "Graz")
SESSIONS = 6
TALK = ("rain", "buses", "the choir", "a leaking tap", "exams", "cheese")


def made_up(conversations: int) -> list[dict[str, object]]:
    """Make up so many conversations of six sessions, each with a question of one session and one of two."""
    return [_sample(number, random.Random(number)) for number in range(conversations)]


def _sample(number: int, chance: random.Random) -> dict[str, object]:
    first, second = PEOPLE[number % len(PEOPLE)]
    conversation: dict[str, object] = {"speaker_a": first, "speaker_b": second}
    places = chance.sample(TRIPS, k=SESSIONS)
    for place, town in enumerate(places, 1):
        conversation[f"session_{place}_date_time"] = f"{place}:15 pm on {place} May, 2023"
        conversation[f"session_{place}"] = [
            _turn(first, f"D{place}:1", f"Last week I took the train to {town}."),
            _turn(second, f"D{place}:2", f"And here it was all about {chance.choice(TALK)}."),
        ]
    both = {"question": f"Did {first} go to {places[0]} before {places[1]}?", "evidence": ["D1:1", "D2:1"]}
    one = {"question": f"How did {first} travel to {places[2]}?", "evidence": ["D3:1"]}
    return {
        "sample_id": f"made-{number}",
        "conversation": conversation,
        "qa": [both | {"answer": "yes", "category": 1}, one | {"answer": "by train", "category": 4}],
    }


def _turn(speaker: str, dia_id: str, text: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text}


_REPOSITORY = "https://raw.githubusercontent.com/snap-research/locomo/main/data"

BENCHMARK = Benchmark(
    name="locomo",
    about="Measure retrieval, and answers, on any file of the LoCoMo layout (its data is CC BY-NC 4.0: not for use).",
    read=read,
    source=source,
    date_field="date",
    made_up=made_up,
    downloads={"locomo10.json": f"{_REPOSITORY}/locomo10.json"},
    usual_download="locomo10.json",
)


if __name__ == "__main__":
    sys.exit(main(BENCHMARK))
