"""Find the sessions that clients stored, and estimate the effort to mine all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from palace.errors import UnreadableSource
from palace_cli.connect.clients import EDITORS, folder_of, in_editors
from palace_cli.connect.states import Sessions

if TYPE_CHECKING:
    from palace.mining.readers.opencode_stores import OpencodeDatabase, OpencodeStorage
    from palace.models import Conversation

SAMPLE = 12
"""Sessions that are read for an estimate, from small to large."""
SAMPLE_BYTES = 2 << 20
"""Bytes of a session that is read for an estimate, at most."""
CHARACTERS_PER_SECOND = 40_000
"""Characters filed and embedded per second on two cores; docs/performance.md has 100,000 on a fast computer."""


@dataclass(frozen=True, slots=True)
class _SessionFiles:
    """Where a client stores its sessions: patterns below folders."""

    variable: str
    """The environment variable with the client's folder."""
    home: str
    """The client's folder relative to the home folder, if the variable is unset."""
    folders: tuple[str, ...]
    patterns: tuple[str, ...]
    within: str = ""
    """Patterns of the folders to mine, with "|" between, relative to ``folders``; "" for ``folders`` themselves."""


def find_sessions(client: str) -> Sessions | None:
    """Find a client's stored sessions; None if there are none, or if their files are unknown."""
    stored = _SESSION_FILES.get(client)
    database = folder_of(_DATA, _SHARE) / client
    if client == "opencode" or (client == "kilo" and database.is_dir()):
        return _of_opencode(database)
    if stored is None:
        return None
    base = folder_of(stored.variable, stored.home)
    folders = [base / name for name in stored.folders if (base / name).is_dir()]
    listed = {file for folder in folders for pattern in stored.patterns for file in folder.glob(pattern)}
    found = sorted(file for file in listed if file.with_suffix(".jsonl") not in listed - {file})
    files = [(file, status) for file in found if (status := _status(file))]
    if not files:
        return None
    patterns = stored.within.split("|") if stored.within else ()
    mined = sorted({each for folder in folders for pattern in patterns for each in folder.glob(pattern)}) or folders
    number = sum(_number(file) for file, _ in files)
    size = sum(status.st_size for _, status in files)
    times = [datetime.fromtimestamp(status.st_mtime, UTC) for _, status in files]
    sampled = _sample([(file, status.st_size) for file, status in files])
    read, lengths = sum(size for _, size, _ in sampled), [length for *_, said in sampled for length in said]
    drawers, minutes = _estimate(lengths, size / read if read else 0)
    whole = tuple(str(file) for file, _, said in sampled if said)
    return Sessions(tuple(map(str, mined)), number, size, min(times), max(times), whole, drawers, minutes)


def _estimate(lengths: Sequence[int], times: float) -> tuple[int | None, float | None]:
    """Extrapolate a sample by a factor: return the number of drawers, and the minutes to file and embed them."""
    drawers = round(len(lengths) * times)
    return (drawers, round(sum(lengths) * times / CHARACTERS_PER_SECOND / 60, 2)) if drawers else (None, None)


def _sample(files: Sequence[tuple[Path, int]]) -> list[tuple[Path, int, list[int]]]:
    """Read some sessions, from the smallest to the largest; return file, bytes and the lengths of turns of each."""
    by_size = sorted((each for each in files if each[1]), key=lambda each: each[1])
    # If all are large, read the smallest of them nevertheless.
    suited = [each for each in by_size if each[1] <= SAMPLE_BYTES] or by_size[:1]
    places = sorted({round(n * (len(suited) - 1) / (SAMPLE - 1)) for n in range(SAMPLE)}) if suited else []
    return [(*suited[index], _turns(suited[index][0])) for index in places]


def _turns(file: Path) -> list[int]:
    """Return the length of each message in a session, as far as it can be read."""
    from palace.mining.discovery import list_sources
    from palace.mining.files.reading import Reading
    from palace.mining.readers.registry import read_conversations

    lengths = list[int]()
    with suppress(UnreadableSource):
        for source in list_sources(file):
            for conversation in read_conversations(source, Reading(source.file)):
                lengths += [len(turn.content) for turn in conversation.turns]
    return lengths


def _of_opencode(base: Path) -> Sessions | None:
    """Return opencode's sessions: in its database, and in the files of older versions."""
    from palace.mining.discovery import list_sources
    from palace.mining.readers.opencode_stores import OpencodeDatabase, OpencodeStorage

    try:
        sources = list_sources(base)
    except UnreadableSource:
        return None
    kept = [each for each in sources if isinstance(each, (OpencodeDatabase, OpencodeStorage))]
    databases = [each for each in kept if isinstance(each, OpencodeDatabase)]
    storage = [file for file in base.glob("storage/*/**/*.json") if file.is_file()]
    ids = {file.stem for file in storage if file.is_relative_to(base / "storage" / "session")}
    ids.update(*(each.ids() for each in databases))
    statuses = [status for file in [*(each.path for each in databases), *storage] if (status := _status(file))]
    if not ids or not statuses:
        return None
    said = list(islice((conversation for each in kept for conversation in _read(each)), SAMPLE))
    number = (len(ids) if len(said) == SAMPLE else len(said)) or len(ids)
    turns = [turn for conversation in said for turn in conversation.turns]
    newest = datetime.fromtimestamp(max(status.st_mtime for status in statuses), UTC)
    oldest = min([*(turn.said_at for turn in turns if turn.said_at), newest])
    estimate = _estimate([len(turn.content) for turn in turns], number / len(said) if said else 0)
    size = sum(status.st_size for status in statuses)
    return Sessions(_mined(base, databases), number, size, oldest, newest, (), *estimate)


