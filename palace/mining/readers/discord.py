"""Discord channels, as DiscordChatExporter writes them in JSON or as the package of a user's own data holds them.

Exporter: github.com/Tyrrrz/DiscordChatExporter. Package: support.discord.com/hc/en-us/articles/360004957991, a folder
per channel with the messages that the user wrote there. Folder names may be localised; a folder with ``channel.json``
beside ``messages.json`` (formerly ``messages.csv``) is a channel.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import keys
from palace.mining.drafts.parts import placeholder
from palace.mining.files.fields import as_object, count_field, id_field, object_field, objects, text_field
from palace.mining.files.json_records import TOO_DEEP, load_json
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.files.source import FoundFolder
from palace.models import Conversation, Role, Slicing

NAME = "discord"
OWN_MESSAGES = "Discord's own messages (joins, pins, calls)"
BESIDE = "files of a Discord package that hold no messages"

_DIRECT = "0"
"""The server id that the exporter writes for direct messages."""
_THREADS = frozenset({"GuildPublicThread", "GuildPrivateThread", "GuildNewsThread"})


def recognises(value: object) -> bool:
    """Check whether a value is the export of a channel."""
    record = as_object(value)
    if not isinstance(record.get("messages"), list) or not id_field(object_field(record, "channel"), "id"):
        return False
    return "guild" in record or "dateRange" in record


def read_channel(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a channel as one conversation, cut by day; bots are assistants. Discord's own messages are only counted."""
    export = as_object(record.value)
    channel, guild = object_field(export, "channel"), object_field(export, "guild")
    own, is_of_server = id_field(channel, "id"), id_field(guild, "id") not in (None, _DIRECT)
    is_named = is_of_server and str(channel.get("type")) not in _THREADS
    title = _title(text_field(channel, "name"), is_of_server=is_named)
    place = f"channel {title}" if title else record.place("channel")
    draft = Draft(NAME, reading)
    draft.say_each(export.get("messages"), place, partial(_say, draft, own))
    project = text_field(guild, "name") if is_of_server else None
    yield from draft.finish(source_id=own, title=title, project=project, place=place, slicing=Slicing.BY_DAY)


def _title(name: str | None, *, is_of_server: bool) -> str | None:
    """Return the name of a channel as Discord shows it, with ``#`` for a channel of a server."""
    return f"#{name}" if name and is_of_server and not name.startswith("#") else name


def _say(draft: Draft, channel: str | None, message: dict[str, Any], place: str) -> None:
    own = id_field(message, "id")
    if own is None:
        raise draft.reading.problem("the message has no id", place)
    if str(message.get("type", "Default")) not in keys("discord_said"):
        draft.leave_out(OWN_MESSAGES)
        return
    if not isinstance(message.get("content", ""), str):
        raise draft.reading.problem("the message's content is not text", place)
    author, reference = object_field(message, "author"), object_field(message, "reference")
    draft.leave_out(LeftOut.REACTIONS, sum(count_field(each, "count") for each in objects(message.get("reactions"))))
    forwarded = object_field(message, "forwardedMessage")
    is_answer = id_field(reference, "channelId") in (None, channel) and not forwarded
    speaker = text_field(author, "nickname", "name") or id_field(author, "id")
    stamp = Stamp(
        message.get("timestamp"),
        own,
        f"{speaker} (forwarded)" if forwarded and speaker else speaker,
        id_field(reference, "messageId") if is_answer else None,
        place=place,
    )
    shown = [*_shown(message), *_shown(forwarded)]
    role = Role.ASSISTANT if author.get("isBot") is True else Role.USER
    draft.say(role, "\n".join(line for line in shown if line.strip()), stamp)


def _shown(message: dict[str, Any]) -> Iterator[str]:
    yield text_field(message, "content") or ""
    for embed in objects(message.get("embeds")):
        yield text_field(object_field(embed, "author"), "name") or ""
        yield text_field(embed, "title") or ""
        yield text_field(embed, "description") or ""
        for field in objects(embed.get("fields")):
            yield ": ".join(part for key in ("name", "value") if (part := text_field(field, key)))
        yield text_field(object_field(embed, "footer"), "text") or ""
    for sticker in objects(message.get("stickers")):
        yield placeholder("sticker", text_field(sticker, "name"))
    for attachment in objects(message.get("attachments")):
        yield placeholder("file", text_field(attachment, "fileName", "url"))


_CHANNEL = re.compile(r"(?P<folder>(?P<root>(?:.*/)?)c?(?P<id>\d{15,22}))/channel\.json")
_MESSAGES = ("messages.json", "messages.csv")
_NAMED = re.compile(r"(?P<name>.+) in (?P<server>.+)", re.DOTALL)
_OTHERS = frozenset({"account", "activity", "activities", "servers", "programs", "ads", "support_tickets", "payments"})
_USER = re.compile(r"(?:.*/)?user\.json", re.IGNORECASE)
_SERVERLESS = frozenset({"DM", "GROUP_DM", "1", "3"})
_WITHOUT_ZONE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?")


