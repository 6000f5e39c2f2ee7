"""Whatever stands in a file: conversations with turns or one clear line, and what was said comes back as it was."""

from __future__ import annotations

import gzip
import json
import re
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from palace import Conversation, Role, UnreadableSource
from tests.readers.front import Told, as_bytes, told
from tests.readers.mails import mail, mailbox, multipart

AT = "2026-01-02T03:04:05Z"


def read(content: object, name: str = "chat.json") -> list[Conversation]:
    """Write a file into a folder of its own, for each is another one to a reader that remembers."""
    with TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(as_bytes(content))
        return told(Path(folder, name))[0]


def read_lines(*values: object) -> list[Conversation]:
    return read("".join(json.dumps(value) + "\n" for value in values), "chat.jsonl")


def assert_clear(content: object, name: str = "chat.any") -> None:
    """See that reading ends in conversations with turns and whole lines, or in an error of one line."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "tree", name)
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(content))
        assert_clear_in(path.parent)


def assert_clear_in(folder: Path) -> None:
    found: list[Conversation] = []
    beside, problems = Told(), list[UnreadableSource]()
    try:
        found, beside = told(folder)
    except UnreadableSource as problem:
        problems = [problem]
    assert all(each.turns for each in found)
    assert not any("\n" in str(problem) for problem in [*problems, *beside.failures])
    assert all(kind and count > 0 for kind, count in beside.left_out.items())


KEY_WORDS = (
    "action alt args arguments asset_pointer attachment attachments audio author blocks body call_id chat_messages"
    " children choices content contentBlocks content_references content_type conversation conversations count"
    " create_time current_node data docs elements events fields files from function functionCall haystack_sessions id"
    " input is_error item items kind mapping matched_text memory_files message message_blocks messages metadata name"
    " num_turns offset output parent parts payload previous_message profile project_memories reactions recipient role"
    " rows sender session_1 sessionId source speaker style subtype text thread_ts title toolCall toolCalls"
    " toolRequests tool_calls transcript ts turn_id type url user user_id users uuid value"
)
KEYS = st.sampled_from(KEY_WORDS.split())
VALUE_WORDS = (
    "user assistant tool message text image document file table rich_text rich_text_list rich_text_section tool_use"
    " tool_result message_changed local_command image_asset_pointer audio_transcription thoughts function_call"
    " function_call_output reasoning thread_rolled_back user_message model_editable_context x"
)
WORDS = st.sampled_from(VALUE_WORDS.split())
plain = st.none() | st.booleans() | st.integers(-3, 99) | st.floats(allow_nan=False) | st.text(max_size=4) | WORDS
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)
objects = st.dictionaries(KEYS, values, max_size=6)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    assert_clear(data)


CORPUS = [
    path
    for part in ("exports", "text")
    for path in sorted((Path(__file__).parent / "corpus" / part).iterdir())
    if path.is_file() and ".expected." not in path.name
]
JUNK = [b"\x00" * 500, b"\x1b[31m", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b'"', b"{", b"]", b"```\n", b"9" * 5000]
ENCODINGS = ["utf-16", "utf-32", "latin-1", "cp1252", "shift_jis", "utf-7"]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Give a file of the corpus that was cut, repeated, filled with junk, encoded otherwise, nested, or half packed."""
    path = draw(st.sampled_from(CORPUS))
    data = path.read_bytes()
    first, last = sorted(draw(st.integers(0, len(data))) for _ in range(2))
    junk, depth = draw(st.sampled_from(JUNK)), draw(st.sampled_from([100, 5000, 100_000]))
    changes = [
        *(data[:first], data[last:], data[:first] + data[last:], data[:last] + data[first:] * 3),
        *(data[:first] + junk + data[first:], data[:first] + b"[" * depth + b"1" + b"]" * depth + data[first:]),
        data.decode("utf-8", "replace").encode(draw(st.sampled_from(ENCODINGS)), "replace"),
        *(gzip.compress(data), gzip.compress(data)[: first + 10]),
    ]
    return path.name, draw(st.sampled_from(changes))


@given(damaged())
def test_a_damaged_file_is_read_or_refused_in_one_line(file: tuple[str, bytes]) -> None:
    assert_clear(file[1], file[0])


@given(values)
def test_any_json(value: object) -> None:
    assert_clear(json.dumps(value))


