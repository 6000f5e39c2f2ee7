"""A request: the message at hand with those around it, the key of each, and whose conversation it is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palace.agent.messages import Message, keys_of, read_message, read_messages
from palace.errors import BadRequest, PalaceError
from palace.models import Scope


@dataclass(frozen=True, slots=True)
class Request:
    """A message with those before it, and the key of each."""

    before: tuple[Message, ...]
    message: Message
    after: tuple[Message, ...]
    """What tools and the model said to it since; then it was recalled for already."""
    keys: tuple[bytes, ...]
    """Of all these messages, in order."""
    session: str | None = None
    """What its conversation is known by, where the program says so."""
    agent: str | None = None
    """Who replies, by name."""
    is_whole: bool = False
    """Whether the history is known to be the whole conversation, also where it is empty."""

    @classmethod
    def of(cls, messages: Sequence[Any], *last: Any, scope: Scope | None, **whose: Any) -> Request | None:
        """Read the messages before a message ``last``; without one, a whole request.

        Its last message of a person is then the one at hand; None where there is none. ``scope`` is where is recalled:
        what was put beside the same words in one project stays out of the others.

        Raises:
            BadRequest: they are no list of messages, or cannot be read.
        """
        try:
            read = read_messages(messages)
            read = (*read, *map(read_message, last))
            users = [place for place, each in enumerate(read) if each.is_user]
            if not last and not users:
                return None
            own = len(read) - 1 if last else users[-1]
            keys = tuple(keys_of(read, start=b"" if scope is None else repr(scope).encode()))
            return cls(read[:own], read[own], read[own + 1 :], keys, is_whole=not last, **whose)
        except PalaceError:
            raise
        except Exception as problem:  # whatever a class of the program's own raises
            raise BadRequest(f"the messages cannot be read: {type(problem).__name__}") from problem

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return all of them."""
        return (*self.before, self.message, *self.after)

    @property
    def own_key(self) -> bytes:
        """Return the key of the message at hand."""
        return self.keys[len(self.before)]

    @property
    def users(self) -> dict[int, bytes]:
        """Return the keys of the person's messages, by their index; the message at hand is the last."""
        places = [place for place, each in enumerate(self.before) if each.is_user]
        return {place: self.keys[place] for place in (*places, len(self.before))}

    def history(self) -> list[Mapping[str, object]]:
        """Return the messages before as mappings."""
        return [dict(message.shape) for message in self.before]
