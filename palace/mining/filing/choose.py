"""Which known conversation one without an id is; and conversations that an earlier version merged wrongly. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from palace.mining.filing.align import Pair
from palace.mining.filing.evidence import (
    GROWN_CHARACTERS,
    GROWN_TURNS,
    LEAST_CHARACTERS,
    LEAST_TURNS,
    MATCHED_PER_CONFLICT,
    has_lost_an_end,
    is_continued,
    is_held,
    is_text_continued,
    match_turns,
)
from palace.mining.filing.plan import Source, plan_turns
from palace.mining.keeping import Keeping
from palace.models import Conversation, KnownTurn, Replacement, Role, Slicing, Turn
from palace.models.external_keys import is_hidden
from palace.nlp.edges import is_greeting, lines_of
from palace.nlp.repair import repair

MOST_LINES = 0.8
"""What share of a file's lines an earlier reading has to account for to be one of this file."""

HEAD_CHARACTERS = 1000
"""In so many a log tells which session it is of."""
_SESSION = re.compile(
    r"\b(?:session|conversation|chat|thread)\b[^\n]{0,60}?\b(ses_\w{4,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b",
    re.IGNORECASE,
)

SOUGHT = 3
"""By how many of its turns a conversation that holds all of another is looked for."""


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

    def match(self, known: Sequence[KnownTurn], turns: Sequence[Turn]) -> list[Pair]:
        """Match turns to some that are known of it."""
        return match_turns(known, turns, self.identity, self.keeping.key)

    def as_kept(self, text: str) -> str:
        """Return a text as it would stand here: without its secrets where those of what is known were taken out."""
        return self.keeping.redacted(text).text if self._is_redacted else text

    def turns_as_kept(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        """Return turns as they would stand here, to compare their words."""
        return [replace(turn, content=self.as_kept(turn.content)) for turn in turns] if self._is_redacted else turns

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
    def strangers(self) -> Sequence[Sequence[KnownTurn]]:
        """What was merged into it wrongly."""
        if not any(turn.is_older for turn in self.known if not turn.is_forgotten):
            return ()
        return find_strangers(self.known, lambda: self.contents)

    @cached_property
    def own(self) -> Sequence[KnownTurn]:
        """What is its own, as it was read last."""
        strange = {turn.identity for group in self.strangers for turn in group}
        return [turn for turn in self.known if turn.identity not in strange and not turn.is_reread]

    @cached_property
    def standing(self) -> Sequence[KnownTurn]:
        """What of its own is neither forgotten nor replaced."""
        return [turn for turn in self.own if not turn.is_forgotten and not turn.is_replaced]

    @property
    def has_older(self) -> bool:
        """Whether an earlier version read some of its own."""
        return any(turn.is_older for turn in self.own if not turn.is_forgotten)

    def is_continued(self, known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair]) -> bool:
        """Check whether turns that are matched to some that are known of it are evidence enough."""
        return is_continued(known, self.turns_as_kept(turns), pairs, self.content_of)


@dataclass(frozen=True, slots=True)
class Choice:
    """Who a conversation is."""

    candidate: Candidate | None = None
    """None for a new one."""
    apart: tuple[tuple[bytes, int | None], ...] = ()
    """What an earlier version filed of it in another conversation: identities there, and the places of the turns; None
    of what is no turn by today's readers.
    """
    former: frozenset[bytes] = frozenset()
    """What an earlier version read from the same text, by identity, matched or not."""
    elsewhere: Mapping[int, bytes] = field(default_factory=dict)
    """Turns, by place, that are filed in other conversations, all of which are a part of this one; the identities they
    have there.
    """
    keeps: bool = False
    """It is less of a text than what is known of it, which is to stand as well."""

    @property
    def set_aside(self) -> Sequence[KnownTurn]:
        """What the candidate holds that is not its own."""
        return [turn for group in self.candidate.strangers for turn in group] if self.candidate else ()


