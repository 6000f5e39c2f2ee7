"""The messages of one Slack channel: in order of time, edits as old wordings, housekeeping counted."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from palace.mining.readers.drafts.draft import Draft
from palace.mining.readers.fields import as_list, as_object, text_field
from palace.mining.readers.reading import Reading
from palace.mining.readers.slack.text import shown_text

HOUSEKEEPING = (
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
REACTIONS_LEFT_OUT = "reactions"
_HOUSEKEEPING = tuple((re.compile(subtypes), kind) for subtypes, kind in HOUSEKEEPING)
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
        """Give the time stamp of the message whose thread it is in; None where it begins one or is in none."""
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
        """Give the messages in order of time; of one that was changed every wording, the last as what it is now."""
        found = [one for one in self._written if one.source_id not in self._wordings]
        as_found = {one.source_id: one for one in self._written}
        for source_id, wordings in self._wordings.items():
            now = as_found.get(source_id)
            told = [message for _, message in sorted(wordings, key=lambda wording: wording[0])]
            texts = {shown_text(message): message for message in told}
            latest = told[-1] if now is None or shown_text(now.message) in texts else now.message
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
        kind = _housekeeping(str(message.get("subtype") or ""))
        if kind:
            self._draft.leave_out(kind)
        elif message.get("subtype") == _CHANGED:
            old, new, changed_at = self._change(message, where)
            self._wordings.setdefault(new.source_id, [(old.moment, old.message)]).append((changed_at, new.message))
        else:
            self._written.append(self._as_written(message, where))
            reactions = sum(_count(as_object(item)) for item in as_list(message.get("reactions")))
            if reactions:
                self._draft.leave_out(REACTIONS_LEFT_OUT, reactions)

    def _change(self, message: dict[str, Any], where: str) -> tuple[Written, Written, _Moment]:
        new, old = as_object(message.get("message")), as_object(message.get("previous_message"))
        now = self._as_written({"ts": message.get("ts"), **new}, where)
        before = now._replace(message={**now.message, "text": "", "blocks": [], **old})
        return before, now, self._as_written(message, where).moment

    def _as_written(self, message: dict[str, Any], where: str) -> Written:
        seconds, _, fraction = str(message.get("ts", "")).partition(".")
        try:
            return Written((int(seconds), int(fraction or 0)), message, str(message["ts"]))
        except ValueError as problem:
            raise self._reading.problem("the message has no time stamp (ts)", where) from problem


def _housekeeping(subtype: str) -> str | None:
    return next((kind for pattern, kind in _HOUSEKEEPING if pattern.fullmatch(subtype)), None) if subtype else None


def _count(reaction: dict[str, Any]) -> int:
    count = reaction.get("count")
    return count if isinstance(count, int) and 0 < count < 1_000_000 else len(as_list(reaction.get("users"))) or 1
