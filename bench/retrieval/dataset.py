"""What a benchmark asks, where the answers lie, and what was wrong with its file."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from palace.errors import UnreadableSource

POOLED = "pooled"
"""The haystack that holds every session of a file."""
JUST_AFTER = timedelta(minutes=1)
"""How long after the last session a question without a date of its own is asked."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, as mining files it."""

    id: str
    content: str
    is_user: bool
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One dated conversation of a haystack; never without turns."""

    id: str
    date: datetime | None
    turns: tuple[Turn, ...]
    raw: dict[str, Any]
    """What the file has of it, ready to be written out for mining."""


@dataclass(frozen=True, slots=True)
class Haystack:
    """The sessions that a question is asked of; each haystack is a user's palace of its own."""

    id: str
    sessions: tuple[Session, ...]


class Judging(StrEnum):
    """The instruction by which a judge decides whether an answer is right."""

    PLAIN = "plain"
    DAYS = "days"
    """A count of days, weeks or months may be off by one."""
    UPDATE = "update"
    """What held before may stand beside what holds now."""
    PREFERENCE = "preference"
    """The right answer is a rubric: what a reply to this person would make use of."""
    GENERAL = "general"
    """For short reference answers of one kind of question or another."""
    ABSTENTION = "abstention"
    """The right answer is that nothing is known, and the reference explains why."""
    ADVERSARIAL = "adversarial"
    """The question takes for granted what was never said; the reference is the answer it tempts to."""

    @property
    def wants_abstention(self) -> bool:
        """Whether the right answer is that it cannot be known."""
        return self in (Judging.ABSTENTION, Judging.ADVERSARIAL)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its evidence, all of which is in its haystack."""

    id: str
    type: str
    text: str
    date: str | None
    """As the file has it."""
    haystack: str
    gold_sessions: tuple[str, ...]
    gold_turns: tuple[str, ...]
    """Empty where the file marks none."""
    is_abstention: bool = False
    """Whether the right answer is that nothing is known; such questions are scored apart."""
    asked_at: datetime | None = None
    """The moment it is asked: its date, else just after the last session of its own haystack; None without any."""
    answer: str | None = None
    """What an answer is judged by; None where the file has nothing."""
    judging: Judging = Judging.PLAIN

    @property
    def can_be_judged(self) -> bool:
        """Whether an answer to it can be judged; that nothing was said needs no reference."""
        return self.answer is not None or self.judging is Judging.ADVERSARIAL


class Problem(NamedTuple):
    """Something wrong with a file; the question was skipped, or mended as the kind says."""

    kind: str
    place: str
    is_skipped: bool


@dataclass(slots=True)
class Problems:
    """Everything wrong with one file."""

    found: list[Problem] = field(default_factory=list)

    def skip(self, kind: str, place: str) -> None:
        """Note a question that is left out."""
        self.found.append(Problem(kind, place, is_skipped=True))

    def mend(self, kind: str, place: str) -> None:
        """Note what was mended."""
        self.found.append(Problem(kind, place, is_skipped=False))

    def counts(self) -> dict[str, int]:
        """Count them by kind, in order of name."""
        return dict(sorted(Counter(problem.kind for problem in self.found).items()))

    def lines(self) -> list[str]:
        """Say each in one line."""
        return [f"{'skipped' if each.is_skipped else 'mended'}: {each.place}: {each.kind}" for each in self.found]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A file of questions that can be scored."""

    name: str
    sha256: str
    haystacks: dict[str, Haystack]
    questions: tuple[Question, ...]
    problems: Problems


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What the harness needs to know of one benchmark."""

    name: str
    about: str
    read: Callable[[Path], Dataset]
    """Reads a file; raises ``UnreadableSource`` for one that cannot be scored at all."""
    source: Callable[[Haystack], object]
    """Writes a haystack in the benchmark's own layout, for the product's reader: JSON without questions or marks."""
    date_field: str
    """Under which name the file's own form of a session has its date."""
    made_up: Callable[[int], object]
    """Makes up a small file of so many haystacks."""
    downloads: dict[str, str]
    """Addresses of the official files by name."""
    usual_download: str
    """Which of them is measured when no file is named."""


