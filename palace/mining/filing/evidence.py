"""Weighs whether a conversation without an id is a known one, by the contents, order and times of turns. Pure.

Strangers may greet alike, ask the same or fill in the same form, so the evidence must be strong: decision 0002 says how
strong, and which errors remain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import NamedTuple

from palace.mining.filing.align import Pair, align, gaps_between
from palace.mining.filing.identity import content_digest, possible_identities, scopes_of
from palace.mining.filing.place import one_line
from palace.models import KnownTurn, Role, Turn
from palace.models.external_keys import NO_KEY, Key, is_hidden
from palace.nlp.edges import is_greeting

LEAST_TURNS, LEAST_CHARACTERS = 3, 200
"""Turns, or characters, beyond greetings that must be shared."""
GROWN_TURNS, GROWN_CHARACTERS = 2, 80
"""Both are required if one conversation contains the whole other one, in order."""
SAME_MOMENTS = 2
"""Or as many turns at the same times."""
WIDEST_SHIFT = timedelta(hours=26)
"""Two exports of a conversation may give its times in two zones, at most this far apart."""
SHIFT_ERROR = timedelta(minutes=1)
"""Tolerance for exports without seconds."""
MATCHED_PER_CONFLICT = 2
"""Dated turns that must be shared for each one that differs."""
MATCHED_PER_CHANGED_LINE = 10
"""Lines that must be shared for each one that differs, because forms and repeated logs share many."""
SAME_WORDS = 0.5
LEAST_ANSWER = 40
"""Fewest characters, on average, of an assistant's answers; those in forms are shorter."""
LEAST_LINE = 8
_WORD = re.compile(r"\w+")
MOST_COUNTS = 200
"""How many equal turns are tried to find a forgotten one."""


class _TurnDigest(NamedTuple):
    """Role and content digest of a turn, for comparison."""

    role: Role | None
    digest: bytes


class _Forgotten(NamedTuple):
    """Content and time of a forgotten turn, recovered from its identity."""

    said: _TurnDigest
    minute: int | None


def match_turns(known: Sequence[KnownTurn], turns: Sequence[Turn], identity: str, key: Key = NO_KEY) -> list[Pair]:
    """Match turns without ids to known turns, in order, by content, and by time if both have times.

    Returns no pairs if the times contradict each other. ``identity`` is the known conversation's; forgotten turns have
    no content and are matched by the identities that given turns would have. ``key`` hides the identities of secrets.
    """
    # An older version of the reader may have assigned other roles.
    by_role = all(not turn.is_older for turn in known if not turn.is_forgotten)
    digests = [content_digest(turn.content) for turn in turns]
    redacted = {turn.digest for turn in known if turn.digest is not None and is_hidden(turn.digest)}
    hidden = {each: name for each in digests for name in key.forms(each)[1:] if name in redacted} if redacted else {}
    given = [
        _TurnDigest(turn.role if by_role else None, hidden.get(digest, digest))
        for turn, digest in zip(turns, digests, strict=True)
    ]
    forgotten = _find_forgotten(known, turns, given, (scopes_of(identity, turns, key), key))
    there = [
        forgotten[turn.identity].said
        if turn.identity in forgotten
        else _TurnDigest(turn.role if by_role else None, hidden.get(turn.digest or b"", turn.digest or turn.identity))
        for turn in known
    ]
    if any(turn.said_at for turn in turns) and any(turn.said_at for turn in known):
        # To the minute, because an export may lack seconds.
        pairs = align(
            [
                (said, forgotten[turn.identity].minute if turn.identity in forgotten else _minute(turn.said_at))
                for said, turn in zip(there, known, strict=True)
            ],
            [(said, _minute(turn.said_at)) for said, turn in zip(given, turns, strict=True)],
        )
        if pairs:
            return pairs
    pairs = align(there, given)
    return pairs if times_agree([(known[pair.known], turns[pair.given]) for pair in pairs]) else []


def _find_forgotten(
    known: Sequence[KnownTurn],
    turns: Sequence[Turn],
    given: Sequence[_TurnDigest],
    within: tuple[Sequence[str], Key],
) -> dict[bytes, _Forgotten]:
    """Map identities of forgotten turns to the content and time of a given turn with that identity."""
    buried = {turn.identity for turn in known if turn.is_forgotten}
    if not buried:
        return {}
    counts = Counter(given)
    saying = dict(zip(given, turns, strict=True))
    spare = min(len(buried), MOST_COUNTS)
    scopes, key = within
    return {
        name: _Forgotten(said, _minute(turn.said_at))
        for said, turn in saying.items()
        for scope in scopes
        for plain in possible_identities(scope, turn, counts[said] + spare)
        for name in key.forms(plain)
        if name in buried
    }


def _minute(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp()) // 60


def times_agree(shared: Sequence[tuple[KnownTurn, Turn]]) -> bool:
    """Check whether equal turns have equal times, apart from one shift of time zone.

    Times from an older version of the reader are ignored, as they may be wrong.
    """
    shifts = [
        turn.said_at - known.said_at for known, turn in shared if known.said_at and turn.said_at and not known.is_older
    ]
    if not shifts:
        return True
    return max(shifts) - min(shifts) <= SHIFT_ERROR and max(map(abs, shifts)) <= WIDEST_SHIFT


