"""Choosing what of a passage speaks most for it: the sentence that a long drawer is shown around. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from palace.models import Span
from palace.nlp.further import UNSPACED
from palace.nlp.passages import LINE_END, SENTENCE_END, pieces

LONGEST_SENTENCE = 240
"""Characters beyond which a part of a sentence is chosen: what has neither sentences nor lines, such as data."""

UNIT_END = re.compile(f"{SENTENCE_END.pattern}|{LINE_END.pattern}")
_STRETCH_END = re.compile(rf".{{{LONGEST_SENTENCE // 2}}}\S{{0,40}}", re.DOTALL)

Weigh = Callable[[Span], float]


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
    parts: Iterator[Span] = pieces(content, sentence, _STRETCH_END)
    return max(parts, key=lambda part: (held(part), -part.start))


def _meets(unit: Span, sentences: Iterable[Span]) -> bool:
    return any(span.start < unit.end and unit.start < span.end for span in sentences)
