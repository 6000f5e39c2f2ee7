"""Groups mails into threads, by the ids they refer to, else by Gmail's thread number, else by subject.

Follows Jamie Zawinski (jwz.org/doc/threading.html), except that a subject alone joins nothing: it must mark a reply,
and share a correspondent with the thread. Mails wait in an unnamed temporary file and ids are kept as numbers, so that
a mailbox of a million mails needs little memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import pairwise
from typing import IO, NamedTuple

from palace.mining.drafts.draft import NO_TIME, Draft, Stamp
from palace.mining.files.reading import Reading
from palace.mining.readers.mail_heads import Address, Head, bare_subject
from palace.mining.readers.mail_quotes import Carried
from palace.models import Conversation, Role

_LATER = timedelta(days=60).total_seconds()
"""Most seconds between a mail and a reply that is recognised only by its subject."""
_NEVER = float("inf")


class Mail(NamedTuple):
    """A mail as it was parsed."""

    head: Head
    """The id is derived from the content if the mail has none."""
    text: str
    """Content of the drawer; "" if the mail has no text of its own."""
    carried: Sequence[Carried]
    place: str


class Threads:
    """The mails of a source, grouped into threads."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._offsets = [0]
        """Offset of each mail in the file, and of the end."""
        self._numbers: list[int] = []
        self._times: list[float] = []
        self._parents: dict[int, int] = {}
        self._by_thread: dict[int, list[int]] = {}
        self._by_subject: dict[int, list[int]] = {}
        self._orphans: list[int] = []
        """Replies that do not say which mail they answer."""

    def add(self, mail: Mail) -> None:
        """Add a mail; mails are numbered in the order of the calls."""
        line = json.dumps(mail).encode() + b"\n"
        self._file.seek(self._offsets[-1])
        self._file.write(line)
        self._offsets.append(self._offsets[-1] + len(line))
        head, index = mail.head, len(self._numbers)
        own = _number_of(head.id or "")
        self._numbers.append(own)
        self._times.append(datetime.fromisoformat(head.at).timestamp() if head.at else _NEVER)
        for before, after in pairwise([*map(_number_of, head.references), own]):
            # A mail goes below the one referred to before it, unless it already has a parent or that would form a
            # cycle.
            if after not in self._parents and self._root(before) != after:
                self._parents[after] = before
        if head.thread:
            self._by_thread.setdefault(_number_of(head.thread), []).append(index)
        subject = bare_subject(head.subject).casefold()
        if subject:
            self._by_subject.setdefault(_number_of(subject), []).append(index)
        if head.is_reply and not head.references and not head.thread:
            self._orphans.append(index)

    def in_order(self) -> Iterator[tuple[str, list[Mail]]]:
        """Yield threads, each with the id of its first mail and its mails in order of time, by first appearance."""
        for places in self._by_thread.values():
            root = self._root_at(min(places, key=self._order))
            for other in {self._root_at(index) for index in places} - {root}:
                self._parents[other] = root
        for index in self._orphans:
            self._join_by_subject(index)
        found: dict[int, list[int]] = {}
        for index in range(len(self._numbers)):
            found.setdefault(self._root_at(index), []).append(index)
        for root, places in found.items():
            mails = [self._get(index) for index in sorted(places, key=self._order)]
            ids = [name for mail in mails for name in (mail.head.id or "", *mail.head.references)]
            yield next((name for name in ids if _number_of(name) == root), ids[0]), mails

    def _get(self, index: int) -> Mail:
        self._file.seek(self._offsets[index])
        written, text, carried, where = json.loads(self._file.readline())
        head = Head(*written)
        sender, recipients = head.sender and Address(*head.sender), [Address(*each) for each in head.recipients]
        head = head._replace(sender=sender, recipients=recipients)
        return Mail(head, text, [Carried(*each) for each in carried], where)

    def _order(self, index: int) -> tuple[float, int]:
        return self._times[index], index

    def _root_at(self, index: int) -> int:
        return self._root(self._numbers[index])

    def _root(self, number: int) -> int:
        above = number
        while (parent := self._parents.get(above)) is not None:
            above = parent
        while number != above:
            self._parents[number], number = above, self._parents[number]
        return above

    def _join_by_subject(self, index: int) -> None:
        head, when, own = self._get(index).head, self._times[index], self._root_at(index)
        alike = self._by_subject.get(_number_of(bare_subject(head.subject).casefold()), ())
        before = [
            other
            for other in alike
            if other != index and 0 <= when - self._times[other] <= _LATER and self._root_at(other) != own
        ]
        people = set(head.people)
        for other in sorted(before, key=lambda other: -self._times[other])[:20]:
            if people.intersection(self._get(other).head.people):
                self._parents[own] = self._root_at(other)
                return


