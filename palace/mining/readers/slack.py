"""Slack exports: index files of channels and users, a folder per channel with a file per day.

Layout: slack.com/help/articles/220556107; message fields: docs.slack.dev/reference/events/message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.files.fields import as_list, count_field, id_field, object_field, objects, text_field
from palace.mining.files.json_records import TOO_DEEP, load_json
from palace.mining.files.reading import LeftOut, Reading
from palace.mining.files.source import FoundFolder
from palace.mining.readers.slack_text import readable, shown_text
from palace.models import Conversation, Role, Slicing
from palace.nlp.rules import Rules

NAME = "slack"

_INDEXES = {"channels.json": "#", "groups.json": "#", "mpims.json": "", "dms.json": ""}
_USERS = ("users.json", "org_users.json")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_DATES = re.compile(r" Slack export .*")
_RULES = Rules("readers", "slack.toml")


def find_exports(names: Iterable[str]) -> list[str]:
    """Return the folders that are Slack exports, with a trailing slash: they hold a channel index and daily files."""
    with_index = {name[: name.rfind("/") + 1] for name in names if name.rsplit("/", 1)[-1] in _INDEXES}
    with_days = {folder[: folder.rfind("/") + 1] for name in names if (folder := _day_folder(name))}
    return sorted(with_index & with_days)


def files_of(names: Sequence[str], roots: Sequence[str], *, is_archive: bool) -> set[str]:
    """Return the files that belong to Slack exports; on disk, unrelated files may lie between them."""
    days = {folder for name in names if (folder := _day_folder(name))}
    return {
        name
        for root in roots
        for name in names
        if name.startswith(root)
        and (is_archive or name.rpartition("/")[0] in days or (name.endswith(".json") and "/" not in name[len(root) :]))
    }


def _day_folder(name: str) -> str | None:
    """Return the channel folder of a daily file, or None for any other file."""
    folder, _, file = name.rpartition("/")
    return folder if folder and _DAY.fullmatch(file) else None


@dataclass(frozen=True, slots=True)
class SlackSource(FoundFolder):
    """A Slack export, folder or archive, read as a whole because channels and users are in different files."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read every channel as one conversation, cut by day, with turns in order of their time stamps.

        Channels come in the order of the index files, then unlisted ones by name. Mentions are written with the names
        of people and channels. Joins, renames and the like are only counted. A day that cannot be read is noted and
        skipped.

        Raises:
            UnreadableSource: an index file of channels or users cannot be read.
        """
        export = _Export(self, reading)
        left_out = _RULES.table("files")
        reading.left_out.update(f"{left_out[file]} ({file})" for file in export.files.get("", ()) if file in left_out)
        for channel in export.channels:
            try:
                yield from tuple(export.conversation(channel))
            except RecursionError:
                reading.failures.append(reading.problem(TOO_DEEP, f"channel {channel.title}"))


_CHANGED = "message_changed"
_Moment = tuple[int, int]
"""A time stamp as whole seconds and fraction digits, by which Slack orders messages."""


class _Channel(NamedTuple):
    id: str
    title: str
    folder: str


class _Written(NamedTuple):
    """One version of a message."""

    moment: _Moment
    message: dict[str, Any]
    source_id: str
    replaced_by: str | None = None


class _Export:
    """The channels and users of an export."""

    def __init__(self, source: SlackSource, reading: Reading) -> None:
        self._source, self._reading = source, reading
        self.files: dict[str, dict[str, None]] = {}
        for name in source.container.names():
            if name.startswith(source.root):
                folder, _, file = name.removeprefix(source.root).rpartition("/")
                self.files.setdefault(folder, {})[file] = None
        users = objects(self._list_of(*_USERS))
        self._people = {str(user.get("id")): called for user in users if (called := _person_name(user))}
        self._bots = {str(user.get("id")) for user in users if user.get("is_bot")} | {"USLACKBOT"}
        self.channels = list(self._channels())
        self._names = {**self._people, **{each.id: each.title.removeprefix("#") for each in self.channels}}

    def conversation(self, channel: _Channel) -> Iterator[Conversation]:
        """Read a channel; a day that cannot be read is noted and skipped."""
        draft, failed = Draft(NAME, self._reading), self._reading.troubles
        wordings = _Wordings(draft)
        for file in self.files.get(channel.folder, ()):
            place = f"{channel.folder}/{file}"
            if not _DAY.fullmatch(file):
                draft.leave_out("files of a channel that are no days")
                draft.warn(f"{place} is not named as a day and was left out")
                continue
            try:
                draft.say_each(self._load(place), place, wordings.add)
            except UnreadableSource as problem:
                self._reading.failures.append(problem)
                draft.lack()
        for written in wordings.in_order():
            self._say(draft, written)
        found = list(
            draft.finish(
                source_id=channel.id,
                title=channel.title,
                project=_DATES.sub("", self._source.name),
                place=f"channel {channel.title}",
                slicing=Slicing.BY_DAY,
            )
        )
        if not found and self._reading.troubles == failed:
            self._reading.leave_out("channels without messages")
        yield from found

    def _say(self, draft: Draft, written: _Written) -> None:
        message = written.message
        user, bot = text_field(message, "user"), text_field(message, "bot_id")
        is_bot = message.get("subtype") == "bot_message" or bot is not None or str(message.get("user")) in self._bots
        known = self._people.get(user or "") or _person_name(object_field(message, "user_profile"))
        called = text_field(message, "username") or text_field(object_field(message, "bot_profile"), "name")
        speaker = known or called or user or id_field(message, "bot_id")
        thread = text_field(message, "thread_ts")
        answers = thread if thread != text_field(message, "ts") else None
        stamp = Stamp(str(message["ts"]), written.source_id, speaker, answers, written.replaced_by)
        draft.say(Role.ASSISTANT if is_bot else Role.USER, readable(shown_text(message), self._names), stamp)

    def _channels(self) -> Iterator[_Channel]:
        known = set()
        for index, sign in _INDEXES.items():
            for entry in objects(self._list_of(index)):
                name, own_id = text_field(entry, "name"), id_field(entry, "id")
                folder = next((key for key in (name, own_id) if key and key in self.files), name or own_id or "")
                members = map(str, as_list(entry.get("members")))
                called = ", ".join(self._people.get(member) or member for member in members)
                title = f"{sign}{name}" if sign and name else called or name or folder
                known.add(folder)
                yield _Channel(own_id or folder, title, folder)
        for folder, files in self.files.items():
            if folder and "/" not in folder and folder not in known and any(_DAY.fullmatch(file) for file in files):
                yield _Channel(folder, f"#{folder}", folder)

    def _list_of(self, *names: str) -> list[Any]:
        return next((self._load(name) for name in names if name in self.files.get("", ())), [])

    def _load(self, name: str) -> list[Any]:
        with self._source.container.open(self._source.root + name) as stream:
            value = load_json(stream.read(), name, self._reading)
        if not isinstance(value, list):
            raise self._reading.problem("is not a JSON array", name)
        return value


def _person_name(user: dict[str, Any]) -> str | None:
    profile = object_field(user, "profile") or user
    return text_field(profile, "display_name", "real_name") or text_field(user, "real_name", "name")


class _Wordings:
    """The messages of a channel together with their earlier versions."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._written: list[_Written] = []
        self._changed: dict[str, list[tuple[_Moment, dict[str, Any]]]] = {}
        """By message time stamp: each version with the time of its change."""

    def add(self, message: dict[str, Any], place: str) -> None:
        """Add a message, or an edit of one."""
        subtype = str(message.get("subtype") or "")
        if kind := _RULES.meaning("housekeeping", subtype):
            self._draft.leave_out(kind)
        elif subtype == _CHANGED:
            now = self._as_written({"ts": message.get("ts"), **object_field(message, "message")}, place)
            old = {**now.message, "text": "", "blocks": [], **object_field(message, "previous_message")}
            changed_at = self._as_written(message, place).moment
            self._changed.setdefault(now.source_id, [(now.moment, old)]).append((changed_at, now.message))
        else:
            self._written.append(self._as_written(message, place))
            for each in objects(message.get("reactions")):
                count = count_field(each, "count", len(as_list(each.get("users"))) or 1)
                self._draft.leave_out(LeftOut.REACTIONS, count)

    def in_order(self) -> list[_Written]:
        """Return messages in order of time; of an edited one every version, the current one last."""
        found = [one for one in self._written if one.source_id not in self._changed]
        as_found = {one.source_id: one for one in self._written}
        for source_id, wordings in self._changed.items():
            now = as_found.get(source_id)
            messages = [message for _, message in sorted(wordings, key=lambda wording: wording[0])]
            texts = {shown_text(message): message for message in messages}
            latest = messages[-1] if now is None or shown_text(now.message) in texts else now.message
            texts.pop(shown_text(latest), None)
            moment = wordings[0][0]
            for number, (text, message) in enumerate(texts.items(), 1):
                if text:
                    found.append(_Written(moment, message, f"{source_id}:was-{number}", source_id))
            found.append(_Written(moment, latest, source_id))
        return sorted(found, key=lambda one: one.moment)

    def _as_written(self, message: dict[str, Any], place: str) -> _Written:
        seconds, _, fraction = str(message.get("ts", "")).partition(".")
        try:
            return _Written((int(seconds), int(fraction or 0)), message, str(message["ts"]))
        except ValueError as problem:
            raise self._draft.reading.problem("the message has no time stamp (ts)", place) from problem
