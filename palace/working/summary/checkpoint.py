"""How far a conversation is summed up: a plain record, for whoever keeps it to the next request. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from operator import itemgetter
from typing import Any

from palace.errors import BadRequest
from palace.working.shape import Entry

FORMAT = 1
_SAYING = ("role", "name", "content", "tool_calls", "tool_call_id", "function_call")
LONGEST_PAUSE = 32
"""Messages after which renewing is tried again at the latest."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a conversation is summed up to, and which of its messages that stands for.

    JSON brings it back as it was: ``from_dict(json.loads(json.dumps(checkpoint.as_dict())))``.
    """

    summary: str = ""
    """As the model wrote it; "" as long as nothing is summed up."""
    covered: int = 0
    """How many messages of the history it stands for, from the beginning; system messages among them stay."""
    stays: tuple[int, ...] = ()
    """The places of a user's message among them, and of what stands beside it, because what followed it stays."""
    digest: str = ""
    """Of the messages it stands for: in another history it stands for nothing."""
    failures: int = 0
    """How many times in a row it could not be renewed."""
    tried: int = 0
    """How long the history was when it last could not be renewed."""
    version: int = FORMAT

    def as_dict(self) -> dict[str, Any]:
        """Give what JSON can write."""
        return {**asdict(self), "stays": list(self.stays)}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Checkpoint:
        """Read what ``as_dict`` gave.

        Raises:
            BadRequest: it is none, or of a newer version.
        """
        names = {field.name for field in fields(cls)}
        if not isinstance(value, Mapping) or not value.keys() <= names or value.get("version") != FORMAT:
            raise BadRequest("this is no checkpoint of a working memory, or one of a newer version of Palace")
        stays = value.get("stays", ())
        read = cls(**{**value, "stays": tuple(stays) if isinstance(stays, (list, tuple)) else (None,)})
        numbers = (read.covered, read.failures, read.tried, *read.stays)
        if not all(isinstance(text, str) for text in (read.summary, read.digest)) or not all(map(_counts, numbers)):
            raise BadRequest("this checkpoint of a working memory is damaged")
        return read

    def is_of(self, entries: Sequence[Entry]) -> bool:
        """Tell whether it is of a history: whether what it stands for is still as it was."""
        return self.covered <= len(entries) and (not self.covered or self.digest == digest_of(entries[: self.covered]))

    def may_try(self, length: int) -> bool:
        """Tell whether to try and renew it for a history so long: after each failure twice as many messages later."""
        grown = length - self.tried
        return not self.failures or grown < 0 or grown >= min(2 ** (self.failures - 1), LONGEST_PAUSE)

    def failed(self, length: int) -> Checkpoint:
        """Note that it could not be renewed."""
        return replace(self, failures=self.failures + 1, tried=length)


def digest_of(entries: Sequence[Entry]) -> str:
    """Give what tells messages from others: what they say, in whatever order their members stand."""
    digest = blake2b(digest_size=16)
    for entry in entries:
        said = entry.said
        written = json.dumps(_plain([said.get(member) for member in _SAYING]), default=str)
        digest.update(f"{len(written)}:{written}".encode())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    """Give a value as storing it as JSON may give it back: members in one order, no tuples."""
    if isinstance(value, Mapping):
        members = sorted(((str(key), item) for key, item in value.items() if item is not None), key=itemgetter(0))
        return {key: _plain(item) for key, item in members}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _counts(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
