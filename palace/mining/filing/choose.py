"""Which known conversation one without an id is. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from palace.mining.filing.align import Pair
from palace.mining.filing.evidence import (
    GROWN_CHARACTERS,
    has_lost_an_end,
    is_continued,
    is_held,
    is_text_continued,
    match_turns,
)
from palace.mining.keeping import Keeping
from palace.models import Conversation, KnownTurn, Role, Slicing, Turn
from palace.models.external_keys import is_hidden
from palace.nlp.edges import lines_of

HEAD_CHARACTERS = 1000
"""In so many a log tells which session it is of."""
_SESSION = re.compile(
    r"\b(?:session|conversation|chat|thread)\b[^\n]{0,60}?\b(ses_\w{4,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Candidate:
    """A known conversation that may be the one at hand."""

    conversation_id: int
    identity: str
    known: Sequence[KnownTurn]
    """In order."""
    read_contents: Callable[[], Mapping[int, str]]
    """Returns what its drawers hold, by id."""
    keeping: Keeping = field(default_factory=Keeping)
    """What is taken out of turns."""

    def match(self, turns: Sequence[Turn]) -> list[Pair]:
        """Match turns to those that are known of it."""
        return match_turns(self.own, turns, self.identity, self.keeping.key)

    def as_kept(self, text: str) -> str:
        """Return a text as it would stand here: without its secrets where those of what is known were taken out."""
        return self.keeping.redacted(text).text if self._is_redacted else text

    @cached_property
    def _is_redacted(self) -> bool:
        return any(turn.digest is not None and is_hidden(turn.digest) for turn in self.known)

    @cached_property
    def contents(self) -> Mapping[int, str]:
        """What its drawers hold, by id; read once, where it is needed."""
        return self.read_contents()

    def content_of(self, turn: KnownTurn) -> str:
        """Return what a known turn says; "" of one that is forgotten."""
        return "" if turn.drawer_id is None else self.contents.get(turn.drawer_id, "")

    @cached_property
    def own(self) -> Sequence[KnownTurn]:
        """What is known of it, as it was read last."""
        return [turn for turn in self.known if not turn.is_reread]

    @cached_property
    def standing(self) -> Sequence[KnownTurn]:
        """What of it is neither forgotten nor replaced."""
        return [turn for turn in self.own if not turn.is_forgotten and not turn.is_replaced]


class Choice(NamedTuple):
    """Who a conversation is."""

    candidate: Candidate | None = None
    """None for a new one."""
    keeps: bool = False
    """It is less of a text than what is known of it, which is to stand as well."""


def choose(conversation: Conversation, candidates: Sequence[Candidate]) -> Choice:
    """Decide which known conversation one without an id is: the one it shares most with, if that is enough.

    Of those that share as much, one that the same reader read.
    """
    best, most = None, 0
    for candidate in sorted(candidates, key=lambda each: each.identity.partition(":")[0] != conversation.reader):
        shared = _count_shared(conversation, candidate)
        if shared > most:
            best, most = candidate, shared
    return Choice(best, best is not None and _is_less(conversation, best))


def choose_holding(conversation: Conversation, candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the first that holds all of a conversation in one piece, so that filing it would add nothing."""
    for candidate in candidates:
        if is_held(candidate.own, conversation.turns, candidate.match(conversation.turns)):
            return candidate
    return None


def _is_less(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether a text that is one drawer lacks the beginning or the end of what stands of it."""
    if len(candidate.standing) != 1 or len(conversation.turns) != 1:
        return False
    known, given = candidate.content_of(candidate.standing[0]), candidate.as_kept(conversation.turns[0].content)
    return has_lost_an_end(lines_of([known]), lines_of([given]))


def _count_shared(conversation: Conversation, candidate: Candidate) -> int:
    """Count the turns that are shared; 0 where that is too little evidence."""
    pairs = candidate.match(conversation.turns)
    if pairs and is_continued(candidate.own, conversation.turns, _with_grown(candidate, conversation, pairs)):
        return len(pairs)
    is_same = (
        _is_same_session(conversation, candidate)
        or _is_grown_diary(conversation, candidate.own, pairs)
        or _is_same_text(conversation, candidate)
    )
    return int(is_same)


def _is_same_session(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether both are headed by the id of one session: what else stands there changes as the session goes on."""
    first, standing = conversation.turns[0], candidate.standing
    is_headed = first.role is Role.SYSTEM or len(conversation.turns) == 1
    session = _SESSION.search(candidate.as_kept(first.content[:HEAD_CHARACTERS])) if is_headed else None
    if session is None or not standing or not (standing[0].role is Role.SYSTEM or len(standing) == 1):
        return False
    there = _SESSION.search(candidate.content_of(standing[0])[:HEAD_CHARACTERS])
    return there is not None and there[1] == session[1]


def _with_grown(candidate: Candidate, conversation: Conversation, pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Add the last turn that is known where what stands there now begins with it: a section that was written on.

    All of what is known then stands in what is given, so that two dated turns, or as many characters, are enough.
    """
    known, behind = candidate.own, pairs[-1].given + 1
    left = [
        at for at in range(pairs[-1].known + 1, len(known)) if not (known[at].is_replaced or known[at].is_forgotten)
    ]
    if len(left) != 1 or behind == len(conversation.turns):
        return pairs
    place, turn = left[0], conversation.turns[behind]
    was = candidate.content_of(known[place])
    is_enough = known[pairs[-1].known].said_at or sum(map(len, candidate.contents.values())) >= GROWN_CHARACTERS
    is_grown = candidate.as_kept(turn.content).startswith(f"{was}\n") and turn.said_at == known[place].said_at
    return [*pairs, Pair(place, behind)] if is_grown and is_enough else pairs


def _is_grown_diary(conversation: Conversation, known: Sequence[KnownTurn], pairs: Sequence[Pair]) -> bool:
    """Check whether all that is known is one dated section that a diary begins or ends with, word for word.

    A chat's first message is no such evidence: the same may be sent to many.
    """
    if len(known) != 1 or len(pairs) != 1 or conversation.slicing is not Slicing.BY_DAY:
        return False
    turn = conversation.turns[pairs[0].given]
    is_dated = known[0].said_at is not None and turn.said_at is not None and turn.speaker is None
    is_at_an_end = pairs[0].given in (0, len(conversation.turns) - 1)
    return is_dated and is_at_an_end and len(turn.content) >= GROWN_CHARACTERS


def _is_same_text(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether a text that was filed as one drawer is the one at hand, grown or edited."""
    standing = candidate.standing
    if len(standing) != 1 or (len(conversation.turns) > 1 and not standing[0].is_older):
        return False
    given = [conversation.whole_text] if conversation.whole_text else [turn.content for turn in conversation.turns]
    return is_text_continued(lines_of([candidate.content_of(standing[0])]), lines_of(map(candidate.as_kept, given)))
