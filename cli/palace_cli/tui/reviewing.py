"""The items of the review list, and changes with their undo. Calls of the palace block: make them in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from palace.errors import NotFound
from palace.models import Drawer, Memory, MemoryState, Run
from palace.models.claims import Precision
from palace.models.graph import Decision, Doubtful, Relation
from palace.models.review import ChangedFact, ReviewKey, ReviewKind
from palace_cli.clock import shown
from palace_cli.render.drawer import preview
from palace_cli.render.figures import count, moment, removal_line, secrets_of
from palace_cli.render.graph import LIKENESS, decision_line
from palace_cli.render.memory import evidence_line, origin_line
from palace_cli.tui.places import address

if TYPE_CHECKING:
    from palace.api.palace import Palace


PAGE = 100
WIDE = 200
"""Characters of a message that are shown at most."""

NOT_BACK = "The secret itself is not kept anywhere: it cannot be brought back."


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One item of the review list."""

    key: ReviewKey
    title: str
    lines: tuple[str, ...] = ()
    """Its details."""
    pointer: str | None = None
    """The drawer it leads to."""
    names: tuple[str, str] = ("", "")
    """Two names that may be of one entity."""

    @property
    def row(self) -> str:
        """Its id on the screen."""
        return f"{self.key.item} {self.key.by}"


@dataclass(frozen=True, slots=True)
class Done:
    """A change that was made, in one line, and how it is taken back."""

    text: str
    undo: Callable[[], str] | None = None
    """Takes it back and says so; None where that is not possible."""


