"""What lies beside a chat in a phone's or a program's export and is no conversation: pictures, documents, cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

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


def without_attachments(names: Sequence[str], *, is_archive: bool) -> list[str]:
    """Leave out what the exports of WhatsApp and Telegram hold beside the chat.

    In an archive that a phone made nothing but the chat counts; on disk other people's files may lie between.
    """
    paths = [PurePosixPath(name) for name in names]
    chats = {path.parent for path in paths if _WHATSAPP_CHAT.fullmatch(path.name)}
    exports = {path.parent for path in paths if path.name == _TELEGRAM_EXPORT}
    return [
        str(path)
        for path in paths
        if not _is_whatsapp_file(path, chats, is_archive=is_archive) and not _is_telegram_file(path, exports)
    ]


def document_kind(names: Sequence[str]) -> str | None:
    """Say which kind of document a zip archive really is, by the files in it; None for an archive."""
    return next((kind for mark, kind in _DOCUMENTS if mark in names), None)


def _is_whatsapp_file(path: PurePosixPath, chats: set[PurePosixPath], *, is_archive: bool) -> bool:
    if path.parent not in chats or _WHATSAPP_CHAT.fullmatch(path.name):
        return False
    return is_archive or _WHATSAPP_FILE.fullmatch(path.name) is not None


def _is_telegram_file(path: PurePosixPath, exports: set[PurePosixPath]) -> bool:
    return any(
        parent in exports and _TELEGRAM_FOLDER.fullmatch(path.relative_to(parent).parts[0]) for parent in path.parents
    )