def choose(conversation: Conversation, candidates: Sequence[Candidate]) -> Choice:
    """Decide which known conversation one without an id is: the one it shares most with, if that is enough.

    What was merged into another one by an earlier version is a new conversation.
    """
    best, most = Choice(), 0
    for candidate in candidates:
        shared = _shared(conversation, candidate)
        if shared is not None and shared > most:
            former, keeps = _former(conversation, candidate), _is_less(conversation, candidate)
            best, most = Choice(candidate, former=former, keeps=keeps), shared
        for strange in candidate.strangers:
            if all(turn.is_replaced for turn in strange):
                continue
            group = _with_what_they_share(candidate, strange)
            pairs = candidate.match(group, conversation.turns)
            if len(pairs) > most and candidate.is_continued(group, conversation.turns, pairs):
                best, most = Choice(apart=tuple(_apart(group, strange, pairs))), len(pairs)
    return replace(best, elsewhere=_elsewhere(conversation, best, candidates)) if best.candidate else best


def _elsewhere(conversation: Conversation, best: Choice, candidates: Sequence[Candidate]) -> dict[int, bytes]:
    """Find what other conversations hold that were filed apart and are, all of them, a part of this one."""
    found: dict[int, bytes] = {}
    for candidate in candidates:
        if candidate is not best.candidate and candidate.own:
            pairs = candidate.match(candidate.own, conversation.turns)
            is_all = len(pairs) == len(candidate.own)
            if is_all and candidate.is_continued(candidate.own, conversation.turns, pairs):
                found |= {pair.given: candidate.own[pair.known].identity for pair in pairs}
    return found


def choose_former(conversation: Conversation, candidates: Sequence[Candidate]) -> Choice:
    """Find what an earlier version, which knew no id of a conversation, filed of it as one without: it is replaced."""
    older = [candidate for candidate in candidates if all(turn.is_older for turn in candidate.own)]
    found = choose(conversation, older).candidate
    if found is None:
        return Choice()
    pairs = found.match(found.own, conversation.turns)
    place_of = {found.own[pair.known].identity: pair.given for pair in pairs}
    return Choice(apart=tuple((turn.identity, place_of.get(turn.identity)) for turn in found.standing))


def choose_holding(conversation: Conversation, candidates: Sequence[Candidate]) -> Choice:
    """Find a conversation that holds all of one without an id, in one piece, so that filing it would add nothing."""
    for candidate in candidates:
        pairs = candidate.match(candidate.own, conversation.turns)
        source = Source(conversation, candidate.identity, keeping=candidate.keeping)
        if is_held(candidate.own, conversation.turns, pairs) and plan_turns(source, candidate.known).is_nothing:
            return Choice(candidate)
    return Choice()


def most_telling(conversation: Conversation) -> list[Turn]:
    """Return the turns that a conversation which holds this one is looked for by: the longest, each of another text.

    None of one that says too little to be a part of another.
    """
    said = {turn.content: turn for turn in conversation.turns if turn.role is not Role.SYSTEM}
    if len(said) < GROWN_TURNS:
        return []
    return sorted(said.values(), key=lambda turn: len(turn.content), reverse=True)[:SOUGHT]


