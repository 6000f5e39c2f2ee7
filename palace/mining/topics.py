"""Segments a conversation into topics and names them. Pure: the same conversation always gives the same topics.

Boundaries minimise the scatter of the turns' vectors around the mean of their topic plus a price per topic, by dynamic
programming (after Utiyama and Isahara 2001, "A statistical model for domain-independent text segmentation", with
squared distance for likelihood).
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from palace.nlp.keyphrases import key_phrases
from palace.nlp.words import content_words, slugify

Matrix = npt.NDArray[np.float64]
Namer = Callable[[Sequence[Sequence[str]], Collection[str]], list[str]]
"""Returns a name for each part of a conversation, given as a list of texts, in order; also given the speakers."""

SHORTEST_CONVERSATION = 4
"""Fewest turns of a conversation that is segmented; shorter ones are one topic."""

SHORTEST_TOPIC = 2
"""Fewest turns with a vector in a topic."""

LONGEST_SEARCH = 256
"""Longest topic in turns that the search considers; longer ones are joined afterwards, which keeps the time linear."""

# Squared distance between unit vectors. On stitched pairs of LongMemEval sessions 2.4 has the fewest boundaries beside
# the seam (0.15 per pair, with the seam found in 95 % of 80 held-out pairs; words alone 0.26 and 96 %), but takes a
# long chat for one topic. 1.6 finds the seams as well, and changes of subject within a chat: 0.75 more per pair.
PRICE = 1.6
PRICE_IN_WORDS = 2.0

PRICE_IN_STEPS = 3.5
"""Price in mean squared steps between turns, used if lower, because models differ in how far apart they put texts."""

WORD_DIMENSIONS = 512
NAME_CHARACTERS = 60
LEAST_SHARE = 0.5
"""Share of a topic's words, over all parts of a conversation, that the part named after it must contain."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Topic:
    """A stretch of turns about one subject."""

    start: int
    end: int
    """Turns ``[start, end)``, as indexes of the segmented sequence."""
    name: str
    """Its key phrases, for display: "Battery wiring"."""
    slug: str
    """Slug of the name; stretches with the same slug belong to the same topic."""


