"""What transcripts of coding assistants have in common.

They are JSON lines, appended as a session goes on. Context that a program adds to the user's words stands in tags of
its own; only tags at the beginning or end of a text are removed, as a tag between words is a quotation. Answers to
questions that a tool asked, and comments on refused calls, stand in the tool's result; they are trusted only for tools
that ask and calls marked as refused, since any other result may quote anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from itertools import chain
from operator import itemgetter
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple, Unpack
from urllib.parse import unquote, urlsplit

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import About, Draft, Stamp
from palace.mining.drafts.parts import tool_call
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_object, objects, parsed, text_field
from palace.mining.files.json_records import CutOffLine, iter_records
from palace.mining.files.reading import UNREAD_LINES, LeftOut, Reading, Record, Whereabouts
from palace.models import Conversation, Role
from palace.nlp.rules import Rules

RULES = Rules("readers", "sessions.toml")
LAST_LINE = "last lines that break off"
_ALWAYS, _NEVER = (datetime(year, 1, 2, tzinfo=UTC) for year in (1, 9999))
SUBAGENT = "subagent"
"""The speaker of a sub-agent's words, which are a tool's: recall leaves them out unless tools are asked for."""


@cache
def counted(program: str) -> dict[str, str]:
    """Map a program's record types without a message to the category under which they are counted."""
    return {word: kind for kind, words in RULES.table(f"{program}-counted").items() for word in words.split()}


class Line(NamedTuple):
    """One line that could be parsed."""

    value: dict[str, Any]
    place: str


@dataclass(slots=True)
class Lines:
    """An iterator over the lines of a transcript; unreadable ones are reported and skipped."""

    records: Iterator[Record]
    reading: Reading
    program: str
    is_line: Callable[[dict[str, Any]], bool] = lambda _: True
    is_partial: bool = False
    cut_off: str = ""
    """A warning about an incomplete last line."""

    def __iter__(self) -> Iterator[Line]:
        try:
            for record in self.records:
                if record.fault is None and isinstance(record.value, dict) and self.is_line(record.value):
                    yield Line(record.value, record.place("line"))
                    continue
                odd = f"is not a line of a {self.program} transcript"
                problem = record.fault or self.reading.problem(odd, record.place("line"))
                self.reading.miss(problem, UNREAD_LINES)
                self.is_partial = True
        except CutOffLine as problem:
            self.cut_off = f"{problem.place} is cut off, still being written perhaps, and was left out"
            self.reading.leave_out(LAST_LINE)

    def report(self, draft: Draft, *, is_last: bool = True) -> None:
        """Mark a draft as incomplete if lines were unreadable; with ``is_last``, warn of a cut-off last line."""
        if self.is_partial:
            draft.lack()
        if self.cut_off and is_last:
            draft.warn(self.cut_off)


def folder_name(folder: str | None) -> str | None:
    """Return the last part of a folder's path, Unix or Windows, as the name of its project."""
    if not folder:
        return None
    is_windows = "\\" in folder and not folder.startswith("/")
    return (PureWindowsPath(folder) if is_windows else PurePosixPath(folder)).name or None


def path_of(url: str | None) -> str | None:
    """Return the path in a ``file:`` URL, any other text unchanged, and None for an empty one."""
    if not url or not url.startswith("file://"):
        return url or None
    path = unquote(urlsplit(url).path)
    return path[1:] if path[2:3] == ":" else path


def with_exit_code(output: str, code: object) -> str:
    """Return the output of a command with a line for its exit code, unless that is None."""
    return output if code is None else "\n".join(filter(None, (output, f"Exit code: {code}")))


class OwnText(NamedTuple):
    """A text without the context that a program put around it."""

    said: str
    """Unchanged if nothing was removed, else stripped of white space at its ends."""
    blocks: int
    """How many blocks were removed."""


class Tags:
    """The tags that a program puts around context before or after a user's words."""

    def __init__(self, program: str) -> None:
        """Initialise for ``program``, whose tags are listed under its name in ``sessions.toml``."""
        self._program = program

    @cached_property
    def _front(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, RULES.words(self._program)))
        return re.compile(rf"\s*<({names})(?:\s[^<>\n]{{0,500}})?>.*?</\1>", re.DOTALL)

    def strip(self, text: str) -> OwnText:
        """Remove tagged blocks from both ends of a text; an unclosed block is left as it is."""
        start, end, count = 0, len(text), 0
        while found := self._front.match(text, start):
            start, count = found.end(), count + 1
        while (opened := self._last(text, start, end)) >= start:
            end, count = opened, count + 1
        return OwnText(text[start:end].strip(), count) if count else OwnText(text, 0)

    def _last(self, text: str, start: int, end: int) -> int:
        while end > start and text[end - 1].isspace():
            end -= 1
        name = next((name for name in RULES.words(self._program) if text.endswith(f"</{name}>", start, end)), "")
        return max(text.rfind(f"<{name}>", start, end), text.rfind(f"<{name} ", start, end)) if name else -1


