"""What of a folder or an archive is not for mining, told by name alone and counted by kind. Pure."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_KINDS = {
    "pictures": "png jpg jpeg gif webp bmp tif tiff ico svg heic avif psd",
    "sound files": "mp3 wav ogg m4a flac opus aac",
    "films": "mp4 mov avi mkv webm m4v",
    "fonts": "ttf otf woff woff2",
    "web pages": "html htm",
    "programs": "css js mjs ts py pyc pyo so dll dylib exe o a class jar",
    "databases": "db db-wal db-shm sqlite sqlite-wal sqlite-shm sqlite3 sqlite3-wal sqlite3-shm vscdb",
    "lock files": "lock",
    "indexes of mail programs": "msf emlxpart",
}
_KIND_OF = {f".{ending}": kind for kind, endings in _KINDS.items() for ending in endings.split()}
_PROGRAM_FOLDERS = frozenset({"node_modules", "__pycache__"})
_CLAUDE_CODE_SPILL = re.compile(
    r"(?!(.*/)?agent-transcripts/)(.*/)?([0-9a-f-]{36}/(tool-results|subagents)/.*|sessions-index\.json)"
)
"""What Claude Code keeps beside its transcripts: output too long for a line, the work of subagents, an index."""

_MAILBOXES = re.compile(
    r"(?:.*/)?(?:trash|junk|spam|drafts|templates|deleted(?: items| messages)?|papierkorb|entwürfe)"
    r"(?:\.mbox)?(?:/mbox)?",
    re.IGNORECASE,
)
"""Mailboxes whose mails nobody wants to find again, as programs name them."""

HIDDEN_FILES, HIDDEN_FOLDERS = "hidden files", "hidden folders"
LINKED_FOLDERS, DEAD_LINKS = "linked folders", "dead links"
SPECIAL_FILES = "special files"
"""Pipes, sockets and devices."""
ATTACHMENTS = "attachments"
"""What an export of WhatsApp or Telegram holds beside the chat."""
IN_PROGRAM_FOLDERS = "files of programs"
SKIPPED_MAILBOXES = "mailboxes of spam, trash and drafts"
SPILL = "files that Claude Code keeps beside its transcripts"


def is_of_a_program(name: str) -> bool:
    """Tell what lies in a folder that programs keep for themselves."""
    return not _PROGRAM_FOLDERS.isdisjoint(name.split("/"))


def kind_of(name: str) -> str | None:
    """Say as what a file of a folder or archive is counted that is not for mining; None for one that is read."""
    kind = _KIND_OF.get(PurePosixPath(name).suffix.lower())
    return kind or (SPILL if _CLAUDE_CODE_SPILL.fullmatch(name) else None)


def may_be_skipped_mailbox(name: str) -> bool:
    """Tell a file that is called as a mailbox of spam, trash or drafts is."""
    return _MAILBOXES.fullmatch(name) is not None
