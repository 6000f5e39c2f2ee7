"""GitHub Copilot's chats in VS Code: ``chatSessions/SESSION.json`` or ``.jsonl`` in a workspace's storage.

The newer form is a log of changes to the document (``objectMutationLog.ts`` of microsoft/vscode): first the whole
document, then changes that set a value, append to a list from an index on, or delete a value. ``workspace.json`` names
the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import as_json, result_text
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Call, Lines, Session, Tags, path_of, with_exit_code
from palace.models import Conversation, Role

NAME = "copilot-chat"

_TAGS = Tags(NAME)
_WHOLE, _SET, _ADD, _DELETE = range(4)
_REQUESTS = "requests"


def recognises(value: object) -> bool:
    """Check whether a value is the first line of a log."""
    line = as_object(value)
    return line.get("kind") == _WHOLE and isinstance(object_field(line, "v").get(_REQUESTS), list)


def recognises_document(value: object) -> bool:
    """Check whether a value is a chat in the older form."""
    chat = as_object(value)
    return isinstance(chat.get(_REQUESTS), list) and "responderUsername" in chat


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the chat in its state at the end of the log; requests that were taken back are marked as replaced."""
    lines, log = Lines(records, reading, "GitHub Copilot", lambda line: isinstance(line.get("kind"), int)), _Log()
    for line in lines:
        if not log.apply(line.value):
            reading.miss(reading.problem("changes a value that does not exist", line.place))
            lines.is_partial = True
    yield from _read(log.chat, reading, lines, log.taken_back)


