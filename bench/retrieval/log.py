"""Logs of runs: one line a question, kept from the moment it is written; scores are made from them alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from bench.retrieval.dataset import Haystack, Question
from palace.errors import BadRequest, UnreadableSource

Scored = list[tuple[str, float]]
"""Ids with scores, best first, each id once."""
UPDATE = "knowledge-update"
"""The type of questions about something that changed, whose newest evidence is the answer."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a variant found for one question."""

    sessions: Scored
    turns: Scored
    delivered: list[str]
    """The turns of the product's own answer: five drawers."""
    latency_ms: float | None = None
    """Of the product's own answer; rankings made outside a palace have none."""
    timings_ms: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entry:
    """A question and what was found: all that a score is made from."""

    question_id: str
    question_type: str
    question: str
    question_date: str | None
    is_abstention: bool
    haystack: str
    haystack_sessions: int
    haystack_turns: int
    gold_sessions: list[str]
    gold_turns: list[str]
    ranking: Ranking
    asked_at: str | None = None
    """The moment of asking; ISO 8601."""
    latest_session: str | None = None
    """The latest of several gold sessions, where the question is about something that changed."""


def entry_of(question: Question, ranking: Ranking, haystack: Haystack) -> Entry:
    """Put a question and its ranking together."""
    return Entry(
        question_id=question.id,
        question_type=question.type,
        question=question.text,
        question_date=question.date,
        is_abstention=question.is_abstention,
        haystack=question.haystack,
        haystack_sessions=len(haystack.sessions),
        haystack_turns=sum(len(session.turns) for session in haystack.sessions),
        gold_sessions=list(question.gold_sessions),
        gold_turns=list(question.gold_turns),
        ranking=ranking,
        asked_at=question.asked_at.isoformat() if question.asked_at else None,
        latest_session=_latest(question, haystack),
    )


def _latest(question: Question, haystack: Haystack) -> str | None:
    gold = [session for session in haystack.sessions if session.id in question.gold_sessions]
    dates = {session.id: session.date for session in gold if session.date}
    if question.type != UPDATE or len(set(dates.values())) < 2 or len(dates) < len(gold):
        return None
    return max(dates, key=lambda name: dates[name])


class Line(Protocol):
    """What every line of a log has."""

    @property
    def question_id(self) -> str:
        """The question that it is about."""


L = TypeVar("L", bound=Line)


@dataclass(frozen=True)
class Log(Generic[L]):
    """Lines of one kind, beside a manifest that says what run they are of."""

    path: Path
    kind: type[L]
    verb: str = "retrieve"
    """Which command writes it."""

    @property
    def manifest(self) -> Path:
        """The manifest's file."""
        return self.path.with_suffix(".manifest.json")

    def read_manifest(self) -> dict[str, Any]:
        """Read the manifest; empty when there is none."""
        if not self.manifest.exists():
            return {}
        found: dict[str, Any] = json.loads(self.manifest.read_text(encoding="utf-8"))
        return found

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write the manifest."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.manifest.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")

    def begin(self, manifest: dict[str, Any], identity: Sequence[str], *, fresh: bool) -> None:
        """Get ready to go on with what is there, or to begin; ``fresh`` removes what is there first.

        Raises:
            BadRequest: what is there is of a run that differs in one of the names of ``identity``.
        """
        if fresh:
            self.path.unlink(missing_ok=True)
            self.manifest.unlink(missing_ok=True)
        known = self.read_manifest()
        different = [name for name in identity if known and known.get(name) != manifest[name]]
        if different:
            raise BadRequest(
                f"{self.path} is of another {', '.join(different)}: --fresh replaces it, or choose another --out"
            )
        if self.path.exists() and not (data := self.path.read_bytes()).endswith(b"\n"):
            # An interrupted run left its last line unfinished.
            self.path.write_bytes(data[: data.rfind(b"\n") + 1])
        if not known:
            self.write_manifest(manifest)

    def append(self, line: L) -> None:
        """Write one more line; from then on it is kept."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line), ensure_ascii=False) + "\n")  # type: ignore[call-overload]

    def read(self) -> list[L]:
        """Read every line.

        Raises:
            BadRequest: there is no log.
            UnreadableSource: a line is cut off, or not one of such a log.
        """
        if not self.path.exists():
            raise BadRequest(f"there is no log {self.path}: run `{self.verb}` first")
        adapter, found = TypeAdapter(self.kind), []
        # What people and models write may hold separators that `splitlines` cuts at.
        text = self.path.read_text(encoding="utf-8").removesuffix("\n")
        for number, line in enumerate(text.split("\n") if text else (), 1):
            try:
                found.append(adapter.validate_json(line))
            except ValueError as problem:
                raise UnreadableSource(str(self.path), "is no line of a log", place=f"line {number}") from problem
        return found

    def latest(self) -> dict[str, L]:
        """Give each question's last line, in the order they were first asked; empty where there is no log."""
        return {line.question_id: line for line in self.read()} if self.path.exists() else {}
