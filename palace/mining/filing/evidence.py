"""Whether a conversation without an id is one that is known: by what both say, in order, and when. Pure.

Two strangers may greet alike, ask the same, or fill in the same form, so evidence has to be strong: decision 0002 says
how strong, and which errors are left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise, zip_longest
from typing import NamedTuple

from palace.mining.filing.align import Pair, align
from palace.mining.filing.identity import content_digest, possible_identities, scopes_of
from palace.mining.filing.place import one_line
from palace.models import KnownTurn, Role, Turn
from palace.models.external_keys import NO_KEY, Key, is_hidden
from palace.nlp.edges import is_greeting

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
"""So many turns have to be shared for each that another one stands against at an end."""
MATCHED_PER_DIFFERENCE = 10
"""… and for each that is put in, taken out or another between them: a form is filled in, a log runs again."""
SAME_WORDS = 0.5
LEAST_ANSWER = 40
"""So many characters, on average, an assistant's answers have; those in a form are shorter."""
LEAST_LINE = 8
_WORD = re.compile(r"\w+")
MOST_COUNTS = 200
"""How many times over a forgotten turn is looked for among equal ones."""


class _Said(NamedTuple):
    """What one turn says, for comparing."""

    role: Role | None
    digest: bytes


class _DugUp(NamedTuple):
    """What a forgotten turn said, and when: of it only its identity is left."""

    said: _Said
    minute: int | None


@dataclass(frozen=True, slots=True)
class Shared:
    """What two sequences have in common."""

    pairs: Sequence[Pair]
    known: int
    """How many items are known, and how many are given."""
    given: int

    @property
    def one_holds_the_other(self) -> bool:
        """Whether all that is known is given, or all that is given is known."""
        return 0 < len(self.pairs) >= min(self.known, self.given)

    @property
    def is_anchored(self) -> bool:
        """Whether the first or the last that is known is shared, or all that is given stands together there."""
        if not self.pairs:
            return False
        return self.pairs[0].known == 0 or self.pairs[-1].known == self.known - 1 or self.is_a_part

    @property
    def is_a_part(self) -> bool:
        """Whether all that is given stands together in what is known."""
        return 0 < len(self.pairs) == self.given == self.pairs[-1].known - self.pairs[0].known + 1

    @property
    def at_the_ends(self) -> int:
        """How many items stand before the first that is shared, or behind the last, where the other has others."""
        first, last = self.pairs[0], self.pairs[-1]
        return min(first.known, first.given) + min(self.known - last.known, self.given - last.given) - 1

    @property
    def beside_the_ends(self) -> list[tuple[int, int]]:
        """What stands right before the first that is shared, and right behind the last, where both have something."""
        first, last = self.pairs[0], self.pairs[-1]
        beside = [(first.known - 1, first.given - 1), (last.known + 1, last.given + 1)]
        return [(known, given) for known, given in beside if 0 <= known < self.known and 0 <= given < self.given]

    def differences(self, is_edit: Callable[[int, int], bool]) -> int:
        """Count what stands between two that are shared and is no edit of what the other has there.

        0 where one holds the other: a stranger would have words of its own.
        """
        if self.one_holds_the_other:
            return 0
        between = (
            each
            for one, other in pairwise(self.pairs)
            for each in zip_longest(range(one.known + 1, other.known), range(one.given + 1, other.given))
        )
        return sum(known is None or given is None or not is_edit(known, given) for known, given in between)


def match_turns(known: Sequence[KnownTurn], turns: Sequence[Turn], identity: str, key: Key = NO_KEY) -> list[Pair]:
    """Match turns without ids to those that are known, in order; by content, and by time where both have one.

    None where their times contradict each other. ``identity`` is the known conversation's; forgotten turns, which have
    no content any more, are known by the identities they would have. ``key`` is what those of secrets are hidden under.
    """
    # An older reading may have taken one role for another.
    by_role = all(not turn.is_older for turn in known if not turn.is_forgotten)
    digests = [content_digest(turn.content) for turn in turns]
    hidden = _hidden_among(known, digests, key)
    given = [
        _Said(turn.role if by_role else None, hidden.get(digest, digest))
        for turn, digest in zip(turns, digests, strict=True)
    ]
    buried = _dug_up(known, turns, given, (scopes_of(identity, turns, key), key))
    there = [
        buried[turn.identity].said
        if turn.identity in buried
        else _Said(turn.role if by_role else None, hidden.get(turn.digest or b"", turn.digest or turn.identity))
        for turn in known
    ]
    if any(turn.said_at for turn in turns) and any(turn.said_at for turn in known):
        # To the minute: the same export may come with seconds and without.
        pairs = align(
            [
                (said, buried[turn.identity].minute if turn.identity in buried else _minute(turn.said_at))
                for said, turn in zip(there, known, strict=True)
            ],
            [(said, _minute(turn.said_at)) for said, turn in zip(given, turns, strict=True)],
        )
        if pairs:
            return pairs
    pairs = align(there, given)
    return pairs if times_agree([(known[pair.known], turns[pair.given]) for pair in pairs]) else []