def is_continued(known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair]) -> bool:
    """Check whether matched turns are sufficient evidence of one conversation.

    Without times, the overlap must be identical, except that the last answer may be regenerated; with times, some turns
    may differ.
    """
    matched = {pair.known for pair in pairs}
    standing = [index for index, turn in enumerate(known) if index in matched or not turn.is_replaced]
    if len(pairs) == len(standing) == len(turns):
        return True
    place_of = {index: place for place, index in enumerate(standing)}
    shared = [Pair(place_of[pair.known], pair.given) for pair in pairs]
    if not shared or not _is_anchored(shared, len(standing), len(turns)):
        return False
    is_whole = len(pairs) >= min(len(standing), len(turns))
    dated = sum(known[pair.known].said_at is not None and turns[pair.given].said_at is not None for pair in pairs)
    telling = [turn for pair in pairs if _is_telling(turn := turns[pair.given])]
    conflicts = 0
    for gap in gaps_between(shared, len(standing), len(turns)):
        sizes = len(gap.known), len(gap.given)
        is_anew = gap.is_last and len(gap.known) == 1 and gap.given and _is_answer(turns[gap.given[0]], telling)
        if not is_anew:
            conflicts += min(sizes) if gap.is_first or gap.is_last else max(sizes)
    if conflicts and not is_whole and (dated < len(pairs) or len(telling) < MATCHED_PER_CONFLICT * conflicts):
        return False
    characters = sum(len(turn.content.strip()) for turn in telling)
    if len(telling) >= LEAST_TURNS or characters >= LEAST_CHARACTERS:
        return True
    is_grown = (len(telling) >= GROWN_TURNS and characters >= GROWN_CHARACTERS) or dated >= SAME_MOMENTS
    return is_whole and is_grown


def is_held(known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair]) -> bool:
    """Check whether all turns occur contiguously among the known ones, and are substantial enough."""
    if not pairs or len(pairs) < len(turns):
        return False
    between = known[pairs[0].known : pairs[-1].known + 1]
    if sum(not turn.is_replaced for turn in between) > len(pairs):
        return False
    telling = [turn for turn in turns if _is_telling(turn)]
    characters = sum(len(turn.content.strip()) for turn in telling)
    return len(telling) >= LEAST_TURNS or (len(telling) >= GROWN_TURNS and characters >= LEAST_CHARACTERS)


def _is_anchored(shared: Sequence[Pair], known: int, given: int) -> bool:
    """Check whether the first or last known turn is matched, or all given turns are contiguous there."""
    first, last = shared[0].known, shared[-1].known
    return first == 0 or last == known - 1 or len(shared) == given == last - first + 1


def _is_answer(turn: Turn, shared: Sequence[Turn]) -> bool:
    """Check whether a turn is a model's answer, not one in a form, by the average length of the shared answers."""
    answers = [each for each in shared if each.role is Role.ASSISTANT]
    said = sum(len(each.content.strip()) for each in answers)
    return turn.role is Role.ASSISTANT and said >= LEAST_ANSWER * max(len(answers), 1)


def _is_telling(turn: Turn) -> bool:
    return turn.role is not Role.SYSTEM and not is_greeting(turn.content)


def is_text_continued(known: Sequence[str], given: Sequence[str]) -> bool:
    """Check by their lines whether two texts without dialogue are versions of one, extended or edited."""
    if known == given:
        return True
    pairs = align(known, given)
    telling = [line for pair in pairs if _is_telling_line(line := known[pair.known])]
    is_whole = len(pairs) >= min(len(known), len(given))
    if not telling or not _is_anchored(pairs, len(known), len(given)):
        return False
    changed = 0
    for gap in gaps_between(pairs, len(known), len(given)):
        sides = [known[index] for index in gap.known], [given[index] for index in gap.given]
        # Forms also differ at their ends, but there the longer text may simply have grown.
        if gap.is_first or gap.is_last:
            ends = [side[-1:] if gap.is_first else side[:1] for side in sides]
            changed += all(ends) and not is_reworded(ends[0][0], ends[1][0])
        elif not is_whole:
            changed += sum(one is None or not is_reworded(one, other or "") for one, other in zip_longest(*sides))
    characters = sum(map(len, telling))
    if len(telling) < MATCHED_PER_CHANGED_LINE * changed:
        return False
    return characters >= LEAST_CHARACTERS or (len(telling) >= LEAST_TURNS and characters >= GROWN_CHARACTERS)


def is_reworded(known: str, given: str) -> bool:
    """Check whether two texts are wordings of one: the shorter shares half its words, and not only numbers differ.

    If only numbers differ, they are two log entries or two answers in a form.
    """
    ours, theirs = (set(_WORD.findall(text.casefold())) for text in (known, given))
    differing = ours ^ theirs
    if differing and all(any(map(str.isdigit, word)) for word in differing):
        return False
    return len(ours & theirs) >= SAME_WORDS * max(min(len(ours), len(theirs)), 1)


def _is_telling_line(line: str) -> bool:
    """Check whether a line is more than a short line, a heading or a greeting."""
    return len(line) >= LEAST_LINE and not line.startswith("#") and not is_greeting(line)


def has_lost_an_end(known: Sequence[str], given: Sequence[str]) -> bool:
    """Check whether a text lacks the beginning or the end of its known version."""
    pairs = align(known, given)
    if not pairs:
        return False
    first, last = pairs[0], pairs[-1]
    at_end = last.known < len(known) - 1 and last.given == len(given) - 1
    return at_end or (first.known > 0 and first.given == 0)


def is_read_better(turn: Turn, known: KnownTurn) -> bool:
    """Check whether a turn now has another role, or a speaker or time that differs from the known one."""
    return (
        turn.role is not known.role
        or (turn.speaker is not None and one_line(turn.speaker) != known.speaker)
        or (turn.said_at is not None and turn.said_at != known.said_at)
    )


def is_dated_late(turn: Turn, known: KnownTurn) -> bool:
    """Check whether the source now has a time for a turn that had none."""
    return known.said_at is None and turn.said_at is not None
