"""The sentences of what was said, how much each tells when nothing is asked for, and which are shown. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from palace.models import Role, SaidDrawer, Span, Stretch, Why
from palace.nlp.instructions import gives_instruction
from palace.nlp.names.lexicon import given_names
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.rules import late, rules
from palace.nlp.statements import is_request, leans_back, states_preference, telling_words
from palace.nlp.todos import Closing, closing_of, intent_of
from palace.nlp.words import fold

LONGEST_SHOWN = 240
"""Characters of a sentence that are shown."""

MOST_SENTENCES = 30
"""Sentences of one drawer that are looked at: of what is longer, the beginning says what it is about."""

CHANGES = rules("recall", "changes")
"""What says that something is otherwise than it was: patterns of Python and of Postgres, on lower case."""
NEAR, MOST_SIGNS = 120, 20
"""Characters before and after a sign of change that may deny it; signs of one sentence that are looked at."""
_COMING, _GERMAN = rules("recall", "coming"), rules("standing", "german")
_CAPITAL = late(r"(?<=[\w,;] )[^\W\d_a-zß-ÿ]\w+")
"""A word with a capital within a sentence."""
_STEM = 5
"""Letters by which two forms of a word are taken for one."""
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARK = re.compile(r"(?:#{1,6}|>|\||[-*_=]{3,})")
"""What begins a heading, a quotation, a row of a table, or is a rule."""


class Topic(NamedTuple):
    """What a sentence is about, by the stems of its words, without those of dates and of changing."""

    own: frozenset[str] = frozenset()
    """Of what only few things are called."""
    common: frozenset[str] = frozenset()
    """Of names, and of what many things are: a meeting, a dinner."""

    @classmethod
    def of(cls, text: str, words: Iterable[str]) -> Topic:
        """Return what a text is about whose telling words are known."""
        is_german = _GERMAN.finds("SPOKEN", text.lower())
        capitals = frozenset[str]() if is_german else {fold(word) for word in _CAPITAL.findall(text)}
        names = given_names()
        own, common = set[str](), set[str]()
        for word in words:
            stem = word[:_STEM]
            if (
                not word.replace("-", "").isalpha()
                or word in _COMING.words("calendar")
                or stem in _COMING.words("turning")
            ):
                continue
            is_common = word in capitals or word in names or stem in _COMING.words("of_many")
            (common if is_common else own).add(stem)
        return cls(frozenset(own - common), frozenset(common))

    @property
    def all(self) -> frozenset[str]:
        """All its words."""
        return self.own | self.common

    def joined(self, other: Topic) -> Topic:
        """Join what two sentences are about."""
        own = self.own | other.own
        return Topic(own, (self.common | other.common) - own)


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a line, of what was said."""

    said: SaidDrawer
    span: Span
    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        """Those of its words that tell something, folded; read when they are asked for, which is of few."""
        return telling_words(self.text)

    @cached_property
    def topic(self) -> Topic:
        """What it is about."""
        return Topic.of(self.text, self.words)

    @cached_property
    def closing(self) -> Closing | None:
        """What it may close; None where it says that nothing is done."""
        return closing_of(self.text, lambda: self.words)

    @cached_property
    def is_change(self) -> bool:
        """Whether it says that something is otherwise than it was."""
        return says_changed(self.text)

    @property
    def denies_change(self) -> bool:
        """Whether it speaks of a change that did not happen, or may happen."""
        return not self.is_change and CHANGES.finds("changed", self.text.lower())

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip("\"'”’)]»* ").endswith(("?", "？", "؟"))

    def joined(self, following: Sentence) -> Sentence:
        """Return it with the sentence that follows in the same drawer."""
        span = Span(self.span.start, following.span.end)
        return Sentence(self.said, span, self.said.text[slice(*span)])

    def shown(self) -> Span:
        """Return the span that is shown; a long sentence is cut after a word."""
        if self.span.end - self.span.start <= LONGEST_SHOWN:
            return self.span
        kept = self.text[:LONGEST_SHOWN]
        return Span(self.span.start, self.span.start + (len(kept.rpartition(" ")[0].rstrip()) or len(kept)))


