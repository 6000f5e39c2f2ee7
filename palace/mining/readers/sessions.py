"""What sessions of coding assistants have in common.

A JSON object a line, appended while a session goes on. What programs put around a person's words before a model reads
them stands in tags of their own: only what stands in front of a text or behind it is taken off, for whoever quotes such
a tag between words of their own has said it. What a person typed or chose where a tool asked them, or where they
refused a call, stands in what the tool returned, between sentences of the program's: it is believed only of tools that
ask and of calls that the program says were refused, as what any other tool returned may quote anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple, Unpack

from palace.mining.drafts.draft import About, Draft, Stamp
from palace.mining.drafts.parts import tool_call
from palace.mining.files.fields import as_object, objects, parsed, text_field
from palace.mining.files.json_records import CutOffLine
from palace.mining.files.reading import UNREAD_LINES, LeftOut, Reading, Record
from palace.models import Conversation, Role
from palace.nlp.rules import Rules

RULES = Rules("readers", "sessions.toml")
LAST_LINE = "last lines that break off"


@cache
def counted(program: str) -> dict[str, str]:
    """Map what a program writes where nobody says anything to what it is counted as."""
    return {word: kind for kind, words in RULES.table(f"{program}-counted").items() for word in words.split()}


class Line(NamedTuple):
    """One line that could be read."""

    value: dict[str, Any]
    place: str


@dataclass(slots=True)
class Lines:
    """The lines of one transcript; what cannot be read of it is reported, and the others go on."""

    records: Iterator[Record]
    reading: Reading
    program: str
    is_line: Callable[[dict[str, Any]], bool] = lambda _: True
    is_partial: bool = False
    cut_off: str = ""
    """A warning about a last line that breaks off."""

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
        """Note in a conversation what could not be read; a last line that breaks off in the last of them."""
        if self.is_partial:
            draft.lack()
        if self.cut_off and is_last:
            draft.warn(self.cut_off)


def folder_name(folder: str | None) -> str | None:
    """Name a project after the folder that was worked in: its last part."""
    if not folder:
        return None
    is_windows = "\\" in folder and not folder.startswith("/")
    return (PureWindowsPath(folder) if is_windows else PurePosixPath(folder)).name or None


class Parted(NamedTuple):
    """A text without what a program put around it."""

    said: str
    """As it stands where nothing was taken off; else without the blank lines that parted it from that."""
    blocks: int
    """How many were taken off."""


class Tags:
    """The tags that one program writes around what it puts in front of a person's words or behind them."""

    def __init__(self, program: str) -> None:
        """Take the program's name in ``sessions.toml``, which lists the names of its tags."""
        self._program = program

    @cached_property
    def _front(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, RULES.words(self._program)))
        return re.compile(rf"\s*<({names})(?:\s[^<>\n]{{0,500}})?>.*?</\1>", re.DOTALL)

    def part(self, text: str) -> Parted:
        """Take the blocks off both ends of a text; one that does not end is left as it is."""
        start, end, count = 0, len(text), 0
        while found := self._front.match(text, start):
            start, count = found.end(), count + 1
        while (opened := self._last(text, start, end)) >= start:
            end, count = opened, count + 1
        return Parted(text[start:end].strip(), count) if count else Parted(text, 0)

    def _last(self, text: str, start: int, end: int) -> int:
        while end > start and text[end - 1].isspace():
            end -= 1
        name = next((name for name in RULES.words(self._program) if text.endswith(f"</{name}>", start, end)), "")
        return max(text.rfind(f"<{name}>", start, end), text.rfind(f"<{name} ", start, end)) if name else -1


def part_content(content: object, part: Callable[[str], Parted], leave_out: Callable[[str, int], None]) -> object:
    """Take what was put around them off the texts of a message's content; what then says nothing is left out."""
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
    """A call of a tool and what came of it."""

    tool: str | None
    given: object
    returned: str
    beside: object = None
    """The answers as the program keeps them beside the text."""
    is_refused: bool = False
    """Whether the program says that the call was not made."""


class Session(Draft):
    """The draft of one session of a program."""

    def __init__(
        self, reader: str, reading: Reading, part: Callable[[str], Parted] = lambda text: Parted(text, 0), **how: bool
    ) -> None:
        """``part`` takes off a text of the person's what the program put around it."""
        super().__init__(reader, reading, **how)
        self.part = part
        self.key: str | None = None
        self.title: str | None = None
        self.folder: str | None = None
        self.tools: dict[str, tuple[str | None, object]] = {}
        """Names and arguments of the tools called, by the id of the call."""

    def person(self, content: object, stamp: Stamp) -> None:
        """Add what the person typed, without what was put around it; nothing where nothing is left."""
        said = part_content(content, self.part, self.leave_out)
        if left := [each for each in said if each] if isinstance(said, list) else said:
            self.say_parts(Role.USER, left, stamp, stamp.place)

    def call(self, key: str | None, name: str | None, given: object, stamp: Stamp, part: object = None) -> None:
        """Add a call of a tool, known by its key."""
        if key:
            self.tools[key] = name, given
        self.say(Role.TOOL, tool_call(name, given or {}), stamp._replace(speaker=name), part)

    def returned(self, call: Call, stamp: Stamp, part: object, answers: str) -> None:
        """Add what a call returned, and what the person said in it."""
        self.say(Role.TOOL, call.returned, stamp._replace(speaker=call.tool), part)
        self.say_answers(call, stamp, answers)

    def say_answers(self, call: Call, stamp: Stamp, part: str) -> None:
        """Add what the person said in a call as theirs, each behind the question, which is the assistant's."""
        own = stamp._replace(speaker=None)
        for number, (asked, said) in enumerate(_answers(call), 1):
            self.say(Role.ASSISTANT, asked, own, f"{part}:asked-{number}")
            self.say(Role.USER, said, own, f"{part}:said-{number}")

    def finish(self, **about: Unpack[About]) -> Iterator[Conversation]:
        """Yield the conversation, named after its folder unless ``about`` says otherwise."""
        about.setdefault("source_id", self.key)
        about.setdefault("title", self.title)
        about.setdefault("folder", self.folder)
        about.setdefault("project", folder_name(self.folder))
        about.setdefault("place", f"session {self.key}" if self.key else "")
        yield from super().finish(**about)


_ASKING = frozenset({"AskUserQuestion", "request_user_input", "ask_user", "question"})
"""Tools of Claude Code, Codex, Gemini CLI and Copilot CLI, opencode."""
_CLARIFIED = "The user wants to clarify these questions."


def _answers(call: Call) -> list[tuple[str, str]]:
    """List what the person was asked, "" where nothing was, and what they said."""
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
    """Find the answer to a question where only the sentence for the model is kept."""
    if selected := RULES["selected"].fullmatch(returned.strip()):
        return [selected[1]]
    end = r'"(?=, "|\. You can now continue| selected preview:| (?:user )?notes:|\.?\s*$)'
    found = re.search(rf'"{re.escape(asked)}"="(.*?){end}', returned, re.DOTALL)
    return [found[1]] if found and found[1] != "Unanswered" else []


def _texts(answer: object) -> list[str]:
    found = as_object(answer).get("answers", answer)
    texts = found if isinstance(found, list) else [found]
    return [text.removeprefix("user_note: ") for text in texts if isinstance(text, str) and text.strip()]
