"""Mails set aside while their threads are found: on disk, so that a mailbox of any size needs little memory.

The file has no name and is gone with the program that wrote it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import IO, Self

from palace.mining.readers.mail.quotes import Carried
from palace.mining.readers.reading import Reading

_IN_MEMORY = 4 << 20


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as it was read."""

    id: str
    """Its own; one made of what it says where it has none."""
    references: tuple[str, ...]
    """Ids of the mails before it in its thread."""
    subject: str
    text: str
    """What becomes a drawer; nothing where it has none of its own."""
    carried: tuple[Carried, ...]
    speaker: str
    is_by_program: bool
    at: str | None
    """As ISO 8601, in the zone in which it was written."""
    people: tuple[str, ...]
    """Addresses it is from and to."""
    thread: str
    list_name: str | None
    is_reply: bool
    place: str

    @property
    def moment(self) -> datetime | None:
        """When it was sent."""
        return datetime.fromisoformat(self.at) if self.at else None


class Spool:
    """Keeps mails in the order they come, to be read again in any order."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: list[int] = []
        self._end = 0

    @classmethod
    @contextmanager
    def opened(cls, reading: Reading) -> Iterator[Self]:
        """Open one for as long as it is needed.

        Raises:
            UnreadableSource: the disk has no room for what the mails say.
        """
        try:
            with tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="palace-") as file:
                yield cls(file)
        except OSError as problem:
            raise reading.problem(f"there is no room for a temporary file: {problem.strerror}") from problem

    def __len__(self) -> int:
        return len(self._places)

    def add(self, mail: Mail) -> None:
        """Keep one more."""
        line = json.dumps(asdict(mail)).encode() + b"\n"
        self._file.seek(self._end)
        self._file.write(line)
        self._places.append(self._end)
        self._end += len(line)

    def get(self, number: int) -> Mail:
        """Give the mail that was kept as the ``number``-th, from 0."""
        self._file.seek(self._places[number])
        told = json.loads(self._file.readline())
        for name in ("references", "people"):
            told[name] = tuple(told[name])
        told["carried"] = tuple(Carried(*one) for one in told["carried"])
        return Mail(**told)
