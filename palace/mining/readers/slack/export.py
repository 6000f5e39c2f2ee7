"""Slack exports: index files for channels and users, a folder a channel, in it a file a day.

Layout: slack.com/help/articles/220556107; message fields: docs.slack.dev/reference/events/message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.files.containers import Container
from palace.mining.readers.files.encoding import not_utf_8
from palace.mining.readers.json_faults import TOO_DEEP, fault_of, place_of
from palace.mining.readers.reading import Reading
from palace.mining.readers.slack.messages import Channel, Written
from palace.mining.readers.slack.text import readable, shown_text
from palace.records import Conversation, Role, Slicing

NAME = "slack"

_INDEXES = {"channels.json": "#", "groups.json": "#", "mpims.json": "", "dms.json": ""}
_USERS = ("users.json", "org_users.json")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_DATES = re.compile(r" Slack export .*")
LEFT_OUT = {
    "canvases.json": "links to canvases (canvases.json)",
    "content_flags.json": "flags on content (content_flags.json)",
    "file_conversations.json": "comments on canvases (file_conversations.json)",
    "huddle_transcripts.json": "transcripts of huddles (huddle_transcripts.json)",
    "integration_logs.json": "logs of apps (integration_logs.json)",
    "lists.json": "lists (lists.json)",
}
"""Files of an export that are not read, and as what they are counted."""


class _Listed(NamedTuple):
    id: str
    title: str
    folder: str


def is_index(name: str) -> bool:
    """Tell whether a file of a container is one of Slack's lists of channels or direct messages."""
    return name.rsplit("/", 1)[-1] in _INDEXES


def day_folder(name: str) -> str | None:
    """Give the channel's folder where a file of a container is one day of a channel, None otherwise."""
    folder, _, file = name.rpartition("/")
    return folder if folder and _DAY.fullmatch(file) else None


