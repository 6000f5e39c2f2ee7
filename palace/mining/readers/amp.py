"""Amp's threads: ``T-….json`` below ``~/.local/share/amp/threads``, as public descriptions of November 2026 have them.

The content has Anthropic's form, except that a tool's result is a ``run`` with its state. Only the user's messages have
times; replies get the time of the message before them. Newer versions store threads only on their server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import as_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Session, path_of, with_exit_code
from palace.models import Conversation

NAME = "amp"


def recognises(value: object) -> bool:
    """Check whether a value is a thread."""
    thread = as_object(value)
    is_named = str(thread.get("id")).startswith("T-") and not {"v", "env"}.isdisjoint(thread)
    return isinstance(thread.get("messages"), list) and is_named


def read(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a thread; summaries are only counted."""
    thread = as_object(record.value)
    session = _Session(NAME, reading, dated=False)
    session.key, session.title = id_field(thread, "id"), text_field(thread, "title")
    session.at = thread.get("created")
    trees = objects(object_field(thread, "env", "initial").get("trees"))
    session.folder = next((path_of(text_field(tree, "uri")) for tree in trees), None)
    session.say_each(thread.get("messages"), "", session.message)
    urls = (text_field(object_field(tree, "repository"), "url") or "" for tree in trees)
    yield from session.finish(repository=next(urls, ""))


class _Session(Session):
    at: object = None

    def message(self, message: dict[str, Any], place: str) -> None:
        """Add a message with its calls and results."""
        role, content = message.get("role"), message.get("content")
        self.is_subagent = bool(message.get("parentToolUseId"))
        if role not in ("user", "assistant"):
            self.leave_out(LeftOut.SUMMARIES)
            return
        meta, usage = object_field(message, "meta"), object_field(message, "usage")
        self.at = meta.get("sentAt") or usage.get("timestamp") or self.at
        key = id_field(message, "messageId")
        stamp = Stamp(self.at, key and f"{self.key}:{key}", place=place)
        words = [part for part in objects(content) if part.get("type") not in ("tool_use", "tool_result")]
        self.speak(role, content if isinstance(content, str) else words, stamp)
        for number, part in enumerate(objects(content)):
            if part.get("type") == "tool_use":
                self.call(id_field(part, "id"), text_field(part, "name"), part.get("input"), stamp, f"call-{number}")
            elif part.get("type") == "tool_result":
                self._result(part, stamp, number)

    def _result(self, part: dict[str, Any], stamp: Stamp, number: int) -> None:
        run = object_field(part, "run")
        result, status = run.get("result", part.get("content")), run.get("status")
        about = as_object(result)
        text = as_text(about["output"]) if "output" in about else as_text(result)
        code, error = about.get("exitCode"), run.get("error")
        message = as_text(as_object(error).get("message", error)) if code is None else ""
        output = "\n".join(filter(None, (with_exit_code(text, code), message)))
        is_refused = status == "rejected-by-user"
        key = id_field(part, "toolUseID", "tool_use_id")
        self.result(key, output, stamp, f"result-{number}", is_refused=is_refused)
