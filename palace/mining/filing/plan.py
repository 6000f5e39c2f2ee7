"""What to file of a conversation, given what is filed: new turns, where they stand, and what they replace. Pure.

Turns are matched to those that are known; what lies between two matches, in the source and in the palace, is what was
put in there, taken out or reworded.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from palace.mining.filing.align import Pair, longest_ascending
from palace.mining.filing.evidence import is_dated_late, is_read_better, match_turns
from palace.mining.filing.identity import Names, identities_by_id, identity_by_id, identity_of_reading
from palace.mining.keeping import Keeping
from palace.models import Conversation, KnownTurn, Replacement, Turn
from palace.models.external_keys import is_hidden
from palace.nlp.edges import is_greeting


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn to file."""

    given: int
    """Its place among the turns of the source."""
    identity: bytes
    position: int
    """Its place among all turns of the conversation that are filed; it shares that of what it replaced."""
    is_revision: bool
    """It stands beside another wording: what it replaced, or what replaced it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What filing a conversation comes to."""

    identities: tuple[bytes, ...] = ()
    """Of every turn of the source, in order; two that are the same message have one."""
    turns: tuple[PlannedTurn, ...] = ()
    """Those to file."""
    moved: Mapping[bytes, int] = field(default_factory=dict)
    """New positions of what is filed already, by identity."""
    replaced: tuple[Replacement, ...] = ()
    """What is no longer what the source says, and was until now."""
    restored: frozenset[bytes] = frozenset()
    """Replaced turns that the source says again."""
    forgotten: frozenset[int] = frozenset()
    """Turns of the source, by place, that are left out because they were forgotten."""
    answers: tuple[tuple[bytes, bytes], ...] = ()
    """Turns, by identity, with those that they answer, where that is not noted yet."""

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.turns or self.moved or self.replaced or self.restored or self.answers)


@dataclass(frozen=True, slots=True)
class Source:
    """A conversation to plan, and how."""

    conversation: Conversation
    identity: str
    """The conversation's, resolved."""
    excluded: frozenset[int] = frozenset()
    """Turns that are not to be filed, by place; they are part of the conversation all the same."""
    elsewhere: frozenset[bytes] = frozenset()
    """Identities that are filed, or were forgotten, in other conversations, where ids hold across them."""
    taken: frozenset[bytes] = frozenset()
    """Identities that turns of this conversation have which are not to be considered."""
    elsewhere_given: frozenset[int] = frozenset()
    """Turns, by place, that are filed in conversations which are a part of this one."""
    keeps: bool = False
    """What is known stands as well: the source has become less of the same text, or could be read in part only."""
    former: frozenset[bytes] = frozenset()
    """What an earlier version read from the same text, by identity: what is no turn any more is replaced."""
    keeping: Keeping = field(default_factory=Keeping)
    """What is taken out of turns: their identities are hidden then."""


def plan_turns(source: Source, known: Sequence[KnownTurn]) -> Plan:
    """Plan what to file; ``known`` is what is filed of the conversation or was forgotten, in order."""
    planning = _Planning(source, known)
    planning.match()
    return planning.plan()


