"""Loading what is given back: drawers with their places, their neighbours, and what of them speaks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from palace.recall.arms.protocol import Near
from palace.recall.comparison import Comparison
from palace.recall.ranking.confidence import features_of, likelihood
from palace.recall.ranking.fuse import Fused, Fusion
from palace.recall.sentence import best_sentence
from palace.records import Drawer, Floor, Hit, PassageKey, Scope, Span
from palace.store.database import UserSession
from palace.store.drawers import AsOf, Recalled, get_recalled, list_neighbours


@dataclass(frozen=True, slots=True)
class Sought:
    """What the query is, to choose what of a drawer to show."""

    comparison: Comparison
    drawers: int
    """How many the palace has."""
    near: Near | None
    floor: Floor
    """What keeps back what is not relevant."""
    as_of: AsOf = field(default_factory=AsOf)
    """When it is asked what still holds."""
    scope: Scope = field(default_factory=Scope)
    """Where was looked: of what stands elsewhere nothing is told."""

    def likelihood_of(self, fused: Fused, *, is_first: bool) -> float | None:
        """Give how likely a drawer answers; None where that was not measured for the model."""
        measured = self.comparison.calibration.confidence
        if measured is None or self.near is None:
            return None
        known = features_of(fused, self.comparison.drawers, drawers=self.drawers, is_first=is_first)
        return likelihood(known, measured)


def load_hits(
    session: UserSession, fusion: Fusion, relevant: Sequence[Fused], sought: Sought, wanted: int, context: int
) -> tuple[Hit, ...]:
    """Load so many hits, best first; what says the same as one but for case and space goes with it."""
    if not relevant:
        return ()
    questions = (fused.question for fused in relevant if fused.question is not None)
    keys = dict.fromkeys(drawer.passage for drawer in (*(fused.drawer for fused in relevant), *questions))
    found = get_recalled(session, list(keys), sought.comparison.words, sought.near, sought.as_of, sought.scope)
    groups = _alike([fused for fused in relevant if fused.drawer.passage in found], found)[:wanted]
    beside = list_neighbours(
        session, [found[first.drawer.passage].drawer for first, *_ in groups], context, sought.as_of.now
    )
    hits: list[Hit] = []
    for first, *others in groups:
        recalled = found[first.drawer.passage]
        question = found.get(first.question.passage) if first.question else None
        newer = found.get(first.newer.passage) if first.newer else None
        hit = Hit(
            drawer=recalled.drawer,
            score=first.score,
            passage=recalled.passage,
            arms=fusion.reasons_of(first),
            before=_shown(beside[recalled.drawer.id].before, sought),
            after=_shown(beside[recalled.drawer.id].after, sought),
            # A former reading of the same message is no repetition of it.
            again=tuple(found[other.drawer.passage].drawer for other in others if not other.drawer.is_replaced),
            confidence=sought.likelihood_of(first, is_first=not hits),
            coverage=_coverage(first),
            question=question.drawer if question else None,
            newer=newer.drawer.pointer if newer else None,
            sentence=_sentence(recalled, sought),
            words=tuple(recalled.words.values()),
            parts=fusion.worth.parts_of(first),
            named=named.kinds if (named := sought.comparison.around.get(recalled.drawer.id)) else (),
        )
        hits.append(hit)
    return tuple(hits)


def _coverage(fused: Fused) -> float:
    """Say what share of the query's words it says; what was asked counts for what answers it."""
    asked = fused.question.coverage if fused.question else 0.0
    return min(max(fused.drawer.coverage, asked), 1.0)


def _shown(beside: tuple[Drawer, ...], sought: Sought) -> tuple[Drawer, ...]:
    return tuple(drawer.alone() for drawer in beside) if sought.scope.is_confined else beside


def _sentence(recalled: Recalled, sought: Sought) -> Span | None:
    content, passage = recalled.drawer.content, recalled.passage
    weights = sought.comparison.words.lexemes
    return best_sentence(content, passage, recalled.near, recalled.words, weights, share=sought.floor.coverage)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, Recalled]) -> list[list[Fused]]:
    """Group those that say the same but for case and space, each where its best stands; what is current comes first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        content = found[fused.drawer.passage].drawer.content
        groups.setdefault(" ".join(content.casefold().split()), []).append(fused)
    return [sorted(group, key=lambda fused: fused.drawer.is_replaced) for group in groups.values()]
