"""Loads ranked drawers as hits, with tags, neighbours and best sentences.

Tags are derived from the names and claims of drawers and from known names in them, and never stored, so they follow
merges, renames and deletions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from palace.db.database import UserSession
from palace.db.drawers import AsOf, Recalled, ask_recalled, list_neighbours
from palace.db.graph.tags import FoundTag, ask_tags
from palace.db.memories import StoredMemories, ask_memories
from palace.db.standing import Shared, alike_drawers
from palace.graph.names import SELF_KEY
from palace.models import Compared, Drawer, Hit, HitOrder, Memory, PassageKey, Pointer, Scope, Span, Tag, TagKind
from palace.nlp.aaak import in_order as tags_in_order
from palace.nlp.direction import day_told
from palace.nlp.passages import UNIT_END, pieces
from palace.recall.arms.graph import KINDS
from palace.recall.changes import in_their_time
from palace.recall.comparison import Comparison
from palace.recall.excerpt import words_among
from palace.recall.floor import (
    BESIDE,
    Broad,
    above_floor,
    features_of,
    likelihood,
    similar_enough,
    told_once,
    within_reach,
)
from palace.recall.fuse import Fused, Fusion, one_version
from palace.recall.present import CHANGES, Of, Present, asked_of, earlier_first, latest_first, of_one_number, rare_in
from palace.recall.request import RecallRequest
from palace.recall.standing import with_standing
from palace.recall.strategy import Strategy

MOST_TAGS = 20
"""Most tags of a drawer: names first, then in order of their position."""
AROUND = 120
"""Characters on either side of a time that show whether it is past or future."""
LONGEST_SENTENCE = 240
"""Longest sentence in characters; of a longer one, such as data, a part is chosen."""

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
    """Load up to ``wanted`` hits, best first; drawers that differ only in case and spaces become one hit."""
    if not relevant:
        return ()
    beside = (each for fused in relevant for each in (fused.question, fused.newer) if each is not None)
    keys = dict.fromkeys(drawer.passage for drawer in (*(fused.drawer for fused in relevant), *beside))
    # One more, because a quarter of recalls merges repetitions, mostly one.
    scope, in_detail = request.scope, {fused.drawer.passage for fused in relevant[: wanted + 1]}
    memories = ask_memories(session, [fused.id for fused in relevant], scope)
    found, tags = _load(session, {key: key in in_detail for key in keys}, comparison, request)
    groups = _alike(_once(relevant, found, memories.get()), found)[:wanted]
    # Where repetitions are merged, others move up.
    if moved_up := {first.drawer.passage: True for first, *_ in groups if first.drawer.passage not in in_detail}:
        more, more_tags = _load(session, moved_up, comparison, request)
        found, tags = found | more, tags + more_tags
    firsts = [found[first.drawer.passage].drawer for first, *_ in groups]
    neighbours = list_neighbours(session, firsts, request.context, request.now)
    tagged = with_tags(firsts, tags, request.zone)
    nearest = sorted(comparison.drawers, key=lambda each: each.similarity or 0.0, reverse=True)[: BESIDE + 1]
    hits: list[Hit] = []
    for first, *others in groups:
        recalled = found[first.drawer.passage]
        hit = Hit(
            drawer=tagged[recalled.drawer.id],
            score=first.score,
            passage=recalled.passage,
            arms=fusion.reasons_of(first),
            before=_shown(neighbours[recalled.drawer.id].before, scope),
            after=_shown(neighbours[recalled.drawer.id].after, scope),
            # An older version of the same message is no repetition.
            again=tuple(found[other.drawer.passage].drawer for other in others if not other.drawer.is_replaced),
            confidence=_likelihood(first, comparison, nearest, is_first=not hits),
            coverage=_coverage(first),
            question=_drawer_of(first.question, found),
            newer=newer.pointer if (newer := _drawer_of(first.newer, found)) else None,
            sentence=_sentence(recalled, comparison),
            words=tuple(recalled.words.values()),
            parts=fusion.parts_of(first),
            named=first.drawer.named_by,
            memory=_memory(tagged[first.id], memories.get()),
        )
        hits.append(hit)
    return tuple(hits)


def _load(
    session: UserSession, keys: Mapping[PassageKey, bool], comparison: Comparison, request: RecallRequest
) -> tuple[dict[PassageKey, Recalled], list[FoundTag]]:
    """Return drawers by their passages; what matched in them, and their tags, only for passages that are True."""
    scope, as_of = request.scope, AsOf(request.now, request.scope.until)
    # Where the scope is confined, nothing from other conversations is used.
    drawers = [key.drawer_id for key, in_detail in keys.items() if in_detail]
    tags = ask_tags(session, drawers, self_key=SELF_KEY, most=MOST_TAGS, as_said=scope.is_confined)
    # Asked last, because the options that it needs need not be set back then.
    found = ask_recalled(session, keys, comparison.words, comparison.near, as_of, scope)
    return found.get(), tags.get()


def _drawer_of(compared: Compared | None, found: Mapping[PassageKey, Recalled]) -> Drawer | None:
    return found[compared.passage].drawer if compared is not None and compared.passage in found else None


def _memory(drawer: Drawer, memories: StoredMemories) -> Memory | None:
    return Memory(drawer=drawer, **memories[drawer.id]) if drawer.id in memories else None


def _coverage(fused: Fused) -> float:
    """Return the share of the query's words in the drawer, or in the question that it answers."""
    asked = fused.question.coverage if fused.question else 0.0
    return min(max(fused.drawer.coverage, asked), 1.0)