def read_document(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a chat in the older form."""
    yield from _read(as_object(record.value), reading, None, {})


def _read(
    chat: dict[str, Any], reading: Reading, lines: Lines | None, taken_back: dict[str, list[dict[str, Any]]]
) -> Iterator[Conversation]:
    session = _Session(NAME, reading, _TAGS.strip)
    session.key, session.title = id_field(chat, "sessionId"), text_field(chat, "customTitle")
    beside = as_object(parsed(reading.beside("workspace.json", 1)))
    session.folder = path_of(text_field(beside, "folder", "workspace"))

    def say(request: dict[str, Any], place: str) -> None:
        for former in taken_back.pop(id_field(request, "requestId") or "", ()):
            session.request(former, "a request that was taken back", id_field(request, "requestId"))
        session.request(request, place)

    session.say_each(chat.get(_REQUESTS), "", say)
    if lines:
        lines.report(session)
    yield from session.finish()


class _Log:
    """The chat after the lines applied so far, and the requests that were removed from it."""

    def __init__(self) -> None:
        self.chat: dict[str, Any] = {}
        self.taken_back: dict[str, list[dict[str, Any]]] = {}
        """Lists of requests by the id of the request that replaced them."""

    def apply(self, line: dict[str, Any]) -> bool:
        """Apply a line; return False if the value that it changes does not exist."""
        kind, path, value = line.get("kind"), as_list(line.get("k")), line.get("v")
        if kind == _WHOLE or not path:
            self.chat = as_object(value)
            return True
        parent: Any = self.chat
        try:
            for name in path[:-1]:
                parent = parent[name]
            if kind == _ADD:
                self._add(parent, path, as_list(value), line.get("i"))
            elif kind == _DELETE:
                parent.pop(path[-1])
            else:
                parent[path[-1]] = value
        except (KeyError, IndexError, TypeError, AttributeError):
            return False
        return True

    def _add(self, parent: Any, path: list[Any], items: list[Any], start: object) -> None:
        listed = parent.setdefault(path[-1], []) if isinstance(parent, dict) else parent[path[-1]]
        removed = listed[start:] if isinstance(start, int) else []
        if path == [_REQUESTS] and items:
            own = {id_field(each, "requestId") for each in objects(items)}
            gone = [each for each in objects(removed) if id_field(each, "requestId") not in own]
            by = id_field(as_object(items[0]), "requestId") or ""
            self.taken_back.setdefault(by, []).extend(gone)
        if removed:
            del listed[start:]
        listed += items


class _Session(Session):
    def request(self, request: dict[str, Any], place: str, replaced_by: str | None = None) -> None:
        """Add a request and the response to it."""
        key = id_field(request, "requestId")
        stamp = Stamp(request.get("timestamp"), key, replaced_by=replaced_by, place=place)
        said = text_field(object_field(request, "message"), "text") or text_field(request, "message")
        attached = [
            text_field(each, "name") for each in objects(object_field(request, "variableData").get("variables"))
        ]
        self.person([said or "", *(f"[file {name}]" for name in attached if name)], stamp)
        ended = object_field(request, "modelState").get("completedAt") or stamp.at
        reply = stamp._replace(at=ended, source_id=key and f"{key}-response")
        metadata = object_field(request, "result", "metadata")
        rounds = [call for each in objects(metadata.get("toolCallRounds")) for call in objects(each.get("toolCalls"))]
        calls = {str(call.get("id")).partition("__vscode")[0]: call for call in rounds}
        self._response(as_list(request.get("response")), calls, object_field(metadata, "toolCallResults"), reply)

    def _response(
        self, parts: list[Any], calls: dict[str, dict[str, Any]], results: dict[str, Any], stamp: Stamp
    ) -> None:
        texts: list[str] = []
        for number, part in enumerate([*map(as_object, parts), {"kind": ""}]):
            kind = part.get("kind")
            if kind in (None, "markdownContent"):
                texts.append(_text(part.get("value")) or _text(part.get("content")))
            elif kind == "inlineReference":
                texts.append(_named(part.get("inlineReference"), part))
            elif kind in ("toolInvocationSerialized", "textEditGroup", "notebookEditGroup", ""):
                self.say(Role.ASSISTANT, "".join(texts).strip("\n"), stamp, number)
                texts.clear()
                if kind == "toolInvocationSerialized":
                    self._tool(part, calls, results, stamp, number)
                elif kind:
                    self.call(None, "edit", _named(part.get("uri"), {}), stamp, number)
            else:
                self.leave_out(LeftOut.HIDDEN_REASONING if kind == "thinking" else LeftOut.BOOKKEEPING)

    def _tool(
        self, part: dict[str, Any], calls: dict[str, dict[str, Any]], results: dict[str, Any], stamp: Stamp, number: int
    ) -> None:
        key, data = str(part.get("toolCallId")).partition("__vscode")[0], object_field(part, "toolSpecificData")
        call = calls.get(key, {})
        name = text_field(call, "name") or text_field(part, "toolId")
        typed = text_field(object_field(data, "commandLine"), "userEdited", "original", "toolEdited")
        shown = _text(part.get("invocationMessage"))
        given = next(each for each in (call.get("arguments"), typed, data.get("rawInput"), shown) if each is not None)
        self.call(key, name, given, stamp, f"{number}:call")
        found = next((value for each, value in results.items() if each.partition("__vscode")[0] == key), None)
        shown_parts = objects(object_field(part, "resultDetails").get("output"))
        texts = [_text(each.get("value")) for each in objects(as_object(found).get("content")) or shown_parts]
        code = object_field(data, "terminalCommandState").get("exitCode")
        output = with_exit_code("\n".join(filter(None, texts)), code) or _text(part.get("pastTenseMessage"))
        self.returned(Call(name, given, output), stamp, f"{number}:result", f"{number}:answers")


def _text(value: object) -> str:
    if isinstance(value, dict) and isinstance(value.get("value"), str):
        return str(value["value"])
    return value if isinstance(value, str) else "" if value is None else result_text(value) or as_json(value)


def _named(place: object, part: dict[str, Any]) -> str:
    """Return the name or path of a reference to a file."""
    about = as_object(place)
    inner = object_field(about, "uri") or object_field(object_field(about, "location"), "uri") or about
    return text_field(part, "name") or text_field(about, "name") or text_field(inner, "fsPath", "path") or ""
