"""Slack exports: index files for channels and users, a folder a channel, in it a file a day.

Layout: slack.com/help/articles/220556107; message fields: docs.slack.dev/reference/events/message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.files.fields import as_list, as_object, count_field, id_field, text_field
from palace.mining.files.json_records import TOO_DEEP, load_json
from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundWhole
from palace.mining.readers.slack_text import readable, shown_text
from palace.models import Conversation, Role, Slicing

NAME = "slack"

_INDEXES = {"channels.json": "#", "groups.json": "#", "mpims.json": "", "dms.json": ""}
_USERS = ("users.json", "org_users.json")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_DATES = re.compile(r" Slack export .*")
LEFT_OUT = {
    "canvases.json": "links to canvases",
    "content_flags.json": "flags on content",
    "file_conversations.json": "comments on canvases",
    "huddle_transcripts.json": "transcripts of huddles",
    "integration_logs.json": "logs of apps",
    "lists.json": "lists",
}
"""Files of an export that are not read, and as what they are counted."""


class _Listed(NamedTuple):
    id: str
    title: str
    folder: str


def find_exports(names: Iterable[str]) -> list[str]:
    """List the folders that are Slack exports, each with its slash: an index of channels, and messages by day below."""
    with_index = {name[: name.rfind("/") + 1] for name in names if name.rsplit("/", 1)[-1] in _INDEXES}
    with_days = {folder[: folder.rfind("/") + 1] for name in names if (folder := _day_folder(name))}
    return sorted(with_index & with_days)


def files_of(names: Sequence[str], roots: Sequence[str], *, is_archive: bool) -> set[str]:
    """Find what belongs to Slack exports; on disk other files may lie between theirs."""
    days = {folder for name in names if (folder := _day_folder(name))}
    return {
        name
        for root in roots
        for name in names
        if name.startswith(root)
        and (is_archive or name.rpartition("/")[0] in days or (name.endswith(".json") and "/" not in name[len(root) :]))
    }


def _day_folder(name: str) -> str | None:
    """Return the channel's folder where a file is one day of a channel, None otherwise."""
    folder, _, file = name.rpartition("/")
    return folder if folder and _DAY.fullmatch(file) else None


@dataclass(frozen=True, slots=True)
class SlackSource(FoundWhole):
    """A Slack export, folder or archive, as a whole: its channels and users stand in different files."""

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
                self._reading.leave_out(f"{LEFT_OUT[file]} ({file})")
        channels = list(self._channels())
        self._names = {**self._people.names, **{each.id: each.title.removeprefix("#") for each in channels}}
        for channel in channels:
            try:
                yield from tuple(self._conversation(channel))
            except RecursionError:
                self._reading.failures.append(self._reading.problem(TOO_DEEP, f"channel {channel.title}"))

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
            if not _DAY.fullmatch(file):
                draft.leave_out("files of a channel that are no days")
                draft.warn(f"{place} is not named as a day and was left out")
                continue
            try:
                messages.add_day(self._load(place), place)
            except UnreadableSource as problem:
                self._reading.failures.append(problem)
                draft.lack()
        for written in messages.in_order():
            self._say(draft, written)
        conversation = next(
            draft.finish(
                source_id=channel.id,
                title=channel.title,
                project=self._project,
                place=f"channel {channel.title}",
                slicing=Slicing.BY_DAY,
            ),
            None,
        )
        if conversation is not None:
            yield conversation
        elif self._reading.troubles == failed:
            self._reading.leave_out("channels without messages")

    def _say(self, draft: Draft, written: Written) -> None:
        message = written.message
        is_bot = message.get("subtype") == "bot_message" or self._people.is_bot(message)
        speaker = self._people.speaker_of(message)
        stamp = Stamp(str(message["ts"]), written.source_id, speaker, written.answers, written.replaced_by)
        text = readable(shown_text(message), self._names)
        draft.say(Role.ASSISTANT if is_bot else Role.USER, text, stamp)

    def _list_of(self, *names: str) -> list[Any]:
        return next((self._load(name) for name in names if name in self._files.get("", ())), [])

    def _load(self, name: str) -> list[Any]:
        with self._source.container.open(self._source.root + name) as stream:
            value = load_json(stream.read(), name, self._reading)
        if not isinstance(value, list):
            raise self._reading.problem("is not a JSON array", name)
        return value


class _People:
    def __init__(self, users: Iterable[object]) -> None:
        records = [as_object(user) for user in users]
        self.names = {str(user.get("id")): name for user in records if (name := _person_name(user))}
        self._bots = {str(user.get("id")) for user in records if user.get("is_bot")} | {"USLACKBOT"}

    def name_of(self, user: str) -> str:
        return self.names.get(user) or user

    def is_bot(self, message: dict[str, Any]) -> bool:
        return text_field(message, "bot_id") is not None or str(message.get("user")) in self._bots

    def speaker_of(self, message: dict[str, Any]) -> str | None:
        user = text_field(message, "user")
        known = self.names.get(user or "") or _person_name(as_object(message.get("user_profile")))
        bot = text_field(as_object(message.get("bot_profile")), "name")
        return known or text_field(message, "username") or bot or user or id_field(message, "bot_id")


