"""What there is to look through, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from palace.models import Drawer, Job, JobState, Run
from palace.models.graph import Doubtful, Naming
from palace.models.review import ChangedFact, ReviewCounts, ReviewKey, ReviewKind
from palace_cli.render.drawer import preview
from palace_cli.render.figures import LIKENESS, count, moment, removal_line, secrets_of
from palace_cli.tui.places import address

if TYPE_CHECKING:
    from palace.api.palace import Palace


PAGE = 100
WIDE = 200
"""Characters of a message that are shown."""


class Section(StrEnum):
    """What is looked through together."""

    FILED = "filed"
    DOUBTFUL = "doubtful"
    REDACTED = "secrets"
    FAILED = "dead letters"
    CHANGED = "changed"


KINDS = {
    Section.FILED: ReviewKind.FILED,
    Section.REDACTED: ReviewKind.REDACTED,
    Section.CHANGED: ReviewKind.CHANGED,
}
"""What can be marked as seen; the others go when something is done with them."""
NOT_BACK = "The secret itself is not kept anywhere: it cannot be brought back."


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing to look at."""

    section: Section
    key: ReviewKey
    title: str
    lines: tuple[str, ...] = ()
    """What is known of it."""
    pointer: str | None = None
    """Where to look."""
    names: tuple[str, str] = ("", "")
    """Of two that may be one."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, in a line, and how it is taken back."""

    told: str
    undo: Callable[[], str] | None = None
    """None where it cannot be."""


class Reviewing:
    """Lists what there is to look through, and does what is decided. Every method blocks: call it from a thread."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace
        self.doubtful: int | None = None
        """How many names were doubtful when they were listed last; None as long as nobody looked."""
        self._listing: dict[Section, Callable[[], tuple[ReviewItem, ...]]] = {
            Section.FILED: lambda: tuple(map(_of_run, palace.review.filed(limit=PAGE))),
            Section.DOUBTFUL: lambda: tuple(map(_of_doubt, palace.entities.suggest(limit=PAGE))),
            Section.REDACTED: lambda: tuple(map(_of_secret, palace.review.redacted(limit=PAGE))),
            Section.FAILED: lambda: tuple(map(_of_job, palace.jobs.list(state=JobState.FAILED, limit=PAGE))),
            Section.CHANGED: lambda: tuple(map(_of_change, palace.review.changed(limit=PAGE))),
        }

    def change(self) -> tuple[object, ...]:
        """Give what is another after every change."""
        return self._palace.tree.change()

    def counts(self) -> ReviewCounts:
        return self._palace.review.counts()

    def items(self, section: Section) -> tuple[ReviewItem, ...]:
        return self._listing[section]()

    def filed_by(self, item: ReviewItem) -> tuple[Drawer, ...]:
        return self._palace.review.drawers(item.key.item, limit=20)

    def seen(self, items: tuple[ReviewItem, ...]) -> Done:
        kind, keys = KINDS[items[0].section], [item.key for item in items]
        self._palace.review.seen(kind, keys)

        def undo() -> str:
            self._palace.review.unseen(kind, keys)
            return f"{count(len(keys), 'mark')} taken back"

        return Done(f"{len(items):,} seen", undo)

    def rehearse_undo(self, item: ReviewItem) -> str:
        gone = self._palace.runs.undo(item.key.item, dry_run=True).removal
        return f"taking run {item.key.item} back takes away {removal_line(gone)}"

    def undo_run(self, item: ReviewItem) -> Done:
        gone = self._palace.runs.undo(item.key.item).removal
        return Done(f"run {item.key.item} is taken back: {removal_line(gone)}; mining it again brings it back")

    def merge(self, item: ReviewItem) -> Done:
        return self._decided(self._palace.entities.merge(*item.names).decision.id, "are one")

    def keep_apart(self, item: ReviewItem) -> Done:
        one, other = item.names
        return self._decided(self._palace.entities.split(one, other=other).decision.id, "are two")

    def _decided(self, decision_id: int, what: str) -> Done:
        def undo() -> str:
            self._palace.entities.undo(decision_id)
            return f"decision {decision_id} is taken back"

        return Done(f"decision {decision_id}: they {what}", undo)

    def retry(self, item: ReviewItem) -> Done:
        job = self._palace.jobs.retry(item.key.item)
        return Done(f"job {job.id} is tried again")

    def cancel(self, item: ReviewItem) -> Done:
        """Take a dead letter out. What it was to do stays pending, so it can be enqueued again."""
        self._palace.jobs.cancel(item.key.item)

        def undo() -> str:
            counts = self._palace.jobs.enqueue()
            return f"what is pending is enqueued again: {counts.waiting:,} waiting"

        return Done(f"job {item.key.item} is taken out: what it was to do stays pending", undo)


def _of_run(run: Run) -> ReviewItem:
    lines = (f"run {run.id}, {moment(run.started_at)}, {run.state}", f"{count(run.drawers_kept, 'drawer')} there now")
    title = f"{moment(run.started_at)}  {run.source}  {count(run.drawers_kept, 'drawer')}"
    return ReviewItem(Section.FILED, ReviewKey(run.id), title, lines)


def _of_doubt(doubt: Doubtful) -> ReviewItem:
    one, other = doubt.one, doubt.other
    title = f"{one.name} {LIKENESS[doubt.likeness]} {other.name}"
    lines = (
        f"{address(one.name, one.type)}, named {count(one.mention_count, 'time')}",
        *_naming(doubt.one_said),
        f"{address(other.name, other.type)}, named {count(other.mention_count, 'time')}",
        *_naming(doubt.other_said),
    )
    pointers = [str(said.pointer) for said in (doubt.one_said, doubt.other_said) if said]
    names = (address(one.name, one.type), address(other.name, other.type))
    return ReviewItem(
        Section.DOUBTFUL, ReviewKey(one.id, other.id), title, lines, pointers[0] if pointers else None, names
    )


def _naming(said: Naming | None) -> tuple[str, ...]:
    return (f"  {said.pointer}  … {said.text.strip()} …",) if said else ()


def _of_secret(drawer: Drawer) -> ReviewItem:
    kinds = secrets_of(drawer.redacted)
    lines = (
        f"{drawer.pointer}  {drawer.wing_name} / {drawer.room_name}, {moment(drawer.said_at)}",
        f"taken out: {kinds}",
        preview(drawer.content, limit=WIDE),
        NOT_BACK,
    )
    return ReviewItem(Section.REDACTED, ReviewKey(drawer.id), f"{kinds}  {drawer.pointer}", lines, str(drawer.pointer))


def _of_job(job: Job) -> ReviewItem:
    about = "all" if job.conversation_id is None else job.title or f"number {job.conversation_id}"
    lines = (
        f"job {job.id} ({job.task}) of {about}",
        f"failed {count(job.attempts, 'time')}, last {moment(job.changed_at)}",
        job.error or "",
    )
    return ReviewItem(Section.FAILED, ReviewKey(job.id), f"job {job.id}  {about}  {job.error or ''}", lines)


def _of_change(fact: ChangedFact) -> ReviewItem:
    what = ", ".join(each.replace("_", " ") for each in fact.predicates)
    lines = (
        f"{what}: so until {moment(fact.until)}",
        f"then  {fact.before.pointer}  {preview(fact.before.content, limit=WIDE)}",
        f"now   {fact.after.pointer}  {preview(fact.after.content, limit=WIDE)}",
    )
    title = f"{what}: {preview(fact.after.content, limit=60)}"
    return ReviewItem(Section.CHANGED, fact.key, title, lines, str(fact.after.pointer))