Deed = Callable[["Palace", ReviewItem], Done]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the review list."""

    name: str
    tooltip: str
    """The tooltip of its key."""
    nothing: str
    """What is shown when it is empty."""
    items: Callable[[Palace], Iterable[ReviewItem]]
    kind: ReviewKind | None = None
    """How its items are marked as seen; None where items go by being decided."""
    deeds: frozenset[str] = frozenset()
    """Names of what else can be done with its items."""

    def offers(self, deed: str) -> bool:
        """Return whether something can be done with its items."""
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
    "c": Section(
        "changed",
        "Show what says something else than before.",
        "Nothing changed that you have not seen.",
        lambda palace: map(_of_change, palace.review.changed(limit=PAGE)),
        ReviewKind.CHANGED,
    ),
    "p": Section(
        "proposed",
        "Show memories that you have to accept first.",
        "No memory waits for you to accept it.",
        lambda palace: _of_memories(palace, proposed(palace)),
        deeds=frozenset({"accept", "reject"}),
    ),
}
"""Each section by its key."""


def mark_seen(palace: Palace, kind: ReviewKind, items: Iterable[ReviewItem]) -> Done:
    """Mark items as seen: they are not listed again."""
    keys = [item.key for item in items]
    palace.review.seen(kind, keys)

    def undo() -> str:
        palace.review.unseen(kind, keys)
        return f"{count(len(keys), 'mark')} taken back"

    return Done(f"{len(keys):,} seen", undo)


def rehearse_undo(palace: Palace, item: ReviewItem) -> str:
    """Return what would be removed if a run were taken back."""
    gone = palace.runs.undo(item.key.item, dry_run=True).removal
    return f"Take run {item.key.item} back?\n\n{removal_line(gone)}. Mining it again brings it back."


def undo_run(palace: Palace, item: ReviewItem) -> Done:
    """Take a run back."""
    gone = palace.runs.undo(item.key.item).removal
    return Done(f"run {item.key.item} is taken back: {removal_line(gone)}; mining it again brings it back")


def merge(palace: Palace, item: ReviewItem) -> Done:
    """Merge two names: they are of one entity."""
    return decision_made(palace, palace.entities.merge(*item.names).decision)


def keep_apart(palace: Palace, item: ReviewItem) -> Done:
    """Keep two names apart for good: they are of two entities."""
    one, other = item.names
    return decision_made(palace, palace.entities.split(one, other=other).decision)


def decision_made(palace: Palace, decision: Decision) -> Done:
    """Return a decision as a change with its undo."""

    def undo() -> str:
        palace.entities.undo(decision.id)
        return f"took back decision {decision.id}: {decision_line(decision)}"

    return Done(f"decision {decision.id}: {decision_line(decision)}", undo)


class Wrong(StrEnum):
    """What can be wrong with a relation, as it is offered."""

    OVER = "It is over"
    NEVER = "It never was so"
    OBJECT = "Not {object}, but …"
    SUBJECT = "Not {subject}, but …"


def correct(palace: Palace, relation: Relation, wrong: Wrong, typed: str) -> Done:
    """Correct a relation; ``typed`` is when it ended, or the other object or subject."""
    subject, predicate, other = relation.subject, relation.predicate, relation.object
    if wrong is Wrong.OVER:
        made = [palace.corrections.end(subject, predicate, other, until=typed)]
    elif wrong in (Wrong.SUBJECT, Wrong.OBJECT):
        right = (typed, predicate, other) if wrong is Wrong.SUBJECT else (subject, predicate, typed)
        made = [palace.corrections.add(*right, since=_start(relation))]
        # Of a predicate that has one value at a time the right one has replaced the wrong one.
        with suppress(NotFound):
            made.append(palace.corrections.reject(subject, predicate, other))
    else:
        made = [palace.corrections.reject(subject, predicate, other)]
    text = "; ".join(each.content for each in made)

    def undo() -> str:
        for each in reversed(made):
            palace.forget(str(each.pointer), at_most=1)
        return f"took back the correction: {text}"

    return Done(f"corrected: {text}", undo)


def _start(relation: Relation) -> str | None:
    """Return since when a relation is true, as exactly as a correction can say it."""
    if relation.valid_from is None or relation.from_precision is Precision.VAGUE:
        return None
    length = {Precision.YEAR: 4, Precision.SEASON: 7, Precision.MONTH: 7}.get(relation.from_precision, 10)
    return f"{shown(relation.valid_from):%Y-%m-%d}"[:length]


def proposed(palace: Palace) -> tuple[Memory, ...]:
    """Return the memories that a person has to accept, the latest first."""
    return palace.memories.list(states=[MemoryState.PROPOSED], limit=PAGE)


def accept(palace: Palace, item: ReviewItem) -> Done:
    """Accept a proposed memory."""
    palace.memories.accept(item.pointer or "")
    return Done(f"accepted {item.title}")


def reject(palace: Palace, item: ReviewItem) -> Done:
    """Reject a proposed memory."""
    palace.memories.reject(item.pointer or "")
    return Done(f"rejected {item.title}")


DEEDS: dict[str, Deed] = {"merge": merge, "keep": keep_apart, "accept": accept, "reject": reject}


def _of_run(run: Run) -> ReviewItem:
    drawers = count(run.drawers_kept, "drawer")
    lines = (f"run {run.id}, {moment(run.started_at)}, {run.state}", f"{drawers} there now")
    folder, _, name = run.source.rpartition("/")
    title = f"{moment(run.started_at)}  {drawers:<12}  {name}  {folder}".rstrip()
    return ReviewItem(ReviewKey(run.id), title, lines)


def _of_doubt(doubt: Doubtful) -> ReviewItem:
    both = ((doubt.one, doubt.one_said), (doubt.other, doubt.other_said))
    names = [address(entity.name, entity.type) for entity, _ in both]
    lines = list[str]()
    for name, (entity, said) in zip(names, both, strict=True):
        lines += [f"{name}, named {count(entity.mention_count, 'time')}"]
        lines += [f"  {said.pointer}  … {said.text.strip()} …"] if said else []
    pointer = next((str(said.pointer) for _, said in both if said), None)
    title = f"{doubt.one.name} {LIKENESS[doubt.likeness]} {doubt.other.name}"
    return ReviewItem(ReviewKey(doubt.one.id, doubt.other.id), title, tuple(lines), pointer, (names[0], names[1]))


def _of_secret(drawer: Drawer) -> ReviewItem:
    kinds, pointer = secrets_of(drawer.redacted), str(drawer.pointer)
    where = f"{pointer}  {drawer.wing_name} / {drawer.room_name}, {moment(drawer.said_at)}"
    lines = (where, f"taken out: {kinds}", preview(drawer.content, limit=WIDE), NOT_BACK)
    return ReviewItem(ReviewKey(drawer.id), f"{kinds}  {pointer}", lines, pointer)


def _of_memories(palace: Palace, memories: Sequence[Memory]) -> Iterator[ReviewItem]:
    evidence = palace.memories.evidence(memories)
    for memory in memories:
        lines = (
            f"{memory.id}  {origin_line(memory)}",
            preview(memory.content, limit=WIDE),
            evidence_line(memory, evidence),
        )
        title = f"{memory.type.noun}: {preview(memory.content, limit=60)}"
        yield ReviewItem(ReviewKey(memory.drawer.id), title, lines, str(memory.id))


def _of_change(fact: ChangedFact) -> ReviewItem:
    what = ", ".join(each.replace("_", " ") for each in fact.predicates)
    lines = (
        f"{what}: so until {moment(fact.until)}",
        f"then  {fact.before.pointer}  {preview(fact.before.content, limit=WIDE)}",
        f"now   {fact.after.pointer}  {preview(fact.after.content, limit=WIDE)}",
    )
    title = f"{what}: {preview(fact.after.content, limit=60)}"
    return ReviewItem(fact.key, title, lines, str(fact.after.pointer))