def segment_topics(
    texts: Sequence[str],
    vectors: npt.NDArray[np.float32] | None,
    *,
    speakers: Collection[str] = (),
    namer: Namer | None = None,
) -> tuple[Topic, ...]:
    """Segment turns into consecutive topics that cover all of them, in order; no turns give no topics.

    ``vectors`` is ``(len(texts), dimension)``; a row of NaN is a turn without an embedding, which joins the turns
    before it. Without any vector, the turns' words are used. No topic is named after one of the ``speakers``. ``namer``
    defaults to ``name_topics``.
    """
    if not texts:
        return ()
    edges = [0, *_boundaries(texts, vectors), len(texts)]
    spans = list(pairwise(edges))
    names = (namer or name_topics)([texts[start:end] for start, end in spans], speakers)
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
    """Return for each text a unit vector of hashed content words that other texts share; NaN if there are none."""
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
    """Scale rows to unit length; a zero row becomes NaN."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Matrix = np.divide(rows, lengths, out=np.full(rows.shape, np.nan), where=lengths > 0)
    return units


class _Scatter:
    """Prefix sums of points, which give the scatter of any run in constant time."""

    def __init__(self, points: Matrix, price: float) -> None:
        self._count = len(points)
        self._price = price
        self._sums = np.vstack([np.zeros((1, points.shape[1])), np.cumsum(points, axis=0)])
        self._squares = np.concatenate([[0.0], np.cumsum((points**2).sum(axis=1))])

    def cuts(self) -> list[int]:
        """Return the cheapest cuts into runs of at most ``LONGEST_SEARCH`` points."""
        best = np.full(self._count + 1, np.inf)
        best[0] = 0.0
        came_from = np.zeros(self._count + 1, dtype=int)
        for end in range(SHORTEST_TOPIC, self._count + 1):
            first = max(0, end - LONGEST_SEARCH)
            costs = best[first : end - SHORTEST_TOPIC + 1] + self._of_runs(first, end)
            came_from[end] = first + int(costs.argmin())
            best[end] = costs.min() + self._price
        cuts = []
        index = int(came_from[self._count])
        while index:
            cuts.append(index)
            index = int(came_from[index])
        return cuts[::-1]

    def joined(self, cuts: Sequence[int]) -> list[int]:
        """Remove cuts that save less than their price, the least first; they result from the limit of the search."""
        kept = [0, *cuts, self._count]
        while len(kept) > 2:
            savings = [self._saving(*kept[index - 1 : index + 2]) for index in range(1, len(kept) - 1)]
            least = min(range(len(savings)), key=savings.__getitem__)
            if savings[least] >= self._price:
                break
            del kept[least + 1]
        return kept[1:-1]

    def _of_runs(self, first: int, end: int) -> Matrix:
        """Return the scatter of the runs from each start in ``[first, end - SHORTEST_TOPIC]`` to ``end``."""
        starts = slice(first, end - SHORTEST_TOPIC + 1)
        sums = self._sums[end] - self._sums[starts]
        lengths = end - np.arange(first, end - SHORTEST_TOPIC + 1)
        scatter: Matrix = self._squares[end] - self._squares[starts] - (sums**2).sum(axis=1) / lengths
        return scatter

    def _saving(self, start: int, cut: int, end: int) -> float:
        """Return how much scatter a cut between two runs saves."""
        before, after = cut - start, end - cut
        gap = (self._sums[cut] - self._sums[start]) / before - (self._sums[end] - self._sums[cut]) / after
        return float(before * after / (before + after) * (gap**2).sum())


def name_topics(parts: Sequence[Sequence[str]], speakers: Collection[str] = ()) -> list[str]:
    """Name the parts of a conversation, each a list of texts, in order, by their key phrases.

    Only this conversation is used, so the names do not depend on the rest of the palace.
    """
    found = key_phrases(parts, speakers=speakers)
    return [_name(phrases, part) for phrases, part in zip(found, parts, strict=True)]


def named_by(topics: Sequence[str], otherwise: Namer = name_topics) -> Namer:
    """Return a namer that names each part after the one of ``topics`` that it mentions most.

    A topic names at most one part, which must contain all its words, each at least half as often as all parts together.
    The other parts are named by ``otherwise``.
    """

    def name(parts: Sequence[Sequence[str]], speakers: Collection[str]) -> list[str]:
        names = otherwise(parts, speakers)
        said = [Counter(word.casefold() for text in part for word in _WORD.findall(text)) for part in parts]
        own = {word.casefold() for speaker in speakers for word in _WORD.findall(speaker)}
        shares = [
            (_share(topic, index, said), -order, index, topic)
            for order, topic in enumerate(topics)
            for index in range(len(parts))
            if not own.issuperset(word.casefold() for word in _WORD.findall(topic))
        ]
        called: dict[int, str] = {}
        for share, _, index, topic in sorted(shares, reverse=True):
            if share >= LEAST_SHARE and index not in called and topic not in called.values():
                called[index] = topic
        return [_capitalised(called[index]) if index in called else named for index, named in enumerate(names)]

    return name


def _share(topic: str, index: int, said: Sequence[Counter[str]]) -> float:
    """Return the smallest share of a topic's words that one part contains; 0 if it lacks any of them."""
    words = [word.casefold() for word in _WORD.findall(topic)]
    if not words or not all(said[index][word] for word in words):
        return 0.0
    return min(said[index][word] / sum(part[word] for part in said) for word in words)


def _name(phrases: Sequence[str], part: Sequence[str]) -> str:
    """Return the best phrase, the two best if that is a single word, or else the beginning of the part."""
    if not phrases:
        return _beginning(part)
    name = phrases[0] if " " in phrases[0] else ", ".join(phrases[:2])
    return _capitalised(name)


def _capitalised(name: str) -> str:
    return name[0].upper() + name[1:]


def _beginning(part: Sequence[str]) -> str:
    words = " ".join(" ".join(text[:200] for text in part[:5]).split()) or "Untitled"
    return words if len(words) <= NAME_CHARACTERS else words[: NAME_CHARACTERS - 1].rstrip() + "…"
