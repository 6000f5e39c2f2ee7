"""The package of one's own data that Discord sends: a folder for each channel, with what the person wrote there.

Layout: support.discord.com/hc/en-us/articles/360004957991. Folders may be named in the person's language; a channel is
told by what lies in it: ``channel.json`` beside ``messages.json``, formerly ``messages.csv``.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from palace.errors import UnreadableSource
from palace.intake.limits import LARGEST_MESSAGE
from palace.mining.readers.discord.channels import NAME as READER
from palace.mining.readers.discord.channels import channel_title
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_object, id_field, text_field
from palace.mining.readers.files.containers import Container
from palace.mining.readers.files.encoding import not_utf_8
from palace.mining.readers.json_faults import TOO_DEEP, fault_of, place_of
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role, Slicing

BESIDE = "files of a Discord package that hold no messages"

_CHANNEL = re.compile(r"(?P<folder>(?P<root>(?:.*/)?)c?(?P<id>\d{15,22}))/channel\.json")
_MESSAGES = ("messages.json", "messages.csv")
_NAMED = re.compile(r"(?P<name>.+) in (?P<server>.+)", re.DOTALL)
_OTHERS = frozenset({"account", "activity", "activities", "servers", "programs", "ads", "support_tickets", "payments"})
_USER = re.compile(r"(?:.*/)?user\.json", re.IGNORECASE)
_SERVERLESS = frozenset({"DM", "GROUP_DM", "1", "3"})


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
        below = name.removeprefix(above) if name.startswith(above) else None
        if name.startswith(root) or (below is not None and _is_beside(below, is_archive=is_archive and root != "")):
            found.add(name)
    return found


def _is_beside(below: str, *, is_archive: bool) -> bool:
    first, slash, _ = below.partition("/")
    return is_archive or (slash != "" and first.casefold() in _OTHERS) or below == "README.txt"


@dataclass(frozen=True, slots=True)
class DiscordPackage:
    """A package as a whole: names of channels stand in a file of their own."""

    file: str
    name: str
    container: Container
    root: str
    """The folder that holds those of the channels, with its slash; or empty."""
    channels: tuple[str, ...]
    """Folders of channels."""
    members: tuple[str, ...]
    """All files of it."""
    origin: str = ""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        return self.container.key(self.root)

    def under(self, origin: str) -> DiscordPackage:
        """Give the same, found in what the person named so."""
        return replace(self, origin=origin)

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
        if name not in self.members:
            return {}
        try:
            return as_object(self._load(name, reading))
        except UnreadableSource as problem:
            reading.failures.append(problem)
            return {}

    def _person(self, reading: Reading) -> str | None:
        """Give the name that the person goes by."""
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
        name, is_direct = text_field(about, "name"), str(about.get("type")) in _SERVERLESS
        listed = titles.get(own)
        if isinstance(listed, str) and listed.strip():
            found = _NAMED.fullmatch(listed) if not is_direct else None
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
        """Give a channel's messages, oldest first."""
        name = next(f"{folder}/{file}" for file in _MESSAGES if f"{folder}/{file}" in self.members)
        found = self._load(name, reading) if name.endswith(".json") else self._load_table(name, reading)
        if not isinstance(found, list):
            raise reading.problem("is not a JSON array", name)
        return sorted(found, key=lambda row: int(_id_of(row) or 0) if (_id_of(row) or "").isdecimal() else 0)

    def _load(self, name: str, reading: Reading) -> Any:
        try:
            return json.loads(self._text(name, reading))
        except ValueError as problem:
            where = place_of(problem)
            raise reading.problem(fault_of(problem), f"{name}, {where}" if where else name) from problem

    def _load_table(self, name: str, reading: Reading) -> list[dict[str, str]]:
        csv.field_size_limit(LARGEST_MESSAGE)
        try:
            return list(csv.DictReader(io.StringIO(self._text(name, reading), newline="")))
        except csv.Error as problem:
            raise reading.problem(f"is no table: {problem}", name) from problem

    def _text(self, name: str, reading: Reading) -> str:
        with self.container.open(name) as stream:
            data = stream.read()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            raise reading.problem(not_utf_8(problem), name) from problem


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
    # Without a zone it is UTC, whatever the person's is.
    at = (
        f"{at}+00:00"
        if isinstance(at, str) and re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?", at)
        else at
    )
    draft.say(Role.USER, "\n".join(line for line in shown if line.strip()), Stamp(at, own, person, place=place))


def _file_name(address: str) -> str:
    return unquote(PurePosixPath(urlsplit(address).path).name) or address
