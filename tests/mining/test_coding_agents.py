"""Sessions of coding assistants: each message once, however its file grows, is copied, forked or rewritten."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from palace import Drawer, Palace, Role
from tests.readers import front
from tests.readers.opencodes import begin, make, say
from tests.upgrades.make import drawers_of

CORPUS = Path(__file__).parents[1] / "readers" / "corpus" / "exports"
FORK, FORKED = CORPUS / "codex-fork.jsonl", CORPUS / "codex-session.jsonl"


def standing(palace: Palace) -> list[Drawer]:
    return [drawer for drawer in drawers_of(palace) if drawer.replaced_at is None]


def said(palace: Palace) -> list[str]:
    return [drawer.content for drawer in standing(palace)]


@pytest.mark.parametrize("order", [(FORKED, FORK), pytest.param((FORK, FORKED), marks=pytest.mark.nightly)])
def test_a_fork_and_what_it_was_forked_from_stand_once(order: tuple[Path, Path], palace: Palace) -> None:
    for path in order:
        palace.mine(path)
    found = standing(palace)
    assert max(Counter(drawer.content for drawer in found).values()) == 1
    assert len(found) == 9 + 2
    assert {drawer.said_at is not None for drawer in found} == {True}
    assert "And which wire?\n[image mast.png]\n[image]" in said(palace)
    for path in order:
        assert palace.mine(path).drawers_new == 0
    assert len(standing(palace)) == 11


def test_a_fork_whose_session_is_gone_is_read_whole(palace: Palace) -> None:
    assert palace.mine(FORK).drawers_new == 6


@pytest.mark.parametrize("name", ["codex-session.jsonl", "cursor-session.jsonl"])
def test_a_file_that_grows_files_each_message_once(name: str, palace: Palace, tmp_path: Path) -> None:
    data = (CORPUS / name).read_bytes()
    path = tmp_path / "agent-transcripts" / "s-1" / name
    path.parent.mkdir(parents=True)
    lines = data.splitlines(keepends=True)
    for number in range(2, len(lines) + 1, 5):
        whole = b"".join(lines[:number])
        path.write_bytes(whole[: -len(lines[number - 1]) // 2 or None])
        palace.mine(path)
        path.write_bytes(whole)
        palace.mine(path)
    path.write_bytes(data)
    palace.mine(path)
    assert said(palace) == read(CORPUS / name)


def read(path: Path) -> list[str]:
    """Give what stands of a session, as it is read."""
    return [turn.content for found in front.read(path) for turn in found.turns if turn.replaced_by is None]


def test_what_was_taken_back_stands_behind_what_was_said_instead(palace: Palace, tmp_path: Path) -> None:
    lines = (CORPUS / "codex-taken-back.jsonl").read_text().splitlines(keepends=True)
    path = tmp_path / "rollout.jsonl"
    path.write_text("".join(lines[:-5]))
    palace.mine(path)
    assert said(palace)[0] == "Which fuse does the battery need?"
    path.write_text("".join(lines))
    palace.mine(path)
    assert said(palace) == ["Which fuse does the pump need?", "One of 5 amps."]
    assert len(drawers_of(palace)) == 6


def test_a_database_that_grows_files_what_is_new(palace: Palace, tmp_path: Path) -> None:
    database = make(tmp_path / "opencode.db")
    begin(database, "ses_1")
    say(database, "ses_1", 1, "user", "Which fuse does the battery need?")
    running: dict[str, Any] = {
        "type": "tool",
        "tool": "bash",
        "state": {"status": "running", "input": {"command": "ls"}},
    }
    say(database, "ses_1", 2, "assistant", running)
    assert palace.mine(tmp_path).drawers_new == 2
    done = running | {"state": {"status": "completed", "input": {"command": "ls"}, "output": "fuses.md"}}
    database.execute("UPDATE part SET data = ? WHERE message_id = 'msg_ses_1_02'", (json.dumps(done),))
    say(database, "ses_1", 3, "assistant", "A slow fuse of 80 amps.")
    assert palace.mine(tmp_path).drawers_new == 2
    database.close()
    assert palace.mine(tmp_path).drawers_new == 0
    assert [drawer.role for drawer in standing(palace)] == [Role.USER, Role.TOOL, Role.TOOL, Role.ASSISTANT]


def test_sessions_of_one_folder_stand_in_one_wing_whoever_was_asked(palace: Palace) -> None:
    palace.mine(
        CORPUS / "codex-session.jsonl",
        CORPUS / "opencode-storage",
        CORPUS / "copilot-cli-state",
        CORPUS / "gemini-cli-tmp",
    )
    # Gemini CLI was asked in another folder of that name.
    assert {wing.name: (wing.kind, wing.room_count) for wing in palace.tree.wings()} == {
        "efoil": ("project", 3),
        "boats/efoil": ("project", 1),
    }


@pytest.mark.nightly
def test_a_session_of_no_folder_stands_in_the_wing_of_its_program(palace: Palace) -> None:
    for name in ("cursor-session.jsonl", "gemini-cli-log.jsonl", "copilot-cli-history.json"):
        palace.mine(CORPUS / name)
    assert {each.name for each in palace.tree.wings()} == {"Cursor", "Gemini CLI", "GitHub Copilot"}


REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the"
    " new_string was NOT written to the file). "
)
VOLTS = {"question": "Which voltage?", "header": "Motor", "options": [{"label": "12 V"}, {"label": "24 V"}]}
FORM = {"questions": [VOLTS | {"id": "q1"}, {"id": "q2", "question": "The pin?", "isSecret": True}]}
WORDS = "48 V, the pack has 48"
SAID = f"{REJECTED}To tell you how to proceed, the user said:\n{WORDS}"
NOTED = f"{SAID}\n\nNote: The user's next message may contain a correction or preference. Pay close attention."
CLARIFIED = (
    f"{SAID.removesuffix(WORDS)}The user wants to clarify these questions.\n    This means they may have more.\n\n"
    f'    Questions asked:\n- "Which voltage?"\n  Answer: {WORDS}\n- "Why?"\n  (No answer provided)'
)
FILLED_IN = (
    f'User has answered your questions: "Which voltage?"="{WORDS}". You can now continue with the answers in mind.'
)
PLAN = f"Plan rejected. User feedback: {WORDS}\n\nThe plan is stored at: p.md\nRevise the plan."
BY_ID = json.dumps({"answers": {"q1": {"answers": [WORDS]}, "q2": {"answers": ["77"]}}})
FEEDBACK = f"The user rejected this tool call. User feedback: {WORDS}"


def claude_code(name: str, given: object, returned: str, *, failed: bool = False, **more: Any) -> list[Any]:
    call = {"type": "tool_use", "id": "t", "name": name, "input": given}
    result = {"type": "tool_result", "tool_use_id": "t", "content": returned, "is_error": failed}
    said = {"assistant": {"role": "assistant", "content": [call]}, "user": {"role": "user", "content": [result]}}
    return [{"type": role, "sessionId": "s", "uuid": role, "message": each} | more for role, each in said.items()]


def codex(name: str, given: object, returned: str) -> list[Any]:
    call = {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": "c"}
    items = [call, {"type": "function_call_output", "call_id": "c", "output": returned}]
    return [{"type": "session_meta", "payload": {"id": "s"}}, *({"type": "response_item", "payload": p} for p in items)]


def gemini(name: str, given: object, returned: str) -> list[Any]:
    response = {"functionResponse": {"id": "t", "name": name, "response": {"output": returned}}}
    call = {"id": "t", "name": name, "args": given, "result": [response]}
    message = {"id": "m", "type": "gemini", "content": "", "toolCalls": [call]}
    return [{"sessionId": "s", "projectHash": "h"}, message]


def copilot(name: str, given: object, text: str, code: str = "") -> list[Any]:
    ended = {"success": False, "error": {"code": code, "message": text}} if code else {"result": {"content": text}}
    start = {"toolCallId": "t", "toolName": name, "arguments": given}
    events = {"session.start": {"sessionId": "s"}, "tool.execution_start": start}
    events["tool.execution_complete"] = {"toolCallId": "t", **ended}
    return [{"type": kind, "id": kind, "data": data} for kind, data in events.items()]


def opencode(name: str, given: object, **state: Any) -> list[Any]:
    part = {"id": "p", "type": "tool", "tool": name, "state": {"status": "completed", "input": given} | state}
    message = {"info": {"id": "m", "role": "assistant"}, "parts": [part]}
    return [{"info": {"id": "s", "directory": "/boat"}, "messages": [message]}]


ANSWERED = [
    claude_code("AskUserQuestion", FORM, FILLED_IN, toolUseResult={"answers": {"Which voltage?": WORDS}}),
    claude_code("AskUserQuestion", FORM, FILLED_IN),
    claude_code("AskUserQuestion", FORM, CLARIFIED, failed=True),
    codex("request_user_input", FORM, BY_ID),
    gemini("ask_user", FORM, json.dumps({"answers": {"0": WORDS, "1": "77"}})),
    copilot("ask_user", VOLTS, f"User responded: {WORDS}"),
    copilot("ask_user", VOLTS, f"User selected: {WORDS}"),
    opencode("question", FORM, output=FILLED_IN, metadata={"answers": [[WORDS]]}),
    opencode("question", FORM, output=FILLED_IN),
]
REFUSED = [
    claude_code("Bash", {}, SAID, failed=True),
    claude_code("ExitPlanMode", {}, NOTED, failed=True),
    claude_code(
        "Edit", {}, f"{REJECTED}The user provided the following reason for the rejection: {WORDS}", failed=True
    ),
    claude_code("mcp__web__get", {}, NOTED, failed=True, toolDenialKind="user-rejected"),
    gemini("exit_plan_mode", {"plan_path": "p.md"}, PLAN),
    copilot("bash", {}, FEEDBACK, "denied"),
    opencode("bash", {}, status="error", error=f"The user rejected permission with feedback: {WORDS}"),
]
QUOTED = [
    claude_code("Read", {}, SAID),
    claude_code("mcp__web__get", {}, SAID, failed=True),
    claude_code("Bash", {}, f"Exit code 1\n{SAID}", failed=True),
    claude_code("Bash", {}, f"{REJECTED}STOP what you are doing and wait for the user.", failed=True),
    codex("exec", FORM, BY_ID),
    gemini("read_file", FORM, PLAN),
    copilot("bash", {}, FEEDBACK, "failure"),
    copilot("view", VOLTS, f"User responded: {WORDS}"),
    opencode("question", FORM, output='User has answered your questions: "Which voltage?"="Unanswered".'),
]
"""What tools returned of themselves, and what says nothing."""
TYPED = {"answered": ANSWERED, "refused": REFUSED, "quoted": QUOTED}


@pytest.mark.parametrize("kind", TYPED)
def test_what_a_person_answers_a_tool_or_refuses_it_with_is_theirs(kind: str, tmp_path: Path) -> None:
    wrong = []
    for number, lines in enumerate(TYPED[kind]):
        path = tmp_path / f"{number}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        turns = [turn for found in front.read(path) for turn in found.turns]
        theirs = [(turn.role.value, turn.content) for turn in turns if turn.role is not Role.TOOL]
        asked = [("assistant", "Which voltage?")] if kind == "answered" else []
        if theirs != asked + [("user", WORDS)] * (kind != "quoted") or len(turns) != len(theirs) + 2:
            wrong.append((lines, theirs))
    assert not wrong


def log(*lines: tuple[str, str, str]) -> str:
    """Write a log of Claude Code; before the person's words stands ``>``, before calls ``=``, before results ``+``."""
    made = []
    for number, (uuid, parent, text) in enumerate(lines):
        kind = {">": "user", "+": "user", "#": "system"}.get(text[0], "assistant")
        call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": text}}
        result = {"type": "tool_result", "tool_use_id": "t", "content": text}
        content: object = [call] if text[0] == "=" else [result] if text[0] == "+" else text
        about = {"sessionId": "s", "uuid": uuid, "parentUuid": parent or None}
        at = f"2026-04-30T10:00:{number:02}Z"
        made.append({"type": kind, "timestamp": at, "message": {"role": kind, "content": content}} | about)
    return "".join(json.dumps(line) + "\n" for line in made)