def strip_content(content: object, part: Callable[[str], OwnText], leave_out: Callable[[str, int], None]) -> object:
    """Apply ``part`` to the texts of a message's content, and drop texts that become empty."""
    if not isinstance(content, str | list):
        return content
    left: list[object] = []
    for item in content if isinstance(content, list) else [content]:
        text = item if isinstance(item, str) else as_object(item).get("text")
        said, blocks = part(text) if isinstance(text, str) else ("", 0)
        if blocks:
            leave_out(LeftOut.ATTACHED, blocks)
        if not isinstance(text, str) or said == text:
            left.append(item)
        elif said:
            left.append(said if isinstance(item, str) else {**as_object(item), "text": said})
    if isinstance(content, list):
        return left
    return left[0] if left else ""


class Call(NamedTuple):
    """A tool call and its result."""

    tool: str | None
    given: object
    returned: str
    beside: object = None
    """Structured answers that the program stores beside the text."""
    is_refused: bool = False
    """Whether the program says that the call was refused."""


class Session(Draft):
    """The draft of one session of a coding assistant."""

    def __init__(
        self, reader: str, reading: Reading, part: Callable[[str], OwnText] = lambda text: OwnText(text, 0), **how: bool
    ) -> None:
        """Begin a session; ``part`` removes the program's context from a text of the user."""
        super().__init__(reader, reading, **how)
        self.part = part
        self.key: str | None = None
        self.title: str | None = None
        self.folder: str | None = None
        self.tools: dict[str, tuple[str | None, object]] = {}
        """Names and arguments of tool calls, by call id."""
        self.is_subagent = False
        """Whether what follows is the work of a sub-agent."""

    def say(self, role: Role, content: str, stamp: Stamp, part: object = None) -> None:
        """Add a turn; all that a sub-agent says or is told is a tool's."""
        if self.is_subagent and role is not Role.TOOL:
            role, stamp = Role.TOOL, stamp._replace(speaker=SUBAGENT)
        super().say(role, content, stamp, part)

    def person(self, content: object, stamp: Stamp) -> None:
        """Add a user message without the program's context; one that becomes empty is left out."""
        said = strip_content(content, self.part, self.leave_out)
        if left := [each for each in said if each] if isinstance(said, list) else said:
            self.say_parts(Role.USER, left, stamp, stamp.place)

    def speak(self, role: object, content: object, stamp: Stamp) -> None:
        """Add a message of the user or the assistant."""
        if role == "user":
            self.person(content, stamp)
        else:
            self.say_parts(Role.ASSISTANT, content, stamp, stamp.place)

    def call(self, key: str | None, name: str | None, given: object, stamp: Stamp, part: object = None) -> None:
        """Add a tool call; ``key`` is its id."""
        if key:
            self.tools[key] = name, given
        self.say(Role.TOOL, tool_call(name, given or {}), stamp._replace(speaker=name), part)

    def returned(self, call: Call, stamp: Stamp, part: object, answers: str) -> None:
        """Add a tool result, and any answers of the user in it."""
        self.say(Role.TOOL, call.returned, stamp._replace(speaker=call.tool), part)
        self.say_answers(call, stamp, answers)

    def result(
        self, key: str | None, returned: str, stamp: Stamp, part: object = None, *, is_refused: bool = False
    ) -> None:
        """Add the result of the call with the id ``key``, and any answers of the user in it."""
        name, given = self.tools.get(key or "", (None, None))
        self.returned(Call(name, given, returned, is_refused=is_refused), stamp, part, f"{part}:answers")

    def say_answers(self, call: Call, stamp: Stamp, part: str) -> None:
        """Add the user's answers in a tool result as user turns, each after the assistant's question."""
        own = stamp._replace(speaker=None)
        for number, (asked, said) in enumerate(_answers(call), 1):
            self.say(Role.ASSISTANT, asked, own, f"{part}:asked-{number}")
            self.say(Role.USER, said, own, f"{part}:said-{number}")

    def with_subagents(
        self,
        lines: Iterable[Line],
        program: str,
        files: Iterable[Whereabouts],
        *,
        is_array: bool = False,
        is_result: Callable[[dict[str, Any]], bool] = lambda _: False,
        messages_of: Callable[[list[Line]], list[Line]] = list,
    ) -> Iterator[Line]:
        """Yield the lines of the session, and of its sub-agents, which are in ``files``."""
        others = []
        for where in files:
            name = PurePosixPath(self.reading.file).with_name(where.path.name)
            own = replace(self.reading, file=str(name), where=where)
            try:
                with where.container.open(where.member) as stream:
                    records = iter_records(stream, own, is_array=is_array)
                    each = Lines(records, own, program)
                    others.append(messages_of(list(each)))
                if each.cut_off:
                    each.cut_off = f"{where.path.name}: {each.cut_off}"
                each.report(self)
            except UnreadableSource as problem:
                self.reading.miss(problem)
                self.lack()
        yield from self._woven(lines, others, is_result)

    def rows(
        self, rows: Iterable[dict[str, Any]], at: str, is_result: Callable[[dict[str, Any]], bool]
    ) -> Iterator[Line]:
        """Yield the session's rows of messages, and those of its sub-agents; ``at`` is the column of a time."""
        of_each: dict[str, list[Line]] = {}
        for row in rows:
            key = str(row["session_id"])
            line = Line(row | {"timestamp": row[at]}, f"session {key}, message {row['id']}")
            of_each.setdefault(key, []).append(line)
        own = of_each.pop(self.key or "", [])
        yield from self._woven(own, of_each.values(), is_result)

    def _woven(
        self, own: Iterable[Line], others: Iterable[list[Line]], is_result: Callable[[dict[str, Any]], bool]
    ) -> Iterator[Line]:
        """Yield lines; those of a sub-agent stand together where its first was written, not between call and result."""

        def began(each: Iterable[Line], without: datetime) -> datetime:
            times = (known_time(line.value.get("timestamp"), self.reading.now, self.reading.zone) for line in each)
            return next(filter(None, times), without)

        waiting = sorted(((began(each, _NEVER), each) for each in others), key=itemgetter(0), reverse=True)
        for line in chain(own, [None]):
            while waiting and (line is None or (waiting[-1][0] < began([line], _ALWAYS) and not is_result(line.value))):
                self.turn_to(is_subagent=True)
                yield from waiting.pop()[1]
            self.turn_to(is_subagent=False)
            if line:
                yield line

    def turn_to(self, *, is_subagent: bool) -> None:
        """Begin with the work of a sub-agent, or end it."""
        self.is_subagent = is_subagent

    def finish(self, **about: Unpack[About]) -> Iterator[Conversation]:
        """Yield the conversation; its project defaults to the folder's name."""
        own = About(source_id=self.key, title=self.title, folder=self.folder, project=folder_name(self.folder))
        own["place"] = f"session {self.key}" if self.key else ""
        own.update(about)
        yield from super().finish(**own)