def _likelihood(fused: Fused, comparison: Comparison, nearest: Sequence[Compared], *, is_first: bool) -> float | None:
    """Return the probability that a drawer answers; None if the model was not calibrated.

    ``nearest`` are the most similar of the compared drawers, one more than it is compared with.
    """
    measured = comparison.calibration.confidence
    if measured is None or comparison.near is None:
        return None
    known = features_of(fused, nearest, drawers=comparison.palace_drawers, is_first=is_first)
    return likelihood(known, measured)


def chance_of(hits: Sequence[Hit], comparison: Comparison) -> float | None:
    """Return the probability that any drawer answers; None without hits, or if the model is not calibrated."""
    measured = comparison.calibration.chance
    if measured is None or comparison.near is None or not hits:
        return None
    return likelihood(comparison.features(hits[0].drawer.content, is_answer=bool(hits[0].question)), measured)


def _shown(beside: tuple[Drawer, ...], scope: Scope) -> tuple[Drawer, ...]:
    """Remove references to other wings from neighbours if the scope is confined to a part of the palace."""
    return tuple(drawer.alone() for drawer in beside) if scope.is_confined else beside


def _sentence(recalled: Recalled, comparison: Comparison) -> Span | None:
    content, weights = recalled.drawer.content, comparison.words.lexemes
    share = comparison.floor.coverage
    return best_sentence(content, recalled.passage, recalled.near, recalled.words, weights, share=share)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, Recalled]) -> list[list[Fused]]:
    """Group entries with equal text, apart from case and space, at the best one's rank; current drawers come first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        content = found[fused.drawer.passage].drawer.content
        groups.setdefault(" ".join(content.casefold().split()), []).append(fused)
    return [sorted(group, key=lambda fused: fused.drawer.is_replaced) for group in groups.values()]


def _once(relevant: Sequence[Fused], found: Mapping[PassageKey, Recalled], memories: StoredMemories) -> list[Fused]:
    """Leave out a memory that stands on one drawer which is found as well; that takes the better of the two places."""
    there = [fused for fused in relevant if fused.drawer.passage in found]
    places = {found[fused.drawer.passage].drawer.pointer: fused for fused in there}
    kept: dict[int, Fused] = {}
    for fused in there:
        evidence: Sequence[Pointer] = memories[fused.id]["evidence"] if fused.id in memories else ()
        said = places.get(evidence[0]) if len(evidence) == 1 else None
        shown = (
            fused
            if said is None
            else replace(said, score=max(said.score, fused.score), standing=said.standing or fused.standing)
        )
        kept.setdefault(shown.id, shown)
    return list(kept.values())


def choose(
    session: UserSession,
    fusion: Fusion,
    comparison: Comparison,
    request: RecallRequest,
    strategy: Strategy,
    wanted: int,
) -> list[Fused]:
    """Return the relevant entries in order; ``wanted`` is the number of hits to return."""
    intent, floor = comparison.background.intent, comparison.floor
    relevant = above_floor(fusion.ranked, floor, request.floor)
    relevant = _newest_first(session, relevant, comparison, request.query, strategy.present)
    relevant = in_their_time(relevant, fusion.ranked, comparison.changed, intent, strategy.changes)
    if not intent.asks_former:
        relevant = one_version(relevant, comparison.drawers)
    if intent.breadth.is_broad:
        relevant = _all_of_a_kind(session, relevant, comparison, request, strategy.broad)
    chosen = with_standing(relevant, fusion.ranked, comparison.held, strategy.standing, floor=floor, wanted=wanted)
    # Without an embedding of the query no similarity is known.
    return chosen if comparison.near is None else similar_enough(chosen, request.least_similarity)


def _newest_first(
    session: UserSession, ranked: list[Fused], comparison: Comparison, query: str, present: Present
) -> list[Fused]:
    """Rank the newest of similar statements first, unless the query asks for another time."""
    intent, near = comparison.background.intent, comparison.near
    looked_at = asked_of(ranked, intent, present)
    if near is None or len(looked_at) < 2:
        return ranked
    of = Of.asked_by(intent)
    least = min(present.alike_of_change, present.alike_of_amount, present.alike_of_one)
    named, rare = intent.amount or intent.answers_name, rare_in(comparison.palace_drawers, present)
    shared = Shared(rare, named, lambda text: CHANGES.finds("changed", text.lower()))
    found = alike_drawers(session, looked_at, near, least=least, shared=shared)
    # Changes in the graph take precedence over similar texts.
    alike = {pair: known for pair, known in found.items() if pair not in comparison.changed.pairs}
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
    """Count repeated statements once among the first, and drop additions that are much less relevant."""
    looked_at = [fused.id for fused in ranked[: broad.looked_at]]
    near = comparison.near
    ranked = told_once(ranked, alike_drawers(session, looked_at, near, least=broad.alike) if near else {}, broad.hits)
    return ranked if request.top_k is not None else within_reach(ranked, comparison.floor, broad)


def in_order(hits: Sequence[Hit], order: HitOrder) -> tuple[Hit, ...]:
    """Sort hits; by time, those of one moment in their order in the room, and undated ones last."""
    if order is HitOrder.RELEVANCE:
        return tuple(hits)
    return tuple(sorted(hits, key=_when))


def _when(hit: Hit) -> tuple[bool, float, int, int, int]:
    drawer = hit.drawer
    said_at = drawer.said_at
    return (said_at is None, said_at.timestamp() if said_at else 0.0, *drawer.pointer)


def with_tags(drawers: Sequence[Drawer], tags: Iterable[FoundTag], zone: tzinfo) -> dict[int, Drawer]:
    """Map drawer ids to the drawers with their tags, of known types; days are in ``zone``."""
    by_id = {drawer.id: drawer for drawer in drawers}
    found: dict[int, list[FoundTag]] = defaultdict(list)
    for one in tags:
        if one.type in KINDS and one.drawer_id in by_id:
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
    """Return the sentence or line of a passage that is closest to the query and has most of its words.

    ``near`` holds similarities of parts of the passage, ``words`` the query's words as written in it, by lexeme,
    ``weights`` the weight of each lexeme. ``share`` weighs words against similarity, as in relevance. Of equal ones the
    first is returned; None if nothing distinguishes them.
    """
    held = _weigher(content, passage, words, weights)
    sentences = {span: similarity for span, similarity in near.items() if span != passage}
    # Text outside of sentences, such as code, has the similarity of the passage.
    others = [] if _is_covered(content, passage, sentences) else pieces(content, passage, UNIT_END)
    units = sentences | {unit: near.get(passage, 0.0) for unit in others if not _meets(unit, sentences)}
    if not sentences and not any(held(unit) for unit in units):
        return None
    best = max(units, key=lambda unit: (units[unit] + share * held(unit), -unit.start))
    return _narrowed(content, best, held)


def _weigher(content: str, passage: Span, words: Mapping[str, tuple[str, ...]], weights: Mapping[str, float]) -> Weigh:
    """Return a function that gives the share of the query's weight in a span."""
    lexemes = {form: lexeme for lexeme, forms in words.items() for form in forms}
    pattern, total = words_among(lexemes), sum(weights.values()) or 1.0
    matches = pattern.finditer(content, *passage) if pattern else ()
    found = [(each.start(), lexeme) for each in matches if (lexeme := lexemes.get(each[0].lower())) is not None]

    def held(span: Span) -> float:
        said = {lexeme for place, lexeme in found if span.start <= place < span.end}
        return sum(weights.get(lexeme, 0.0) for lexeme in said) / total

    return held


def _narrowed(content: str, sentence: Span, held: Weigh) -> Span:
    """Return the part of an overlong sentence with most of the query's words, or all of it without any."""
    if sentence.end - sentence.start <= LONGEST_SENTENCE or not held(sentence):
        return sentence
    return max(pieces(content, sentence, _STRETCH_END), key=lambda part: (held(part), -part.start))


def _is_covered(content: str, passage: Span, sentences: Iterable[Span]) -> bool:
    """Check whether nothing but white space is outside of the sentences of a passage."""
    end = passage.start
    for span in sorted(sentences):
        if content[end : span.start].strip():
            return False
        end = max(end, span.end)
    return not content[end : passage.end].strip()


def _meets(unit: Span, sentences: Iterable[Span]) -> bool:
    return any(span.start < unit.end and unit.start < span.end for span in sentences)
