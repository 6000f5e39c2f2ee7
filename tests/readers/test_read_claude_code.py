"""Claude Code transcripts: sessions, tools, bookkeeping, files still being written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]


def line(uuid: str, content: Any, kind: str = "user", **fields: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": uuid,
        "sessionId": "s1",
        "cwd": "/home/derek/efoil",
        "timestamp": "2026-01-15T10:30:00.000Z",
        "message": {"role": kind, "content": content},
        **fields,
    }


def test_a_session_is_a_conversation_with_global_turn_ids(read_lines: Read) -> None:
    [found] = read_lines(line("u1", "fix it"), line("u2", [{"type": "text", "text": "Done."}], "assistant"))
    assert (found.reader, found.source_id, found.project) == ("claude-code", "s1", "efoil")
    assert found.turn_ids_are_global
    assert [(t.role, t.content, t.source_id) for t in found.turns] == [
        (Role.USER, "fix it", "u1"),
        (Role.ASSISTANT, "Done.", "u2"),
    ]


def test_tools_are_turns_with_ids_of_their_own(read_lines: Read) -> None:
    use = [
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}},
    ]
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "a\nb", "is_error": False}]
    [found] = read_lines(line("u1", use, "assistant"), line("u2", result))
    assert [(t.role, t.content, t.source_id) for t in found.turns] == [
        (Role.ASSISTANT, "Looking.", "u1"),
        (Role.TOOL, 'Bash {"command": "ls"}', "u1:1"),
        (Role.TOOL, "a\nb", "u2:0"),
    ]


def test_a_streamed_answer_in_several_lines_is_several_turns(read_lines: Read) -> None:
    lines = [line(f"u{n}", [{"type": "text", "text": f"part {n}"}], "assistant") for n in (1, 2)]
    for each in lines:
        each["message"]["id"] = "msg_1"
    assert [t.content for t in read_lines(*lines)[0].turns] == ["part 1", "part 2"]


def test_sidechains_meta_lines_and_bookkeeping_are_left_out(read_lines: Read) -> None:
    [found] = read_lines(
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        {"type": "queue-operation", "operation": "enqueue", "sessionId": "s1", "content": "x"},
        {"type": "last-prompt", "lastPrompt": "x"},
        line("u1", "warm up", isSidechain=True),
        line("u2", "Caveat: …", isMeta=True),
        line("u3", "This session is being continued…", isCompactSummary=True),
        {**line("u4", "x", "system"), "content": "hook ran"},
        line("u5", [{"type": "thinking", "thinking": "hm"}], "assistant"),
        line("u6", "hello"),
    )
    assert [t.content for t in found.turns] == ["hello"]


def test_commands_are_the_users_and_their_output_is_the_tools(read_lines: Read) -> None:
    texts = [
        "<command-name>/model</command-name>",
        "<local-command-stdout>Set model</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
    ]
    [found] = read_lines(*(line(f"u{n}", text) for n, text in enumerate(texts)))
    assert [t.role for t in found.turns] == [Role.USER, Role.TOOL, Role.USER, Role.TOOL]
    assert [t.content for t in found.turns] == texts


def test_pictures_leave_a_placeholder(read_lines: Read) -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "…"}}
    [found] = read_lines(line("u1", [picture, {"type": "text", "text": "see?"}]))
    assert found.turns[0].content == "[image]\nsee?"


def test_a_file_may_hold_several_sessions(read_lines: Read) -> None:
    found = read_lines(line("u1", "a"), line("u2", "b", sessionId="s2"), line("u3", "c"))
    assert [(c.source_id, [t.content for t in c.turns]) for c in found] == [("s1", ["a", "c"]), ("s2", ["b"])]


def test_a_summary_of_one_of_its_messages_is_the_title(read_lines: Read) -> None:
    [found] = read_lines(
        {"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"},
        line("u1", "a"),
        {"type": "summary", "summary": "Battery wiring", "leafUuid": "u1"},
    )
    assert found.title == "Battery wiring"


def test_a_title_given_to_the_session_wins(read_lines: Read) -> None:
    [found] = read_lines(
        line("u1", "a"),
        {"type": "summary", "summary": "Battery wiring", "leafUuid": "u1"},
        {"type": "custom-title", "customTitle": "Efoil", "sessionId": "s1"},
    )
    assert found.title == "Efoil"


@pytest.mark.parametrize(
    ("cwd", "project"), [("C:\\Users\\derek\\boat", "boat"), ("/srv/a/", "a"), ("/", None), (None, None)]
)
def test_the_project_is_the_last_folder_of_the_path(read_lines: Read, cwd: str | None, project: str | None) -> None:
    assert read_lines(line("u1", "a", cwd=cwd))[0].project == project


def test_the_project_stays_that_of_the_first_line(read_lines: Read) -> None:
    assert read_lines(line("u1", "a"), line("u2", "b", cwd="/elsewhere"))[0].project == "efoil"


def test_a_last_line_still_being_written_is_left_out_with_a_warning(read: Read) -> None:
    whole = json.dumps(line("u1", "a")) + "\n"
    cut = json.dumps(line("u2", "ünfinished"), ensure_ascii=False).encode()
    for length in range(1, len(cut) - 1):
        [found] = read(whole.encode() + cut[:length], "chat.jsonl")
        assert [t.content for t in found.turns] == ["a"]
        assert found.warnings == ("line 2 is cut off, still being written perhaps, and was left out",)


def test_a_cut_off_line_in_the_middle_is_missing_alone(read_told: ReadTold) -> None:
    lines = [json.dumps(line("u1", "a")), '{"type": "us', json.dumps(line("u3", "c")), '{"type": "us', ""]
    [found], reading = read_told("\n".join(lines), "chat.jsonl")
    assert [turn.content for turn in found.turns] == ["a", "c"]
    assert found.is_partial
    assert reading.left_out == {"lines that could not be read": 2}
    assert [problem.place for problem in reading.failures] == ["line 2, column 13", "line 4, column 13"]


@pytest.mark.parametrize("odd", [{"silly": "this"}, 42])
def test_an_odd_line_is_named_and_missing_alone(read_told: ReadTold, odd: Any) -> None:
    [found], reading = read_told("\n".join(map(json.dumps, (line("u1", "a"), odd, line("u2", "b")))), "chat.jsonl")
    assert len(found.turns) == 2
    assert "line 2: is not a line of a Claude Code transcript" in str(reading.failures)


@pytest.mark.parametrize("message", [{"role": "user"}, "error", {"role": "user", "content": 3}])
def test_a_message_that_cannot_be_read_is_missing_alone(read_told: ReadTold, message: Any) -> None:
    lines = [line("u1", "a"), line("u2", "b", sessionId="s2", message=message), line("u3", "c", sessionId="s2")]
    found, reading = read_told("\n".join(map(json.dumps, lines)), "chat.jsonl")
    assert [[turn.content for turn in conversation.turns] for conversation in found] == [["a"], ["c"]]
    assert [problem.place for problem in reading.failures] == ["line 2"]


def test_a_file_with_nothing_but_bookkeeping_gives_nothing(read_lines: Read) -> None:
    assert read_lines({"type": "summary", "summary": "x", "leafUuid": "y"}) == []


def test_lines_without_a_session_are_one_conversation(read_lines: Read) -> None:
    plain = {"type": "user", "message": {"role": "user", "content": "hi"}, "timestamp": "2026-01-15T10:30:00Z"}
    [found] = read_lines(plain, plain)
    assert (found.source_id, len(found.turns)) == (None, 2)
