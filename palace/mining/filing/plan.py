"""Plans what to file of a conversation: new turns, their positions, and which known turns they replace. Pure.

Turns are matched to known ones; turns between two matches were inserted, removed or reworded.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from palace.mining.filing.align import Gap, Pair, gaps_between, longest_ascending
from palace.mining.filing.evidence import is_dated_late, is_read_better, match_turns
from palace.mining.filing.identity import Names, identities_by_id, identity_by_id, identity_of_reading
from palace.mining.redaction import Redactor
from palace.models import Conversation, KnownTurn, Replacement, Turn
from palace.models.external_keys import is_hidden
from palace.nlp.edges import is_greeting


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn to file."""

    given: int
    """Index among the turns of the source."""
    identity: bytes
    position: int
    """Position among the filed turns of the conversation; it shares that of the turn it replaces."""
    is_revision: bool
    """Whether it is one of several wordings at a position."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The result of planning."""

    identities: tuple[bytes, ...] = ()
    """Of every turn of the source, in order; repeated turns share one."""
    turns: tuple[PlannedTurn, ...] = ()
    """Turns to file."""
    moved: Mapping[bytes, int] = field(default_factory=dict)
    """New positions of filed turns, by identity."""
    replaced: tuple[Replacement, ...] = ()
    """Turns that the source no longer contains, until now current."""
    restored: frozenset[bytes] = frozenset()
    """Replaced turns that the source contains again."""
    forgotten: frozenset[int] = frozenset()
    """Indexes of turns left out because they were forgotten."""
    answers: tuple[tuple[bytes, bytes], ...] = ()
    """Pairs of identities, a turn and the one it answers, not recorded yet."""
    is_apart: bool = False
    """Whether no turn of the source is a known one."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is to be written."""
        return not (self.turns or self.moved or self.replaced or self.restored or self.answers)


@dataclass(frozen=True, slots=True)
class Source:
    """A conversation to plan, with options."""

    conversation: Conversation
    identity: str
    """The identity of the conversation here, after matching."""
    excluded: frozenset[int] = frozenset()
    """Indexes of turns that are not filed but count in matching."""
    elsewhere: frozenset[bytes] = frozenset()
    """Identities, of global message ids, that are filed or forgotten in other conversations."""
    keeps: bool = False
    """Whether known turns stay even if missing: the source is partial or a shorter version of the text."""
    reworded: Mapping[bytes, int] = field(default_factory=dict)
    """Indexes of turns that replace known ones, by the identities of these."""
    redactor: Redactor = field(default_factory=Redactor)
    """Redacts turns; identities of redacted turns are hidden."""


def plan_turns(source: Source, known: Sequence[KnownTurn]) -> Plan:
    """Plan what to file; ``known`` holds the conversation's filed and forgotten turns, in order."""
    planning = _Planning(source, known)
    planning.match()
    return planning.plan()