def _hidden_among(known: Sequence[KnownTurn], digests: Sequence[bytes], key: Key) -> dict[bytes, bytes]:
    """Map the digests of what is given, and is known with something taken out of it, to those it is known by."""
    hidden = {turn.digest for turn in known if turn.digest is not None and is_hidden(turn.digest)}
    return {digest: name for digest in digests if (name := key.hide(digest)) in hidden} if hidden else {}


def times_agree(shared: Sequence[tuple[KnownTurn, Turn]]) -> bool:
    """Check whether turns that say the same were said at the same times, but for one shift of zones.

    Those that an older reading gave a time are left out: it may have read them wrong.
    """
    shifts = [
        turn.said_at - known.said_at for known, turn in shared if known.said_at and turn.said_at and not known.is_older
    ]
    if not shifts:
        return True
    return max(shifts) - min(shifts) <= SHIFT_ERROR and max(map(abs, shifts)) <= WIDEST_SHIFT


def is_continued(
    known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair], content_of: Callable[[KnownTurn], str]
) -> bool:
    """Check whether matched turns are evidence enough that both are one conversation."""
    standing, shared = _among_standing(known, turns, pairs)
    if len(pairs) == shared.known == shared.given:
        return True
    telling = _telling([turns[pair.given] for pair in pairs])
    if not shared.is_anchored:
        return False
    # What was said at the same moments is no form that was filled in again.
    is_dated = all(known[pair.known].said_at and turns[pair.given].said_at for pair in pairs)
    differences = shared.differences(
        lambda place, given: is_dated or is_reworded(content_of(known[standing[place]]), turns[given].content)
    )
    if not is_dated:
        answers = [turn for turn in telling if turn.role is Role.ASSISTANT]
        differences += sum(
            not _is_edited_end(
                content_of(known[standing[place]]), turns[given], answers if given > pairs[-1].given else ()
            )
            for place, given in shared.beside_the_ends
        )
    per_difference = MATCHED_PER_CONFLICT if is_dated else MATCHED_PER_DIFFERENCE
    if len(telling) < MATCHED_PER_CONFLICT * shared.at_the_ends + per_difference * differences:
        return False
    characters = sum(len(turn.content.strip()) for turn in telling)
    if len(telling) >= LEAST_TURNS or characters >= LEAST_CHARACTERS:
        return True
    is_timed = sum(known[pair.known].said_at is not None and turns[pair.given].said_at is not None for pair in pairs)
    grown = (len(telling) >= GROWN_TURNS and characters >= GROWN_CHARACTERS) or is_timed >= SAME_MOMENTS
    return shared.one_holds_the_other and grown


def _is_edited_end(known: str, turn: Turn, answers: Sequence[Turn]) -> bool:
    """Check whether the turn beside the first or last match is what stands there in another wording, or a new answer.

    Another answer to the same question is a model's, where it says much in ``answers``, those that are shared; in a
    form, whoever asks, answers are short.
    """
    if differs_in_figures(known, turn.content):
        return False
    if turn.role is Role.SYSTEM or is_reworded(known, turn.content):
        return True
    is_much = sum(len(answer.content.strip()) for answer in answers) >= LEAST_ANSWER * max(len(answers), 1)
    return turn.role is Role.ASSISTANT and is_much


def is_held(known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair]) -> bool:
    """Tell whether all turns stand in what is known, together and in order, and say enough; a single one is no part."""
    _, shared = _among_standing(known, turns, pairs)
    if not shared.is_a_part:
        return False
    telling = _telling(turns)
    characters = sum(len(turn.content.strip()) for turn in telling)
    return len(telling) >= LEAST_TURNS or (len(telling) >= GROWN_TURNS and characters >= LEAST_CHARACTERS)


