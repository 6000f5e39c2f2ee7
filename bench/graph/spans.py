"""Names at their places in messages, compared with labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.graph.words import bare


@dataclass(frozen=True, slots=True)
class Span:
    """A name at its place, ``content[start:start + len(text)]``."""

    start: int
    text: str
    type: str

    @property
    def end(self) -> int:
        """The place behind it."""
        return self.start + len(self.text)

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(slots=True)
class Spans:
    """How many names are labelled, found, and found rightly."""

    labelled: Counter[str] = field(default_factory=Counter)
    """By type; so are the next three."""
    found: Counter[str] = field(default_factory=Counter)
    """Without those that are optional."""
    right: Counter[str] = field(default_factory=Counter)
    """Found where one is labelled, by the label's type, whatever type was found."""
    typed: Counter[str] = field(default_factory=Counter)
    """Found of the right type."""
    exact: int = 0
    """Found as labelled but for case, titles and articles."""
    missed: list[str] = field(default_factory=list)
    """A line each of what was missed, made up, or given another type."""

    @property
    def f1(self) -> float:
        """In [0, 1], whatever the types."""
        return f1(self.right.total(), self.found.total(), self.labelled.total())

    @property
    def typed_f1(self) -> float:
        """In [0, 1]: a name of another type is both missed and made up."""
        return f1(self.typed.total(), self.found.total(), self.labelled.total())

    @property
    def exact_f1(self) -> float:
        """In [0, 1], where a name is right only from end to end."""
        return f1(self.exact, self.found.total(), self.labelled.total())

    def f1_of(self, type: str) -> float:
        """In [0, 1], of the names of one type."""
        return f1(self.typed[type], self.found[type], self.labelled[type])


def f1(right: int, found: int, wanted: int) -> float:
    """Give the harmonic mean of precision and recall; 1 where nothing is wanted and nothing found."""
    return 2 * right / (found + wanted) if found + wanted else 1.0


def judge(counts: Spans, where: str, wanted: Sequence[Span], optional: Sequence[Span], found: Iterable[Span]) -> None:
    """Count one message's names; ``where`` names it in what is missed. Each label is found once, the best first."""
    left = sorted(set(found), key=lambda span: (span.start, span.text))
    counts.labelled.update(label.type for label in wanted)
    unmet = list(wanted)
    pairs = ((label, span) for label in wanted for span in left if label.overlaps(span))
    for label, span in sorted(pairs, key=lambda pair: _closeness(*pair), reverse=True):
        if label not in unmet or span not in left:
            continue
        unmet.remove(label)
        left.remove(span)
        counts.found[span.type] += 1
        counts.right[label.type] += 1
        counts.typed[label.type] += label.type == span.type
        counts.exact += bare(label.text) == bare(span.text)
        if label.type != span.type:
            counts.missed.append(f"{where} type    {label.text!r} is {label.type}, not {span.type}")
    for span in left:
        if not any(span.overlaps(other) for other in optional):
            counts.found[span.type] += 1
            counts.missed.append(f"{where} made up {span.text!r} ({span.type})")
    counts.missed += [f"{where} missed  {label.text!r} ({label.type})" for label in unmet]


def _closeness(label: Span, span: Span) -> tuple[bool, int, bool]:
    shared = min(label.end, span.end) - max(label.start, span.start)
    return bare(label.text) == bare(span.text), shared, label.type == span.type
