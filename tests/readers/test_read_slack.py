"""Slack exports: channels, people, days."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palace.errors import UnreadableSource
from palace.records import Conversation, Role, Slicing
from tests.readers.conftest import told

Write = Callable[[dict[str, object]], Path]
ReadPath = Callable[[Path], list[Conversation]]

USERS = [
    {"id": "U1", "name": "dk", "real_name": "Derek K", "profile": {"display_name": "Derek", "real_name": "Derek K"}},
    {"id": "U2", "name": "anna", "profile": {"display_name": "", "real_name": "Anna Berg"}},
    {"id": "U3", "name": "ci", "is_bot": True, "profile": {}},
]


def said(user: str, text: str, ts: str, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": ts, **fields}


def export(days: dict[str, object], **indexes: object) -> dict[str, object]:
    channels = indexes.pop("channels", [{"id": "C1", "name": "boats"}])
    return {
        "users.json": USERS,
        "channels.json": channels,
        **{f"{name}.json": value for name, value in indexes.items()},
        **days,
    }


def test_a_channel_is_a_conversation_cut_by_day(write_tree: Write, read_path: ReadPath) -> None:
    days: dict[str, object] = {
        "boats/2026-01-02.json": [said("U2", "and <@U1> &amp; co", "1767312001.000200")],
        "boats/2026-01-01.json": [said("U1", "first", "1767225600.000100")],
    }
    [found] = read_path(write_tree(export(days)))
    assert (found.reader, found.source_id, found.title, found.project) == ("slack", "C1", "#boats", "tree")
    assert found.slicing is Slicing.BY_DAY
    assert [(t.role, t.speaker, t.content, t.source_id) for t in found.turns] == [
        (Role.USER, "Derek", "first", "1767225600.000100"),
        (Role.USER, "Anna Berg", "and @Derek & co", "1767312001.000200"),
    ]
    assert found.turns[1].said_at == datetime(2026, 1, 2, 0, 0, 1, 200, tzinfo=UTC)


def test_replies_stand_where_they_were_written(write_tree: Write, read_path: ReadPath) -> None:
    messages = [
        said("U1", "question", "1767225600.000100", thread_ts="1767225600.000100"),
        said("U1", "reply", "1767225660.000300", thread_ts="1767225600.000100"),
        said("U2", "something else", "1767225630.000200"),
    ]
    [found] = read_path(write_tree(export({"boats/2026-01-01.json": messages})))
    assert [t.content for t in found.turns] == ["question", "something else", "reply"]


def test_housekeeping_is_left_out_and_bots_are_assistants(write_tree: Write, read_path: ReadPath) -> None:
    messages = [
        said("U1", "<@U1> has joined", "1767225600.000100", subtype="channel_join"),
        said("U1", "added an integration", "1767225600.000200", subtype="bot_add"),
        {
            "type": "message",
            "subtype": "bot_message",
            "bot_id": "B1",
            "username": "Travis",
            "text": "ok",
            "ts": "1767225601.0",
        },
        said("U3", "built", "1767225602.0"),
        said("U1", "a file", "1767225603.0", subtype="file_share", bot_id=None),
        said("U1", "waves", "1767225604.0", subtype="me_message"),
    ]
    [found] = read_path(write_tree(export({"boats/2026-01-01.json": messages})))
    assert [(t.role, t.speaker, t.content) for t in found.turns] == [
        (Role.ASSISTANT, "Travis", "ok"),
        (Role.ASSISTANT, "ci", "built"),
        (Role.USER, "Derek", "a file"),
        (Role.USER, "Derek", "waves"),
    ]


def test_a_message_without_text_shows_its_attachments_and_files(write_tree: Write, read_path: ReadPath) -> None:
    shown = said("U1", "", "1767225600.1", attachments=[{"fallback": "a link"}], files=[{"name": "plan.pdf"}])
    [found] = read_path(write_tree(export({"boats/2026-01-01.json": [shown]})))
    assert found.turns[0].content == "a link\n[file plan.pdf]"


def test_direct_messages_are_named_by_their_people(write_tree: Write, read_path: ReadPath) -> None:
    files = export(
        {"D1/2026-01-01.json": [said("U1", "psst", "1767225600.1")]},
        channels=[],
        dms=[{"id": "D1", "members": ["U1", "U2"]}],
    )
    [found] = read_path(write_tree(files))
    assert (found.source_id, found.title) == ("D1", "Derek, Anna Berg")


def test_a_channel_no_index_mentions_is_read_too(write_tree: Write, read_path: ReadPath) -> None:
    days: dict[str, object] = {
        "boats/2026-01-01.json": [said("U1", "a", "1767225600.1")],
        "lost/2026-01-01.json": [said("U9", "b", "1767225600.1", user_profile={"display_name": "Guest"})],
    }
    found = read_path(write_tree(export(days)))
    assert [(c.source_id, c.turns[0].speaker) for c in found] == [("C1", "Derek"), ("lost", "Guest")]


def test_a_zipped_export_gives_the_same_as_its_folder(write_tree: Write, read_path: ReadPath, tmp_path: Path) -> None:
    root = write_tree(export({"boats/2026-01-01.json": [said("U1", "a", "1767225600.1")]}))
    name = tmp_path / "Efoil GmbH Slack export Jan 1 2026 - Feb 1 2026.zip"
    with zipfile.ZipFile(name, "w") as archive:
        for path in sorted(root.rglob("*.json")):
            archive.write(path, path.relative_to(root))
    [zipped], [plain] = read_path(name), read_path(root)
    assert zipped.turns == plain.turns
    assert zipped.project == "Efoil GmbH"


def test_a_file_not_named_as_a_day_is_left_out_with_a_warning(write_tree: Write, read_path: ReadPath) -> None:
    files = export({"boats/2026-01-01.json": [said("U1", "a", "1767225600.1")], "boats/canvas.json": {}})
    [found] = read_path(write_tree(files))
    assert found.warnings == ("boats/canvas.json is not named as a day and was left out",)


@pytest.mark.parametrize(
    ("day", "problem"),
    [
        ('[{"type": "mess', "boats/2026-01-02.json, line 1, column 11: the JSON is cut off here"),
        ({}, "boats/2026-01-02.json: is not a JSON array"),
        ([3], "boats/2026-01-02.json, message 1: the message is not an object"),
        ([{"text": "x"}], "boats/2026-01-02.json, message 1: the message has no time stamp"),
        (b"[\xff]", "boats/2026-01-02.json: is not UTF-8"),
    ],
)
def test_an_odd_day_fails_alone(write_tree: Write, day: object, problem: str) -> None:
    files = export({"boats/2026-01-01.json": [said("U1", "a", "1767225600.1")], "boats/2026-01-02.json": day})
    [found], reading = told(write_tree(files))
    assert [turn.content for turn in found.turns] == ["a"]
    [failure] = reading.failures
    assert problem in str(failure)


def test_a_list_of_channels_that_cannot_be_read_stops_the_export(write_tree: Write, read_path: ReadPath) -> None:
    files = export({"boats/2026-01-01.json": [said("U1", "a", "1767225600.1")]})
    with pytest.raises(UnreadableSource, match=r"channels\.json, line 1, column 3: the JSON is cut off here"):
        read_path(write_tree({**files, "channels.json": "[{"}))


def test_an_export_inside_another_folder_is_found(write_tree: Write, read_path: ReadPath) -> None:
    files = export({"boats/2026-01-01.json": [said("U1", "a", "1767225600.1")]})
    root = write_tree({**{f"backup/acme/{name}": value for name, value in files.items()}, "note.md": "A note."})
    assert [(c.reader, c.project) for c in read_path(root)] == [("slack", "acme"), ("note", None)]


def test_other_files_beside_an_unpacked_export_are_read_too(write_tree: Write, read_path: ReadPath) -> None:
    files = export({"boats/2026-01-01.json": [said("U1", "a", "1767225600.1")], "integration_logs.json": []})
    root = write_tree({**files, "note.md": "A note.", "more/note.md": "Another."})
    assert [conversation.reader for conversation in read_path(root)] == ["slack", "note", "note"]


def test_a_single_day_points_to_the_whole_export(write_tree: Write, read_path: ReadPath) -> None:
    root = write_tree({"2026-01-01.json": [said("U1", "a", "1767225600.1")]})
    with pytest.raises(UnreadableSource, match="one day of a Slack export"):
        read_path(root / "2026-01-01.json")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<@U1> and <@U9>, <@U2|anna>, <@U9|mara>", "@Derek and @U9, @Anna Berg, @mara"),
        ("in <#C1> or <#C1|boats> or <#C7|general> or <#C7>", "in #boats or #boats or #general or #C7"),
        ("<!here> <!channel|@channel> <!subteam^S1|@crew> <!subteam^S1>", "@here @channel @crew S1"),
        ("<!date^1392734382^Posted {date_num}|Posted 2014-02-18>", "Posted 2014-02-18"),
        ("<https://a.example|the plan> <https://a.example>", "the plan <https://a.example> https://a.example"),
        ("<https://a.example|a.example> <mailto:a@b.example|a@b.example>", "https://a.example a@b.example"),
        ("<https://a.example>:boat:<@U1>", "<https://a.example>:boat:@Derek"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2, &amp;lt; stays &lt;", "1 < 2 && 3 > 2, &lt; stays <"),
        ("a < b > c <U1> <@> <#general> <https:>", "a < b > c <U1> <@> #general <https:>"),
        ("<@" * 50_000, "<@" * 50_000),
        ("<https://" * 50_000, "<https://" * 50_000),
    ],
)
def test_a_text_names_people_channels_and_links_as_it_was_shown(
    write_tree: Write, read_path: ReadPath, text: str, shown: str
) -> None:
    day = {"boats/2026-01-01.json": [said("U1", text, "1767225600.000100")]}
    [found] = read_path(write_tree(export(dict(day))))
    assert [turn.content for turn in found.turns] == [shown]


def test_what_is_written_in_blocks_stands_for_itself(write_tree: Write, read_path: ReadPath) -> None:
    parts = [{"type": "text", "text": "a <@U1> &lt; b "}, {"type": "user", "user_id": "U1"}]
    blocks = [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": parts}]}]
    message = said("U2", "", "1767225600.000100", blocks=blocks)
    [found] = read_path(write_tree(export({"boats/2026-01-01.json": [message]})))
    assert found.turns[0].content == "a <@U1> &lt; b @Derek"
