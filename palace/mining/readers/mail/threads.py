"""Which mails are one thread: by the ids they refer to, else by Gmail's number, else by their subject.

After Jamie Zawinski's way (jwz.org/doc/threading.html), but nothing is joined by its subject alone: it has to say that
it answers, and to be from or to somebody of the thread it joins. Ids are kept as numbers: a mailbox of a million mails
has them in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from hashlib import blake2b
from itertools import pairwise

from palace.mining.readers.mail.heads import bare_subject
from palace.mining.readers.mail.spool import Mail, Spool

_LATER = timedelta(days=60)
"""An answer that only its subject tells belongs to a mail of so many days before it at most."""
_NEVER = float("inf")


class Threads:
    """The threads of a source, while its mails are read."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._times: list[float] = []
        self._parents: dict[int, int] = {}
        self._by_thread: dict[int, list[int]] = {}
        self._by_subject: dict[int, list[int]] = {}
        self._orphans: list[int] = []
        """Mails that say that they answer, and not which."""

    def add(self, mail: Mail) -> None:
        """Take up one mail; they are counted in the order in which they come."""
        place, own = len(self._numbers), number_of(mail.id)
        moment = mail.moment
        self._numbers.append(own)
        self._times.append(moment.timestamp() if moment else _NEVER)
        for before, after in pairwise([*map(number_of, mail.references), own]):
            self._join(before, after)
        if mail.thread:
            self._by_thread.setdefault(number_of(mail.thread), []).append(place)
        subject = bare_subject(mail.subject).casefold()
        if subject:
            self._by_subject.setdefault(number_of(subject), []).append(place)
        if mail.is_reply and not mail.references and not mail.thread:
            self._orphans.append(place)

    def in_order(self, spool: Spool) -> Iterator[tuple[str, list[Mail]]]:
        """Give each thread, known by the id of its first mail, its mails in order of time; in the order they begin."""
        for places in self._by_thread.values():
            self._join_places(places)
        for place in self._orphans:
            self._join_by_subject(place, spool)
        found: dict[int, list[int]] = {}
        for place, own in enumerate(self._numbers):
            found.setdefault(self._root(own), []).append(place)
        for root, places in found.items():
            mails = [spool.get(place) for place in sorted(places, key=lambda place: (self._times[place], place))]
            yield _id_of(root, mails), mails

    def _root(self, number: int) -> int:
        above = number
        while (parent := self._parents.get(above)) is not None:
            above = parent
        while number != above:
            self._parents[number], number = above, self._parents[number]
        return above

    def _join(self, before: int, after: int) -> None:
        """Put a mail below the one before it, unless it stands below one already, or above it."""
        if after not in self._parents and self._root(before) != after:
            self._parents[after] = before

    def _join_places(self, places: Sequence[int]) -> None:
        first = min(places, key=lambda place: (self._times[place], place))
        root = self._root(self._numbers[first])
        for place in places:
            other = self._root(self._numbers[place])
            if other != root:
                self._parents[other] = root

    def _join_by_subject(self, place: int, spool: Spool) -> None:
        mail, when = spool.get(place), self._times[place]
        number = number_of(bare_subject(mail.subject).casefold())
        own = self._root(self._numbers[place])
        within = _LATER.total_seconds()
        before = [
            other
            for other in self._by_subject.get(number, ())
            if other != place and 0 <= when - self._times[other] <= within and self._root(self._numbers[other]) != own
        ]
        people = set(mail.people)
        for other in sorted(before, key=lambda other: -self._times[other])[:20]:
            if people.intersection(spool.get(other).people):
                self._parents[own] = self._root(self._numbers[other])
                return


def number_of(text: str) -> int:
    """Give 64 bits that stand for a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _id_of(root: int, mails: Sequence[Mail]) -> str:
    ids = (name for mail in mails for name in (mail.id, *mail.references))
    return next((name for name in ids if number_of(name) == root), mails[0].id)
