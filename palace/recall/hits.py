"""From drawers in their order to hits: what is given back is loaded, tagged, and each shown by its best sentence.

Tags are read from what drawers name and claim, and from names noted with them that the palace knows from elsewhere.
None is stored as such: whatever is merged, renamed or forgotten, they follow.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from palace.db.database import UserSession
from palace.db.drawers import AsOf, Recalled, get_recalled, list_neighbours
from palace.db.graph.tags import FoundTag, list_tags
from palace.db.standing import Shared, alike_drawers
from palace.graph.names import SELF_KEY
from palace.models import Drawer, Hit, HitOrder, PassageKey, Scope, Span, Tag, TagKind
from palace.nlp.aaak import day_told
from palace.nlp.aaak import in_order as tags_in_order
from palace.nlp.further import UNSPACED
from palace.nlp.passages import UNIT_END, pieces
from palace.recall.arms.graph import KINDS
from palace.recall.changes import in_their_time
from palace.recall.comparison import Comparison
from palace.recall.floor import Broad, above_floor, features_of, likelihood, similar_enough, told_once, within_reach
from palace.recall.fuse import Fused, Fusion
from palace.recall.present import CHANGES, Of, Present, asked_of, earlier_first, latest_first, of_one_number, rare_in
from palace.recall.request import RecallRequest
from palace.recall.standing import with_standing
from palace.recall.strategy import Strategy

MOST_TAGS = 20
"""Of one drawer: those with a name first, then as they stand in it."""
AROUND = 120
"""Characters on either side of a time that tell whether it was or will be."""
LONGEST_SENTENCE = 240
"""Characters beyond which a part of a sentence is chosen: what has neither sentences nor lines, such as data."""

_STRETCH_END = re.compile(rf".{{{LONGEST_SENTENCE // 2}}}\S{{0,40}}", re.DOTALL)

Weigh = Callable[[Span], float]


def load_hits(
    session: UserSession,
    fusion: Fusion,
    relevant: Sequence[Fused],
    comparison: Comparison,
    request: RecallRequest,
    wanted: int,
) -> tuple[Hit, ...]:
    """Load so many hits, best first; what says the same as one but for case and space goes with it."""
    if not relevant:
        return ()
    questions = (fused.question for fused in relevant if fused.question is not None)
    keys = dict.fromkeys(drawer.passage for drawer in (*(fused.drawer for fused in relevant), *questions))
    scope, as_of = request.scope, AsOf(request.now, request.scope.until)
    found = get_recalled(session, list(keys), comparison.words, comparison.near, as_of, scope)
    groups = _alike([fused for fused in relevant if fused.drawer.passage in found], found)[:wanted]
    firsts = [found[first.drawer.passage].drawer for first, *_ in groups]
    beside = list_neighbours(session, firsts, request.context, request.now)
    tagged = with_tags(session, firsts, request.zone, as_said=scope.is_confined)
    hits: list[Hit] = []
    for first, *others in groups:
        recalled = found[first.drawer.passage]
        question = found.get(first.question.passage) if first.question else None
        newer = found.get(first.newer.passage) if first.newer else None
        hit = Hit(
            drawer=tagged[recalled.drawer.id],
            score=first.score,
            passage=recalled.passage,
            arms=fusion.reasons_of(first),
            before=_shown(beside[recalled.drawer.id].before, scope),
            after=_shown(beside[recalled.drawer.id].after, scope),
            # A former reading of the same message is no repetition of it.
            again=tuple(found[other.drawer.passage].drawer for other in others if not other.drawer.is_replaced),
            confidence=_likelihood(first, comparison, is_first=not hits),
            coverage=_coverage(first),
            question=question.drawer if question else None,
            newer=newer.drawer.pointer if newer else None,
            sentence=_sentence(recalled, comparison),
            words=tuple(recalled.words.values()),
            parts=fusion.parts_of(first),
            named=named.kinds if (named := comparison.around.get(recalled.drawer.id)) else (),
        )
        hits.append(hit)
    return tuple(hits)


def _coverage(fused: Fused) -> float:
    """Say what share of the query's words it says; what was asked counts for what answers it."""
    asked = fused.question.coverage if fused.question else 0.0
    return min(max(fused.drawer.coverage, asked), 1.0)