class _Planning:
    """One plan while it is made."""

    def __init__(self, source: Source, known: Sequence[KnownTurn]) -> None:
        self._source, self._known = source, known
        self._turns, self._keeping = source.conversation.turns, source.keeping
        self._place_of = {turn.identity: place for place, turn in enumerate(known)}
        self._place_of_drawer = {
            turn.drawer_id: place for place, turn in enumerate(known) if turn.drawer_id is not None
        }
        self._identities: list[bytes] = [b""] * len(self._turns)
        self._matched: dict[int, int] = {}
        """Places among the known by places in the source."""
        self._reread: dict[int, int] = {}
        """The same, of turns that are filed anew because they are read better now."""
        by_id = {turn.source_id: given for given, turn in enumerate(self._turns) if turn.source_id}
        self._alternatives: dict[int, int | None] = {
            given: by_id.get(turn.replaced_by) for given, turn in enumerate(self._turns) if turn.replaced_by
        }
        """Turns that their own source calls replaced, with what replaced them."""

    def match(self) -> None:
        """Return every turn of the source its identity, and find which are known."""
        without_id = []
        for given, turn in enumerate(self._turns):
            if turn.source_id is None:
                without_id.append(given)
            else:
                self._match_by_id(given, turn)
        if without_id:
            self._match_by_content(without_id)
        matched = list(self._matched.items())
        undated = [self._turns[given] for given, place in matched if self._known[place].said_at is None]
        # Greetings may have been said at any time.
        dates = any(not is_greeting(turn.content) for turn in undated)
        for given, place in matched:
            self._read_again(given, place, dates=dates)

    def _match_by_id(self, given: int, turn: Turn) -> None:
        conversation, identity = self._source.conversation, self._source.identity
        plain = identity_by_id(conversation, identity, turn)
        for name in identities_by_id(conversation, identity, turn):
            for form in self._keeping.key.forms(name):
                place = self._place_of.get(form)
                if place is not None and (name == plain or self._is_older(place)):
                    self._matched[given] = place
                    self._identities[given] = form if name == plain else plain
                    return
        self._identities[given] = self._stored(plain, turn, self._source.elsewhere)

    def _stored(self, plain: bytes, turn: Turn, known: Container[bytes]) -> bytes:
        """Return the form of an identity in which it is known, else the one in which it is to be filed."""
        form = next((form for form in self._keeping.key.forms(plain) if form in known), plain)
        if form in known or not self._keeping.hides(turn.content):
            return form
        return self._keeping.key.hide(plain)

    def _match_by_content(self, given: Sequence[int]) -> None:
        taken = set(self._matched.values())
        left = [place for place in range(len(self._known)) if place not in taken and not self._known[place].is_reread]
        turns = [self._turns[place] for place in given]
        pairs = match_turns([self._known[place] for place in left], turns, self._source.identity, self._keeping.key)
        self._matched |= {given[pair.given]: left[pair.known] for pair in pairs}
        taken |= set(self._matched.values())
        source, known = self._source, frozenset(self._place_of) | self._source.taken
        names = Names(source.conversation, source.identity, self._keeping, known)
        buried = {turn.identity for place, turn in enumerate(self._known) if turn.is_forgotten and place not in taken}
        for place in given:
            if place in self._matched:
                self._identities[place] = self._known[self._matched[place]].identity
                continue
            self._identities[place] = identity = names.fresh(self._turns[place], buried)
            if identity in buried:
                buried.remove(identity)
                self._matched[place] = self._place_of[identity]

    def _is_older(self, place: int) -> bool:
        turn = self._known[place]
        return turn.is_forgotten or turn.is_older

    def _read_again(self, given: int, place: int, *, dates: bool) -> None:
        """Have a turn filed anew that is read better now; one that was filed anew before is what it was filed as."""
        known, turn = self._known[place], self._turns[given]
        if known.is_forgotten:
            return
        instead = self._place_of_drawer.get(known.replaced_by or 0) if known.is_reread else None
        # Where its identity was hidden since, that of what it was filed as is made of the former one.
        is_read = instead is not None and is_hidden(known.identity) and not is_read_better(turn, self._known[instead])
        if is_read or not (is_read_better(turn, known) if known.is_older else dates and is_dated_late(turn, known)):
            if instead is not None:
                self._matched[given], self._identities[given] = instead, self._known[instead].identity
            return
        identity = self._stored(identity_of_reading(known.identity, turn), turn, self._place_of)
        self._identities[given] = identity
        if identity in self._place_of:
            self._matched[given] = self._place_of[identity]
        else:
            del self._matched[given]
            self._reread[given] = place

    def plan(self) -> Plan:
        """Say what to write."""
        forgotten = frozenset(given for given, place in self._matched.items() if self._known[place].is_forgotten)
        new = self._new()
        slots = _Slots(self._known, self._turns, self._matched | self._reread, self._alternatives)
        replaced = {} if self._source.keeps else dict(slots.replacements(new, self._source.former))
        replaced |= {place: given for given, place in self._reread.items()}
        replaced |= {
            place: target
            for given, target in self._alternatives.items()
            if (place := self._matched.get(given)) is not None and target is not None
        }
        replaced |= self._taken_back()
        positions, moved = slots.positions(new, replaced)
        revisions = {given for place, given in replaced.items() if given is not None and given not in self._reread}
        revisions |= self._alternatives.keys()
        return Plan(
            identities=tuple(self._identities),
            turns=tuple(
                PlannedTurn(given, self._identities[given], positions[given], given in revisions) for given in new
            ),
            moved={self._known[place].identity: position for place, position in moved.items()},
            replaced=tuple(self._replacements(replaced, frozenset(new))),
            restored=self._restored(),
            forgotten=forgotten,
            answers=tuple(self._answers(frozenset(new), forgotten)),
        )

    def _new(self) -> list[int]:
        candidates = [
            given
            for given in range(len(self._turns))
            if given not in self._matched
            and given not in self._source.excluded
            and given not in self._source.elsewhere_given
            and self._identities[given] not in self._source.elsewhere
        ]
        first = {self._identities[given]: given for given in reversed(candidates)}
        return sorted(first.values())

    def _replacements(self, replaced: Mapping[int, int | None], new: frozenset[int]) -> Iterator[Replacement]:
        for place, given in sorted(replaced.items()):
            turn = self._known[place]
            if not turn.is_forgotten and not turn.is_replaced:
                yield Replacement(turn.identity, None if given is None else self._identities[given])
        for given, target in self._alternatives.items():
            if given in new:
                yield Replacement(self._identities[given], None if target is None else self._identities[target])

    def _taken_back(self) -> dict[int, int]:
        """Map what had replaced turns that the source says again, and says no longer itself, to those."""
        matched = set(self._matched.values())
        back: dict[int, int] = {}
        for given, place in self._matched.items():
            turn = self._known[place]
            if turn.replaced_by is None or given in self._alternatives:
                continue
            instead = self._place_of_drawer.get(turn.replaced_by)
            if instead is not None and instead not in matched:
                back[instead] = given
        return back

    def _answers(self, new: frozenset[int], forgotten: frozenset[int]) -> Iterator[tuple[bytes, bytes]]:
        by_id = {turn.source_id: given for given, turn in enumerate(self._turns) if turn.source_id}
        there = new | self._matched.keys() - forgotten
        for given, turn in enumerate(self._turns):
            answered = by_id.get(turn.answers) if turn.answers else None
            is_noted = given in self._matched and self._known[self._matched[given]].is_answering
            if answered is not None and not is_noted and {given, answered} <= there:
                yield self._identities[given], self._identities[answered]

    def _restored(self) -> frozenset[bytes]:
        alternatives = self._alternatives
        return frozenset(
            self._known[place].identity
            for given, place in self._matched.items()
            if self._known[place].is_replaced and given not in alternatives
        )


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two matches, on both sides."""

    known: Sequence[int]
    given: Sequence[int]
    is_open: bool
    """Nothing is matched before it, or nothing after it."""
    is_all: bool
    """Nothing is matched at all."""


class _Slots:
    """Where turns stand to each other, in the source and among what is filed."""

    def __init__(
        self,
        known: Sequence[KnownTurn],
        turns: Sequence[Turn],
        matched: Mapping[int, int],
        alternatives: Mapping[int, int | None],
    ) -> None:
        self._known, self._turns, self._alternatives = known, turns, alternatives
        self._met = set(matched.values())
        pairs = sorted(Pair(place, given) for given, place in matched.items())
        self._pairs = longest_ascending(pairs)

    def replacements(self, new: Sequence[int], former: frozenset[bytes]) -> Iterator[tuple[int, int | None]]:
        """Yield what the source no longer says, by place among the known, with the new turn that stands there now.

        What only begins later, or ends earlier, than what is known takes nothing out but what an earlier version read
        from it (``former``): it is an older copy, or a part.
        """
        fresh = set(new)
        for gap in self._gaps():
            gone = [place for place in gap.known if self._is_standing(place)]
            instead = [given for given in gap.given if given in fresh and given not in self._alternatives]
            if gap.is_open and not instead:
                gone = [place for place in gone if self._known[place].identity in former]
            if gap.is_all and not self._meet(gone, instead):
                continue
            yield from zip_longest(gone, instead[: len(gone)], fillvalue=instead[-1] if instead else None)

    def _is_standing(self, place: int) -> bool:
        turn = self._known[place]
        return place not in self._met and not turn.is_forgotten and not turn.is_replaced

    def _meet(self, gone: Sequence[int], instead: Sequence[int]) -> bool:
        """Check whether two sets of turns speak of the same time; undated ones do."""
        ours = [moment for place in gone if (moment := self._known[place].said_at)]
        theirs = [moment for given in instead if (moment := self._turns[given].said_at)]
        return not (ours and theirs) or (min(ours) <= max(theirs) and min(theirs) <= max(ours))

    def _gaps(self) -> Iterator[_Gap]:
        ends = Pair(len(self._known), len(self._turns))
        for before, after in pairwise([Pair(-1, -1), *self._pairs, ends]):
            yield _Gap(
                range(before.known + 1, after.known),
                range(before.given + 1, after.given),
                is_open=before.known < 0 or after is ends,
                is_all=before.known < 0 and after is ends,
            )

    def positions(
        self, new: Sequence[int], replaced: Mapping[int, int | None]
    ) -> tuple[dict[int, int], dict[int, int]]:
        """Return new turns their positions, and those of what is known that have to make room."""
        fresh, at = set(new), _Positions(self._known)
        slot_of: dict[int, int] = {}
        for place, given in sorted(replaced.items(), reverse=True):
            if given is not None:
                slot_of[given] = place
        for gap in self._gaps():
            for place in gap.known:
                at.keep(place)
            for given in gap.given:
                if given in fresh:
                    at.put(given, beside=slot_of.get(given))
            if (after := gap.known.stop if isinstance(gap.known, range) else 0) < len(self._known):
                at.keep(after)
                matched = gap.given.stop if isinstance(gap.given, range) else 0
                if matched in fresh:
                    at.put(matched, beside=after)
        return at.new, at.moved


class _Positions:
    """Numbers that ascend, those that are there already kept as far as they leave room."""

    def __init__(self, known: Sequence[KnownTurn]) -> None:
        self._known = known
        self._shift, self._last, self._last_put = 0, -1, -1
        self._kept: dict[int, int] = {}
        self.new: dict[int, int] = {}
        self.moved: dict[int, int] = {}

    def keep(self, place: int) -> None:
        """Take the next known turn."""
        was = self._known[place].position
        if was + self._shift <= self._last_put:
            self._shift = self._last_put + 1 - was
        here = was + self._shift
        self._kept[place] = here
        self._last = max(self._last, here)
        if here != was:
            self.moved[place] = here

    def put(self, given: int, *, beside: int | None) -> None:
        """Take the next new turn; at the position of the known turn that it stands beside, else behind all so far."""
        here = self._kept.get(beside, -1) if beside is not None else -1
        if here < 0:
            here = self._last + 1
            self._last_put = here
        self.new[given] = here
        self._last = max(self._last, here)
