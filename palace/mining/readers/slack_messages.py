"""The messages of one Slack channel: in order of time, edits as old wordings, housekeeping counted."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from palace.mining.drafts.draft import Draft
from palace.mining.files.fields import as_list, as_object, count_field, text_field
from palace.mining.files.reading import Reading
from palace.mining.readers.slack_text import shown_text

REACTIONS_LEFT_OUT = "reactions"
_HOUSEKEEPING = (
    (r"(channel|group|mpdm)_(join|leave)|joiner_notification.*|app_conversation_(join|leave)", "joins and departures"),
    (r"(channel|group|mpdm)_(?!message$|canvas).*", "changes of a channel's name, topic and kind"),
    (r"huddle_.*|sh_.*", "huddles and calls"),
    (r"(channel_|tabbed_)?canvas_.*", "notices about canvases"),
    (r"message_deleted|tombstone", "deleted messages"),
    (r"message_replied|reply_broadcast", "notices about threads"),
    (r"(pinned|unpinned|reminder)_.*", "pins and reminders"),
    (r"(bot|app|user)_(?!message$).*", "notices about apps and people"),
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
        kind = next((kind for pattern, kind in _HOUSEKEEPING if re.fullmatch(pattern, subtype)), None)
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