def _among_standing(
    known: Sequence[KnownTurn], turns: Sequence[Turn], pairs: Sequence[Pair]
) -> tuple[list[int], Shared]:
    """Return the places of what is matched or stands, and what is shared when nothing else is looked at."""
    matched = {pair.known for pair in pairs}
    standing = [place for place, turn in enumerate(known) if place in matched or not turn.is_replaced]
    place_of = {place: index for index, place in enumerate(standing)}
    return standing, Shared([Pair(place_of[pair.known], pair.given) for pair in pairs], len(standing), len(turns))


def _telling(turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.role is not Role.SYSTEM and not is_greeting(turn.content)]


def is_text_continued(known: Sequence[str], given: Sequence[str]) -> bool:
    """Check whether two texts that are no dialogue are one, by their lines: a note that has grown or was edited."""
    if known == given:
        return True
    pairs = align(known, given)
    shared = Shared(pairs, len(known), len(given))
    telling = [line for pair in pairs if _is_telling(line := known[pair.known])]
    characters = sum(map(len, telling))
    if not telling or not shared.is_anchored:
        return False
    # Forms differ at their ends, too: only another wording of the same line speaks for an edit.
    differences = shared.differences(lambda place, other: is_reworded(known[place], given[other]))
    differences += sum(not is_reworded(known[place], given[other]) for place, other in shared.beside_the_ends)
    if len(telling) < MATCHED_PER_DIFFERENCE * differences:
        return False
    return characters >= LEAST_CHARACTERS or (len(telling) >= LEAST_TURNS and characters >= GROWN_CHARACTERS)


def is_reworded(known: str, given: str) -> bool:
    """Check whether two texts are two wordings of one: the shorter shares half of its words."""
    if differs_in_figures(known, given):
        return False
    ours, theirs = _words(known), _words(given)
    return len(ours & theirs) >= SAME_WORDS * max(min(len(ours), len(theirs)), 1)


def differs_in_figures(known: str, given: str) -> bool:
    """Check whether nothing but figures differs: two entries of a log, or two answers in a form."""
    differing = _words(known) ^ _words(given)
    return bool(differing) and all(any(map(str.isdigit, word)) for word in differing)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def has_lost_an_end(known: Sequence[str], given: Sequence[str]) -> bool:
    """Check whether a text goes on less far than what is known of it, at its beginning or at its end."""
    pairs = align(known, given)
    if not pairs:
        return False
    first, last = pairs[0], pairs[-1]
    at_end = last.known < len(known) - 1 and last.given == len(given) - 1
    return at_end or (first.known > 0 and first.given == 0)


def _is_telling(line: str) -> bool:
    """Check whether a line is more than a heading, which every form has, or a greeting."""
    return len(line) >= LEAST_LINE and not line.startswith("#") and not is_greeting(line)


def _dug_up(
    known: Sequence[KnownTurn],
    turns: Sequence[Turn],
    given: Sequence[_Said],
    within: tuple[Sequence[str], Key],
) -> dict[bytes, _DugUp]:
    """Map the identities of forgotten turns to what they said and when, where one of the given turns says it."""
    buried = {turn.identity for turn in known if turn.is_forgotten}
    if not buried:
        return {}
    counts = Counter(given)
    saying = dict(zip(given, turns, strict=True))
    spare = min(len(buried), MOST_COUNTS)
    scopes, key = within
    return {
        name: _DugUp(said, _minute(turn.said_at))
        for said, turn in saying.items()
        for scope in scopes
        for plain in possible_identities(scope, turn, counts[said] + spare)
        for name in key.forms(plain)
        if name in buried
    }


def _minute(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp()) // 60


def is_read_better(turn: Turn, known: KnownTurn) -> bool:
    """Check whether a turn is read with another role, name or time than it was, or with one where it had none."""
    return (
        turn.role is not known.role
        or (turn.speaker is not None and one_line(turn.speaker) != known.speaker)
        or (turn.said_at is not None and turn.said_at != known.said_at)
    )


def is_dated_late(turn: Turn, known: KnownTurn) -> bool:
    """Check whether the source says now when a turn was said that it had no time for."""
    return known.said_at is None and turn.said_at is not None