def _number_of(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


NAME = "mail"
COPIES = "copies of mails"
REPEATED = "mails repeated below answers to them"

_PART = re.compile(r":(?:quoted|forwarded)-\d{1,3}\Z")
"""The suffix of the id of a mail that is quoted or forwarded, after the id of the mail that carries it."""
_WINDOW = 4
_REPEATED_SHARE = 0.8
"""The share of a quoted mail's word windows that must occur in the thread for it to be left out."""
_MARKS = ">*_.,;:!?()<>\"'"


def conversation_of(source_id: str, mails: Sequence[Mail], reading: Reading) -> Iterator[Conversation]:
    """Yield a thread as a conversation, or nothing without text; ``mails`` must be in order of time."""
    title = next((mail.head.subject for mail in mails if mail.head.subject), None)
    draft = Draft(NAME, reading)
    # A source may lack mails of a thread; those do not count as deleted.
    draft.lack()
    thread = _Thread(mails, draft)
    for mail in mails:
        thread.say(mail)
    found = draft.finish(
        source_id=source_id,
        title=bare_subject(title) if title else None,
        project=next((mail.head.list_name for mail in mails if mail.head.list_name), None),
        place=mails[0].place,
        turn_ids_are_global=True,
    )
    for conversation in found:
        places = {turn.source_id or "": index for index, turn in enumerate(conversation.turns)}
        carriers = {index: places.get(_PART.sub("", own)) for own, index in places.items() if _PART.search(own)}
        carried = {index: carrier for index, carrier in carriers.items() if carrier is not None}
        yield replace(conversation, carried=carried)


class _Thread:
    def __init__(self, mails: Sequence[Mail], draft: Draft) -> None:
        self._draft = draft
        self._met: dict[str, list[Mail]] = {}
        self._windows: set[int] = set()
        if any(mail.carried for mail in mails):
            self._windows.update(*(_windows(mail.text) for mail in mails))

    def say(self, mail: Mail) -> None:
        """Add a mail to the conversation, after the mails that it quotes and before those that it forwards."""
        head, met = mail.head, self._met.setdefault(mail.head.id or "", [])
        if any(_is_copy(mail, other) for other in met):
            self._draft.leave_out(COPIES)
            return
        met.append(mail)
        carried = list(enumerate(mail.carried, 1))
        for number, each in reversed(carried):
            if not each.is_passed_on:
                self._carry(each, f"quoted-{number}", mail)
        with self._draft.one_message():
            stamp = Stamp(head.at, head.id, head.speaker, next(iter(head.references[-1:]), None), place=mail.place)
            self._draft.say(Role.ASSISTANT if head.is_by_program else Role.USER, mail.text, stamp)
        for number, each in carried:
            if each.is_passed_on:
                self._carry(each, f"forwarded-{number}", mail)

    def _carry(self, carried: Carried, own: str, mail: Mail) -> None:
        windows = _windows(carried.text)
        there = sum(window in self._windows for window in windows)
        if there >= _REPEATED_SHARE * len(windows):
            self._draft.leave_out(REPEATED)
            return
        self._windows.update(windows)
        how = f"{'forwarded' if carried.is_passed_on else 'quoted'} by {mail.head.speaker}"
        speaker = f"{carried.who} ({how})" if carried.who else f"somebody {how}"
        self._draft.say(Role.USER, carried.text, Stamp(NO_TIME, mail.head.id, speaker, place=mail.place), own)


def _is_copy(mail: Mail, other: Mail) -> bool:
    """Check whether a mail repeats another one of the same id, even if a list added a footer."""
    known = [(each.head.at, each.head.speaker, each.head.subject) for each in (mail, other)]
    return mail.text == other.text or known[0] == known[1]


def _windows(text: str) -> list[int]:
    """Return a hash of every four consecutive words, ignoring quote marks, punctuation, case and line breaks."""
    words = [bare for word in text.split() if (bare := word.strip(_MARKS).casefold())]
    return [hash(tuple(words[at : at + _WINDOW])) for at in range(max(len(words) - _WINDOW + 1, 1))] if words else []
