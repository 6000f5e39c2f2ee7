"""What of a folder or an archive is not for mining, by names alone: each kind is counted. Pure.

What coding assistants keep in their own folders beside their sessions is known by where it lies: settings, keys, logs
and copies of files are no conversations, and nobody who names the folder means them.
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
_GEMINI_SESSION = re.compile(r"(.*/)?session-[^/]*\.json")

ATTACHMENTS = "attachments"
"""What an export of WhatsApp or Telegram holds beside the chat."""
IN_PROGRAM_FOLDERS = "files of programs"
OLDER_FORMS = "older forms of sessions that lie beside them in the newer one"
SKIPPED_MAILBOXES = "mailboxes of spam, trash and drafts"
SPILL = "files that Claude Code keeps beside its transcripts"


@cache
def _kinds() -> dict[str, str]:
    """Map endings of names to the kinds of files that have them."""
    return {ending: kind for kind, endings in _RULES.table("kinds").items() for ending in endings.split()}


def is_of_a_program(name: str) -> bool:
    """Tell what lies in a folder that programs keep for themselves."""
    return not _PROGRAM_FOLDERS.isdisjoint(name.split("/"))


def kind_of(name: str) -> str | None:
    """Say as what a file of a folder or archive is counted that is not for mining; None for one that is read."""
    ending = PurePosixPath(name).suffix.lower().removeprefix(".")
    return _kinds().get(ending) or (SPILL if _RULES["claude_code_spill"].fullmatch(name) else None)


def may_be_skipped_mailbox(name: str) -> bool:
    """Tell a file that is called as a mailbox of spam, trash or drafts is, which nobody wants to find again."""
    return _RULES["mailboxes"].fullmatch(name) is not None


def document_kind(names: Sequence[str]) -> str | None:
    """Say which kind of document a zip archive really is, by the files in it; None for an archive."""
    return next((kind for mark, kind in _RULES.table("documents").items() if mark in names), None)


def without_attachments(names: Sequence[str], *, is_archive: bool) -> list[str]:
    """Leave out what the exports of WhatsApp and Telegram hold beside the chat.

    In an archive that a phone made nothing but the chat counts; on disk other people's files may lie between.
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

    return [str(path) for path in paths if not is_attachment(path)]


def beside_sessions(root: str, name: str, names: Collection[str]) -> str | None:
    """Say as what a file is counted that a program keeps beside its sessions; None for any other.

    ``root`` is the real path of the folder that was named, ``name`` the file's below it, one of ``names``.
    """
    # A session of Gemini CLI that goes on in a file beside it was taken over into that whole.
    if _GEMINI_SESSION.fullmatch(name) and f"{name}l" in names:
        return OLDER_FORMS
    session = _COPILOT_SESSION.match(name)
    if session and name != f"{session[0]}{_EVENTS}" and f"{session[0]}{_EVENTS}" in names:
        return _kept_by(_COPILOT)
    path = f"{root.rstrip('/')}/{name}"
    for program, (folder, sessions) in _RULES.table("homes").items():
        _, found, rest = path.partition(folder)
        if found:
            return None if re.fullmatch(sessions, rest) else _kept_by(program)
    return None


def _kept_by(program: str) -> str:
    return f"files that {program} keeps beside its sessions"