def package_roots(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the folders that contain channel folders, each with its channel folders."""
    there = set(names)
    roots: dict[str, list[str]] = {}
    for name in sorted(there):
        found = _CHANNEL.fullmatch(name)
        if found and any(f"{found['folder']}/{messages}" in there for messages in _MESSAGES):
            roots.setdefault(found["root"], []).append(found["folder"])
    return roots


def files_of(names: Iterable[str], root: str, *, is_archive: bool) -> set[str]:
    """Return the files that belong to the package at ``root``; on disk, unrelated files may lie beside them."""
    above = str(PurePosixPath(root).parent) + "/" if "/" in root.rstrip("/") else ""
    found = set()
    for name in names:
        first, slash, _ = name.removeprefix(above).partition("/")
        is_known = (slash and first.casefold() in _OTHERS) or name == f"{above}README.txt" or (is_archive and root)
        if name.startswith(root) or (name.startswith(above) and is_known):
            found.add(name)
    return found


@dataclass(frozen=True, slots=True)
class DiscordPackage(FoundFolder):
    """A package read as a whole, because its channel names stand in a file of their own."""

    channels: tuple[str, ...]
    """Channel folders."""
    members: tuple[str, ...]
    """All files of the package."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read every channel as one conversation, cut by day, with the package's owner as the only speaker.

        The package lacks the messages of others, so messages missing from it do not count as deleted. A channel that
        cannot be read is noted and skipped.
        """
        read = {f"{folder}/{file}" for folder in self.channels for file in (*_MESSAGES, "channel.json")}
        index = f"{self.root}index.json"
        known = {index, *filter(_USER.fullmatch, self.members)}
        reading.leave_out(BESIDE, len(set(self.members) - read - known))
        person = self._person(reading)
        try:
            titles = as_object(self._load(index, reading)) if index in self.members else {}
        except UnreadableSource as problem:
            reading.failures.append(problem)
            titles = {}
        for folder in self.channels:
            try:
                yield from self._channel(folder, titles, person, reading)
            except UnreadableSource as problem:
                reading.failures.append(problem)
            except RecursionError:
                reading.failures.append(reading.problem(TOO_DEEP, folder))

    def _person(self, reading: Reading) -> str | None:
        for name in filter(_USER.fullmatch, self.members):
            try:
                user = as_object(self._load(name, reading))
            except UnreadableSource:
                continue
            if "username" in user:
                return text_field(user, "global_name", "username")
        return None

    def _channel(
        self, folder: str, titles: dict[str, Any], person: str | None, reading: Reading
    ) -> Iterator[Conversation]:
        about = as_object(self._load(f"{folder}/channel.json", reading))
        own = id_field(about, "id") or PurePosixPath(folder).name.removeprefix("c")
        server = text_field(object_field(about, "guild"), "name")
        name, listed = text_field(about, "name"), text_field(titles, own)
        if listed:
            found = None if str(about.get("type")) in _SERVERLESS else _NAMED.fullmatch(listed)
            name = name or (found["name"] if found else listed)
            server = server or (found["server"] if found else None)
        title = _title(name, is_of_server=server is not None)
        draft = Draft(NAME, reading)
        draft.lack()
        place = f"channel {title or own}"
        draft.say_each(self._rows(folder, reading), place, partial(_say_own, draft, person))
        yield from draft.finish(source_id=own, title=title, project=server, place=place, slicing=Slicing.BY_DAY)

    def _rows(self, folder: str, reading: Reading) -> list[Any]:
        name = next(f"{folder}/{file}" for file in _MESSAGES if f"{folder}/{file}" in self.members)
        found = self._load(name, reading)
        if not isinstance(found, list):
            raise reading.problem("is not a JSON array", name)
        return sorted(found, key=lambda row: int(_id_of(row) or 0) if (_id_of(row) or "").isdecimal() else 0)

    def _load(self, name: str, reading: Reading) -> Any:
        with self.container.open(name) as stream:
            data = stream.read()
        if name.endswith(".json"):
            return load_json(data, name, reading)
        try:
            return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        except (UnicodeDecodeError, csv.Error) as problem:
            raise reading.problem(f"is no table: {problem}", name) from problem


def _id_of(row: object) -> str | None:
    return id_field(as_object(row), "ID", "id")


def _say_own(draft: Draft, person: str | None, message: dict[str, Any], place: str) -> None:
    own = _id_of(message)
    if own is None:
        raise draft.reading.problem("the message has no id", place)
    text = message.get("Contents", message.get("contents", ""))
    if not isinstance(text, str | None):
        raise draft.reading.problem("the message's contents are not text", place)
    addresses = str(message.get("Attachments") or "").split()
    files = [unquote(PurePosixPath(urlsplit(address).path).name) or address for address in addresses]
    at = message.get("Timestamp")
    if isinstance(at, str) and _WITHOUT_ZONE.fullmatch(at):
        at = f"{at}+00:00"  # UTC, not the user's zone
    shown = [text or "", *(f"[file {name}]" for name in files)]
    draft.say(Role.USER, "\n".join(line for line in shown if line.strip()), Stamp(at, own, person, place=place))