def _likelihood(fused: Fused, comparison: Comparison, *, is_first: bool) -> float | None:
    """Give how likely a drawer answers; None where that was not measured for the model."""
    measured = comparison.calibration.confidence
    if measured is None or comparison.near is None:
        return None
    known = features_of(fused, comparison.drawers, drawers=comparison.palace_drawers, is_first=is_first)
    return likelihood(known, measured)


def _shown(beside: tuple[Drawer, ...], scope: Scope) -> tuple[Drawer, ...]:
    """Show nothing of what stands elsewhere where only a part of the palace is looked at."""
    return tuple(drawer.alone() for drawer in beside) if scope.is_confined else beside


def _sentence(recalled: Recalled, comparison: Comparison) -> Span | None:
    content, weights = recalled.drawer.content, comparison.words.lexemes
    share = comparison.floor.coverage
    return best_sentence(content, recalled.passage, recalled.near, recalled.words, weights, share=share)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, Recalled]) -> list[list[Fused]]:
    """Group those that say the same but for case and space, each where its best stands; what is current comes first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        content = found[fused.drawer.passage].drawer.content
        groups.setdefault(" ".join(content.casefold().split()), []).append(fused)
    return [sorted(group, key=lambda fused: fused.drawer.is_replaced) for group in groups.values()]


def choose(
    session: UserSession,
    fusion: Fusion,
    comparison: Comparison,
    request: RecallRequest,
    strategy: Strategy,
    wanted: int,
) -> list[Fused]:
    """Choose, in order, what is relevant; ``wanted`` hits are given back."""
    intent, floor = comparison.background.intent, comparison.floor
    relevant = above_floor(fusion.ranked, floor, drawers=comparison.palace_drawers, level=request.floor)
    relevant = _newest_first(session, relevant, comparison, request.query, strategy.present)
    relevant = in_their_time(relevant, fusion.ranked, comparison.changed, intent, strategy.changes)
    if intent.breadth.is_broad:
        relevant = _all_of_a_kind(session, relevant, comparison, request, strategy.broad)
    chosen = with_standing(relevant, fusion.ranked, comparison.held, strategy.standing, floor=floor, wanted=wanted)
    # Without a vector of the query nothing says how similar a drawer is.
    return chosen if comparison.near is None else similar_enough(chosen, request.least_similarity)


def _newest_first(
    session: UserSession, ranked: list[Fused], comparison: Comparison, query: str, present: Present
) -> list[Fused]:
    """Put the newest in front of what says the same kind of thing, unless the query asks for another time."""
    intent, near = comparison.background.intent, comparison.near
    looked_at = asked_of(ranked, intent, present)
    if near is None or len(looked_at) < 2:
        return ranked
    of = Of.asked_by(intent)
    least = min(present.alike_of_change, present.alike_of_amount, present.alike_of_one)
    named, rare = intent.amount or intent.answers_name, rare_in(comparison.palace_drawers, present)
    alike = alike_drawers(session, looked_at, near, least=least, shared=Shared(rare, named, CHANGES.source("changed")))
    if any(map(str.isdecimal, query)):
        alike = of_one_number(ranked, alike)
    if not alike:
        return ranked
    if intent.earlier:
        return earlier_first(ranked, alike, present, intent.earlier)
    return latest_first(ranked, alike, present, of)


def _all_of_a_kind(
    session: UserSession, ranked: list[Fused], comparison: Comparison, request: RecallRequest, broad: Broad
) -> list[Fused]:
    """Have what is said several times count once in front; keep what is much less relevant out of what is added."""
    looked_at = [fused.id for fused in ranked[: broad.looked_at]]
    near = comparison.near
    ranked = told_once(ranked, alike_drawers(session, looked_at, near, least=broad.alike) if near else {}, broad.hits)
    return ranked if request.top_k is not None else within_reach(ranked, comparison.floor, broad)


def in_order(hits: Sequence[Hit], order: HitOrder) -> tuple[Hit, ...]:
    """Put hits in order; in that of time those of one moment as they stand in their room, undated ones last."""
    if order is HitOrder.RELEVANCE:
        return tuple(hits)
    return tuple(sorted(hits, key=_when))


def _when(hit: Hit) -> tuple[bool, float, int, int, int]:
    drawer = hit.drawer
    said_at = drawer.said_at
    return (said_at is None, said_at.timestamp() if said_at else 0.0, *drawer.pointer)


def with_tags(
    session: UserSession, drawers: Sequence[Drawer], zone: tzinfo, *, as_said: bool = False
) -> dict[int, Drawer]:
    """Map the ids of drawers to them with their tags, of known types; days are those in ``zone``.

    ``as_said`` tells nothing that others say: each has the name it has in the drawer's own conversation.
    """
    by_id = {drawer.id: drawer for drawer in drawers}
    found: dict[int, list[FoundTag]] = defaultdict(list)
    for one in list_tags(session, by_id, self_key=SELF_KEY, most=MOST_TAGS, as_said=as_said):
        if one.type in KINDS:
            found[one.drawer_id].append(one)
    tagged = {
        drawer_id: replace(
            by_id[drawer_id], tags=tuple(tags_in_order(_tag(one, by_id[drawer_id], zone) for one in each))
        )
        for drawer_id, each in found.items()
    }
    return by_id | tagged


def _tag(one: FoundTag, drawer: Drawer, zone: tzinfo) -> Tag:
    kind = KINDS[one.type]
    if kind is not TagKind.TIME:
        return Tag(kind, one.name)
    around = ""
    if one.start is not None and one.end is not None:
        around = drawer.content[max(0, one.start - AROUND) : one.end + AROUND]
    return Tag(kind, day_told(drawer.content[one.start : one.end] or one.name, drawer.said_at, zone, around))


def best_sentence(
    content: str,
    passage: Span,
    near: Mapping[Span, float],
    words: Mapping[str, tuple[str, ...]],
    weights: Mapping[str, float],
    *,
    share: float,
) -> Span | None:
    """Choose the sentence, or line, of a passage that is nearest to a query and says most of its words.

    ``near`` has the similarity of what of the passage has a vector, ``words`` how the query's words are written in it,
    by lexeme, ``weights`` what each of the query's words weighs; ``share`` of the weight that a sentence holds counts
    beside its similarity, as it does for relevance. Of several as good it is the first; None where nothing tells them
    apart.
    """
    held = _weigher(content, passage, words, weights)
    sentences = {span: similarity for span, similarity in near.items() if span != passage}
    # What stands in no sentence, such as code, is as near as the passage.
    others = [unit for unit in pieces(content, passage, UNIT_END) if not _meets(unit, sentences)]
    units = sentences | dict.fromkeys(others, near.get(passage, 0.0))
    if not sentences and not any(held(unit) for unit in units):
        return None
    best = max(units, key=lambda unit: (units[unit] + share * held(unit), -unit.start))
    return _narrowed(content, best, held)


def word_pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Find words where they stand whole, in any case, as Postgres divides a text; None without words.

    In writing without spaces they stand anywhere.
    """
    # What begins with another word is looked for first: "12-awg" before "12".
    longest_first = sorted({word for word in words if word}, key=lambda word: (-len(word), word))
    if not longest_first:
        return None
    unspaced = [word for word in longest_first if UNSPACED.fullmatch(word)]
    spaced = [word for word in longest_first if not UNSPACED.fullmatch(word)]
    whole = [rf"(?<![^\W_])(?:{'|'.join(map(re.escape, spaced))})(?![^\W_])"] if spaced else []
    return re.compile("|".join([*whole, *map(re.escape, unspaced)]), re.IGNORECASE)


def _weigher(content: str, passage: Span, words: Mapping[str, tuple[str, ...]], weights: Mapping[str, float]) -> Weigh:
    """Give what tells of a span which share of the query's weight it holds."""
    lexemes = {form: lexeme for lexeme, forms in words.items() for form in forms}
    pattern, total = word_pattern(lexemes), sum(weights.values()) or 1.0
    found = (
        [(each.start(), lexemes.get(each[0].lower())) for each in pattern.finditer(content, *passage)]
        if pattern
        else []
    )

    def held(span: Span) -> float:
        said = {lexeme for place, lexeme in found if span.start <= place < span.end}
        return sum(weights.get(lexeme, 0.0) for lexeme in said if lexeme is not None) / total

    return held


def _narrowed(content: str, sentence: Span, held: Weigh) -> Span:
    """Choose a part of a sentence that is too long to be one, by its words; all of it where it says none."""
    if sentence.end - sentence.start <= LONGEST_SENTENCE or not held(sentence):
        return sentence
    return max(pieces(content, sentence, _STRETCH_END), key=lambda part: (held(part), -part.start))


def _meets(unit: Span, sentences: Iterable[Span]) -> bool:
    return any(span.start < unit.end and unit.start < span.end for span in sentences)
