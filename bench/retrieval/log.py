"""The log of a run: one line a question, with the raw ranking; scores are made from it alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.retrieval.dataset import Haystack, Question
from palace.errors import BadRequest, UnreadableSource

Scored = list[tuple[str, float]]
"""Ids with scores, best first, each id once."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a variant found for one question."""

    sessions: Scored
    turns: Scored
    delivered: list[str]
    """The turns of the product's own answer: five drawers."""
    latency_ms: float | None = None
    """Of the product's own answer; rankings made outside a palace have none worth telling."""
    timings_ms: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


UPDATE = "knowledge-update"
"""The type of questions about something that changed, whose newest evidence is the answer."""


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
    """The moment that the product was told it is; ISO 8601."""
    latest_session: str | None = None
    """The one that is of last of several gold sessions, where the question is about something that changed."""


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


@dataclass(frozen=True, slots=True)
class RunFiles:
    """Where a run keeps its log, beside the manifest that says what it was."""

    log: Path

    @property
    def manifest(self) -> Path:
        """The manifest's file."""
        return self.log.with_suffix(".manifest.json")

    def read_manifest(self) -> dict[str, Any]:
        """Read the manifest; empty when there is none."""
        if not self.manifest.exists():
            return {}
        found: dict[str, Any] = json.loads(self.manifest.read_text(encoding="utf-8"))
        return found

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write the manifest."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.manifest.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")

    def begin(self, manifest: dict[str, Any], identity: Sequence[str], *, fresh: bool) -> None:
        """Get ready to go on with what is there, or to begin; ``fresh`` removes what is there first.

        Raises:
            BadRequest: what is there is of a run that differs in one of the names of ``identity``.
        """
        if fresh:
            self.remove()
        known = self.read_manifest()
        different = [name for name in identity if known and known.get(name) != manifest[name]]
        if different:
            raise BadRequest(
                f"{self.log} is of another {', '.join(different)}: --fresh replaces it, or choose another --out"
            )
        self.cut_broken_end()
        if not known:
            self.write_manifest(manifest)

    def remove(self) -> None:
        """Remove both."""
        self.log.unlink(missing_ok=True)
        self.manifest.unlink(missing_ok=True)

    def append(self, entry: Entry) -> None:
        """Write one more line; from then on it is kept."""
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    def read(self) -> list[Entry]:
        """Read the log.

        Raises:
            BadRequest: there is none.
            UnreadableSource: a line is cut off, or not one of a log.
        """
        if not self.log.exists():
            raise BadRequest(f"there is no log {self.log}: run `retrieve` first")
        return list(self._entries())

    def _entries(self) -> Iterator[Entry]:
        for number, line in enumerate(lines_of(self.log), 1):
            try:
                yield _entry(json.loads(line))
            except (ValueError, TypeError, KeyError) as problem:
                raise UnreadableSource(str(self.log), "is no line of a log", place=f"line {number}") from problem

    def cut_broken_end(self) -> None:
        """Take away a last line that an interrupted run left unfinished."""
        if not self.log.exists():
            return
        data = self.log.read_bytes()
        if data and not data.endswith(b"\n"):
            self.log.write_bytes(data[: data.rfind(b"\n") + 1])


def lines_of(log: Path) -> list[str]:
    """Give the lines of a log; what people and models write may hold separators that ``splitlines`` cuts at."""
    return log.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _entry(value: dict[str, Any]) -> Entry:
    ranking = value.pop("ranking")
    for level in ("sessions", "turns"):
        ranking[level] = [(str(found), float(score)) for found, score in ranking[level]]
    return Entry(**value, ranking=Ranking(**ranking))