REWOUND = {
    "to a prompt in the middle": (
        *(("u1", "", ">1"), ("a1", "u1", "1"), ("u2", "a1", ">old 2"), ("a2", "u2", "old 2"), ("u3", "a2", ">old 3")),
        *(("a3", "u3", "old 3"), ("u4", "a1", ">4"), ("a4", "u4", "4")),
    ),
    "to the first": (("u1", "", ">old 1"), ("a1", "u1", "old 1"), ("u2", "", ">2"), ("a2", "u2", "2")),
    "twice, the second time further back": (
        *(("u1", "", ">1"), ("a1", "u1", "1"), ("u2", "a1", ">old 2"), ("a2", "u2", "old 2"), ("u3", "a2", ">old 3")),
        *(("a3", "u3", "old"), ("u4", "a2", ">old 4"), ("a4", "u4", "old"), ("u5", "a1", ">5"), ("a5", "u5", "5")),
    ),
    "over lines of the program's own": (
        *(("u1", "", ">1"), ("a1", "u1", "1"), ("x1", "a1", "#"), ("u2", "x1", ">old 2"), ("x2", "u2", "#")),
        *(("a2", "x2", "old 2"), ("u3", "a1", ">3"), ("a3", "u3", "3")),
    ),
    "with calls side by side": (
        *(("u1", "", ">1"), ("a1", "u1", "=1"), ("a2", "a1", "=2"), ("r1", "a1", "+1"), ("r2", "a2", "+2")),
        *(("a3", "r2", "3"), ("u2", "a3", ">old 2"), ("a4", "u2", "=old"), ("r4", "a4", "+old"), ("u3", "a3", ">3")),
    ),
    "never: two programs go on with one session": (
        *(("u1", "", ">1"), ("a1", "u1", "1"), ("u2", "a1", ">2"), ("u3", "a1", ">3"), ("a2", "u2", "2")),
        *(("a3", "u3", "3"),),
    ),
    "never: nothing names what stands above": (("u1", "", ">1"), ("a1", "", "1"), ("u2", "", ">2"), ("a2", "", "2")),
    "never: the session was shortened": (
        *(("u1", "", ">1"), ("a1", "u1", "1"), ("c", "", "#"), ("u2", "c", ">2"), ("a2", "u2", "2")),
    ),
}


@pytest.mark.parametrize("name", REWOUND)
def test_what_the_person_went_back_from_is_replaced(name: str, palace: Palace, tmp_path: Path) -> None:
    lines, path = REWOUND[name], tmp_path / "s.jsonl"
    for count in (2, len(lines) // 2, len(lines)):
        path.write_text(log(*lines[:count]))
        palace.mine(path)
    filed = drawers_of(palace)
    assert len(filed) == sum(text != "#" for _, _, text in lines)
    assert [drawer for drawer in filed if (drawer.replaced_at is not None) != ("old" in drawer.content)] == []
    assert palace.mine(path).drawers_new == 0
