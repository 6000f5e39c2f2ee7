"""Plain-text and Markdown transcripts, quoted ones, aider histories, and notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
U, A, S, T = Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.TOOL


def said(conversation: Conversation) -> list[tuple[Role, str]]:
    return [(turn.role, turn.content) for turn in conversation.turns]


@pytest.mark.parametrize(
    "text",
    [
        "User: Hi\nAssistant: Hello\n",
        "User:\nHi\n\nAssistant:\nHello\n",
        "Human: Hi\n\nAI: Hello",
        "**User:** Hi\n\n**Assistant:** Hello\n",
        "**User**: Hi\n**Assistant**: Hello\n",
        "**User**\n\nHi\n\n**Assistant**\n\nHello\n",
        "### User\n\nHi\n\n### Assistant\n\nHello\n",
        "## 🧑 User:\nHi\n## 🤖 Assistant:\nHello\n",
        "# You said:\nHi\n# ChatGPT said:\nHello\n",
        "🧑 User: Hi\n🤖 Assistant: Hello\n",
        "User: Hi\r\n\r\nAssistant: Hello\r\n",
        "user: Hi\nassistant: Hello\n",
        "> Hi\n\nHello\n\n> Hi\n\nHello",
        "You (2024-05-01 10:32): Hi\nClaude (2024-05-01 10:33): Hello\n",
    ],
)
def test_every_style_of_label_is_read(read: Read, text: str) -> None:
    [found] = read(text, "x.md")
    assert found.reader == "transcript"
    assert said(found)[:2] == [(U, "Hi"), (A, "Hello")]


def test_what_is_said_is_kept_with_its_inner_lines_and_spaces(read: Read) -> None:
    text = "User:  two spaces \n\n  indented\n\tand a tab\n\n\nAssistant: \n one\r\ntwo\r\n\r\nUser: x\n"
    [found] = read(text, "x.txt")
    assert said(found) == [(U, " two spaces \n\n  indented\n\tand a tab"), (A, " one\r\ntwo"), (U, "x")]


def test_an_answer_may_hold_labels_of_another_style(read: Read) -> None:
    text = "## User\nWrite a dialogue.\n\n## Assistant\nUser: Hi\nAssistant: Hello\n\n### User\n\n**User:** bye\n"
    [found] = read(text, "x.md")
    assert said(found) == [
        (U, "Write a dialogue."),
        (A, "User: Hi\nAssistant: Hello\n\n### User\n\n**User:** bye"),
    ]


def test_a_note_inside_an_answer_is_no_speaker(read: Read) -> None:
    text = "User: How?\nAssistant: So.\nNote: careful.\nNote: very.\nUser: Thanks\n"
    assert said(read(text, "x.txt")[0])[1] == (A, "So.\nNote: careful.\nNote: very.")


def test_code_is_never_split(read: Read) -> None:
    code = "```yaml\nUser: root\nAssistant: none\n~~~\n```"
    [found] = read(f"User: See\n{code}\nAssistant: I see\n", "x.md")
    assert said(found) == [(U, f"See\n{code}"), (A, "I see")]


def test_a_fence_that_is_never_closed_hides_nothing(read: Read) -> None:
    [found] = read("User: See\n```\ncode\nAssistant: I see\n", "x.md")
    assert said(found) == [(U, "See\n```\ncode"), (A, "I see")]


def test_names_that_take_turns_are_speakers(read: Read) -> None:
    [found] = read("Derek: Ready?\nAnna: Yes.\nTip: none\nDerek: Go!\nAnna: Gone.\n", "x.txt")
    assert [(t.role, t.speaker, t.content) for t in found.turns] == [
        (U, "Derek", "Ready?"),
        (U, "Anna", "Yes.\nTip: none"),
        (U, "Derek", "Go!"),
        (U, "Anna", "Gone."),
    ]


def test_a_name_that_speaks_once_between_two_others_is_not_guessed(read: Read) -> None:
    [found] = read("Derek: a\nAnna: b\nDerek: c\nAnna: d\nBattery: flat\n", "x.txt")
    assert found.turns[-1].content == "d\nBattery: flat"


def test_stamped_names_are_speakers_and_bring_their_times(read: Read) -> None:
    [found] = read("[2024-05-01 10:32] Derek: Ready?\n[2024-05-01 10:33] Anna: Yes.\n", "x.txt")
    assert [(t.speaker, t.content, t.said_at) for t in found.turns] == [
        ("Derek", "Ready?", datetime(2024, 5, 1, 10, 32, tzinfo=UTC)),
        ("Anna", "Yes.", datetime(2024, 5, 1, 10, 33, tzinfo=UTC)),
    ]
    assert found.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        "[10:32] Derek: Ready?\n[10:33] Anna: Yes.\n",
        "Derek (10:32): Ready?\nAnna (10:33): Yes.\n",
        "Derek [10:32 AM]: Ready?\nAnna [10:33 AM]: Yes.\n",
    ],
)
def test_a_time_of_day_marks_a_speaker_but_is_no_date(read: Read, text: str) -> None:
    [found] = read(text, "x.txt")
    assert [(t.speaker, t.content, t.said_at) for t in found.turns] == [
        ("Derek", "Ready?", None),
        ("Anna", "Yes.", None),
    ]


def test_a_model_is_named_as_the_speaker_and_a_role_is_not(read: Read) -> None:
    [found] = read("Human: Hi\nClaude: Hello\nSystem: Be brief.\nTool: 3\nChatGPT said: 4\n", "x.txt")
    assert [t.role for t in found.turns] == [U, A, S, T, A]
    assert [t.speaker for t in found.turns] == [None, "Claude", None, None, "ChatGPT"]


def test_the_title_and_what_stands_before_the_first_label_are_kept(read: Read) -> None:
    front = "---\ntitle: 'Battery talk'\ntags: x\n---\n"
    [found] = read(front + "# Ignored heading\n\nSaved from the web.\n\nUser: Hi\nAssistant: Hello\n", "x.md")
    assert found.title == "Battery talk"
    assert said(found)[0] == (S, "# Ignored heading\n\nSaved from the web.")


def test_a_heading_alone_before_the_first_label_is_the_title_only(read: Read) -> None:
    [found] = read("# Battery talk\n\n---\n\nUser: Hi\nAssistant: Hello\n", "x.md")
    assert (found.title, len(found.turns)) == ("Battery talk", 2)


NOTES = {
    "prose": "Note: buy milk.\nAlso: eggs.\nNote: and bread.\n",
    "recipe": "# Soup\n\nServes: 4\n\nIngredients:\n- water\n\nMethod:\nBoil it.\n\nTip: salt.\n",
    "front matter": "---\nuser: derek\nassistant: none\n---\n\nJust text.\n",
    "one label": "User: only one line\n",
    "users only": "User: one\nUser: two\n",
    "records": "Name: Bob\nAge: 3\n\nName: Al\nAge: 4\n",
    "names once": "Derek: hi\nAnna: hello\n",
    "urls": "https://a.example\nhttp://b.example\nhttps://c.example\n",
    "log": "[10:32] ERROR: disk\n[10:33] INFO: ok\n[10:34] ERROR: disk\n",
    "definitions": "Amp: a unit of current.\nVolt: a unit of tension.\nOhm: a unit of resistance.\n",
    "headings": "# User guide\n\n## Assistant settings\n\ntext\n\n## User\n\ntext\n",
    "prose with a later dialogue": "I met them.\n\nDerek: hi\nAnna: hello\nDerek: bye\nAnna: bye\n",
    "letter": "MIME-Version: 1.0\nContent-Type: text/plain\nMIME-Version: 1.0\n\nHello\n",
    "reference manual": "Extends: A\n\n# Methods\n\nReturns: B\nExtends: C\nReturns: D\n",
    "one quotation": "> To be or not to be\n\nThat is from Hamlet.\n",
    "cited quotations": "> To be\n> — Hamlet\n\nWell.\n\n> Or not\n\nIndeed.\n",
    "quotations inside": "An essay.\n\n> One.\n\nText.\n\n> Two.\n\nText.\n",
    "markdown list": "- User: a\n- Assistant: b\n",
    "template": "{{ not json }}\n",
    "bracket": "[draft] An idea\n",
    "reference": "[1] A paper\n",
    "task list": "[ ] buy milk\n[x] call Anna\n",
    "wiki link": "[[Efoil]] needs a battery.\n",
    "braces": "{placeholder} text\n",
    "citations": "Smith (2020): found it.\nJones (2021): did not.\n",
}


@pytest.mark.parametrize("text", NOTES.values(), ids=NOTES)
def test_a_text_that_is_no_transcript_is_one_note_word_for_word(read: Read, text: str) -> None:
    [found] = read(text, "x.md")
    assert found.reader == "note"
    assert said(found) == [(U, text)]


def test_a_note_is_called_by_its_heading_else_by_its_first_line(read: Read) -> None:
    assert read("text\n\n# Efoil ideas #\n", "x.md")[0].title == "Efoil ideas"
    assert read("\n  First line  \nSecond\n", "x.md")[0].title == "First line"
    long = read("word " * 100, "x.md")[0].title
    assert long is not None
    assert len(long) <= 60
    assert long.endswith("…")


def test_a_comment_in_code_is_no_title(read: Read) -> None:
    assert read("```\n# not a title\n```\n# Title\n", "x.md")[0].title == "Title"


def test_quoted_blocks_are_the_users_and_lose_their_marks_only(read: Read) -> None:
    text = "# Talk\n\n> one\n>\n>   two\n\nAnswer\n\n```\n> code\n```\n\n>three\n"
    [found] = read(text, "x.md")
    assert found.title == "Talk"
    assert said(found) == [(U, "one\n\n  two"), (A, "Answer\n\n```\n> code\n```"), (U, "three")]


def test_an_aider_history_is_read_session_by_session(read: Read) -> None:
    text = (
        "\n# aider chat started at 2026-03-10 14:23:01\n\n#### fix login\n#### please\n\n"
        "Done:\n\n```py\n#### not you\n```\n\n> Applied edit to login.py\n\n"
        "# aider chat started at 2026-03-11 09:15:30\n\n#### ok\n"
    )
    first, second = read(text, ".aider.chat.history.md")
    assert said(first) == [
        (U, "fix login\nplease"),
        (A, "Done:\n\n```py\n#### not you\n```"),
        (T, "Applied edit to login.py"),
    ]
    assert first.started_at == datetime(2026, 3, 10, 14, 23, 1, tzinfo=UTC)
    assert said(second) == [(U, "ok")]


def test_what_stands_before_the_first_session_of_aider_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("cut off here\n\n> x\n# aider chat started at 2026-03-10 14:23:01\n\n#### fix\n", encoding="utf-8")
    [source] = list_sources(path)
    reading = Reading(source.file)
    assert len(list(read_conversations(source, reading))) == 1
    assert dict(reading.left_out) == {"lines in front of aider's first session": 2}


def test_a_grown_transcript_begins_with_the_same_turns(read: Read) -> None:
    before = "User: Hi\n\nAssistant: Hello\n\n"
    [old], [new] = read(before, "x.md"), read(before + "User: More\n", "x.md")
    assert new.turns[:2] == old.turns


@pytest.mark.parametrize(
    "text",
    [
        "a" * 2_000_000,
        "Ab " * 700_000,
        "# " + " " * 500_000 + "x",
        "Derek (" + "1:11 " * 400_000,
        "> " * 500_000,
        "*" * 1_000_000,
    ],
    ids=["word", "words", "spaces", "times", "quotes", "stars"],
)
def test_a_line_without_end_is_read_in_no_time(read: Read, text: str) -> None:
    assert sum(len(turn.content) for turn in read(text, "x.md")[0].turns) >= len(text) - 2


readable = st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t")
label_free = st.text(readable, max_size=60).filter(lambda text: not re.search(r"(?m):|\*\*|^#|```|~~~", text))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.lists(label_free, min_size=2, max_size=6))
def test_what_is_written_as_a_transcript_comes_back_as_it_was(read: Read, texts: list[str]) -> None:
    kept = [f".{text}." for text in texts]
    labels = ["User", "Assistant"] * 3
    written = "\n\n".join(f"{label}: {text}" for label, text in zip(labels, kept, strict=False))
    [found] = read(written, f"{uuid4()}.txt")
    assert [turn.content for turn in found.turns] == kept
