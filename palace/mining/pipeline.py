"""Mining: read sources, file new messages, embed them and compute topics.

Each source is read twice: first to the end, to check that it is readable and count its turns, then to file it. So a
source that breaks at its last line leaves nothing behind, and only one conversation is in memory.
"""

from __future__ import annotations

import re
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial

from palace.cancellation import go_on, unstopped
from palace.db.activity import count_landed, end_mined, name_landed, record_event
from palace.db.changes.runs import finish_run, start_run
from palace.db.counts import fold_counts, refresh_statistics
from palace.db.database import UserDatabase, UserSession
from palace.db.generations import count_pending
from palace.db.jobs import enqueue_index
from palace.db.transfer.marks import get_keys
from palace.errors import BadRequest, DatabaseUnavailable, DataRefused, PalaceError, UnreadableSource
from palace.mining.discovery import Gathered
from palace.mining.files.reading import DateOrder, Readers, Reading
from palace.mining.files.source import Source
from palace.mining.filing.conversation import Filed, FilingRun, ToFile, file_conversation, rehearse_conversation
from palace.mining.filing.projects import find_unrecalled_wings
from palace.mining.index import Indexer, Runner
from palace.mining.readers.registry import read_conversations
from palace.mining.redaction import Redactor
from palace.mining.steps.step import Work
from palace.mining.tally import Tally, mined, read_by_model
from palace.models import MINED, Conversation, MineSummary, OnProgress, Phase, Progress, RehearsedSource
from palace.models.spool import STANDARD_INPUT
from palace.nlp.secrets import EVERYTHING, Rules


@dataclass(frozen=True, slots=True)
class MineOptions:
    """Options of mining."""

    wing: str | None = None
    exclude: tuple[re.Pattern[str], ...] = ()
    progress: OnProgress | None = None
    restores: bool = False
    """Whether forgotten messages are filed again."""
    zone: tzinfo = UTC
    """Time zone for times without one."""
    dates: DateOrder | None = None
    """Order of day and month in ambiguous dates; None to infer it from each source."""
    encoding: str | None = None
    """Encoding of text; None for UTF-8."""
    readers: Readers = field(default_factory=Readers)
    """The caller's own readers, tried before the built-in ones."""
    background: bool = False
    """Whether workers run the index steps; this call then only files."""
    rules: Rules = EVERYTHING
    """Which secrets are removed."""
    keeps_secrets: bool = False
    """Whether secrets are filed unredacted."""
    wing_id: int | None = None
    """Id of the wing, if known; takes precedence over ``wing``."""
    on_filed: Callable[[Conversation, Filed], None] | None = None
    """Called with each conversation after it is filed, in order."""

    def reading_of(self, source: Source) -> Reading:
        """Return a new reading of a source."""
        return Reading(source.file, zone=self.zone, dates=self.dates, encoding=self.encoding, readers=self.readers)

    def redactor(self, database: UserDatabase) -> Redactor:
        """Return the redaction for a user's turns."""
        return Redactor(database.run(get_keys, flush=False), self.rules, self.keeps_secrets)

    def report(self, phase: Phase, done: int, total: int | None, source: Source) -> None:
        """Report how many turns of all sources were read or filed."""
        if self.progress:
            self.progress(Progress(phase, done, total, "turns", source.file))