def _mined(base: Path, databases: Sequence[OpencodeDatabase]) -> tuple[str, ...]:
    """Return the paths to mine: the whole folder only where everything else in it, such as keys, is known."""
    if base.resolve().as_posix().endswith(("/.local/share/opencode", "/.local/share/kilo")):
        return (str(base),)
    return tuple(str(each.path) for each in databases) or (str(base / "storage"),)


def _read(source: OpencodeDatabase | OpencodeStorage) -> Iterator[Conversation]:
    from palace.mining.files.reading import Reading

    try:
        yield from source.read(Reading(source.file))
    except UnreadableSource:
        return


def _number(file: Path) -> int:
    """Return the number of sessions in a file."""
    from palace.mining.readers.agent_databases import AgentDatabase, find_store

    store = find_store(file) if file.suffix == ".db" else None
    return AgentDatabase(str(file), file.name, file, store).count() if store else 1


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat() if file.is_file() else None
    except OSError:
        return None


def _tasks(extension: str, *others: str) -> _SessionFiles:
    """Return the files in which Cline or one of its forks stores tasks."""
    folders = *in_editors(f"globalStorage/{extension}/tasks").split("|"), *others
    return _SessionFiles("", "", folders, ("*/api_conversation_history.json", "*/*.messages.json"))


_DATA, _SHARE = "XDG_DATA_HOME", ".local/share"
_CHATS = tuple(f"{folder}/{kind}" for folder in EDITORS for kind in ("workspaceStorage", "globalStorage"))
_OPENCLAW = "*/agent/openclaw-agent.sqlite"
_SESSION_FILES = {
    "qwen": _SessionFiles("QWEN_HOME", ".qwen", ("projects",), ("*/chats/*.jsonl",), "*/chats"),
    "kimi": _SessionFiles("KIMI_SHARE_DIR", ".kimi", ("sessions",), ("*/*/wire.jsonl",)),
    "cline": _tasks("saoudrizwan.claude-dev", ".cline/data/tasks", ".cline/data/sessions"),
    "roo": _tasks("rooveterinaryinc.roo-cline"),
    "kilo": _tasks("kilocode.kilo-code"),
    "continue": _SessionFiles("CONTINUE_GLOBAL_DIR", ".continue", ("sessions",), ("*-*.json",)),
    "amp": _SessionFiles(_DATA, _SHARE, ("amp/threads",), ("T-*.json",)),
    "openclaw": _SessionFiles(
        "OPENCLAW_STATE_DIR", ".openclaw", ("agents",), ("*/sessions/*.jsonl", _OPENCLAW), f"*/sessions|{_OPENCLAW}"
    ),
    "pi": _SessionFiles("PI_CODING_AGENT_DIR", ".pi/agent", ("sessions",), ("**/*.jsonl",)),
    "goose": _SessionFiles(_DATA, _SHARE, ("goose/sessions",), ("*.jsonl", "sessions.db")),
    "zed": _SessionFiles(_DATA, _SHARE, ("zed/threads",), ("threads.db",)),
    "hermes": _SessionFiles("HERMES_HOME", ".hermes", (".",), ("state.db",)),
    # Sessions of windows without a folder are all in one folder.
    "vscode": _SessionFiles(
        "",
        "",
        _CHATS,
        tuple(
            f"{folder}/*.{ending}"
            for folder in ("*/chatSessions", "emptyWindowChatSessions")
            for ending in ("json", "jsonl")
        ),
        "*/chatSessions|emptyWindowChatSessions",
    ),
    "claude-code": _SessionFiles("CLAUDE_CONFIG_DIR", ".claude", ("projects",), ("*/*.jsonl",)),
    "copilot-cli": _SessionFiles(
        "", ".copilot", ("session-state", "history-session-state"), ("*/events.jsonl", "*.jsonl", "*.json")
    ),
    "codex": _SessionFiles("CODEX_HOME", ".codex", ("sessions", "archived_sessions"), ("**/rollout-*.jsonl",)),
    "gemini": _SessionFiles("", ".gemini", ("tmp",), ("*/chats/session-*.json", "*/chats/session-*.jsonl"), "*/chats"),
    # Transcripts of subagents are one folder deeper, and are left out.
    "cursor": _SessionFiles(
        "",
        ".cursor",
        ("projects",),
        tuple(f"*/agent-transcripts/{each}" for each in ("*.jsonl", "*.txt", "*/*.jsonl")),
        "*/agent-transcripts",
    ),
}
UNCONNECTED = {"copilot-cli": "GitHub Copilot CLI", "goose": "Goose", "hermes": "Hermes", "pi": "pi"}
"""Titles of clients whose sessions can be mined, but which Palace cannot connect."""