def shapes(odd: dict[str, Any]) -> dict[str, object]:
    """Give exports with something odd anywhere in them."""
    said = {"author": {"role": "assistant"}, "content": {"parts": ["x"], **odd}, "metadata": odd, **odd}
    mapping = {"a": {"id": "a", "message": said}, "b": {"message": {**odd, "author": {"role": "user"}, "content": odd}}}
    human = {"sender": "human", "content": [odd, {"type": "tool_use", "name": "artifacts", "input": odd}]}
    line = {"type": "user", "sessionId": "s", "message": {"content": "x"}}
    design = {"role": "user", "content": odd.get("text"), "contentBlocks": [odd], "attachments": [odd], **odd}
    return {
        "ChatGPT": [{"mapping": mapping, **odd}],
        "Claude": [{"chat_messages": [human, {**human, "files": [odd], "attachments": [odd], **odd}], "project": odd}],
        "Claude's projects": [{"uuid": "p", "name": "P", "docs": [odd, *odd.values()]}, {"memory_files": [odd, 3]}],
        "Claude's design": {"uuid": "d", "messages": [{"role": "user", "content": design}, {"content": odd, **odd}]},
        "Claude Code": [line, {**line, "message": {"content": [odd]}}, {**line, "type": "attachment", "data": odd}],
        "messages": [{"messages": [{"role": "user", "content": "x"}, odd, {"role": "user", "content": [odd], **odd}]}],
        "responses": {"object": "response", "output": [{"type": "web_search_call"}, odd, {**odd, "type": "mcp_call"}]},
    }


@given(objects)
def test_any_value_anywhere_in_an_export(odd: dict[str, Any]) -> None:
    for value in shapes(odd).values():
        assert_clear(value, "chat.json")