def compile_patterns(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Compile ``--exclude`` patterns: regular expressions, found anywhere in a message.

    Raises:
        BadRequest: one is not a regular expression.
    """
    compiled = []
    for pattern in patterns:
        try:
            with warnings.catch_warnings():
                # Warnings about future Python versions are for the pattern's author, not for standard error.
                warnings.simplefilter("ignore", FutureWarning)
                compiled.append(re.compile(pattern))
        except (re.error, OverflowError) as problem:
            raise BadRequest(f"--exclude {pattern!r} is not a regular expression: {problem}") from problem
        except RecursionError as problem:
            raise BadRequest(f"--exclude {pattern[:80]!r} is nested too deeply for a regular expression") from problem
    return tuple(compiled)


@dataclass(slots=True)
class Mine:
    """One call of mine on a user's palace, or its dry run."""

    database: UserDatabase
    options: MineOptions
    gathered: Gathered
    tally: Tally = field(init=False)
    redactor: Redactor = field(init=False)
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Start with the failures of finding sources."""
        self.tally = Tally(passed_over=Counter(self.gathered.passed_over))
        self.redactor = self.options.redactor(self.database)
        for problem in self.gathered.failures:
            self.tally.fail(problem)

    def rehearse(self) -> MineSummary:
        """Return what mining would result in, storing nothing; messages that are in two sources count twice."""
        tally = self.tally
        for source, _ in self._survey():
            new, unchanged, replaced = tally.new, tally.unchanged, 0
            for given in self._read(source):
                with self.database.transaction(snapshot=True) as session:
                    filed = rehearse_conversation(session, given)
                tally.take(source.file, given.conversation, filed)
                replaced += filed.replaced
            tally.rehearsed.append(RehearsedSource(source.file, tally.new - new, tally.unchanged - unchanged, replaced))
        return replace(tally.summarise(self.started), dry_run=True)

    def mine(self, work: Work) -> MineSummary:
        """File new messages of the sources, embed them and compute topics."""
        readable, tally = self._survey(), self.tally
        total = sum(turns for _, turns in readable)
        if total == 0:
            return self._file_nothing()
        run, runner = self._start(work), Runner(work)
        try:
            with Indexer(runner) as indexer:
                for source, _ in readable:
                    for filed in self._file_source(run, source, total):
                        if filed.conversation_id is not None and not self.options.background:
                            indexer.add(filed.conversation_id)
        except PalaceError as problem:
            # If the database is unavailable, the run stays unfinished.
            if not isinstance(problem, DatabaseUnavailable):
                with suppress(PalaceError), unstopped():
                    self.database.run(partial(self._tell, run=run, work=work, ended=problem))
            raise
        tally.closets, tally.names, tally.claims = work.closets, work.names, work.claims
        # First, so that they are not cut off by warnings about single messages, which can be many.
        tally.warnings[:0] = runner.warnings

        def close(session: UserSession) -> MineSummary:
            finish_run(session, run.run_id, drawers=tally.new)
            fold_counts(session)
            return self._tell(session, run, work)

        summary = self.database.run(close)
        self.database.run(refresh_statistics, flush=False)
        return summary

    def _survey(self) -> list[tuple[Source, int]]:
        """Read every source to its end; return the readable ones with their number of turns, record the others."""
        readable, total, tally = [], 0, self.tally
        for source in self.gathered.sources:
            go_on()
            tally.files += 1
            turns, reading = 0, self.options.reading_of(source)
            try:
                for conversation in read_conversations(source, reading):
                    go_on()
                    turns += len(conversation.turns)
                    self.options.report(Phase.READ, total + turns, None, source)
            except UnreadableSource as problem:
                tally.fail(problem)
                continue
            finally:
                total += turns
            tally.take_up(reading)
            if turns == 0 and not reading.failures:
                tally.warnings.append(f"{source.file}: holds no messages")
            readable.append((source, turns))
        return readable

    def _start(self, work: Work) -> FilingRun:
        run_id = self.database.run(lambda session: start_run(session, self._named))
        if work.asking:
            work.asking.run_id = run_id
        return FilingRun(
            run_id,
            self.options.wing if self.options.wing_id is None else self.options.wing_id,
            restores=self.options.restores,
            zone=self.options.zone,
            after_filing=enqueue_index if self.options.background else None,
        )

    @property
    def _named(self) -> str:
        return self.redactor.name(self.gathered.named)

    def _read(self, source: Source) -> Iterator[ToFile]:
        options, tally, redactor = self.options, self.tally, self.redactor
        reading = options.reading_of(source)
        for read in read_conversations(source, reading):
            values = redactor.values_in(read)
            conversation = redactor.named(read, values)
            tally.warnings += (f"{_place_of(source, conversation)}: {warning}" for warning in conversation.warnings)
            said = enumerate(turn.content for turn in conversation.turns)
            excluded = frozenset(
                place for place, content in said if any(pattern.search(content) for pattern in options.exclude)
            )
            tally.excluded += len(excluded)
            called = "" if source.name == STANDARD_INPUT else redactor.name(source.name, values)
            yield ToFile(conversation, redactor.name(source.origin, values), redactor, excluded, called)
        # The rest of its report was recorded in the survey.
        for problem in reading.failures:
            tally.fail(problem)

    def _file_source(self, run: FilingRun, source: Source, total: int) -> Iterator[Filed]:
        try:
            for given in self._read(source):
                filed = self._file(run, source, given)
                if filed is not None:
                    self.options.report(Phase.FILE, self.tally.seen, total, source)
                    if self.options.on_filed:
                        self.options.on_filed(given.conversation, filed)
                    yield filed
        except UnreadableSource as problem:
            # It was readable a moment ago; the other sources go on.
            self.tally.fail(problem, " (it changed while it was mined)")

    def _file(self, run: FilingRun, source: Source, given: ToFile) -> Filed | None:
        conversation = given.conversation
        try:
            filed = file_conversation(self.database, run, given)
        except DataRefused as problem:
            # Only this conversation is affected.
            reason = f"the database cannot hold it: {problem.reason}"
            self.tally.fail(UnreadableSource(source.file, reason, place=conversation.place))
            return None
        if filed.stands_in is not None:
            there = f"stands in the wing {filed.stands_in!r} already; `palace move` takes it to another"
            self.tally.warnings.append(f"{_place_of(source, conversation)}: {there}")
        self.tally.take(source.file, conversation, filed)
        return filed

    def _tell(self, session: UserSession, run: FilingRun, work: Work, ended: PalaceError | None = None) -> MineSummary:
        """Summarise a run and record it in its event."""
        summary = replace(
            self.tally.summarise(self.started),
            run_id=run.run_id,
            passages_embedded=work.embedded,
            passages_pending=count_pending(session, work.embedding.generation.id),
            cost_usd=work.cost_usd,
        )
        landed = count_landed(session, run.run_id)
        unrecalled = find_unrecalled_wings(session, {number for number, _ in landed}) if landed else []
        notices = (*summary.notices, *(str(each) for each in unrecalled))
        summary = replace(summary, notices=notices, wings=name_landed(session, landed))
        details = mined(self._named, summary, landed, ended)
        end_mined(session, run.run_id, details | read_by_model(work.asking))
        return summary

    def _file_nothing(self) -> MineSummary:
        """Record an event without a run if there were only failures."""
        summary = self.tally.summarise(self.started)
        if summary.failures:
            details = mined(self._named, summary, (), None)
            self.database.run(lambda session: record_event(session, MINED, details))
        return summary


def _place_of(source: Source, conversation: Conversation) -> str:
    return f"{source.file}, {conversation.place}" if conversation.place else source.file