def _person_name(user: dict[str, Any]) -> str | None:
    profile = as_object(user.get("profile")) or user
    return text_field(profile, "display_name", "real_name") or text_field(user, "real_name", "name")


REACTIONS_LEFT_OUT = "reactions"
_HOUSEKEEPING = tuple(
    (re.compile(subtypes), kind)
    for subtypes, kind in (
        (
            r"(channel|group|mpdm)_(join|leave)|joiner_notification.*|app_conversation_(join|leave)",
            "joins and departures",
        ),
        (r"(channel|group|mpdm)_(?!message$|canvas).*", "changes of a channel's name, topic and kind"),
        (r"huddle_.*|sh_.*", "huddles and calls"),
        (r"(channel_|tabbed_)?canvas_.*", "notices about canvases"),
        (r"message_deleted|tombstone", "deleted messages"),
        (r"message_replied|reply_broadcast", "notices about threads"),
        (r"(pinned|unpinned|reminder)_.*", "pins and reminders"),
        (r"(bot|app|user)_(?!message$).*", "notices about apps and people"),
    )
)
"""Subtypes of messages that nobody wrote, and as what they are counted."""
_CHANGED = "message_changed"
_Moment = tuple[int, int]


class Written(NamedTuple):
    """A message in one of its wordings."""

    moment: _Moment
    """Its time stamp, in whole seconds and the digits behind them: what Slack orders by."""
    message: dict[str, Any]
    source_id: str
    replaced_by: str | None = None

    @property
    def answers(self) -> str | None:
        """The time stamp of the message whose thread it is in; None where it begins one or is in none."""
        thread = text_field(self.message, "thread_ts")
        return thread if thread != text_field(self.message, "ts") else None


class Channel:
    """Collects the messages of one channel, day by day."""

    def __init__(self, draft: Draft, reading: Reading) -> None:
        self._draft, self._reading = draft, reading
        self._written: list[Written] = []
        self._wordings: dict[str, list[tuple[_Moment, dict[str, Any]]]] = {}
        """Messages that were changed, by their time stamp: each wording with the time it came to be."""

    def add_day(self, messages: list[Any], place: str) -> None:
        """Add the messages of one day's file."""
        for number, message in enumerate(messages, 1):
            with self._draft.one_message():
                self._add(message, f"{place}, message {number}")

    def in_order(self) -> list[Written]:
        """List the messages in order of time; of one that was changed every wording, the last as what it is now."""
        found = [one for one in self._written if one.source_id not in self._wordings]
        as_found = {one.source_id: one for one in self._written}
        for source_id, wordings in self._wordings.items():
            now = as_found.get(source_id)
            messages = [message for _, message in sorted(wordings, key=lambda wording: wording[0])]
            texts = {shown_text(message): message for message in messages}
            latest = messages[-1] if now is None or shown_text(now.message) in texts else now.message
            texts.pop(shown_text(latest), None)
            moment = wordings[0][0]
            for number, (text, message) in enumerate(texts.items(), 1):
                if text:
                    found.append(Written(moment, message, f"{source_id}:was-{number}", source_id))
            found.append(Written(moment, latest, source_id))
        return sorted(found, key=lambda one: one.moment)

    def _add(self, message: object, where: str) -> None:
        if not isinstance(message, dict):
            raise self._reading.problem("the message is not an object", where)
        subtype = str(message.get("subtype") or "")
        kind = next((kind for pattern, kind in _HOUSEKEEPING if subtype and pattern.fullmatch(subtype)), None)
        if kind:
            self._draft.leave_out(kind)
        elif subtype == _CHANGED:
            now = self._as_written({"ts": message.get("ts"), **as_object(message.get("message"))}, where)
            old = {**now.message, "text": "", "blocks": [], **as_object(message.get("previous_message"))}
            changed_at = self._as_written(message, where).moment
            self._wordings.setdefault(now.source_id, [(now.moment, old)]).append((changed_at, now.message))
        else:
            self._written.append(self._as_written(message, where))
            reactions = [as_object(item) for item in as_list(message.get("reactions"))]
            count = sum(count_field(item, "count", len(as_list(item.get("users"))) or 1) for item in reactions)
            if count:
                self._draft.leave_out(REACTIONS_LEFT_OUT, count)

    def _as_written(self, message: dict[str, Any], where: str) -> Written:
        seconds, _, fraction = str(message.get("ts", "")).partition(".")
        try:
            return Written((int(seconds), int(fraction or 0)), message, str(message["ts"]))
        except ValueError as problem:
            raise self._reading.problem("the message has no time stamp (ts)", where) from problem