def transcripts(said: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Give transcripts of assistants with a first line that is as it should be, and others only framed so."""
    codex = ["response_item", "event_msg", "turn_context", "compacted"]
    copilot = ["user.message", "assistant.message", "tool.execution_start", "tool.execution_complete", "session.start"]
    claude = ["user", "assistant", "attachment"]
    return {
        "codex": [
            {"timestamp": AT, "type": "session_meta", "payload": {"id": "s", "cwd": "/w/efoil"}},
            *({"timestamp": AT, "type": codex[n % 4], "payload": each} for n, each in enumerate(said)),
        ],
        "gemini": [{"sessionId": "g", "projectHash": "h"}, *said],
        "cursor": [{"role": "user", "message": {"content": "x"}}, *said],
        "copilot": [
            {"type": "session.start", "data": {"sessionId": "s"}},
            *({"type": copilot[n % 5], "id": str(n), "data": each} for n, each in enumerate(said)),
        ],
        "claude": [
            {"type": "user", "sessionId": "s", "message": {"content": "x"}},
            *({"type": claude[n % 3], **each} for n, each in enumerate(said)),
        ],
    }


@given(st.lists(objects, max_size=6))
def test_an_odd_line_of_a_transcript_refuses_no_file_and_no_id_comes_twice(said: list[dict[str, Any]]) -> None:
    for program, lines in transcripts(said).items():
        ids = [turn.source_id for each in read_lines(*lines) for turn in each.turns if turn.source_id]
        assert len(ids) == len(set(ids)), program


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="<>#[]"), min_size=1, max_size=20
)
talks = st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), words), min_size=1, max_size=8)
BLOCK = "<memory_context>\n§ W-001/R-01/D-001 | user, 2026-01-02\n  Derek likes tabs\n</memory_context>\n\n"


@given(talks)
def test_codex_gives_back_what_was_said_and_nothing_that_was_put_around_it(talk: list[tuple[Role, str]]) -> None:
    def line(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": AT, "type": kind, "payload": payload}

    def message(role: str, kind: str, text: str) -> dict[str, Any]:
        return line("response_item", type="message", role=role, content=[{"type": kind, "text": text}])

    lines = [line("session_meta", id="s", cwd="/w/efoil")]
    for number, (role, text) in enumerate(talk):
        lines += [
            line("turn_context", turn_id=f"t{number}"),
            message("user", "input_text", "<environment_context>\n</environment_context>"),
            message("developer", "input_text", BLOCK),
            message(role.value, "output_text" if role is Role.ASSISTANT else "input_text", text),
            line("event_msg", type="user_message" if role is Role.USER else "agent_message", message=text),
        ]
    for told_of in (lines, [each for each in lines if each["type"] != "event_msg"]):
        [found] = read_lines(*told_of)
        assert [(turn.role, turn.content) for turn in found.turns] == talk


@given(talks)
def test_claude_code_gives_back_what_was_said_without_reminders(talk: list[tuple[Role, str]]) -> None:
    reminder = "<system-reminder>\nThe date has changed.\n</system-reminder>"
    lines = [
        {
            **{"type": role.value, "uuid": str(number), "sessionId": "s", "timestamp": AT},
            "message": {"content": f"{BLOCK}{text}\n{reminder}" if role is Role.USER else text},
        }
        for number, (role, text) in enumerate(talk)
    ]
    [found] = read_lines(*lines)
    assert [(turn.role, turn.content) for turn in found.turns] == talk


@given(st.lists(st.text(st.characters(), min_size=1), min_size=1, max_size=4))
def test_any_content_of_a_message_comes_back_unchanged(texts: list[str]) -> None:
    [found] = read([{"role": "user", "content": text} for text in texts])
    assert [turn.content for turn in found.turns] == texts


readable = st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t")
label_free = st.text(readable, max_size=60).filter(lambda text: not re.search(r"(?m):|\*\*|^#|```|~~~", text))


@given(st.lists(label_free, min_size=2, max_size=6))
def test_what_is_written_as_a_transcript_comes_back_as_it_was(texts: list[str]) -> None:
    kept = [f".{text}." for text in texts]
    labels = ["User", "Assistant"] * 3
    written = "\n\n".join(f"{label}: {text}" for label, text in zip(labels, kept, strict=False))
    [found] = read(written, "talk.txt")
    assert [turn.content for turn in found.turns] == kept


quiet = st.text(st.characters(categories=["L"], include_characters=" \n"), max_size=80).map(lambda text: f"{text}\n")


@given(quiet, st.lists(quiet, min_size=1, max_size=6))
def test_every_line_of_a_dated_note_stands_in_one_turn(before: str, texts: list[str]) -> None:
    days = [date(2024, 5, 1) + timedelta(days=number) for number in range(len(texts))]
    written = before + "".join(f"## {day}\n\n{text}x\n\n" for day, text in zip(days, texts, strict=True))
    [found] = read(written, "diary.md")
    said = [line for turn in found.turns for line in turn.content.split("\n") if line.strip()]
    assert said == [line for line in written.split("\n") if line.strip()]
    assert [turn.said_at.date() for turn in found.turns if turn.said_at] == days


MAIL_LINES = st.sampled_from(
    ["> a", ">> b", "", "On 1 May, Ann wrote:", "From: Ann", "Sent: now", "To: x", "Subject: y", "___________", "text"]
)


@given(st.lists(MAIL_LINES, max_size=30))
def test_every_word_of_a_mail_is_in_one_of_its_turns(lines: list[str]) -> None:
    found = read(mail("\n".join([*lines, "end"]), "Subject: Mast"), "x.eml")
    said = " ".join(turn.content for each in found for turn in each.turns).replace(">", " ").split()
    given_words = " ".join(lines).replace(">", " ").split()
    assert [said.count(word) for word in ("text", "a", "b")] == [given_words.count(word) for word in ("text", "a", "b")]


TABLE = b'date,author,message\n2024-05-01 10:32,Ann,"Hello, Bob.\nAll well?"\n2024-05-02 08:00,Bob,Yes.\n'
HEADS, PARTS = multipart(
    "alternative", [("Content-Type: text/plain", "Plain."), ("Content-Type: text/html", "<p>Rich")]
)
BOX = mailbox(mail(PARTS, HEADS, "Subject: =?utf-8?q?M=C3=A4st?="), mail("Second.\n\nAnn wrote:\n> x\n", number=2))


@given(st.sampled_from([("x.csv", TABLE), ("x.mbox", BOX)]), st.data())
def test_a_damaged_table_or_mailbox_is_read_as_far_as_it_can_be(whole: tuple[str, bytes], data: st.DataObject) -> None:
    name, content = whole
    at, length = data.draw(st.integers(0, len(content))), data.draw(st.integers(0, 200))
    assert_clear(content[:at] + data.draw(st.binary(max_size=12)) + content[at + length :], name)
