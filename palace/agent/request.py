"""A request: the current message, those around it, the key of each, and its conversation. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palace.agent.messages import Message, keys_of, read_message, read_messages
from palace.errors import BadRequest, PalaceError
from palace.models import Scope


@dataclass(frozen=True, slots=True)
class Request:
    """The current message with the messages around it, and the key of each."""

    before: tuple[Message, ...]
    message: Message
    after: tuple[Message, ...]
    """Replies and tool results since; if there are any, recall ran for it already."""
    keys: tuple[bytes, ...]
    """The keys of all these messages, in order."""
    session: str | None = None
    """The program's id of the conversation, if it has one."""
    agent: str | None = None
    """Name of the agent that replies."""
    is_whole: bool = False
    """Whether the history is known to be the whole conversation, also if it is empty."""

    @classmethod
    def of(cls, messages: Sequence[Any], *last: Any, scope: Scope | None, **whose: Any) -> Request | None:
        """Read the messages before a message ``last``, or without ``last`` a whole request.

        In a whole request the person's last message is the current one; None where there is none. ``scope`` limits
        recall; it is part of the keys, so that a block from one project is not repeated in another.

        Raises:
            BadRequest: they are no list of messages, or cannot be read.
        """
        try:
            read = read_messages(messages)
            read = (*read, *map(read_message, last))
            users = [index for index, each in enumerate(read) if each.is_user]
            if not last and not users:
                return None
            own = len(read) - 1 if last else users[-1]
            keys = tuple(keys_of(read, start=b"" if scope is None else repr(scope).encode()))
            return cls(read[:own], read[own], read[own + 1 :], keys, is_whole=not last, **whose)
        except PalaceError:
            raise
        except Exception as problem:  # a class of the program may raise anything
            raise BadRequest(f"the messages cannot be read: {type(problem).__name__}") from problem

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return all messages, in order."""
        return (*self.before, self.message, *self.after)

    @property
    def own_key(self) -> bytes:
        """Return the key of the current message."""
        return self.keys[len(self.before)]

    @property
    def users(self) -> dict[int, bytes]:
        """Return the keys of the person's messages by index; the current message is the last."""
        indexes = [index for index, each in enumerate(self.before) if each.is_user]
        return {index: self.keys[index] for index in (*indexes, len(self.before))}

    def history(self) -> list[Mapping[str, object]]:
        """Return the earlier messages as mappings."""
        return [dict(message.shape) for message in self.before]
