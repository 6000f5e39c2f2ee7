"""What there is to look through, and what is done with it. What asks the palace blocks: call it from a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.models import Drawer, Job, JobState, Run
from palace.models.graph import Doubtful, Naming
from palace.models.review import ChangedFact, ReviewKey, ReviewKind
from palace_cli.render.drawer import preview
from palace_cli.render.figures import LIKENESS, about_job, count, moment, removal_line, secrets_of
from palace_cli.tui.places import address

if TYPE_CHECKING:
    from palace.api.palace import Palace


PAGE = 100
WIDE = 200
"""Characters of a message that are shown."""
NOT_BACK = "The secret itself is not kept anywhere: it cannot be brought back."


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing to look at."""

    key: ReviewKey
    title: str
    lines: tuple[str, ...] = ()
    """What is known of it."""
    pointer: str | None = None
    """Where to look."""
    names: tuple[str, str] = ("", "")
    """Of two that may be one."""

    @property
    def row(self) -> str:
        """What it is known by on the screen."""
        return f"{self.key.item} {self.key.by}"


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, in a line, and how it is taken back."""

    told: str
    undo: Callable[[], str] | None = None
    """None where it cannot be."""


Deed = Callable[["Palace", ReviewItem], Done]


@dataclass(frozen=True, slots=True)
class Section:
    """What is looked through together."""

    name: str
    told: str
    """What its key does."""
    nothing: str
    """What is told where nothing is left."""
    items: Callable[[Palace], Iterable[ReviewItem]]
    kind: ReviewKind | None = None
    """As what it can be marked as seen; the others go when something is done with them."""
    deeds: frozenset[str] = frozenset()
    """What can be done with it beside."""

    def offers(self, deed: str) -> bool:
        """Tell whether something can be done with it."""
        return self.kind is not None if deed in ("seen", "all_seen") else deed in self.deeds


SECTIONS = {
    "f": Section(
        "filed",
        "Show what was filed lately.",
        "Nothing was filed that you have not seen.",
        lambda palace: map(_of_run, palace.review.filed(limit=PAGE)),
        ReviewKind.FILED,
        frozenset({"undo_run"}),
    ),
    "d": Section(
        "doubtful",
        "Show names that may be of one.",
        "No two names look like one.",
        lambda palace: map(_of_doubt, palace.entities.suggest(limit=PAGE)),
        deeds=frozenset({"merge", "keep"}),
    ),
    "s": Section(
        "secrets",
        "Show secrets that were taken out.",
        "No secret was taken out that you have not seen.",
        lambda palace: map(_of_secret, palace.review.redacted(limit=PAGE)),
        ReviewKind.REDACTED,
    ),
    "l": Section(
        "dead letters",
        "Show dead letters: background work that was given up.",
        "No dead letters: all that was to be done is done, or waits.",
        lambda palace: map(_of_job, palace.jobs.list(state=JobState.FAILED, limit=PAGE)),
        deeds=frozenset({"retry_job", "cancel_job"}),
    ),
    "c": Section(
        "changed",
        "Show what says something else than before.",
        "Nothing changed that you have not seen.",
        lambda palace: map(_of_change, palace.review.changed(limit=PAGE)),
        ReviewKind.CHANGED,
    ),
}
"""By its key."""


def mark_seen(palace: Palace, kind: ReviewKind, items: Iterable[ReviewItem]) -> Done:
    """Mark items as seen: they are not listed again."""
    keys = [item.key for item in items]
    palace.review.seen(kind, keys)

    def undo() -> str:
        palace.review.unseen(kind, keys)
        return f"{count(len(keys), 'mark')} taken back"

    return Done(f"{len(keys):,} seen", undo)


def rehearse_undo(palace: Palace, item: ReviewItem) -> str:
    """Say what goes if a run is taken back."""
    gone = palace.runs.undo(item.key.item, dry_run=True).removal
    return f"taking run {item.key.item} back takes away {removal_line(gone)}"


def undo_run(palace: Palace, item: ReviewItem) -> Done:
    """Take a run back."""
    gone = palace.runs.undo(item.key.item).removal
    return Done(f"run {item.key.item} is taken back: {removal_line(gone)}; mining it again brings it back")


def merge(palace: Palace, item: ReviewItem) -> Done:
    """Say that two names are of one."""
    return _decided(palace, palace.entities.merge(*item.names).decision.id, "are one")


def keep_apart(palace: Palace, item: ReviewItem) -> Done:
    """Say that two names are of two, for good."""
    one, other = item.names
    return _decided(palace, palace.entities.split(one, other=other).decision.id, "are two")


def _decided(palace: Palace, decision_id: int, what: str) -> Done:
    def undo() -> str:
        palace.entities.undo(decision_id)
        return f"decision {decision_id} is taken back"

    return Done(f"decision {decision_id}: they {what}", undo)


def retry(palace: Palace, item: ReviewItem) -> Done:
    """Try a dead letter again."""
    return Done(f"job {palace.jobs.retry(item.key.item).id} is tried again")


def cancel(palace: Palace, item: ReviewItem) -> Done:
    """Take a dead letter out. What it was to do stays pending, so it can be enqueued again."""
    palace.jobs.cancel(item.key.item)

    def undo() -> str:
        return f"what is pending is enqueued again: {palace.jobs.enqueue().waiting:,} waiting"

    return Done(f"job {item.key.item} is taken out: what it was to do stays pending", undo)


DEEDS: dict[str, Deed] = {"merge": merge, "keep": keep_apart, "retry_job": retry, "cancel_job": cancel}


def _of_run(run: Run) -> ReviewItem:
    drawers = count(run.drawers_kept, "drawer")
    lines = (f"run {run.id}, {moment(run.started_at)}, {run.state}", f"{drawers} there now")
    return ReviewItem(ReviewKey(run.id), f"{moment(run.started_at)}  {run.source}  {drawers}", lines)


def _of_doubt(doubt: Doubtful) -> ReviewItem:
    both = ((doubt.one, doubt.one_said), (doubt.other, doubt.other_said))
    names = [address(entity.name, entity.type) for entity, _ in both]
    lines = list[str]()
    for name, (entity, said) in zip(names, both, strict=True):
        lines += [f"{name}, named {count(entity.mention_count, 'time')}", *_naming(said)]
    pointer = next((str(said.pointer) for _, said in both if said), None)
    title = f"{doubt.one.name} {LIKENESS[doubt.likeness]} {doubt.other.name}"
    return ReviewItem(ReviewKey(doubt.one.id, doubt.other.id), title, tuple(lines), pointer, (names[0], names[1]))


def _naming(said: Naming | None) -> list[str]:
    return [f"  {said.pointer}  … {said.text.strip()} …"] if said else []


def _of_secret(drawer: Drawer) -> ReviewItem:
    kinds, pointer = secrets_of(drawer.redacted), str(drawer.pointer)
    where = f"{pointer}  {drawer.wing_name} / {drawer.room_name}, {moment(drawer.said_at)}"
    lines = (where, f"taken out: {kinds}", preview(drawer.content, limit=WIDE), NOT_BACK)
    return ReviewItem(ReviewKey(drawer.id), f"{kinds}  {pointer}", lines, pointer)


def _of_job(job: Job) -> ReviewItem:
    about, why = about_job(job), job.error or ""
    failed = f"failed {count(job.attempts, 'time')}, last {moment(job.changed_at)}"
    lines = (f"job {job.id} ({job.task}) of {about}", failed, why)
    return ReviewItem(ReviewKey(job.id), f"job {job.id}  {about}  {why}", lines)


def _of_change(fact: ChangedFact) -> ReviewItem:
    what = ", ".join(each.replace("_", " ") for each in fact.predicates)
    lines = (
        f"{what}: so until {moment(fact.until)}",
        f"then  {fact.before.pointer}  {preview(fact.before.content, limit=WIDE)}",
        f"now   {fact.after.pointer}  {preview(fact.after.content, limit=WIDE)}",
    )
    title = f"{what}: {preview(fact.after.content, limit=60)}"
    return ReviewItem(fact.key, title, lines, str(fact.after.pointer))