_ASKING = frozenset({"AskUserQuestion", "request_user_input", "ask_user", "question"})
"""Tools that ask the user, of Claude Code, Codex, Gemini CLI and Copilot CLI, and opencode."""
_CLARIFIED = "The user wants to clarify these questions."


def _answers(call: Call) -> list[tuple[str, str]]:
    """Return pairs of question ("" if there was none) and the user's answer."""
    if call.is_refused or call.tool == "exit_plan_mode":
        found = RULES["refused"].fullmatch(call.returned.strip())
        said = next((text for text in found.groups() if text), "").strip() if found else ""
        if said.startswith(_CLARIFIED):
            return RULES["chosen"].findall(said)
        return [("", said)] if said else []
    return list(_chosen(call)) if call.tool in _ASKING else []


def _chosen(call: Call) -> Iterator[tuple[str, str]]:
    given, kept, returned = (as_object(parsed(each) or each) for each in (call.given, call.beside, call.returned))
    beside = kept or returned
    answers, notes = beside.get("answers"), as_object(beside.get("annotations"))
    for number, question in enumerate(objects(given.get("questions")) or [given]):
        asked = text_field(question, "question", "header") or ""
        if question.get("isSecret") or question.get("is_secret"):
            continue
        if isinstance(answers, list):
            said = _texts(answers[number]) if number < len(answers) else []
        elif isinstance(answers, dict):
            keys = (asked, str(question.get("id")), str(number))
            said = _texts(next((answers[key] for key in keys if key in answers), None))
        else:
            said = _in_words(call.returned, asked)
        said += _texts(as_object(notes.get(asked)).get("notes"))
        if said:
            yield asked, "\n".join(said)
    if response := text_field(beside, "response"):
        yield "", response


def _in_words(returned: str, asked: str) -> list[str]:
    """Find the answer to a question in the text written for the model."""
    if selected := RULES["selected"].fullmatch(returned.strip()):
        return [selected[1]]
    end = r'"(?=, "|\. You can now continue| selected preview:| (?:user )?notes:|\.?\s*$)'
    found = re.search(rf'"{re.escape(asked)}"="(.*?){end}', returned, re.DOTALL)
    return [found[1]] if found and found[1] != "Unanswered" else []


def _texts(answer: object) -> list[str]:
    found = as_object(answer).get("answers", answer)
    texts = found if isinstance(found, list) else [found]
    return [text.removeprefix("user_note: ") for text in texts if isinstance(text, str) and text.strip()]
