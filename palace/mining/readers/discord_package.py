"""The package of one's own data that Discord sends: a folder for each channel, with what the person wrote there.

Layout: support.discord.com/hc/en-us/articles/360004957991. Folders may be named in the person's language; a channel is
what has ``channel.json`` beside ``messages.json``, formerly ``messages.csv``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.files.encoding import not_utf_8
from palace.mining.files.fields import as_object, id_field, text_field
from palace.mining.files.json_records import TOO_DEEP, load_json
from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundWhole
from palace.mining.readers.discord import NAME as READER
from palace.mining.readers.discord import channel_title
from palace.models import Conversation, Role, Slicing
from palace.models.intake import LARGEST_MESSAGE

BESIDE = "files of a Discord package that hold no messages"

_CHANNEL = re.compile(r"(?P<folder>(?P<root>(?:.*/)?)c?(?P<id>\d{15,22}))/channel\.json")
_MESSAGES = ("messages.json", "messages.csv")
_NAMED = re.compile(r"(?P<name>.+) in (?P<server>.+)", re.DOTALL)
_OTHERS = frozenset({"account", "activity", "activities", "servers", "programs", "ads", "support_tickets", "payments"})
_USER = re.compile(r"(?:.*/)?user\.json", re.IGNORECASE)
_SERVERLESS = frozenset({"DM", "GROUP_DM", "1", "3"})
_WITHOUT_ZONE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?")


def package_roots(names: Iterable[str]) -> dict[str, list[str]]:
    """Find the folders that hold channels, with the folders of their channels."""
    there = set(names)
    roots: dict[str, list[str]] = {}
    for name in sorted(there):
        found = _CHANNEL.fullmatch(name)
        if found and any(f"{found['folder']}/{messages}" in there for messages in _MESSAGES):
            roots.setdefault(found["root"], []).append(found["folder"])
    return roots


def files_of(names: Iterable[str], root: str, *, is_archive: bool) -> set[str]:
    """Find what belongs to a package whose channels lie in a folder; on disk other files may lie beside it."""
    above = str(PurePosixPath(root).parent) + "/" if "/" in root.rstrip("/") else ""
    found = set()
    for name in names:
        first, slash, _ = name.removeprefix(above).partition("/")
        is_known = (slash and first.casefold() in _OTHERS) or name == f"{above}README.txt" or (is_archive and root)
        if name.startswith(root) or (name.startswith(above) and is_known):
            found.add(name)
    return found


@dataclass(frozen=True, slots=True)
class DiscordPackage(FoundWhole):
    """A package as a whole: names of channels stand in a file of their own."""

    channels: tuple[str, ...]
    """Folders of channels."""
    members: tuple[str, ...]
    """All files of it."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read every channel as one conversation, cut by day. All is said by the person whose package it is.

        What others said is not in it, so nothing that a channel lacks is taken for gone. A channel that cannot be read
        is noted, and the others go on.
        """
        read = {f"{folder}/{file}" for folder in self.channels for file in (*_MESSAGES, "channel.json")}
        known = {f"{self.root}index.json", *filter(_USER.fullmatch, self.members)}
        others = len(set(self.members) - read - known)
        if others:
            reading.leave_out(BESIDE, others)
        titles, person = self._titles(reading), self._person(reading)
        for folder in self.channels:
            try:
                yield from self._channel(folder, titles, person, reading)
            except UnreadableSource as problem:
                reading.failures.append(problem)
            except RecursionError:
                reading.failures.append(reading.problem(TOO_DEEP, folder))

    def _titles(self, reading: Reading) -> dict[str, Any]:
        name = f"{self.root}index.json"
        try:
            return as_object(self._load(name, reading)) if name in self.members else {}
        except UnreadableSource as problem:
            reading.failures.append(problem)
            return {}

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
        server = text_field(as_object(about.get("guild")), "name")
        name, listed = text_field(about, "name"), text_field(titles, own)
        if listed:
            found = None if str(about.get("type")) in _SERVERLESS else _NAMED.fullmatch(listed)
            name = name or (found["name"] if found else listed)
            server = server or (found["server"] if found else None)
        title = channel_title(name, is_of_server=server is not None)
        draft = Draft(READER, reading)
        draft.lack()
        place = f"channel {title or own}"
        for number, row in enumerate(self._rows(folder, reading), 1):
            with draft.one_message():
                _say(draft, row, person, f"{place}, message {number}", reading)
        yield from draft.finish(source_id=own, title=title, project=server, place=place, slicing=Slicing.BY_DAY)

    def _rows(self, folder: str, reading: Reading) -> list[Any]:
        name = next(f"{folder}/{file}" for file in _MESSAGES if f"{folder}/{file}" in self.members)
        found = self._load(name, reading) if name.endswith(".json") else self._load_table(name, reading)
        if not isinstance(found, list):
            raise reading.problem("is not a JSON array", name)
        return sorted(found, key=lambda row: int(_id_of(row) or 0) if (_id_of(row) or "").isdecimal() else 0)

    def _load(self, name: str, reading: Reading) -> Any:
        return load_json(self._bytes(name), name, reading)

    def _load_table(self, name: str, reading: Reading) -> list[dict[str, str]]:
        csv.field_size_limit(LARGEST_MESSAGE)
        try:
            return list(csv.DictReader(io.StringIO(self._bytes(name).decode("utf-8-sig"), newline="")))
        except UnicodeDecodeError as problem:
            raise reading.problem(not_utf_8(problem), name) from problem
        except csv.Error as problem:
            raise reading.problem(f"is no table: {problem}", name) from problem

    def _bytes(self, name: str) -> bytes:
        with self.container.open(name) as stream:
            return stream.read()


def _id_of(row: object) -> str | None:
    return id_field(as_object(row), "ID", "id")


def _say(draft: Draft, row: object, person: str | None, place: str, reading: Reading) -> None:
    message, own = as_object(row), _id_of(row)
    if own is None:
        raise reading.problem("the message has no id", place)
    text = message.get("Contents", message.get("contents", ""))
    if not isinstance(text, str | None):
        raise reading.problem("the message's contents are not text", place)
    attached = str(message.get("Attachments") or "").split()
    shown = [text or "", *(f"[file {_file_name(address)}]" for address in attached)]
    at = message.get("Timestamp")
    if isinstance(at, str) and _WITHOUT_ZONE.fullmatch(at):
        at = f"{at}+00:00"  # whatever the person's zone is
    draft.say(Role.USER, "\n".join(line for line in shown if line.strip()), Stamp(at, own, person, place=place))


def _file_name(address: str) -> str:
    return unquote(PurePosixPath(urlsplit(address).path).name) or address
