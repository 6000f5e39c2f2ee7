"""Channels of Discord as DiscordChatExporter writes them in JSON (github.com/Tyrrrz/DiscordChatExporter)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import placeholder
from palace.mining.files.fields import as_list, as_object, count_field, id_field, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import Reading, Record
from palace.models import Conversation, Role, Slicing

NAME = "discord"
OWN_MESSAGES = "Discord's own messages (joins, pins, calls)"
REACTIONS = "reactions"

_SAID = frozenset(
    {"Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "ThreadStarterMessage", "0", "19", "20", "23", "21"}
)
"""Types of messages that somebody wrote; types that the exporter has no name for are numbers."""
_DIRECT = "0"
"""The id that it gives to the server of direct messages."""
_THREADS = frozenset({"GuildPublicThread", "GuildPrivateThread", "GuildNewsThread"})


def recognises(value: object) -> bool:
    """Tell the export of a channel: a server, a channel, messages."""
    record = as_object(value)
    if not isinstance(record.get("messages"), list) or not id_field(as_object(record.get("channel")), "id"):
        return False
    return "guild" in record or "dateRange" in record


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read every channel as one conversation, cut by day; bots are assistants. What Discord says itself is counted."""
    yield from read_each(records, reading, lambda record: _channel(record, reading))


def channel_title(name: str | None, *, is_of_server: bool) -> str | None:
    """Name a channel as Discord shows it."""
    return f"#{name}" if name and is_of_server and not name.startswith("#") else name


def _channel(record: Record, reading: Reading) -> Iterator[Conversation]:
    export = as_object(record.value)
    channel, guild = as_object(export.get("channel")), as_object(export.get("guild"))
    name, kind = text_field(channel, "name"), str(channel.get("type"))
    is_of_server = id_field(guild, "id") not in (None, _DIRECT)
    title = channel_title(name, is_of_server=is_of_server and kind not in _THREADS)
    place = f"channel {title}" if title else record.place("channel")
    draft = Draft(NAME, reading)
    for number, message in enumerate(as_list(export.get("messages")), 1):
        with draft.one_message():
            _say(draft, message, id_field(channel, "id"), f"{place}, message {number}", reading)
    yield from draft.finish(
        source_id=id_field(channel, "id"),
        title=title,
        project=text_field(guild, "name") if is_of_server else None,
        place=place,
        slicing=Slicing.BY_DAY,
    )


def _say(draft: Draft, message: object, channel: str | None, place: str, reading: Reading) -> None:
    if not isinstance(message, dict):
        raise reading.problem("the message is not an object", place)
    own = id_field(message, "id")
    if own is None:
        raise reading.problem("the message has no id", place)
    if str(message.get("type", "Default")) not in _SAID:
        draft.leave_out(OWN_MESSAGES)
        return
    if not isinstance(message.get("content", ""), str):
        raise reading.problem("the message's content is not text", place)
    author, reference = as_object(message.get("author")), as_object(message.get("reference"))
    reactions = sum(count_field(as_object(each), "count") for each in as_list(message.get("reactions")))
    if reactions:
        draft.leave_out(REACTIONS, reactions)
    forwarded = as_object(message.get("forwardedMessage"))
    is_answer = id_field(reference, "channelId") in (None, channel) and not forwarded
    speaker = text_field(author, "nickname", "name") or id_field(author, "id")
    stamp = Stamp(
        message.get("timestamp"),
        own,
        f"{speaker} (forwarded)" if forwarded and speaker else speaker,
        id_field(reference, "messageId") if is_answer else None,
        place=place,
    )
    shown = [*_shown(message), *(_shown(forwarded) if forwarded else ())]
    role = Role.ASSISTANT if author.get("isBot") is True else Role.USER
    draft.say(role, "\n".join(line for line in shown if line.strip()), stamp)


def _shown(message: dict[str, Any]) -> Iterator[str]:
    yield text_field(message, "content") or ""
    for embed in map(as_object, as_list(message.get("embeds"))):
        yield text_field(as_object(embed.get("author")), "name") or ""
        yield text_field(embed, "title") or ""
        yield text_field(embed, "description") or ""
        for field in map(as_object, as_list(embed.get("fields"))):
            yield ": ".join(part for key in ("name", "value") if (part := text_field(field, key)))
        yield text_field(as_object(embed.get("footer")), "text") or ""
    for sticker in as_list(message.get("stickers")):
        yield placeholder("sticker", text_field(as_object(sticker), "name"))
    for attachment in as_list(message.get("attachments")):
        yield placeholder("file", text_field(as_object(attachment), "fileName", "url"))
