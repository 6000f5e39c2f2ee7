"""Mining: read sources, file what is new, embed it, draw topics.

Each source is read twice: once to the end, to know that it can be read and how much it holds, then to file it. So a
source that breaks at its last line leaves nothing behind, and no conversation but one is in memory.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from decimal import Decimal
from pathlib import Path

from palace.errors import BadRequest, UnreadableSource
from palace.mining.embed import EmbeddingRun
from palace.mining.filing.conversation import Filed, FilingRun, file_conversation
from palace.mining.index import Indexer
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.mining.readers.source import Source
from palace.records import Conversation, MineProgress, MineSummary, SourceFailure
from palace.store.counts import fold_counts, refresh_statistics
from palace.store.database import Database, UserSession
from palace.store.filing.runs import finish_run, start_run
from palace.store.vectors.generations import count_pending

Progress = Callable[[MineProgress], None]
MOST_WARNINGS = 40


@dataclass(frozen=True, slots=True)
class MineOptions:
    """How to mine."""

    wing: str | None = None
    exclude: tuple[re.Pattern[str], ...] = ()
    progress: Progress | None = None
    restores: bool = False
    """Whether what was forgotten is filed again."""

    zone: tzinfo = UTC
    """The person's."""

    def reading(self, source: Source) -> Reading:
        """Say how a source is to be read."""
        return Reading(source.file, zone=self.zone)

    def report(self, step: str, done: int, total: int) -> None:
        """Tell the caller how far a step is."""
        self.notify(MineProgress(step, done, total))

    def notify(self, progress: MineProgress) -> None:
        """Tell the caller of progress; called from several threads."""
        if self.progress:
            self.progress(progress)


