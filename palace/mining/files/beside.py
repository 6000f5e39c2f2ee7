"""What of a folder or an archive is not for mining, by names alone: each kind is counted. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from palace.nlp.rules import Rules

_RULES = Rules("readers", "files.toml")
_KINDS = (
    *("pictures", "sound files", "films", "fonts", "web pages", "programs", "databases", "lock files"),
    "indexes of mail programs",
)
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

ATTACHMENTS = "attachments"
"""What an export of WhatsApp or Telegram holds beside the chat."""
IN_PROGRAM_FOLDERS = "files of programs"
SKIPPED_MAILBOXES = "mailboxes of spam, trash and drafts"
SPILL = "files that Claude Code keeps beside its transcripts"

_WHATSAPP_CHAT = re.compile(r"_chat( ?\(\d+\))?\.txt|.*whatsapp.*\.txt", re.IGNORECASE)
_WHATSAPP_FILE = re.compile(
    r"(IMG|VID|AUD|PTT|STK|DOC)-\d{8}-WA\d{4,}.*|\d{4,}-(PHOTO|VIDEO|AUDIO|GIF|STICKER|DOCUMENT)-\d{4}.*|.*\.(vcf|opus|webp)",
    re.IGNORECASE,
)
_TELEGRAM_EXPORT = "result.json"
_TELEGRAM_FOLDER = re.compile(
    "chats|photos|files|video_files|voice_messages|round_video_messages|stickers|contacts|lists|css|js|images|"
    "profile_pictures|stories|saved_music"
)
_DOCUMENTS = (
    ("[Content_Types].xml", "a Word, Excel or PowerPoint file"),
    ("content.xml", "an OpenDocument file"),
    ("META-INF/container.xml", "an e-book (EPUB)"),
)


def is_of_a_program(name: str) -> bool:
    """Tell what lies in a folder that programs keep for themselves."""
    return not _PROGRAM_FOLDERS.isdisjoint(name.split("/"))


def kind_of(name: str) -> str | None:
    """Say as what a file of a folder or archive is counted that is not for mining; None for one that is read."""
    ending = PurePosixPath(name).suffix.lower().removeprefix(".")
    kind = next((kind for kind in _KINDS if ending in _RULES.words(kind)), None)
    return kind or (SPILL if _CLAUDE_CODE_SPILL.fullmatch(name) else None)


def may_be_skipped_mailbox(name: str) -> bool:
    """Tell a file that is called as a mailbox of spam, trash or drafts is, which nobody wants to find again."""
    return _MAILBOXES.fullmatch(name) is not None


def document_kind(names: Sequence[str]) -> str | None:
    """Say which kind of document a zip archive really is, by the files in it; None for an archive."""
    return next((kind for mark, kind in _DOCUMENTS if mark in names), None)


def without_attachments(names: Sequence[str], *, is_archive: bool) -> list[str]:
    """Leave out what the exports of WhatsApp and Telegram hold beside the chat.

    In an archive that a phone made nothing but the chat counts; on disk other people's files may lie between.
    """
    paths = [PurePosixPath(name) for name in names]
    chats = {path.parent for path in paths if _WHATSAPP_CHAT.fullmatch(path.name)}
    exports = {path.parent for path in paths if path.name == _TELEGRAM_EXPORT}

    def is_attachment(path: PurePosixPath) -> bool:
        is_beside_chat = path.parent in chats and not _WHATSAPP_CHAT.fullmatch(path.name)
        if is_beside_chat and (is_archive or _WHATSAPP_FILE.fullmatch(path.name)):
            return True
        above = (parent for parent in path.parents if parent in exports)
        return any(_TELEGRAM_FOLDER.fullmatch(path.relative_to(parent).parts[0]) for parent in above)

    return [str(path) for path in paths if not is_attachment(path)]
