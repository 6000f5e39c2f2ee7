"""What a person typed or chose where a tool asked them something, or where they refused a call. Pure.

Programs write it into what the tool returned, between sentences of their own. It is believed only of tools that ask
and of calls that the program says were refused: what any other tool returned may quote anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, text_field
from palace.records import Role

_ASKING = frozenset({"AskUserQuestion", "request_user_input", "ask_user", "question"})
"""Tools of Claude Code, Codex, Gemini CLI and Copilot CLI, opencode."""
_REFUSED = re.compile(
    r"The user doesn't want to proceed with this tool use\.[^\n]{0,200}? (?:To tell you how to proceed, the user said:"
    r"|The user provided the following reason for the rejection:)\s*(?P<claude>.*?)"
    r"(?:\n\nNote: The user's next message may contain a correction[^\n]*)?"
    r"|The user rejected (?:this tool call\. User|permission with) feedback: (?P<other>.*)"
    r"|Plan rejected\. User feedback: (?P<plan>.*)\n\nThe plan is stored at: .*",
    re.DOTALL,
)
_CLARIFIED = "The user wants to clarify these questions."
_CHOSEN = re.compile(r'^- "(.*)"\n  Answer: (.*)$', re.MULTILINE)
_TOLD = re.compile(r"User (?:selected|responded): (.*)", re.DOTALL)


class Call(NamedTuple):
    """A call of a tool and what came of it."""

    tool: str | None
    given: object
    returned: str
    beside: object = None
    """The answers as the program keeps them beside the text."""
    is_refused: bool = False
    """Whether the program says that the call was not made."""


class Answer(NamedTuple):
    """What the person said, and what they were asked, "" where nothing was."""

    said: str
    asked: str = ""


def say_answers(draft: Draft, call: Call, stamp: Stamp, part: str) -> None:
    """Add what the person said in a call as theirs, each behind the question, which is the assistant's."""
    own = stamp._replace(speaker=None)
    for number, answer in enumerate(_answers(call), 1):
        draft.say(Role.ASSISTANT, answer.asked, own, f"{part}:asked-{number}")
        draft.say(Role.USER, answer.said, own, f"{part}:said-{number}")


def _answers(call: Call) -> list[Answer]:
    if call.is_refused or call.tool == "exit_plan_mode":
        found = _REFUSED.fullmatch(call.returned.strip())
        said = next((text for text in found.groups() if text), "").strip() if found else ""
        if said.startswith(_CLARIFIED):
            return [Answer(chosen, asked) for asked, chosen in _CHOSEN.findall(said)]
        return [Answer(said)] if said else []
    return list(_chosen(call)) if call.tool in _ASKING else []


def _chosen(call: Call) -> Iterator[Answer]:
    given = as_object(_parsed(call.given))
    questions = [as_object(each) for each in as_list(given.get("questions")) or [given]]
    beside = as_object(_parsed(call.beside)) or as_object(_parsed(call.returned))
    answers, notes = beside.get("answers"), as_object(beside.get("annotations"))
    for number, question in enumerate(questions):
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
            yield Answer("\n".join(said), asked)
    if response := text_field(beside, "response"):
        yield Answer(response)


def _in_words(returned: str, asked: str) -> list[str]:
    """Find the answer to a question where only the sentence for the model is kept."""
    if told := _TOLD.fullmatch(returned.strip()):
        return [told[1]]
    end = r'"(?=, "|\. You can now continue| selected preview:| (?:user )?notes:|\.?\s*$)'
    found = re.search(rf'"{re.escape(asked)}"="(.*?){end}', returned, re.DOTALL)
    return [found[1]] if found and found[1] != "Unanswered" else []


def _texts(answer: object) -> list[str]:
    """Give the texts of one answer: a text, a list of them, or an object that holds a list."""
    found = as_object(answer).get("answers", answer)
    texts = found if isinstance(found, list) else [found]
    return [text.removeprefix("user_note: ") for text in texts if isinstance(text, str) and text.strip()]


def _parsed(value: Any) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