@dataclass(frozen=True, slots=True)
class SlackSource:
    """A Slack export, folder or archive, as a whole: its channels and users stand in different files."""

    file: str
    name: str
    """The export's file or folder name, usually the workspace's."""
    container: Container
    root: str
    """Where in the container it begins: empty, or a folder with its slash."""
    origin: str = ""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        return self.container.key(self.root)

    def under(self, origin: str) -> SlackSource:
        """Give the same, found in what the person named so."""
        return replace(self, origin=origin)

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read every channel as one conversation, cut by day; its turns in the order of their time stamps.

        The order of channels is that of the index files, then channels no index mentions, by name. Texts
        name people and channels as the export's lists do, and links by their words. Joining, renaming and other
        housekeeping is counted. A day that cannot be read is noted, and the others go on.

        Raises:
            UnreadableSource: a list of channels or people cannot be read, without which no channel is known.
        """
        yield from _Export(self, reading).iter_conversations()


class _Export:
    """One export while it is being read."""

    def __init__(self, source: SlackSource, reading: Reading) -> None:
        self._source, self._reading = source, reading
        self._project = _DATES.sub("", source.name)
        self._files: dict[str, dict[str, None]] = {}
        for name in source.container.names():
            if name.startswith(source.root):
                folder, _, file = name.removeprefix(source.root).rpartition("/")
                self._files.setdefault(folder, {})[file] = None
        self._people = _People(self._list_of(*_USERS))
        self._names: dict[str, str] = {}

    def iter_conversations(self) -> Iterator[Conversation]:
        for file in self._files.get("", ()):
            if file in LEFT_OUT:
                self._reading.leave_out(LEFT_OUT[file])
        channels = list(self._channels())
        self._names = {**self._people.names, **{each.id: each.title.removeprefix("#") for each in channels}}
        for channel in channels:
            try:
                found = tuple(self._conversation(channel))
            except RecursionError:
                self._reading.failures.append(self._reading.problem(TOO_DEEP, f"channel {channel.title}"))
            else:
                yield from found

    def _channels(self) -> Iterator[_Listed]:
        known = set()
        for index, sign in _INDEXES.items():
            for entry in self._list_of(index):
                channel = self._channel(as_object(entry), sign)
                known.add(channel.folder)
                yield channel
        for folder, files in self._files.items():
            if folder and "/" not in folder and folder not in known and any(_DAY.fullmatch(file) for file in files):
                yield _Listed(folder, f"#{folder}", folder)

    def _channel(self, entry: dict[str, Any], sign: str) -> _Listed:
        name, own_id = text_field(entry, "name"), id_field(entry, "id")
        folder = next((key for key in (name, own_id) if key and key in self._files), name or own_id or "")
        members = ", ".join(self._people.name_of(str(member)) for member in as_list(entry.get("members")))
        title = f"{sign}{name}" if sign and name else members or name or folder
        return _Listed(own_id or folder, title, folder)

    def _conversation(self, channel: _Listed) -> Iterator[Conversation]:
        draft, failed = Draft(NAME, self._reading), self._reading.troubles
        messages = Channel(draft, self._reading)
        for file in self._files.get(channel.folder, ()):
            place = f"{channel.folder}/{file}"
            if _DAY.fullmatch(file):
                self._add_day(draft, messages, place)
            else:
                draft.leave_out("files of a channel that are no days")
                draft.warn(f"{place} is not named as a day and was left out")
        for written in messages.in_order():
            self._say(draft, written)
        found = draft.finish(
            source_id=channel.id,
            title=channel.title,
            project=self._project,
            place=f"channel {channel.title}",
            slicing=Slicing.BY_DAY,
        )
        conversation = next(found, None)
        if conversation is not None:
            yield conversation
        elif self._reading.troubles == failed:
            self._reading.leave_out("channels without messages")

    def _add_day(self, draft: Draft, messages: Channel, place: str) -> None:
        try:
            day = self._load(place)
        except UnreadableSource as problem:
            self._reading.failures.append(problem)
            draft.lack()
        else:
            messages.add_day(day, place)

    def _say(self, draft: Draft, written: Written) -> None:
        message = written.message
        is_bot = message.get("subtype") == "bot_message" or self._people.is_bot(message)
        speaker = self._people.speaker_of(message)
        stamp = Stamp(str(message["ts"]), written.source_id, speaker, written.answers, written.replaced_by)
        text = readable(shown_text(message), self._names)
        draft.say(Role.ASSISTANT if is_bot else Role.USER, text, stamp)

    def _list_of(self, *names: str) -> list[Any]:
        """Read the first of these files that is there; none at all is an empty list."""
        for name in names:
            folder, _, file = name.rpartition("/")
            if file in self._files.get(folder, ()):
                return self._load(name)
        return []

    def _load(self, name: str) -> list[Any]:
        with self._source.container.open(self._source.root + name) as stream:
            data = stream.read()
        try:
            value = json.loads(data.decode("utf-8-sig"))
        except UnicodeDecodeError as problem:
            raise self._reading.problem(not_utf_8(problem), name) from problem
        except ValueError as problem:
            where = place_of(problem)
            raise self._reading.problem(fault_of(problem), f"{name}, {where}" if where else name) from problem
        except RecursionError as problem:
            raise self._reading.problem(TOO_DEEP, name) from problem
        if not isinstance(value, list):
            raise self._reading.problem("is not a JSON array", name)
        return value


class _People:
    """Who is behind an id."""

    def __init__(self, users: Iterable[object]) -> None:
        records = [as_object(user) for user in users]
        self._names = {str(user.get("id")): _person_name(user) for user in records}
        self.names = {key: name for key, name in self._names.items() if name}
        self._bots = {str(user.get("id")) for user in records if user.get("is_bot")} | {"USLACKBOT"}

    def name_of(self, user: str) -> str:
        return self._names.get(user) or user

    def is_bot(self, message: dict[str, Any]) -> bool:
        return text_field(message, "bot_id") is not None or str(message.get("user")) in self._bots

    def speaker_of(self, message: dict[str, Any]) -> str | None:
        user = text_field(message, "user")
        known = self._names.get(user or "") or _person_name(as_object(message.get("user_profile")))
        bot = as_object(message.get("bot_profile"))
        return (
            known or text_field(message, "username") or text_field(bot, "name") or user or id_field(message, "bot_id")
        )


def _person_name(user: dict[str, Any]) -> str | None:
    profile = as_object(user.get("profile")) or user
    return text_field(profile, "display_name", "real_name") or text_field(user, "real_name", "name")
