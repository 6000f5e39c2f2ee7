"""Cut a conversation into topics and name them. Pure: the same conversation always gives the same topics.

Boundaries minimise the scatter of the turns' vectors around the mean of their topic plus a price for each topic, by
dynamic programming (after Utiyama and Isahara 2001, "A statistical model for domain-independent text segmentation",
with squared distance for likelihood).
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from palace.text.keyphrases import key_phrases
from palace.text.slug import slugify
from palace.text.words import content_words

Matrix = npt.NDArray[np.float64]

SHORTEST_CONVERSATION = 4
"""Turns below which a conversation is one topic."""

SHORTEST_TOPIC = 2
"""Turns with a vector in a topic at least."""

LONGEST_SEARCH = 256
"""Turns a topic is searched to at once; longer ones are put together afterwards, which keeps the time linear."""

# Squared distance between unit vectors. On stitched pairs of LongMemEval sessions 2.4 has the fewest boundaries beside
# the seam (0.15 a pair, the seam found in 95 % of 80 pairs never tuned on; words alone 0.26 and 96 %), but it takes a
# long chat for one topic. 1.6 finds the seams as well, and the changes of subject within a chat: 0.75 more a pair.
PRICE = 1.6
PRICE_IN_WORDS = 2.0

PRICE_IN_STEPS = 3.5
"""The price in mean steps from turn to turn, where that is less: models differ in how far apart they put texts."""

WORD_DIMENSIONS = 512
NAME_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Topic:
    """A stretch of turns about one thing."""

    start: int
    end: int
    """Turns ``[start, end)``, positions in the sequence that was segmented."""
    name: str
    """Its key phrases, for people: "Battery wiring"."""
    slug: str
    """The name folded; stretches with the same slug are the same topic, taken up again."""


def segment_topics(texts: Sequence[str], vectors: npt.NDArray[np.float32] | None) -> tuple[Topic, ...]:
    """Cut turns into consecutive topics that cover them all, in order; no turn gives no topic.

    ``vectors`` is ``(len(texts), dimension)``; a row of NaN is a turn without an embedding, which goes with the turns
    before it. Without any vector the turns' words decide.
    """
    if not texts:
        return ()
    edges = [0, *_boundaries(texts, vectors), len(texts)]
    spans = list(pairwise(edges))
    names = _names([texts[start:end] for start, end in spans])
    return tuple(Topic(start, end, name, slugify(name)) for (start, end), name in zip(spans, names, strict=True))


def _boundaries(texts: Sequence[str], vectors: npt.NDArray[np.float32] | None) -> list[int]:
    if len(texts) < SHORTEST_CONVERSATION:
        return []
    by_words = vectors is None or bool(np.isnan(vectors).any(axis=1).all())
    rows = _word_rows(texts) if vectors is None or by_words else _units(vectors)
    present = np.flatnonzero(np.isfinite(rows).all(axis=1))
    if len(present) < 2 * SHORTEST_TOPIC:
        return []
    scatter = _Scatter(rows[present], PRICE_IN_WORDS if by_words else _price(rows[present]))
    return [int(present[cut]) for cut in scatter.joined(scatter.cuts())]


def _price(points: Matrix) -> float:
    steps = ((points[1:] - points[:-1]) ** 2).sum(axis=1)
    return min(PRICE, PRICE_IN_STEPS * float(steps.mean()) + 1e-6)


def _word_rows(texts: Sequence[str]) -> Matrix:
    """Give each text a unit vector of the content words it shares with others, hashed; NaN where it shares none."""
    bags = [Counter(content_words(text)) for text in texts]
    texts_with = Counter(word for bag in bags for word in bag)
    rows = np.zeros((len(texts), WORD_DIMENSIONS))
    for row, bag in zip(rows, bags, strict=True):
        for word, count in bag.items():
            if texts_with[word] > 1:
                number = zlib.crc32(word.encode("utf-8", "replace"))
                row[(number >> 1) % WORD_DIMENSIONS] += count**0.5 if number & 1 else -(count**0.5)
    return _units(rows)


def _units(rows: npt.NDArray[np.floating]) -> Matrix:
    """Scale rows to unit length; a row of zeros becomes NaN."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Matrix = np.divide(rows, lengths, out=np.full(rows.shape, np.nan), where=lengths > 0)
    return units


class _Scatter:
    """Sums over runs of points, from which the scatter of any run follows at once."""

    def __init__(self, points: Matrix, price: float) -> None:
        self._count = len(points)
        self._price = price
        self._sums = np.vstack([np.zeros((1, points.shape[1])), np.cumsum(points, axis=0)])
        self._squares = np.concatenate([[0.0], np.cumsum((points**2).sum(axis=1))])

    def cuts(self) -> list[int]:
        """Find the cheapest cuts into runs of at most ``LONGEST_SEARCH`` points."""
        best = np.full(self._count + 1, np.inf)
        best[0] = 0.0
        came_from = np.zeros(self._count + 1, dtype=int)
        for end in range(SHORTEST_TOPIC, self._count + 1):
            first = max(0, end - LONGEST_SEARCH)
            costs = best[first : end - SHORTEST_TOPIC + 1] + self._of_runs(first, end)
            came_from[end] = first + int(costs.argmin())
            best[end] = costs.min() + self._price
        cuts = []
        place = int(came_from[self._count])
        while place:
            cuts.append(place)
            place = int(came_from[place])
        return cuts[::-1]

    def joined(self, cuts: Sequence[int]) -> list[int]:
        """Drop the cuts that save less than their price, cheapest first: those the search's limit forced."""
        kept = [0, *cuts, self._count]
        while len(kept) > 2:
            savings = [self._saving(*kept[place - 1 : place + 2]) for place in range(1, len(kept) - 1)]
            least = min(range(len(savings)), key=savings.__getitem__)
            if savings[least] >= self._price:
                break
            del kept[least + 1]
        return kept[1:-1]

    def _of_runs(self, first: int, end: int) -> Matrix:
        """Give the scatter of the runs from each start in ``[first, end - SHORTEST_TOPIC]`` to the end."""
        starts = slice(first, end - SHORTEST_TOPIC + 1)
        sums = self._sums[end] - self._sums[starts]
        lengths = end - np.arange(first, end - SHORTEST_TOPIC + 1)
        scatter: Matrix = self._squares[end] - self._squares[starts] - (sums**2).sum(axis=1) / lengths
        return scatter

    def _saving(self, start: int, cut: int, end: int) -> float:
        """How much less scatter two runs have than the one they make."""
        before, after = cut - start, end - cut
        gap = (self._sums[cut] - self._sums[start]) / before - (self._sums[end] - self._sums[cut]) / after
        return float(before * after / (before + after) * (gap**2).sum())


def _names(parts: Sequence[Sequence[str]]) -> list[str]:
    return [_name(phrases, part) for phrases, part in zip(key_phrases(parts), parts, strict=True)]


def _name(phrases: Sequence[str], part: Sequence[str]) -> str:
    """Make a name of the best phrase, of two when the best is a single word; else of how the part begins."""
    if not phrases:
        return _beginning(part)
    name = phrases[0] if " " in phrases[0] else ", ".join(phrases[:2])
    return name[0].upper() + name[1:]


def _beginning(part: Sequence[str]) -> str:
    words = " ".join(" ".join(text[:200] for text in part[:5]).split()) or "Untitled"
    return words if len(words) <= NAME_CHARACTERS else words[: NAME_CHARACTERS - 1].rstrip() + "…"
