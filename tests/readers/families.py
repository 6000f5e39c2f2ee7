"""Writes a session and that of its sub-agent, as programs that keep each in a file or rows of its own do."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

MAIN, HELPER = "019a7c10-0000-7000-8000-00000000aa01", "019a7c10-5000-7000-8000-00000000cc01"
SECOND = "019a7c10-6000-7000-8000-00000000dd01"
PARENTS = {HELPER: MAIN, SECOND: HELPER}
BEGAN, FOLDER = 1_777_888_800, "/home/ines/kiln"
Said = tuple[int, str, str, str]
"""Second, role ("call" and "result" for a tool's), text or name of the tool, and its arguments or what it returned."""
Write = Callable[[Path, str, list[Said]], None]
"""Writes the session ``key`` below a folder; ``PARENTS`` says which are of sub-agents."""


def _blocks(said: Said) -> dict[str, Any]:
    """Return a message in Anthropic's form."""
    second, role, text, more = said
    stamp = {"ts": (BEGAN + second) * 1000}
    if role == "call":
        part = {"type": "tool_use", "id": f"c-{text}", "name": text, "input": json.loads(more)}
        return {"role": "assistant", "content": [part], **stamp}
    if role == "result":
        part = {"type": "tool_result", "tool_use_id": f"c-{text}", "content": more}
        return {"role": "user", "content": [part], **stamp}
    return {"role": role, "content": [{"type": "text", "text": text}], **stamp}


def _write(path: Path, lines: Iterable[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _stamp(second: int) -> str:
    return f"2026-05-04T10:00:{second:02d}.000Z"


def claude(folder: Path, key: str, said: list[Said]) -> None:
    """Write a transcript of Claude Code, that of a sub-agent beside the session as versions of 2025 did."""
    about = {"sessionId": MAIN, "cwd": FOLDER, "isSidechain": key == HELPER}
    lines = [
        {"type": (message := _blocks(each))["role"], **about, "message": message, "timestamp": _stamp(each[0])}
        | {"uuid": f"{key}-{each[0]}"}
        for each in said
    ]
    _write(folder / "projects" / "kiln" / f"{'agent-a' if key == HELPER else key}.jsonl", lines)


def codex(folder: Path, key: str, said: list[Said]) -> None:
    """Write a rollout; that of a sub-agent begins, a day later, with a copy of what was said before."""
    payloads: list[dict[str, Any]] = []
    meta: dict[str, Any] = {"id": key, "cwd": FOLDER, "source": "cli"}
    copied: list[dict[str, Any]] = []
    if parent := PARENTS.get(key):
        meta["source"] = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}}
        copied = [{"type": "session_meta", "payload": {"id": MAIN}}, {"type": "turn_context", "payload": _turn(MAIN)}]
        copied += [{"type": "event_msg", "payload": {"type": "user_message", "message": "Please mend the winch."}}]
    payloads.append({"type": "turn_context", "payload": _turn(key)})
    for second, role, text, more in said:
        item: dict[str, Any] = {"type": "message", "role": role, "content": [{"type": "output_text", "text": text}]}
        if role == "call":
            item = {"type": "function_call", "call_id": f"c-{text}", "name": text, "arguments": more}
        elif role == "result":
            item = {"type": "function_call_output", "call_id": f"c-{text}", "output": more}
        elif role == "user":
            item = {"type": "user_message", "message": text}
        kind = "event_msg" if role == "user" else "response_item"
        payloads.append({"type": kind, "payload": item, "timestamp": _stamp(second)})
    day = "05" if parent else "04"
    path = folder / "sessions" / "2026" / "05" / day / f"rollout-2026-05-{day}T10-00-00-{key}.jsonl"
    lines = [{"type": "session_meta", "payload": meta}, *copied, *payloads]
    _write(path, ({"timestamp": _stamp(2), **line} for line in lines))


def _turn(key: str) -> dict[str, str]:
    return {"turn_id": f"{key[:-12]}00000000bb01"}


def roo(folder: Path, key: str, said: list[Said]) -> None:
    """Write a task of Roo Code; one that another task started names it."""
    task = folder / "globalStorage" / "rooveterinaryinc.roo-cline" / "tasks" / key
    about = {"id": key, "workspace": FOLDER} | ({"parentTaskId": MAIN} if key == HELPER else {})
    _write(task / "history_item.json", [about])
    _write(task / "api_conversation_history.json", [[_task(each) for each in said]])


def _task(said: Said) -> dict[str, Any]:
    message = _blocks(said)
    if said[1] == "user":
        texts = (f"<task>\n{said[2]}\n</task>", "<environment_details>\n# VSCode Open Tabs\n</environment_details>")
        message["content"] = [{"type": "text", "text": text} for text in texts]
    return message


def cline(folder: Path, key: str, said: list[Said]) -> None:
    """Write a session of Cline's command line; those of sub-agents are in the folder of the session."""
    name, agent = ("a1", "subagent") if key == HELPER else (key, "lead")
    about = {"version": 1, "updated_at": _stamp(9), "agent": agent, "sessionId": key}
    messages = [{**_blocks(each), "id": f"{key}-{each[0]}"} for each in said]
    _write(folder / "sessions" / MAIN / f"{name}.messages.json", [{**about, "messages": messages}])


def goose(folder: Path, key: str, said: list[Said]) -> None:
    """Write a session into Goose's database."""
    rows = []
    for second, role, text, more in said:
        part: dict[str, Any] = {"type": "text", "text": text}
        if role == "call":
            call = {"status": "success", "value": {"name": text, "arguments": json.loads(more)}}
            part = {"type": "toolRequest", "id": f"c-{text}", "toolCall": call}
        elif role == "result":
            value = {"content": [{"type": "text", "text": more}], "isError": False}
            part = {"type": "toolResponse", "id": f"c-{text}", "toolResult": {"status": "success", "value": value}}
        spoken = {"call": "assistant", "result": "user"}.get(role, role)
        rows.append((f"{key}-{second}", key, spoken, json.dumps([part]), BEGAN + second))
    about = (key, "sub_agent" if key == HELPER else "user", FOLDER, MAIN if key == HELPER else None)
    with closing(sqlite3.connect(folder / "sessions.db")) as database, database:
        database.executescript(
            "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER);"
            "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, session_type TEXT, working_dir TEXT,"
            " parent_session_id TEXT, created_at TEXT);"
            "CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, message_id TEXT UNIQUE, session_id TEXT,"
            " role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)"
        )
        database.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, '2026-05-04 10:00:00')", about)
        columns = "message_id, session_id, role, content_json, created_timestamp"
        database.executemany(f"INSERT OR IGNORE INTO messages ({columns}) VALUES (?, ?, ?, ?, ?)", rows)


def hermes(folder: Path, key: str, said: list[Said]) -> None:
    """Write a session into Hermes' database."""
    rows = []
    for second, role, text, more in said:
        calls = json.dumps([{"id": f"c-{text}", "function": {"name": text, "arguments": more}}])
        call = (calls, None, None) if role == "call" else (None, f"c-{text}", text) if role == "result" else (None,) * 3
        spoken, content = {"call": ("assistant", ""), "result": ("tool", more)}.get(role, (role, text))
        number = second + (100 if key in PARENTS else 0)
        rows.append((number, key, spoken, content, *call, BEGAN + second))
    config = json.dumps({"_delegate_from": PARENTS.get(key)})
    with closing(sqlite3.connect(folder / "state.db")) as database, database:
        database.executescript(
            "CREATE TABLE IF NOT EXISTS state_meta (key TEXT);"
            "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, cwd TEXT, model_config TEXT, started_at REAL);"
            "CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT,"
            " tool_calls TEXT, tool_call_id TEXT, tool_name TEXT, timestamp REAL)"
        )
        database.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", (key, FOLDER, config, BEGAN))
        database.executemany("INSERT OR IGNORE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


AGENTS: tuple[Write, ...] = (claude, codex, roo, cline, goose, hermes)
