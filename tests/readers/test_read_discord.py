"""Discord: channels as DiscordChatExporter writes them, and the package of one's own data."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role
from tests.readers.conftest import as_bytes, told

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]
WriteTree = Callable[[dict[str, object]], Path]

CHANNEL, OTHER = "100000000000000001", "100000000000000002"
ANN = {"id": "1", "name": "ann", "nickname": "Ann", "isBot": False}
BOT = {"id": "2", "name": "helper", "nickname": "Helper", "isBot": True}


def message(number: int, content: str = "", **fields: Any) -> dict[str, Any]:
    at = f"2024-05-01T10:{number:02}:00.000+02:00"
    return {"id": f"20{number}", "type": "Default", "timestamp": at, "content": content, "author": ANN, **fields}


def export(*messages: object, kind: str = "GuildTextChat", guild: str = "9") -> dict[str, Any]:
    return {
        "guild": {"id": guild, "name": "Harbour"},
        "channel": {"id": CHANNEL, "type": kind, "category": "Text", "name": "general"},
        "dateRange": {"after": None, "before": None},
        "messages": list(messages),
        "messageCount": len(messages),
    }


PACKAGE: dict[str, object] = {
    "README.txt": "Welcome to your Discord Data Package!",
    "Account/user.json": {"id": "1", "username": "ann", "global_name": "Ann"},
    "Account/avatar.png": b"x",
    "Activity/analytics/events-1.json": '{"event_type": "x"}\n{"event_type": "y"}\n',
    "Messages/index.json": {CHANNEL: "general in Harbour", OTHER: "Direct Message with bob#0"},
    f"Messages/c{CHANNEL}/channel.json": {
        "id": CHANNEL,
        "type": "GUILD_TEXT",
        "name": "general",
        "guild": {"id": "9", "name": "Harbour"},
    },
    f"Messages/c{CHANNEL}/messages.json": [
        {"ID": 203, "Timestamp": "2024-05-01 08:03:00", "Contents": "Later.", "Attachments": ""},
        {
            "ID": 201,
            "Timestamp": "2024-05-01 08:01:00",
            "Contents": "The mast, see:",
            "Attachments": "https://cdn.example/1/mast%20one.jpg?ex=1",
        },
    ],
    f"Messages/c{OTHER}/channel.json": {"id": OTHER, "type": "DM", "recipients": ["1", "3"]},
    f"Messages/c{OTHER}/messages.csv": "ID,Timestamp,Contents,Attachments\n"
    '301,2024-05-01 08:01:00.123000+00:00,"Hello, Bob.\nAll well?",\n',
}


def test_a_channel_is_a_conversation_of_its_server(read_told: ReadTold) -> None:
    reply = message(2, "Yes.", type="Reply", author=BOT, reference={"messageId": "201", "channelId": CHANNEL})
    attached = message(
        3,
        "",
        attachments=[{"id": "1", "url": "https://x", "fileName": "mast.jpg"}],
        stickers=[{"id": "1", "name": "Wave"}],
        reactions=[{"emoji": {"name": "+1"}, "count": 3}],
        embeds=[{"title": "A page", "description": "About masts", "fields": [{"name": "Price", "value": "900"}]}],
    )
    pinned = message(4, "Pinned a message.", type="ChannelPinnedMessage")
    [channel], reading = read_told(export(message(1, "Shall we?"), reply, attached, pinned))
    assert (channel.reader, channel.source_id, channel.title, channel.project) == (
        "discord",
        CHANNEL,
        "#general",
        "Harbour",
    )
    assert [(turn.role, turn.speaker, turn.content, turn.answers) for turn in channel.turns] == [
        (Role.USER, "Ann", "Shall we?", None),
        (Role.ASSISTANT, "Helper", "Yes.", "201"),
        (Role.USER, "Ann", "A page\nAbout masts\nPrice: 900\n[sticker Wave]\n[file mast.jpg]", None),
    ]
    assert channel.turns[0].said_offset == 120
    assert reading.left_out == {"Discord's own messages (joins, pins, calls)": 1, "reactions": 3}


def test_what_was_forwarded_is_read(read: Read) -> None:
    passed = message(
        1, "", forwardedMessage={"content": "The mast costs 900.", "attachments": []}, reference={"messageId": "7"}
    )
    [turn] = read(export(passed))[0].turns
    assert (turn.speaker, turn.content) == ("Ann (forwarded)", "The mast costs 900.")


def test_a_direct_message_has_no_server(read: Read) -> None:
    [channel] = read(export(message(1, "Hi."), kind="DirectTextChat", guild="0"))
    assert (channel.title, channel.project) == ("general", None)


@pytest.mark.parametrize("bad", ["x", {"type": "Default", "content": "no id"}, {**message(2), "content": ["x"]}])
def test_a_message_that_cannot_be_read_is_missing_alone(read_told: ReadTold, bad: object) -> None:
    [channel], reading = read_told(export(message(1, "Shall we?"), bad, message(3, "Yes.")))
    assert [turn.content for turn in channel.turns] == ["Shall we?", "Yes."]
    assert reading.left_out == {"messages that could not be read": 1}
    assert reading.failures[0].place == "channel #general, message 2"


@pytest.mark.parametrize("is_archive", [True, False])
def test_a_package_is_one_source_with_what_the_person_wrote(
    write_tree: WriteTree, tmp_path: Path, *, is_archive: bool
) -> None:
    path = write_tree(PACKAGE)
    if is_archive:
        path = tmp_path / "package.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in PACKAGE.items():
                archive.writestr(name, as_bytes(content))
    found, reading = told(path)
    assert [(each.source_id, each.title, each.project) for each in found] == [
        (CHANNEL, "#general", "Harbour"),
        (OTHER, "Direct Message with bob#0", None),
    ]
    turns = [(turn.speaker, turn.content, turn.source_id) for each in found for turn in each.turns]
    assert turns == [
        ("Ann", "The mast, see:\n[file mast one.jpg]", "201"),
        ("Ann", "Later.", "203"),
        ("Ann", "Hello, Bob.\nAll well?", "301"),
    ]
    moment = found[0].turns[0].said_at
    assert moment is not None
    assert moment.isoformat() == "2024-05-01T08:01:00+00:00"
    assert all(each.is_partial for each in found)
    assert reading.left_out == {"files of a Discord package that hold no messages": 3}
    assert reading.failures == []


def test_what_lies_beside_a_package_on_disk_is_read_as_well(write_tree: WriteTree) -> None:
    found, _ = told(write_tree({**PACKAGE, "note.md": "Buy a mast."}))
    assert [each.reader for each in found] == ["discord", "discord", "note"]


def test_a_channel_that_cannot_be_read_fails_alone(write_tree: WriteTree) -> None:
    files = {**PACKAGE, f"Messages/c{CHANNEL}/messages.json": "[{"}
    found, reading = told(write_tree(files))
    assert [each.source_id for each in found] == [OTHER]
    assert "the JSON is cut off" in str(reading.failures[0])


def test_a_channel_is_the_same_conversation_in_a_package_and_in_an_export(read: Read, write_tree: WriteTree) -> None:
    [exported] = read(export(message(1, "The mast, see:", attachments=[{"fileName": "mast one.jpg"}])))
    own = told(write_tree(PACKAGE))[0][0]
    assert (exported.reader, exported.source_id) == (own.reader, own.source_id)
    assert exported.turns[0].content == own.turns[0].content
    assert exported.turns[0].source_id == own.turns[0].source_id
