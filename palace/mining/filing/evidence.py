"""Whether a conversation without an id is one that is known: by what both say, in order, and when. Pure.

Two strangers may greet alike, ask the same, or fill in the same form, so evidence has to be strong: decision 0002 says
how strong, and which errors are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from palace.mining.filing.align import Pair, align
from palace.mining.filing.identity import content_digest, possible_identities
from palace.records import KnownTurn, Role, Turn
from palace.text.edges.greetings import is_greeting

LEAST_TURNS, LEAST_CHARACTERS = 3, 200
"""So many turns, or characters, beyond greetings have to be shared."""
GROWN_TURNS, GROWN_CHARACTERS = 2, 80
"""So many of each do where one conversation holds all that the other says, in its order."""
SAME_MOMENTS = 2
"""So many turns said at the same moments do as well."""
WIDEST_SHIFT = timedelta(hours=26)
"""Two exports of one conversation may give its times in two zones."""
SHIFT_ERROR = timedelta(minutes=1)
"""… and one of them without seconds."""
MATCHED_PER_CONFLICT = 2
LEAST_LINE = 8
MOST_COUNTS = 200
"""How many times over a forgotten turn is looked for among equal ones."""


class _Said(NamedTuple):
    """What one turn says, for comparing."""

    role: Role | None
    digest: bytes


@dataclass(frozen=True, slots=True)
class Shared:
    """What two sequences have in common."""

    pairs: Sequence[Pair]
    known: int
    """How many items are known, and how many are given."""
    given: int

    @property
    def is_whole(self) -> bool:
        """Whether each holds all of the other."""
        return len(self.pairs) == self.known == self.given

    @property
    def one_holds_the_other(self) -> bool:
        """Whether all that is known is given, or all that is given is known."""
        return 0 < len(self.pairs) >= min(self.known, self.given)

    @property
    def reaches_an_end(self) -> bool:
        """Whether the first or the last that is known is shared."""
        return bool(self.pairs) and (self.pairs[0].known == 0 or self.pairs[-1].known == self.known - 1)

    @property
    def conflict(self) -> int:
        """How many items stand where the other has others: not what only one of them has before, between or after."""
        bounds = [Pair(-1, -1), *self.pairs, Pair(self.known, self.given)]
        return sum(
            min(after.known - before.known, after.given - before.given) - 1 for before, after in pairwise(bounds)
        )


def match_turns(known: Sequence[KnownTurn], turns: Sequence[Turn], identity: str) -> list[Pair]:
    """Match turns without ids to those that are known, in order; by content, and by time where both have one.

    None where their times contradict each other. ``identity`` is the known conversation's; forgotten turns, which have
    no content any more, are known by the identities they would have.
    """
    # An older reading may have taken one role for another.
    by_role = all(not turn.is_older for turn in known if not turn.is_forgotten)
    given = [_Said(turn.role if by_role else None, content_digest(turn.content)) for turn in turns]
    buried = _dug_up(known, turns, given, identity)
    there = [
        buried.get(turn.identity) or _Said(turn.role if by_role else None, turn.digest or turn.identity)
        for turn in known
    ]
    if any(turn.said_at for turn in turns) and any(turn.said_at for turn in known):
        # To the minute: the same export may come with seconds and without.
        pairs = align(
            [(said, _minute(turn.said_at)) for said, turn in zip(there, known, strict=True)],
            [(said, _minute(turn.said_at)) for said, turn in zip(given, turns, strict=True)],
        )
        if pairs:
            return pairs
    pairs = align(there, given)
    return pairs if times_agree([(known[pair.known], turns[pair.given]) for pair in pairs]) else []


def times_agree(shared: Sequence[tuple[KnownTurn, Turn]]) -> bool:
    """Tell whether turns that say the same were said at the same times, but for one shift of zones.

    Those that an older reading gave a time are left out: it may have read them wrong.
    """
    shifts = [
        turn.said_at - known.said_at for known, turn in shared if known.said_at and turn.said_at and not known.is_older
    ]
    if not shifts:
        return True
    return max(shifts) - min(shifts) <= SHIFT_ERROR and max(map(abs, shifts)) <= WIDEST_SHIFT


def is_continued(known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair]) -> bool:
    """Tell whether matched turns are evidence enough that both are one conversation."""
    matched = {pair.known for pair in pairs}
    standing = [place for place, turn in enumerate(known) if place in matched or not turn.is_replaced]
    place_of = {place: index for index, place in enumerate(standing)}
    shared = Shared([Pair(place_of[pair.known], pair.given) for pair in pairs], len(standing), len(turns))
    if shared.is_whole:
        return True
    said = [turns[pair.given] for pair in pairs]
    telling = [turn for turn in said if turn.role is not Role.SYSTEM and not is_greeting(turn.content)]
    if not shared.reaches_an_end or len(telling) < MATCHED_PER_CONFLICT * shared.conflict:
        return False
    characters = sum(len(turn.content.strip()) for turn in telling)
    if len(telling) >= LEAST_TURNS or characters >= LEAST_CHARACTERS:
        return True
    is_timed = sum(known[pair.known].said_at is not None and turns[pair.given].said_at is not None for pair in pairs)
    grown = (len(telling) >= GROWN_TURNS and characters >= GROWN_CHARACTERS) or is_timed >= SAME_MOMENTS
    return shared.one_holds_the_other and grown


def is_text_continued(known: Sequence[str], given: Sequence[str]) -> bool:
    """Tell whether two texts that are no dialogue are one, by their lines: a note that has grown or was edited."""
    if known == given:
        return True
    pairs = align(known, given)
    shared = Shared(pairs, len(known), len(given))
    telling = [line for pair in pairs if _is_telling(line := known[pair.known])]
    characters = sum(map(len, telling))
    if not shared.reaches_an_end or len(telling) < MATCHED_PER_CONFLICT * shared.conflict:
        return False
    return characters >= LEAST_CHARACTERS or (len(telling) >= LEAST_TURNS and characters >= GROWN_CHARACTERS)


def _is_telling(line: str) -> bool:
    """Tell whether a line is more than a heading, which every form has, or a greeting."""
    return len(line) >= LEAST_LINE and not line.startswith("#") and not is_greeting(line)


def _dug_up(
    known: Sequence[KnownTurn], turns: Sequence[Turn], given: Sequence[_Said], identity: str
) -> dict[bytes, _Said]:
    """Map the identities of forgotten turns to what they said, where one of the given turns says it."""
    buried = {turn.identity for turn in known if turn.is_forgotten}
    if not buried:
        return {}
    counts = Counter(given)
    saying = dict(zip(given, turns, strict=True))
    spare = min(len(buried), MOST_COUNTS)
    return {
        name: said
        for said, turn in saying.items()
        for name in possible_identities(identity, turn, counts[said] + spare)
        if name in buried
    }


def _minute(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp()) // 60
