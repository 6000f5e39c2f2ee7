"""Recognises, by names alone, the files of a folder or archive that are not mined; each kind is counted. Pure.

Files that coding assistants keep in their own folders beside sessions (settings, keys, logs, copies of files) are
recognised by their path and never mined.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import PurePosixPath

from palace.nlp.rules import Rules

_RULES = Rules("readers", "files.toml")
_PROGRAM_FOLDERS = frozenset({"node_modules", "__pycache__"})
_TELEGRAM_EXPORT = "result.json"
_COPILOT = "GitHub Copilot CLI"
_COPILOT_SESSION, _EVENTS = re.compile(r"(?:.*/)?session-state/[^/]+/"), "events.jsonl"
_CLINE, _CLINE_SESSION = "Cline", "api_conversation_history.json"
_GEMINI_SESSION = re.compile(r"(.*/)?session-[^/]*\.json")
_OF_SUBAGENT = re.compile(r"((?:.*/)?)([^/]+)/subagents/.*\.jsonl")
_OF_CLINE = re.compile(r"((?:.*/)?([^/]+)/)[^/]+(\.messages\.json)")
_OF_GEMINI_SUBAGENT = re.compile(r"((?:.*/)?chats/)([^/]{1,8})[^/]*/[^/]+\.jsonl")

ATTACHMENTS = "attachments"
"""Media in exports of WhatsApp and Telegram."""
IN_PROGRAM_FOLDERS = "files of programs"
OLDER_FORMS = "older forms of sessions that lie beside them in the newer one"
SUBAGENTS = "transcripts of sub-agents"
"""Read with their sessions, so they are not counted."""
SKIPPED_MAILBOXES = "mailboxes of spam, trash and drafts"
SPILL = "files that Claude Code keeps beside its transcripts"


@cache
def _kinds() -> dict[str, str]:
    """Map file name endings to kinds of files."""
    return {ending: kind for kind, endings in _RULES.table("kinds").items() for ending in endings.split()}


def is_of_a_program(name: str) -> bool:
    """Check whether a path lies in a folder that belongs to a program, such as ``node_modules``."""
    return not _PROGRAM_FOLDERS.isdisjoint(name.split("/"))


def kind_of(name: str) -> str | None:
    """Return the kind under which an ignored file is counted, or None for a file to read."""
    ending = PurePosixPath(name).suffix.lower().removeprefix(".")
    return _kinds().get(ending) or (SPILL if _RULES["claude_code_spill"].fullmatch(name) else None)


def may_be_skipped_mailbox(name: str) -> bool:
    """Check whether a file has the name of a mailbox of spam, trash or drafts."""
    return _RULES["mailboxes"].fullmatch(name) is not None


def document_kind(names: Sequence[str]) -> str | None:
    """Return the kind of document that a zip file is (such as .docx), by the files in it; None for a plain archive."""
    return next((kind for mark, kind in _RULES.table("documents").items() if mark in names), None)


def without_attachments(names: Sequence[str], *, is_archive: bool) -> list[str]:
    """Return the names without media in exports of WhatsApp and Telegram.

    In a phone's archive everything but the chat is media; on disk other files may lie beside it.
    """
    paths = [PurePosixPath(name) for name in names]
    chats = {path.parent for path in paths if _RULES["whatsapp_chat"].fullmatch(path.name)}
    exports = {path.parent for path in paths if path.name == _TELEGRAM_EXPORT}

    def is_attachment(path: PurePosixPath) -> bool:
        is_beside_chat = path.parent in chats and not _RULES["whatsapp_chat"].fullmatch(path.name)
        if is_beside_chat and (is_archive or _RULES["whatsapp_file"].fullmatch(path.name)):
            return True
        above = (parent for parent in path.parents if parent in exports)
        return any(_RULES["telegram_folder"].fullmatch(path.relative_to(parent).parts[0]) for parent in above)

    return [name for name, path in zip(names, paths, strict=True) if not is_attachment(path)]


def beside_sessions(root: str, name: str, names: Collection[str]) -> str | None:
    """Return the kind under which a file beside an assistant's sessions is counted; None for any other file.

    ``root`` is the real path of the mined folder; ``name`` is relative to it and is one of ``names``.
    """
    # Gemini CLI migrated a session with a ``.jsonl`` of the same name completely.
    if _GEMINI_SESSION.fullmatch(name) and f"{name}l" in names:
        return OLDER_FORMS
    if _is_below_session(name, names):
        return SUBAGENTS
    session = _COPILOT_SESSION.match(name)
    if session and name != f"{session[0]}{_EVENTS}" and f"{session[0]}{_EVENTS}" in names:
        return _kept_by(_COPILOT)
    beside = str(PurePosixPath(name).with_name(_CLINE_SESSION))
    if beside != name and beside in names:
        return _kept_by(_CLINE)
    path = f"{root.rstrip('/')}/{name}"
    for program, (folder, sessions) in _RULES.table("homes").items():
        _, found, rest = path.partition(folder)
        if found:
            return None if re.fullmatch(sessions, rest) else _kept_by(program)
    return None


def _is_below_session(name: str, names: Collection[str]) -> bool:
    """Check for a sub-agent's transcript that lies beside that of its session.

    Claude Code, Cursor, Kimi CLI, Cline's command line and Gemini CLI write such files.
    """
    if found := _OF_SUBAGENT.fullmatch(name):
        above, key = found.groups()
        return any(f"{above}{each}.jsonl" in names for each in (key, f"{key}/{key}", f"{key}/wire"))
    if found := _OF_CLINE.fullmatch(name):
        main = "".join(found.groups())
        return name != main and main in names
    found = _OF_GEMINI_SUBAGENT.fullmatch(name)
    return found is not None and any(
        each.startswith(f"{found[1]}session-") and each.endswith(f"-{found[2]}.jsonl") for each in names
    )


def _kept_by(program: str) -> str:
    return f"files that {program} keeps beside its sessions"