class _Planning:
    """The state of making one plan; ``given`` is an index of source turns, ``index`` one of known turns."""

    def __init__(self, source: Source, known: Sequence[KnownTurn]) -> None:
        self._source, self._known = source, known
        self._turns, self._redactor = source.conversation.turns, source.redactor
        self._index_of = {turn.identity: index for index, turn in enumerate(known)}
        self._index_of_drawer = {
            turn.drawer_id: index for index, turn in enumerate(known) if turn.drawer_id is not None
        }
        self._identities: list[bytes] = [b""] * len(self._turns)
        self._matched: dict[int, int] = {}
        """Known index by source index."""
        self._reread: dict[int, int] = {}
        """The same, for turns that are filed again because their reading has improved."""
        by_id = {turn.source_id: given for given, turn in enumerate(self._turns) if turn.source_id}
        self._alternatives: dict[int, int | None] = {
            given: by_id.get(turn.replaced_by) for given, turn in enumerate(self._turns) if turn.replaced_by
        }
        """Turns that the source marks as replaced, with their replacements."""

    def match(self) -> None:
        """Assign an identity to every source turn and match the known ones."""
        without_id = []
        for given, turn in enumerate(self._turns):
            if turn.source_id is None:
                without_id.append(given)
            else:
                self._match_by_id(given, turn)
        if without_id:
            self._match_by_content(without_id)
        matched = list(self._matched.items())
        undated = [self._turns[given] for given, index in matched if self._known[index].said_at is None]
        # Greetings may have been said at any time, so they are not evidence.
        dates = any(not is_greeting(turn.content) for turn in undated)
        for given, index in matched:
            self._read_again(given, index, dates=dates)

    def _match_by_id(self, given: int, turn: Turn) -> None:
        conversation, identity = self._source.conversation, self._source.identity
        plain = identity_by_id(conversation, identity, turn)
        for name in identities_by_id(conversation, identity, turn):
            for form in self._redactor.key.forms(name):
                index = self._index_of.get(form)
                if index is not None and (name == plain or self._is_older(self._known[index])):
                    self._matched[given] = index
                    self._identities[given] = form if name == plain else plain
                    return
        self._identities[given] = self._stored(plain, turn, self._source.elsewhere)

    @staticmethod
    def _is_older(turn: KnownTurn) -> bool:
        return turn.is_forgotten or turn.is_older

    def _stored(self, plain: bytes, turn: Turn, known: Container[bytes]) -> bytes:
        """Return the form, plain or hidden, of an identity that is known, else the one to file it under."""
        form = next((form for form in self._redactor.key.forms(plain) if form in known), plain)
        if form in known or not self._redactor.hides(turn.content):
            return form
        return self._redactor.key.hide(plain)

    def _match_by_content(self, given: Sequence[int]) -> None:
        taken = set(self._matched.values())
        left = [index for index in range(len(self._known)) if index not in taken and not self._known[index].is_reread]
        turns = [self._turns[index] for index in given]
        source = self._source
        pairs = match_turns([self._known[index] for index in left], turns, source.identity, self._redactor.key)
        self._matched |= {given[pair.given]: left[pair.known] for pair in pairs}
        taken |= set(self._matched.values())
        names = Names(source.conversation, source.identity, self._redactor, self._index_of.keys())
        buried = {turn.identity for index, turn in enumerate(self._known) if turn.is_forgotten and index not in taken}
        for index in given:
            if index in self._matched:
                self._identities[index] = self._known[self._matched[index]].identity
                continue
            self._identities[index] = identity = names.fresh(self._turns[index], buried)
            if identity in buried:
                buried.remove(identity)
                self._matched[index] = self._index_of[identity]

    def _read_again(self, given: int, index: int, *, dates: bool) -> None:
        """File a turn again if its reading has improved; match one that was filed again before to that version."""
        known, turn = self._known[index], self._turns[given]
        if known.is_forgotten:
            return
        instead = self._index_of_drawer.get(known.replaced_by or 0) if known.is_reread else None
        # If its identity was hidden since, the identity of the newer version was derived from the plain one.
        is_read = instead is not None and is_hidden(known.identity) and not is_read_better(turn, self._known[instead])
        if is_read or not (is_read_better(turn, known) if known.is_older else dates and is_dated_late(turn, known)):
            if instead is not None:
                self._matched[given], self._identities[given] = instead, self._known[instead].identity
            return
        identity = self._stored(identity_of_reading(known.identity, turn), turn, self._index_of)
        self._identities[given] = identity
        if identity in self._index_of:
            self._matched[given] = self._index_of[identity]
        else:
            del self._matched[given]
            self._reread[given] = index

    def plan(self) -> Plan:
        """Return the plan."""
        known, matched = self._known, self._matched
        new = self._list_new()
        forgotten = frozenset(given for given, index in matched.items() if known[index].is_forgotten)
        pairs = sorted(Pair(place, given) for given, place in (matched | self._reread).items())
        gaps = list(gaps_between(longest_ascending(pairs), len(known), len(self._turns)))
        replaced = {} if self._source.keeps else dict(self._replaced_in(gaps, new))
        reworded = self._source.reworded.items()
        replaced |= {self._index_of[identity]: given for identity, given in reworded if given in new}
        replaced |= {index: given for given, index in self._reread.items()}
        replaced |= {
            index: target
            for given, target in self._alternatives.items()
            if (index := matched.get(given)) is not None and target is not None
        }
        replaced |= self._taken_back()
        positions, moved = self._positions(gaps, new, replaced)
        revisions = {given for index, given in replaced.items() if given is not None and given not in self._reread}
        revisions |= self._alternatives.keys()
        return Plan(
            identities=tuple(self._identities),
            turns=tuple(
                PlannedTurn(given, self._identities[given], positions[given], given in revisions)
                for given in sorted(new)
            ),
            moved=moved,
            replaced=tuple(self._replacements(replaced, new)),
            restored=frozenset(
                known[index].identity
                for given, index in matched.items()
                if known[index].is_replaced and given not in self._alternatives
            ),
            forgotten=forgotten,
            answers=tuple(self._answers(new | matched.keys() - forgotten)),
            is_apart=not (matched or self._reread),
        )

    def _list_new(self) -> frozenset[int]:
        """Return the turns to file, without repetitions."""
        candidates = [
            given
            for given in range(len(self._turns))
            if given not in self._matched
            and given not in self._source.excluded
            and self._identities[given] not in self._source.elsewhere
        ]
        return frozenset({self._identities[given]: given for given in reversed(candidates)}.values())

    def _replaced_in(self, gaps: Sequence[Gap], new: Set[int]) -> Iterator[tuple[int, int | None]]:
        """Yield known turns that the source lacks, each with the turn at its place, if any: a new one, or a known one.

        A source that only begins later or ends earlier removes nothing: it is an older copy or a part.
        """
        other = {self._known[index].position: given for given, index in self._matched.items()}
        met = {*self._matched.values(), *self._reread.values()}
        for gap in gaps:
            gone = [
                index
                for index in gap.known
                if index not in met and not self._known[index].is_forgotten and not self._known[index].is_replaced
            ]
            instead = [given for given in gap.given if given in new and given not in self._alternatives]
            if (gap.is_first or gap.is_last) and not instead:
                continue
            if gap.is_first and gap.is_last and not self._are_of_one_time(gone, instead):
                continue
            for place, index in enumerate(gone):
                at_its_place = other.get(self._known[index].position)
                yield index, instead[min(place, len(instead) - 1)] if instead else at_its_place

    def _are_of_one_time(self, gone: Sequence[int], instead: Sequence[int]) -> bool:
        """Check whether the time spans of two sets of turns overlap; undated turns count as overlapping."""
        ours = [moment for index in gone if (moment := self._known[index].said_at)]
        theirs = [moment for given in instead if (moment := self._turns[given].said_at)]
        return not (ours and theirs) or (min(ours) <= max(theirs) and min(theirs) <= max(ours))

    def _replacements(self, replaced: Mapping[int, int | None], new: Set[int]) -> Iterator[Replacement]:
        for index, given in sorted(replaced.items()):
            turn = self._known[index]
            if not turn.is_forgotten and not turn.is_replaced:
                yield Replacement(turn.identity, None if given is None else self._identities[given])
        for given, target in self._alternatives.items():
            if given in new:
                yield Replacement(self._identities[given], None if target is None else self._identities[target])

    def _taken_back(self) -> dict[int, int]:
        """Map turns that had replaced others to the turn they replaced, if the source contains only that one again."""
        matched = set(self._matched.values())
        back: dict[int, int] = {}
        for given, index in self._matched.items():
            turn = self._known[index]
            if turn.replaced_by is None or given in self._alternatives:
                continue
            instead = self._index_of_drawer.get(turn.replaced_by)
            if instead is not None and instead not in matched:
                back[instead] = given
        return back

    def _answers(self, there: Set[int]) -> Iterator[tuple[bytes, bytes]]:
        by_id = {turn.source_id: given for given, turn in enumerate(self._turns) if turn.source_id}
        for given, turn in enumerate(self._turns):
            answered = by_id.get(turn.answers) if turn.answers else None
            is_noted = given in self._matched and self._known[self._matched[given]].is_answering
            if answered is not None and not is_noted and {given, answered} <= there:
                yield self._identities[given], self._identities[answered]

    def _positions(
        self, gaps: Sequence[Gap], new: Set[int], replaced: Mapping[int, int | None]
    ) -> tuple[dict[int, int], dict[bytes, int]]:
        """Return positions of new turns, and new positions by identity of known turns that must make room.

        A new turn takes the position of the turn it replaces, else the next one after all before it.
        """
        slot_of = {given: index for index, given in sorted(replaced.items(), reverse=True) if given is not None}
        at: dict[int, int] = {}
        positions: dict[int, int] = {}
        moved: dict[bytes, int] = {}
        shift, last, last_put = 0, -1, -1
        for index, given in _in_order(gaps):
            if index is not None and index < len(self._known):
                was = self._known[index].position
                shift = max(shift, last_put + 1 - was)
                at[index] = here = was + shift
                if shift:
                    moved[self._known[index].identity] = here
                last = max(last, here)
            elif given in new:
                here = at.get(slot_of.get(given, -1), -1)
                if here < 0:
                    here = last_put = last + 1
                positions[given] = here
                last = max(last, here)
        return positions, moved


def _in_order(gaps: Sequence[Gap]) -> Iterator[tuple[int | None, int]]:
    """Yield indexes of known and given turns in merged order; a match follows the turns before it."""
    for gap in gaps:
        yield from ((place, -1) for place in gap.known)
        yield from ((None, given) for given in gap.given)
        yield gap.known.stop, -1
        yield None, gap.given.stop