def says_changed(text: str, name: str = "changed") -> bool:
    """Check whether a text states a change, neither denied nor under a condition; ``name`` is the pattern of it."""
    lowered = text.lower()
    return any(
        not CHANGES["not_so"].search(lowered, max(sign.start() - NEAR, 0), sign.start())
        and not CHANGES.finds("if_so", lowered[sign.end() : sign.end() + NEAR])
        for sign in islice(CHANGES[name].finditer(lowered), MOST_SIGNS)
    )


class Item(NamedTuple):
    """A sentence that may be shown, and why."""

    sentence: Sentence
    why: Why = Why.SAID
    score: float = 0.0
    """How much it tells, where that is compared."""
    due: Stretch | None = None
    """The time ahead that it speaks of."""
    is_over: bool = False
    """Another date was told later, or it is off, or done."""


def sentences_of(said: SaidDrawer) -> list[Sentence]:
    """Cut a drawer into its sentences, at most 30, in order; blocks of code, headings and quotations are left out."""
    return [
        Sentence(said, span, said.text[slice(*span)])
        for span, _ in zip(_spans(said.text), range(MOST_SENTENCES), strict=False)
    ]


def _spans(text: str) -> Iterator[Span]:
    start = 0
    for code in _CODE.finditer(text):
        yield from _prose_in(text, Span(start, code.start()))
        start = code.end()
    yield from _prose_in(text, Span(start, len(text)))


def _prose_in(text: str, stretch: Span) -> Iterator[Span]:
    for span in pieces(text, stretch, UNIT_END):
        if not _MARK.match(text, span.start):
            yield span


FULL = 5
"""Words that tell something, from which a sentence is full: more of them add nothing."""
STANDING, OWN = 0.3, 0.1
"""What a preference or an instruction has more; and what the person says of themselves, or dates."""
OF_ASSISTANT, ASKING, LEANING = 0.35, 0.25, 0.6
"""What is left of what an assistant says; of a question, or a request; where a sentence leans on one before it."""
FEWEST = 1000
"""Passages that are reckoned with in a smaller palace: of few passages no word is rare or common."""

LEAST_LETTERS = 0.55
"""Share of a sentence that letters and spaces are: what has less is data."""

FULL_LENGTH = 60
"""Characters from which a sentence may say all that one needs."""

_STANDING = (
    "always",
    "never",
    "from now",
    "remember",
    "please",
    "by default",
    "keep in mind",
    "bitte",
    "ab jetzt",
    "immer",
)
_OWN = ("i ", "i'", "my ", "we ", "our ", "we'", "ich ", "mein", "wir ", "unser")


def rarity(counts: Mapping[str, int], passages: int) -> Callable[[str], float]:
    """Return a function for the rarity of a word among the user's own, from 0 to 1; 1 for uncounted words.

    It is BM25's inverse document frequency over the highest there can be.
    """
    total = max(passages, *counts.values(), FEWEST)
    highest = math.log(1 + (total + 0.5) / 0.5)

    def rare(word: str) -> float:
        count = counts.get(word, 0)
        return math.log(1 + (total - count + 0.5) / (count + 0.5)) / highest

    return rare


def outlook(sentence: Sentence) -> float:
    """Return a cheap estimate of a sentence's score, to choose those that are scored in full."""
    begins = sentence.text[:40].lower().replace("’", "'")
    score = min(len(sentence.text), FULL_LENGTH) / FULL_LENGTH
    if begins.startswith(_OWN):
        score += 0.5
    if begins.startswith(_STANDING):
        score += 1.0
    return score if sentence.said.role is Role.USER else score * OF_ASSISTANT