def pooled(dataset: Dataset) -> Dataset:
    """Ask every question of one palace that holds every distinct session of the file, where it first stands."""
    sessions: dict[str, Session] = {}
    for haystack in dataset.haystacks.values():
        for session in haystack.sessions:
            first = sessions.setdefault(session.id, session)
            if first.turns != session.turns:
                dataset.problems.mend("says something else in another haystack: the first counts", session.id)
    known = {turn.id for session in sessions.values() for turn in session.turns}
    questions = tuple(
        replace(question, haystack=POOLED, gold_turns=tuple(turn for turn in question.gold_turns if turn in known))
        for question in dataset.questions
    )
    return replace(dataset, haystacks={POOLED: Haystack(POOLED, tuple(sessions.values()))}, questions=questions)


def just_after(haystack: Haystack) -> datetime | None:
    """Give the moment after a haystack's last dated session; None when none is dated."""
    dates = [session.date for session in haystack.sessions if session.date]
    return max(dates) + JUST_AFTER if dates else None


def shuffled_dates(dataset: Dataset, date_field: str) -> Dataset:
    """Give every session another session's date, in each haystack by itself, the same way each time.

    A control: what a variant scores less than with the true dates, it owes to them. The moments at which questions
    are asked stay.
    """
    shuffled = {name: _redated(haystack, date_field) for name, haystack in dataset.haystacks.items()}
    return replace(dataset, haystacks=shuffled)


def _redated(haystack: Haystack, date_field: str) -> Haystack:
    givers = list(haystack.sessions)
    chance = random.Random(haystack.id)
    # Sattolo's algorithm: one cycle through all of them, so that none keeps its own.
    for last in range(len(givers) - 1, 0, -1):
        other = chance.randrange(last)
        givers[last], givers[other] = givers[other], givers[last]
    sessions = (
        replace(session, date=giver.date, raw={**session.raw, date_field: giver.raw[date_field]})
        for session, giver in zip(haystack.sessions, givers, strict=True)
    )
    return replace(haystack, sessions=tuple(sessions))


def first_questions(dataset: Dataset, limit: int | None) -> Dataset:
    """Keep the first so many questions and the haystacks they are asked of."""
    questions = dataset.questions[:limit]
    asked = {question.haystack for question in questions}
    kept = {name: haystack for name, haystack in dataset.haystacks.items() if name in asked}
    return replace(dataset, haystacks=kept, questions=questions)


def read_json(path: Path) -> tuple[Any, str]:
    """Read a JSON file and its SHA-256.

    Raises:
        UnreadableSource: it is not there, cut off, or no JSON.
    """
    try:
        data = path.read_bytes()
        return json.loads(data), hashlib.sha256(data).hexdigest()
    except OSError as problem:
        raise UnreadableSource(str(path), f"cannot be read: {problem.strerror}") from problem
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise UnreadableSource(str(path), f"is cut off or no JSON: {problem.msg}", place=place) from problem
    except UnicodeDecodeError as problem:
        raise UnreadableSource(str(path), "is not UTF-8", place=f"byte {problem.start}") from problem


def reference(given: Any) -> str | None:
    """Give a reference answer as text: files have numbers among them; None where nothing is given."""
    text = "" if given is None else str(given).strip()
    return text or None


def require_questions(path: Path, dataset: Dataset) -> Dataset:
    """Give the data set back.

    Raises:
        UnreadableSource: not one of its questions can be scored.
    """
    if not dataset.questions:
        reasons = ", ".join(f"{kind} ({count})" for kind, count in dataset.problems.counts().items())
        raise UnreadableSource(str(path), f"holds no question that can be scored: {reasons or 'it holds none at all'}")
    return dataset


def repeated(names: Iterable[str]) -> set[str]:
    """Give the names that stand there more than once."""
    return {name for name, count in Counter(names).items() if count > 1}
