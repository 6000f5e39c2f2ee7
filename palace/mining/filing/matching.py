"""Chooses the known conversation that one without an id is. Pure."""

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
from palace.mining.redaction import Redactor
from palace.models import Conversation, KnownTurn, Role, Slicing, Turn
from palace.models.external_keys import is_hidden
from palace.nlp.edges import lines_of

HEAD_CHARACTERS = 1000
"""Characters at the beginning in which a log names its session."""
_SESSION = re.compile(
    r"\b(?:session|conversation|chat|thread)\b[^\n]{0,60}?\b(ses_\w{4,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Candidate:
    """A known conversation that may be the given one."""

    conversation_id: int
    identity: str
    known: Sequence[KnownTurn]
    """Its turns, in order."""
    read_contents: Callable[[], Mapping[int, str]]
    """Returns the contents of its drawers, by id."""
    redactor: Redactor = field(default_factory=Redactor)
    """Redacts the secrets of turns."""

    def match(self, turns: Sequence[Turn]) -> list[Pair]:
        """Match turns to its known turns."""
        return match_turns(self.own, turns, self.identity, self.redactor.key)

    def as_kept(self, text: str) -> str:
        """Return a text as it would be stored here: redacted if known turns of this conversation are."""
        return self.redactor.redacted(text).text if self._is_redacted else text

    @cached_property
    def _is_redacted(self) -> bool:
        return any(turn.digest is not None and is_hidden(turn.digest) for turn in self.known)

    @cached_property
    def contents(self) -> Mapping[int, str]:
        """Contents of its drawers by id; read once, on first use."""
        return self.read_contents()

    def content_of(self, turn: KnownTurn) -> str:
        """Return the content of a known turn, or "" if it is forgotten."""
        return "" if turn.drawer_id is None else self.contents.get(turn.drawer_id, "")

    @cached_property
    def own(self) -> Sequence[KnownTurn]:
        """Its turns in their latest reading."""
        return [turn for turn in self.known if not turn.is_reread]

    @cached_property
    def standing(self) -> Sequence[KnownTurn]:
        """Its turns that are neither forgotten nor replaced."""
        return [turn for turn in self.own if not turn.is_forgotten and not turn.is_replaced]


class Choice(NamedTuple):
    """The known conversation that a given one is."""

    candidate: Candidate | None = None
    """None for a new conversation."""
    keeps: bool = False
    """Whether the given text is only a part of the known one, which must then be kept."""


def choose(conversation: Conversation, candidates: Sequence[Candidate]) -> Choice:
    """Choose the known conversation that shares most turns, if that is sufficient evidence.

    Of equal candidates, one of the same reader is preferred.
    """
    best, most = None, 0
    for candidate in sorted(candidates, key=lambda each: each.identity.partition(":")[0] != conversation.reader):
        shared = _count_shared(conversation, candidate)
        if shared > most:
            best, most = candidate, shared
    return Choice(best, best is not None and _is_less(conversation, best))


def choose_holding(conversation: Conversation, candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the first candidate that contains a whole conversation contiguously, so that filing adds nothing."""
    for candidate in candidates:
        if is_held(candidate.own, conversation.turns, candidate.match(conversation.turns)):
            return candidate
    return None


def _is_less(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether a text filed as one drawer lacks the beginning or end of the known version."""
    if len(candidate.standing) != 1 or len(conversation.turns) != 1:
        return False
    known, given = candidate.content_of(candidate.standing[0]), candidate.as_kept(conversation.turns[0].content)
    return has_lost_an_end(lines_of([known]), lines_of([given]))


def _count_shared(conversation: Conversation, candidate: Candidate) -> int:
    """Return the number of shared turns, or 0 if the evidence is insufficient."""
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
    """Check whether both begin with the id of the same session; the rest of the head may change during a session."""
    first, standing = conversation.turns[0], candidate.standing
    is_headed = first.role is Role.SYSTEM or len(conversation.turns) == 1
    session = _SESSION.search(candidate.as_kept(first.content[:HEAD_CHARACTERS])) if is_headed else None
    if session is None or not standing or not (standing[0].role is Role.SYSTEM or len(standing) == 1):
        return False
    there = _SESSION.search(candidate.content_of(standing[0])[:HEAD_CHARACTERS])
    return there is not None and there[1] == session[1]


def _with_grown(candidate: Candidate, conversation: Conversation, pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Add the last known turn if the turn at its place begins with it: a section that was extended.

    All known text is then contained in the given one, so two dated turns or few characters suffice.
    """
    known, behind = candidate.own, pairs[-1].given + 1
    left = [
        at for at in range(pairs[-1].known + 1, len(known)) if not (known[at].is_replaced or known[at].is_forgotten)
    ]
    if len(left) != 1 or behind == len(conversation.turns):
        return pairs
    index, turn = left[0], conversation.turns[behind]
    was = candidate.content_of(known[index])
    is_enough = known[pairs[-1].known].said_at or sum(map(len, candidate.contents.values())) >= GROWN_CHARACTERS
    is_grown = candidate.as_kept(turn.content).startswith(f"{was}\n") and turn.said_at == known[index].said_at
    return [*pairs, Pair(index, behind)] if is_grown and is_enough else pairs


def _is_grown_diary(conversation: Conversation, known: Sequence[KnownTurn], pairs: Sequence[Pair]) -> bool:
    """Check whether the known text is one dated section that begins or ends a given diary, verbatim.

    A chat's first message would be no evidence: it may be sent to many people.
    """
    if len(known) != 1 or len(pairs) != 1 or conversation.slicing is not Slicing.BY_DAY:
        return False
    turn = conversation.turns[pairs[0].given]
    is_dated = known[0].said_at is not None and turn.said_at is not None and turn.speaker is None
    is_at_an_end = pairs[0].given in (0, len(conversation.turns) - 1)
    return is_dated and is_at_an_end and len(turn.content) >= GROWN_CHARACTERS


def _is_same_text(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether a text filed as one drawer is the given one, extended or edited."""
    standing = candidate.standing
    if len(standing) != 1 or (len(conversation.turns) > 1 and not standing[0].is_older):
        return False
    given = [conversation.whole_text] if conversation.whole_text else [turn.content for turn in conversation.turns]
    return is_text_continued(lines_of([candidate.content_of(standing[0])]), lines_of(map(candidate.as_kept, given)))