def _is_less(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether a text that is one drawer lacks the beginning or the end of what stands of it."""
    if len(candidate.standing) != 1 or len(conversation.turns) != 1:
        return False
    known, given = candidate.content_of(candidate.standing[0]), candidate.as_kept(conversation.turns[0].content)
    return has_lost_an_end(lines_of([known]), lines_of([given]))


def _former(conversation: Conversation, candidate: Candidate) -> frozenset[bytes]:
    if not conversation.whole_text or not candidate.has_older:
        return frozenset()
    return frozenset(_standing_in(conversation.whole_text, candidate, candidate.own))


def _shared(conversation: Conversation, candidate: Candidate) -> int | None:
    """Count the turns that are shared; None where that is too little evidence."""
    pairs = candidate.match(candidate.own, conversation.turns)
    if pairs and candidate.is_continued(candidate.own, conversation.turns, _with_grown(candidate, conversation, pairs)):
        return len(pairs)
    is_same = (
        _is_same_session(conversation, candidate)
        or _is_grown_diary(conversation, candidate.own, pairs)
        or _is_same_text(conversation, candidate)
        or _is_same_file(conversation, candidate)
    )
    return 1 if is_same else None


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


def _is_same_file(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether what an earlier version read is this very file: its drawers stand in it in order, on most lines."""
    standing = candidate.standing
    if not conversation.whole_text or not standing or not all(turn.is_older for turn in standing):
        return False
    there = _standing_in(conversation.whole_text, candidate, standing)
    lines = len(lines_of([conversation.whole_text]))
    return len(there) == len(standing) and sum(there.values()) >= MOST_LINES * lines


def _standing_in(text: str, candidate: Candidate, known: Sequence[KnownTurn]) -> dict[bytes, int]:
    """Map the drawers that an earlier version read from a text, by identity, to how many lines they stand on."""
    whole, place, found = repair(candidate.as_kept(text))[0], 0, {}
    for turn in known:
        content = candidate.contents.get(turn.drawer_id or 0, "") if turn.is_older else ""
        here = whole.find(content, place) if content else -1
        if here >= 0:
            place, found[turn.identity] = here + len(content), len(lines_of([content]))
    return found


def _is_same_text(conversation: Conversation, candidate: Candidate) -> bool:
    """Check whether a text that was filed as one drawer is what is at hand, grown, edited, or read as several turns."""
    standing = candidate.standing
    if len(standing) != 1 or (len(conversation.turns) > 1 and not standing[0].is_older):
        return False
    given = [conversation.whole_text] if conversation.whole_text else [turn.content for turn in conversation.turns]
    return is_text_continued(lines_of([candidate.content_of(standing[0])]), lines_of(map(candidate.as_kept, given)))


def find_strangers(
    known: Sequence[KnownTurn], read_contents: Callable[[], Mapping[int, str]]
) -> Sequence[Sequence[KnownTurn]]:
    """Find what an earlier version, which went by the first turns alone, merged into a conversation wrongly.

    A run added turns beside those that were there, and what both begin with is too little to be one conversation.
    """
    filed = [turn for turn in known if not turn.is_forgotten and turn.is_older]
    runs = sorted({turn.run_id for turn in filed if turn.run_id is not None})
    return [
        added
        for run_id in runs[1:]
        if (added := [turn for turn in filed if turn.run_id == run_id])
        and _is_strange(added, [turn for turn in filed if (turn.run_id or 0) < run_id], read_contents)
    ]


def _is_strange(
    added: Sequence[KnownTurn], before: Sequence[KnownTurn], read_contents: Callable[[], Mapping[int, str]]
) -> bool:
    begin = min(turn.position for turn in added)
    beside = sum(turn.position >= begin for turn in before)
    if beside == 0 or not any(turn.role is not Role.SYSTEM for turn in added):
        return False
    contents = read_contents()
    shared = [contents[turn.drawer_id] for turn in before if turn.position < begin and turn.drawer_id is not None]
    telling = [text for text in shared if not is_greeting(text)]
    if len(telling) < MATCHED_PER_CONFLICT * min(beside, len(added)):
        return True
    return len(telling) < LEAST_TURNS and sum(len(text.strip()) for text in telling) < LEAST_CHARACTERS


def _with_what_they_share(candidate: Candidate, strange: Sequence[KnownTurn]) -> list[KnownTurn]:
    begin = min(turn.position for turn in strange)
    return [turn for turn in candidate.own if turn.position < begin] + list(strange)


def _apart(
    group: Sequence[KnownTurn], strange: Sequence[KnownTurn], pairs: Sequence[Pair]
) -> Iterator[tuple[bytes, int | None]]:
    own = {turn.identity for turn in strange if not turn.is_replaced}
    for pair in pairs:
        if group[pair.known].identity in own:
            yield group[pair.known].identity, pair.given


def replacements_of(choice: Choice, identities: Sequence[bytes]) -> Iterator[Replacement]:
    """Say that what was filed in another conversation is replaced by the turns, of these identities, filed here."""
    for old, given in choice.apart:
        yield Replacement(old, None if given is None else identities[given])
