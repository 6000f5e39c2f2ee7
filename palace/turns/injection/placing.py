"""Where blocks stand: at the messages that they were recalled for, never in front of the conversation. Pure.

What a provider caches of a request is its beginning. A block beside the last message changes nothing before it, and
one that stood beside an earlier message stands there again, byte for byte: the next request begins as this one did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from palace.turns.chat.blocks import AFTER
from palace.turns.chat.messages import Message
from palace.working.kept import WorkingMemory

Place = Literal["user", "system"]
PLACES: tuple[Place, ...] = ("user", "system")
"""``user`` puts a block at the beginning of the user's message, ``system`` into a message of its own in front of that;
some providers move those to the front of the request."""


def placed(messages: Sequence[Message], blocks: Mapping[int, str], place: Place) -> list[Any]:
    """List messages ready to send, with blocks at the places that have one; the others as they were said."""
    return [each for number, message in enumerate(messages) for each in _sent(message, blocks.get(number, ""), place)]


@dataclass(frozen=True, slots=True)
class Sent:
    """What of the messages of a request is sent."""

    messages: list[Any]
    places: frozenset[int]
    """The places of the messages that are among them."""


def as_sent(
    messages: Sequence[Message], blocks: Mapping[int, str], place: Place, working: WorkingMemory | None
) -> Sent:
    """List messages as ``placed`` does, as far as working memory keeps them."""
    if working is None:
        return Sent(placed(messages, blocks, place), frozenset(range(len(messages))))
    sent = [
        (number, each)
        for number, message in enumerate(messages)
        for each in _sent(message, blocks.get(number, ""), place)
        if message.shape  # what is no message is for nobody to weigh
    ]
    chosen = working.keep([each for _, each in sent]).messages
    standing = {id(each) for each in chosen}
    return Sent(chosen, frozenset(number for number, each in sent if id(each) in standing))


def as_given(messages: Sequence[Message]) -> list[Any]:
    """List messages as the program has them, with the blocks that it kept in them."""
    return [message.said if isinstance(message.given, str) else message.given for message in messages]


def _sent(message: Message, block: str, place: Place) -> Iterator[Any]:
    if message.is_block:
        return
    if not block:
        yield message.said
    elif place == "system":
        yield {"role": "system", "content": block}
        yield message.said
    else:
        yield {**message.shape, "content": _with_block(message.shape.get("content"), block)}


def _with_block(content: object, block: str) -> object:
    if isinstance(content, (list, tuple)):
        return [{"type": "text", "text": block}, *content]
    return f"{block}{AFTER}{content or ''}"