def telling(sentence: Sentence, rare: Callable[[str], float]) -> float:
    """Return the score of a sentence, from 0; 0 without a telling word, or for text that is no language.

    Its rarest words count, up to as many as make it full: a long sentence does not tell more for being long.
    """
    rarest = sorted(map(rare, sentence.words), reverse=True)[:FULL]
    if not rarest or not _is_language(sentence.text) or sentence.text.endswith(":"):
        return 0.0
    score = sum(rarest) / FULL
    lowered = sentence.text[:40].lower().replace("’", "'")
    if lowered.startswith(_OWN):
        score += OWN
    if kind_of(sentence) is not Why.SAID:
        score += STANDING
    # What is meant to be done, and does not stand open, is done, or led to a question.
    if sentence.asks or is_request(sentence.text) or intent_of(sentence.text) is not None:
        score *= ASKING
    if leans_back(sentence.text):
        score *= LEANING
    if sentence.said.role is not Role.USER:
        score *= OF_ASSISTANT
    return score


def kind_of(sentence: Sentence) -> Why:
    """Classify a sentence: a preference or an instruction of the user, or a plain statement."""
    if sentence.said.role is Role.USER and not sentence.asks:
        said = sentence.said
        if said.is_own and gives_instruction(sentence.text) and sentence.text in own_words(said.text):
            return Why.INSTRUCTION
        if states_preference(sentence.text):
            return Why.PREFERENCE
    return Why.SAID


def _is_language(text: str) -> bool:
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return letters >= LEAST_LETTERS * len(text)


SAME_WORDS = 0.8
"""Share of their words that two sentences have in common which say the same."""


OF_CONVERSATION, OF_DAY = 0.5, 0.9
"""What is left of a sentence's worth for each in front of it: of its conversation, of its day in the same wing."""


def choose(sentences: Sequence[Item], limit: int) -> list[Item]:
    """Choose the most telling sentences, one of a drawer, each statement once, spread over conversations; best first.

    Of what is said again, the latest stands for all. An assistant's stands only where the person said nothing
    telling in that room.
    """
    left = _once(_best_of_each(sentences))
    rooms = {each.sentence.said.room_id for each in left if each.sentence.said.role is Role.USER}
    left = [each for each in left if each.sentence.said.role is Role.USER or each.sentence.said.room_id not in rooms]
    chosen: list[Item] = []
    conversations: Counter[int] = Counter()
    days: Counter[tuple[int, object]] = Counter()

    def worth(each: Item) -> tuple[float, object, int]:
        said = each.sentence.said
        of_day = OF_DAY ** days[said.wing_id, said.at.date()]
        return each.score * OF_CONVERSATION ** conversations[said.turn[0]] * of_day, said.at, said.drawer_id

    while left and len(chosen) < limit:
        best = max(left, key=worth)
        left.remove(best)
        chosen.append(best)
        conversations[best.sentence.said.turn[0]] += 1
        days[best.sentence.said.wing_id, best.sentence.said.at.date()] += 1
    return chosen


def say_the_same(one: Iterable[str], other: Iterable[str]) -> bool:
    """Check whether two sentences have nearly all their telling words in common."""
    these, those = set(one), set(other)
    return bool(these) and len(these & those) >= SAME_WORDS * len(these | those)


def _best_of_each(sentences: Sequence[Item]) -> list[Item]:
    """Keep of each drawer the sentence that tells most, the first of several as good."""
    best: dict[int, Item] = {}
    for each in sentences:
        known = best.get(each.sentence.said.drawer_id)
        if known is None or each.score > known.score:
            best[each.sentence.said.drawer_id] = each
    return list(best.values())


def _once(sentences: Iterable[Item]) -> list[Item]:
    """Keep of those that say the same the latest, the person's before an assistant's."""
    kept: list[Item] = []
    by_word: dict[str, list[int]] = {}
    for each in sorted(sentences, key=_latest_first):
        words = each.sentence.words
        near = {place for word in words for place in by_word.get(word, ())}
        if any(say_the_same(kept[place].sentence.words, words) for place in near):
            continue
        for word in words:
            by_word.setdefault(word, []).append(len(kept))
        kept.append(each)
    return kept


def _latest_first(each: Item) -> tuple[bool, float, int]:
    said = each.sentence.said
    return said.role is not Role.USER, -said.at.timestamp(), -said.drawer_id
