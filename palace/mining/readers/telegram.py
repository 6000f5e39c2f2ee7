"""Telegram Desktop's JSON export, of one chat or of a whole account (core.telegram.org/import-export)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import meanings
from palace.mining.files.fields import as_object, count_field, id_field, object_field, objects, text_field
from palace.mining.files.reading import UNREAD_LINES, LeftOut, Reading, Record
from palace.models import Conversation, Role, Slicing

NAME = "telegram"
SERVICE = "Telegram's service messages (joins, calls, pins)"
MEDIA = "photos, films, sound and files of Telegram messages"
OTHERS = "messages of Telegram without a text (invoices, games and the like)"

_TYPES = frozenset({"message", "service"})
_LISTS = ("chats", "left_chats")
_UNTITLED = {"saved_messages": "Saved Messages", "replies": "Replies"}


def recognises(value: object) -> bool:
    """Check whether a value is a chat with messages or an account with chats."""
    record = as_object(value)
    if _is_chat(record):
        return True
    lists = [object_field(record, name).get("list") for name in _LISTS]
    chats = [chat for found in lists for chat in objects(found)]
    return any(isinstance(found, list) for found in lists) and (not chats or any(map(_is_chat, chats)))


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read every chat as one conversation, cut by day, with turns in the order of the file.

    Everyone is a user with a name, except the bot of a bot chat. Service messages are only counted. An account's chat
    that cannot be read is noted as a failure and skipped.
    """
    for record in records:
        account = as_object(record.value)
        if record.fault is not None:
            reading.miss(record.fault, UNREAD_LINES)
        elif isinstance(account.get("messages"), list):
            yield from _chat(account, f"chat {record.number}", reading)
        else:
            chats = [chat for name in _LISTS for chat in objects(object_field(account, name).get("list"))]
            for number, chat in enumerate(chats, 1):
                try:
                    yield from list(_chat(chat, f"chat {number}", reading))
                except UnreadableSource as problem:
                    reading.failures.append(problem)


def _is_chat(record: dict[str, Any]) -> bool:
    messages = record.get("messages")
    if not isinstance(messages, list) or "type" not in record or not ({"id", "name"} & record.keys()):
        return False
    return not messages or any(str(each.get("type")) in _TYPES and "id" in each for each in objects(messages[:5]))


def _chat(chat: dict[str, Any], place: str, reading: Reading) -> Iterator[Conversation]:
    kind = text_field(chat, "type") or ""
    title = text_field(chat, "name") or _UNTITLED.get(kind)
    place = f"{place} ({title})" if title else place
    bot = f"user{chat.get('id')}" if kind == "bot_chat" else None
    messages = chat.get("messages")
    if not isinstance(messages, list):
        raise reading.problem("the chat has no list of messages", place)
    draft = Draft(NAME, reading)
    draft.say_each(messages, place, partial(_say, draft, bot))
    edited = sum(
        not {"edited_unixtime", "edited"}.isdisjoint(each)
        for each in objects(messages)
        if each.get("type") == "message"
    )
    if edited:
        were = "1 message was" if edited == 1 else f"{edited} messages were"
        reading.notices.append(f"{place}: {were} edited; the export has the last wording only")
    yield from draft.finish(source_id=id_field(chat, "id"), title=title, place=place, slicing=Slicing.BY_DAY)


def _say(draft: Draft, bot: str | None, message: dict[str, Any], place: str) -> None:
    kind, reading = message.get("type"), draft.reading
    if not isinstance(kind, str) or kind not in _TYPES:
        raise reading.problem(f"the message has an unknown type ({str(kind)[:40]!r})", place)
    if kind == "service":
        reading.leave_out(SERVICE)
        return
    text, shown = _text(message, reading, place), _stand_in(message)
    if shown and shown.startswith("[") and text:
        reading.leave_out(MEDIA)
    at = message.get("date_unixtime") or message.get("date")
    speaker = text_field(message, "from", "author")
    for name, how in (("forwarded_from", "forwarded from"), ("via_bot", "via")):
        other = text_field(message, name)
        speaker = f"{speaker} ({how} {other})" if speaker and other else speaker or other
    reading.leave_out(LeftOut.REACTIONS, sum(count_field(each, "count") for each in objects(message.get("reactions"))))
    if "forwarded_from" in message and not message["forwarded_from"] and speaker:
        speaker = f"{speaker} (forwarded)"
    if not text and not shown:
        reading.leave_out(OTHERS)
    stamp = Stamp(at, id_field(message, "id"), speaker, id_field(message, "reply_to_message_id"), place=place)
    is_bot = bot is not None and message.get("from_id") == bot
    draft.say(Role.ASSISTANT if is_bot else Role.USER, text or shown or "", stamp)


def _text(message: dict[str, Any], reading: Reading, place: str) -> str:
    text = message.get("text", "")
    parts = text if isinstance(text, list) else [text]
    said = [part if isinstance(part, str) else _linked(as_object(part)) for part in parts]
    if not all(isinstance(part, str) for part in said):
        raise reading.problem("the message's text is neither text nor a list of texts", place)
    return "".join(part for part in said if isinstance(part, str))


def _linked(part: dict[str, Any]) -> object:
    """Return a part of a text, followed by its link if the text does not contain that."""
    text, address = part.get("text"), text_field(part, "href")
    return f"{text} <{address}>" if isinstance(text, str) and address and address not in text else text


def _stand_in(message: dict[str, Any]) -> str | None:
    """Return the text for a message's poll, media, location or contact: a poll in full, the others as a placeholder."""
    if poll := object_field(message, "poll"):
        answers = [text_field(answer, "text") for answer in objects(poll.get("answers"))]
        return "\n".join([text_field(poll, "question") or "", *(f"- {answer}" for answer in answers if answer)])
    shown = _medium(message) or _location(message)
    return f"[{' '.join(part for part in shown if part)}]" if shown else None


def _medium(message: dict[str, Any]) -> list[str | None]:
    kind = meanings("telegram_media").get(str(message.get("media_type")))
    if kind or "file" in message:
        return [kind or "file", text_field(message, "sticker_emoji", "file_name", "title")]
    return ["photo"] if "photo" in message else []


def _location(message: dict[str, Any]) -> list[str | None]:
    if place := object_field(message, "location_information"):
        return ["location", f"{place.get('latitude')}, {place.get('longitude')}"]
    contact = object_field(message, "contact_information")
    names = [text_field(contact, field) for field in ("first_name", "last_name", "phone_number")]
    return ["contact", *names] if contact else []
