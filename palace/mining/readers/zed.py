"""Zed's threads: rows of ``threads.db`` in ``~/.local/share/zed/threads`` (``crates/agent/src/db.rs`` of Zed).

See ``agent_databases``. A row holds a thread as JSON, compressed with Zstandard. Messages have no times, and no ids are
read, as Zed gives messages of version 0.2.0 new ones when it saves them in the form of 0.3.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.names import role_in
from palace.mining.drafts.parts import as_text
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading
from palace.mining.readers.sessions import Session, folder_name
from palace.models import Conversation, Role

NAME = "zed"

_SEGMENTS = {"text": "Text", "thinking": "Thinking", "redacted_thinking": "RedactedThinking"}


def read_rows(about: dict[str, Any], rows: list[dict[str, Any]], reading: Reading) -> Iterator[Conversation]:
    """Read a thread; one of a sub-agent is only counted."""
    if not rows:  # deleted meanwhile
        return
    row, place = rows[0], f"session {about['id']}"
    thread = parsed(row["data"])
    if row["fault"] or not isinstance(thread, dict):
        reading.miss(row["fault"] or reading.problem("holds no JSON object", place))
        return
    messages = [each for each in as_list(thread.get("messages")) if each != "Resume"]
    if row.get("parent_id") or thread.get("subagent_context"):
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(messages)))
        return
    session = _Session(NAME, reading, dated=False)
    session.key, session.title = id_field(row, "id"), text_field(row, "summary")
    tree = next(iter(objects(object_field(thread, "initial_project_snapshot").get("worktree_snapshots"))), {})
    session.folder = (text_field(row, "folder_paths") or "").partition("\n")[0] or text_field(tree, "worktree_path")
    session.say_each(messages, place, session.message)
    yield from session.finish(
        repository=text_field(object_field(tree, "git_state"), "remote_url") or "",
        started_at=known_time(row.get("created_at") or row.get("updated_at"), reading.now, reading.zone),
    )


class _Session(Session):
    def message(self, message: dict[str, Any], place: str) -> None:
        """Add a message with its calls and their results."""
        role, parts, results = _of(message)
        if role is None:
            raise self.reading.problem("the message has an unknown role", place)
        stamp, said = Stamp(place=place), list[str]()
        for part in parts:
            kind, content = next(iter(part.items()), ("", None))
            if kind == "ToolUse":
                self.say(role, "\n".join(said), stamp)
                said.clear()
                self._act(as_object(content), results, stamp)
            elif kind == "Text":
                said.append(as_text(content))
            elif kind == "Image":
                said.append("[image]")
            elif kind == "Mention":
                uri = next(iter(as_object(as_object(content).get("uri")).values()), None)
                name = folder_name(text_field(as_object(uri), "abs_path", "path")) or text_field(as_object(uri), "name")
                said += [f"[file {name}]"] if name else []
                self.leave_out(LeftOut.ATTACHED)
            else:
                self.leave_out(LeftOut.HIDDEN_REASONING)
        self.say(role, "\n".join(said), stamp)

    def _act(self, call: dict[str, Any], results: dict[str, Any], stamp: Stamp) -> None:
        key = id_field(call, "id")
        self.call(key, text_field(call, "name"), call.get("input"), stamp)
        if result := object_field(results, key or ""):
            content = result.get("content")
            pieces = content if isinstance(content, list) else [content]
            texts = (each if isinstance(each, str) else text_field(as_object(each), "Text", "text") for each in pieces)
            self.result(key, "\n".join(filter(None, texts)), stamp)


def _of(message: dict[str, Any]) -> tuple[Role | None, list[dict[str, Any]], dict[str, Any]]:
    """Return the role, parts and results of a message, of version 0.2.0 in the form of 0.3.0."""
    for name, role in (("User", Role.USER), ("Agent", Role.ASSISTANT)):
        if name in message:
            body = as_object(message[name])
            return role, objects(body.get("content")), object_field(body, "tool_results")
    segments = objects(message.get("segments"))
    parts = [{_SEGMENTS.get(str(each.get("type")), ""): each.get("text")} for each in segments]
    parts += ({"ToolUse": each} for each in objects(message.get("tool_uses")))
    results = {str(each.get("tool_use_id")): each for each in objects(message.get("tool_results"))}
    return role_in(str(message.get("role"))), parts, results