@dataclass(slots=True)
class Tally:
    """What a mine has come to so far."""

    files: int = 0
    conversations: int = 0
    new: int = 0
    unchanged: int = 0
    excluded: int = 0
    forgotten: int = 0
    closets: int = 0
    failures: list[SourceFailure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def seen(self) -> int:
        """Turns looked at, whatever became of them."""
        return self.new + self.unchanged + self.excluded + self.forgotten

    def summarise(self, started: float) -> MineSummary:
        """Give the summary of a mine that filed nothing."""
        return MineSummary(
            run_id=None,
            dry_run=False,
            files=self.files,
            conversations=self.conversations,
            drawers_new=self.new,
            drawers_unchanged=self.unchanged,
            drawers_excluded=self.excluded,
            drawers_forgotten=self.forgotten,
            passages_embedded=0,
            passages_pending=0,
            closets=self.closets,
            cost_usd=Decimal(0),
            seconds=time.monotonic() - started,
            failures=tuple(self.failures),
            warnings=_bounded(self.warnings),
        )


def _bounded(warnings: Sequence[str]) -> tuple[str, ...]:
    left_out = len(warnings) - MOST_WARNINGS
    if left_out <= 0:
        return tuple(warnings)
    return (*warnings[:MOST_WARNINGS], f"… and {left_out:,} more of this kind")


def compile_patterns(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Compile ``--exclude`` patterns: regular expressions, found anywhere in a message.

    Raises:
        BadRequest: one is not a regular expression.
    """
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(pattern))
        except re.error as problem:
            raise BadRequest(f"--exclude {pattern!r} is not a regular expression: {problem}") from problem
    return tuple(compiled)


def survey(sources: Sequence[Source], options: MineOptions, tally: Tally) -> list[tuple[Source, int]]:
    """Read every source to its end; give those that can be read with their number of turns, note the others."""
    readable = []
    for source in sources:
        tally.files += 1
        turns = 0
        try:
            for conversation in read_conversations(source, options.reading(source)):
                turns += len(conversation.turns)
                options.report("read", turns, 0)
        except UnreadableSource as problem:
            tally.failures.append(SourceFailure(problem.file, str(problem)))
            continue
        if turns == 0:
            tally.warnings.append(f"{source.file}: holds no messages")
        readable.append((source, turns))
    return readable


def rehearse(sources: Sequence[Source], options: MineOptions) -> MineSummary:
    """Count what a mine would read, without a database; every message that is not excluded counts as new."""
    started, tally = time.monotonic(), Tally()
    for source, _ in survey(sources, options, tally):
        for conversation in _kept(source, options, tally):
            tally.conversations += 1
            tally.new += len(conversation.turns)
    return replace(tally.summarise(started), dry_run=True)


@dataclass(slots=True)
class Mine:
    """One call of mine on one user's palace."""

    database: Database
    user_id: int
    options: MineOptions
    embedding: EmbeddingRun
    named: str
    """What the person called the sources: a path, or "-"."""
    tally: Tally = field(default_factory=Tally)

    def mine(self, sources: Sequence[Source]) -> MineSummary:
        """File what is new in the sources, embed it, draw its topics."""
        started = time.monotonic()
        readable = survey(sources, self.options, self.tally)
        total = sum(turns for _, turns in readable)
        if total == 0:
            return self.tally.summarise(started)
        run = self._start()
        with Indexer(self.embedding, self.options.notify) as indexer:
            for source, _ in readable:
                for filed in self._file_source(run, source, total):
                    if filed.is_pending and filed.conversation_id is not None:
                        indexer.add(filed.conversation_id)
        self.tally.closets = indexer.closets
        return self._finish(run, started)

    def _start(self) -> FilingRun:
        run_id = self.database.run(self.user_id, lambda session: start_run(session, self.named))
        return FilingRun(
            self.user_id, run_id, self.options.wing, restores=self.options.restores, zone=self.options.zone
        )

    def _file_source(self, run: FilingRun, source: Source, total: int) -> Iterator[Filed]:
        # A loose file that says nothing of itself goes by its name, several mined together by their folder's.
        source_name = source.name if self.tally.files == 1 else Path(self.named).resolve().name
        for conversation in self._still_readable(source):
            filed = file_conversation(self.database, run, conversation, source_name=source_name)
            self.tally.conversations += 1
            self.tally.new += filed.new
            self.tally.unchanged += filed.unchanged
            self.tally.forgotten += filed.forgotten
            self.options.report("file", self.tally.seen, total)
            yield filed

    def _still_readable(self, source: Source) -> Iterator[Conversation]:
        """Read a source that could be read a moment ago; it may have changed, and the other sources go on."""
        try:
            yield from _kept(source, self.options, self.tally)
        except UnreadableSource as problem:
            self.tally.failures.append(SourceFailure(problem.file, f"{problem} (it changed while it was mined)"))

    def _finish(self, run: FilingRun, started: float) -> MineSummary:
        def close(session: UserSession) -> int:
            finish_run(session, run.run_id, drawers=self.tally.new)
            fold_counts(session)
            return count_pending(session, self.embedding.generation.id)

        pending = self.database.run(self.user_id, close)
        self.database.run(self.user_id, refresh_statistics, flush=False)
        # In front, where they are not cut off: what is said of single messages can be much.
        self.tally.warnings[:0] = self.embedding.warnings
        return replace(
            self.tally.summarise(started),
            run_id=run.run_id,
            passages_embedded=self.embedding.embedded,
            passages_pending=pending,
            cost_usd=sum((call.cost_usd for call in self.embedding.calls), start=Decimal(0)),
        )


def _kept(source: Source, options: MineOptions, tally: Tally) -> Iterator[Conversation]:
    for conversation in read_conversations(source, options.reading(source)):
        place = f"{source.file}, {conversation.place}" if conversation.place else source.file
        tally.warnings += (f"{place}: {warning}" for warning in conversation.warnings)
        kept = tuple(turn for turn in conversation.turns if not _is_excluded(turn.content, options))
        tally.excluded += len(conversation.turns) - len(kept)
        if kept:
            yield replace(conversation, turns=kept)


def _is_excluded(content: str, options: MineOptions) -> bool:
    return any(pattern.search(content) for pattern in options.exclude)
