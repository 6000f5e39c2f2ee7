"""Decide whether to recall for a message, and choose hits that are new and say something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from palace.agent.gate import Decision, Rules, gate
from palace.agent.gate.signals import is_answer, is_filler, is_small_talk
from palace.agent.gate.window import fold, is_read_whole, prepare
from palace.agent.messages import Message
from palace.agent.query import key_terms
from palace.db.database import UserDatabase
from palace.db.graph.naming import list_known
from palace.mining.filing.identity import content_digest
from palace.models import Drawer, FloorLevel, Hit, Recollection, Role, Scope
from palace.nlp.instructions import is_standing
from palace.nlp.questions.questions import answers_nothing, only_asks
from palace.nlp.statements import states_preference, states_wish
from palace.recall.floor import hits_wanted
from palace.recall.request import RecallRequest, make_request
from palace.recall.strategy import Strategy

MOST_VISIBLE = 15
"""Extra hits to fetch, because some may be in the history already or say nothing."""
MOST_EMPTY = 10
"""Extra hits to fetch because they may say nothing."""
LEAST_WORDS = 3
"""Fewest spaces in a text that is left out beside a longer one with all of it."""
LEAST_APPLYING = 0.035
"""Confidence below which a wish or habit is not shown, unless it was chosen as one that applies to the task."""
SKIPPING = frozenset({"tool", "knowledge", "follow-up"})
"""Rules of the gate that a known name overrides."""
_PARTS = re.compile(r"\s*[,;:–-]\s+")
_WORD = re.compile(r"\w+")

Visible = frozenset[bytes | int]
"""What the model sees already: digests of message texts, and ids of quoted drawers."""


@dataclass(frozen=True, slots=True)
class HitSearch:
    """What to search for beside a message, and where."""

    query: str
    message: str
    scope: Scope
    top_k: int | None = None
    floor: str = "normal"
    least_similarity: float = 0.0
    visible: Visible = frozenset()
    context: int = 0
    """Turns before and after each hit to return with it."""
    person: tuple[str, ...] = ()
    """Names that queries may use for the owner of the palace."""


class FoundHits(NamedTuple):
    """The result of a search."""

    recollection: Recollection
    shown: list[Hit]
    """The hits to show, best first."""
    wanted: int
    """How many of them to show at most."""


def find_hits(
    search: HitSearch, answer: Callable[[RecallRequest], Recollection], strategy: Strategy, now: datetime
) -> FoundHits:
    """Recall, and leave out hits that are visible already or say nothing.

    Raises:
        PalaceError: recall failed.
    """
    request = make_request(
        search.query, top_k=None, scope=search.scope, context=search.context, now=now, person=search.person
    )
    wanted = hits_wanted(search.top_k, request.intent, strategy.broad)
    top_k = wanted + min(len(search.visible) + MOST_EMPTY, MOST_VISIBLE)
    floor = FloorLevel(search.floor)
    found = answer(replace(request, top_k=top_k, floor=floor, least_similarity=search.least_similarity))
    hits = [hit for hit in found.hits if search.visible.isdisjoint((hit.drawer.id, content_digest(hit.drawer.content)))]
    return FoundHits(found, _telling(hits, search.message), wanted)


def decide(text: str, before: Sequence[Message], rules: Rules, database: UserDatabase) -> Decision:
    """Decide whether a message needs memory.

    Most messages are decided without the database. One that would be skipped costs one index lookup for all of its
    words.

    Raises:
        DatabaseError: the palace cannot be read.
    """
    history = [dict(message.shape) for message in before]
    seen: dict[str, None] = {}

    def note(name: str) -> bool:
        seen[name] = None
        return False

    decision = gate(text, history, known=note, rules=rules)
    if decision.searched or decision.rule not in SKIPPING or not seen:
        return decision
    known = database.run(lambda session: list_known(session, list(seen)))
    if not known:
        return decision
    return gate(text, history, known=known.__contains__, rules=replace(rules, classifier=None))


def says_nothing(text: str) -> bool:
    """Return whether a text is hello, thanks, fine, goodbye or a filler, and nothing else.

    >>> says_nothing("Moin! Let me check."), says_nothing("Moin! The boat is red.")
    (True, False)
    """
    if not is_read_whole(text) or any(map(str.isdigit, text)):
        return False
    message = prepare(text)
    return message.is_whole and all(map(_is_empty_talk, message.sentences))


def _telling(hits: Iterable[Hit], message: str) -> list[Hit]:
    """Return the hits that say something beside a message, in order.

    Left out are repetitions of a hit, a memory beside the message that it quotes, wishes and habits that have hardly to
    do with the message and, unless later turns are shown with them, small talk, replies that answer nothing, and the
    person's questions that ask the same as the message.
    """
    asked, terms = _words(message), frozenset(key_terms(message))
    told: list[Hit] = []
    said: list[tuple[str, str]] = []
    for hit in hits:
        words = (_words(hit.question.content) if hit.question else "", _words(hit.drawer.content))
        if any(_holds(earlier, words) for earlier in said) or _hardly_applies(hit):
            continue
        if hit.after or not (_is_empty(hit, message) or _asks_same(hit.drawer, asked, terms)):
            place = next((place for place, each in enumerate(said) if _holds(words, each)), len(told))
            told[place : place + 1], said[place : place + 1] = [hit], [words]
    return told


def _holds(whole: tuple[str, str], part: tuple[str, str]) -> bool:
    """Check whether a text says all of another, word by word; of few words only where it is the same."""
    if whole == part:
        return True
    return not part[0] and part[1].count(" ") >= LEAST_WORDS and f" {part[1]} " in f" {whole[1]} "


def _hardly_applies(hit: Hit) -> bool:
    """Check whether a hit is a wish or habit of the person that hardly has to do with the message."""
    if hit.confidence is None or hit.confidence >= LEAST_APPLYING or hit.is_standing:
        return False
    return any(states(hit.drawer.content) for states in (is_standing, states_preference, states_wish))


def _is_empty_talk(sentence: str) -> bool:
    return is_small_talk(sentence) or all(
        is_filler(part) or is_small_talk(part) for part in _PARTS.split(sentence) if part
    )


def _is_empty(hit: Hit, message: str) -> bool:
    """Check whether a hit is small talk or answers nothing; a yes or no counts if its question is shown."""
    question = hit.question.content if hit.question else ""
    if hit.drawer.role is Role.ASSISTANT and answers_nothing(hit.drawer.content, message, question):
        return True
    if not says_nothing(hit.drawer.content):
        return False
    return hit.question is None or not all(map(is_answer, prepare(hit.drawer.content).sentences))


def _asks_same(drawer: Drawer, asked: str, terms: frozenset[str]) -> bool:
    if drawer.role is not Role.USER:
        return False
    is_alike = bool(terms) and only_asks(drawer.content) and terms == frozenset(key_terms(drawer.content))
    return is_alike or _words(drawer.content) == asked


def _words(text: str) -> str:
    return " ".join(_WORD.findall(fold(text)))
