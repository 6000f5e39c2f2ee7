"""Documents: PDF, Word (.docx) and web pages, a drawer for each page.

The text of a document is not said by a person: its pages have the role "system" and a speaker such as "page 3", so
recall finds them, but no claims about the person are made from them, and hooks never pass them to an agent. PDF and
Word need the extra ``documents``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from html import unescape
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from palace.mining.drafts.draft import NO_TIME, Draft, Stamp
from palace.mining.files.encoding import encoding_of
from palace.mining.files.reading import Reading
from palace.mining.readers.document_pages import Document
from palace.mining.readers.web_text import web_text
from palace.models import Conversation, Role

NAME = "document"
LARGEST = 256 << 20
"""Most bytes of a document, because it is read into memory as a whole."""
LONGEST_SECONDS = 120
"""Most seconds to wait for the pages of a PDF or Word file."""
EMPTY_PAGES = "pages without text"
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?\s*([\w-]{2,30})", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,500})</title>", re.IGNORECASE)
_PDF, _ZIP = b"%PDF-", b"PK\x03\x04"
WORD_TEXT = "word/document.xml"
"""The file that makes a zip archive a Word file."""


def recognises(head: bytes, ending: str) -> bool:
    """Check for a PDF by its first bytes, and for Word files and web pages by the ending of the name as well."""
    if ending in (".html", ".htm", ".xhtml"):
        return b"tgme_" not in head and b"Exported Data" not in head
    return _PDF in head[:1024] or (ending == ".docx" and head.startswith(_ZIP))


def read(stream: BinaryIO, reading: Reading) -> Iterator[Conversation]:
    """Read a document as one conversation, with a turn for each page that has text.

    Raises:
        UnreadableSource: it is larger than 256 MiB, damaged, protected by a password or without text, has more than
            64 MiB of text, takes too long or too much memory, or the extra is not installed.
    """
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise reading.problem(f"is a document of more than {LARGEST >> 20} MiB, which is not read")
    is_pdf, is_word = _PDF in data[:1024], data.startswith(_ZIP)
    document = (_read_apart if is_pdf or is_word else _read_web_page)(data, reading)
    path = reading.where.path if reading.where else PurePosixPath(reading.file)
    draft = Draft(NAME, reading, dated=False)
    stamp = Stamp(NO_TIME)  # a page of another time would not be a version of the page in its place
    for number, page in enumerate(document.pages, 1):
        own, text = f"page {number}", page.strip("\r\n")
        if text.strip():
            draft.say(Role.SYSTEM, text, stamp._replace(source_id=own, speaker=own if is_pdf or is_word else None))
        else:
            draft.leave_out(EMPTY_PAGES)
    title = path.stem if document.title in (None, "(anonymous)", "untitled") else document.title
    made_at = datetime.fromisoformat(document.made_at) if document.made_at else None
    found = list(draft.finish(title=title, source_id=f"{NAME}:{path}", started_at=made_at))
    if not found:
        raise reading.problem("has no text: its pages are empty or pictures, which are not read")
    yield from found


def _read_apart(data: bytes, reading: Reading) -> Document:
    """Read a PDF or Word file in a process of its own, which is killed if it takes too long."""
    program = str(Path(__file__).with_name("document_pages.py"))
    folders = [each for each in sys.path if each]
    try:
        done = subprocess.run(
            [sys.executable, "-I", program, *folders],
            input=data,
            capture_output=True,
            cwd="/",
            timeout=LONGEST_SECONDS,
            check=True,
            start_new_session=True,
        )
        found = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError) as problem:
        raise reading.problem("took too long or too much memory to read") from problem
    except OSError as problem:
        raise reading.problem(f"cannot be read: {problem.strerror}") from problem
    if "problem" in found:
        raise reading.problem(found["problem"])
    return Document(*found["document"])


def _read_web_page(data: bytes, reading: Reading) -> Document:
    declared = _CHARSET.search(data[:4096])
    encoding = encoding_of(data[:4096], reading)
    encoding = declared[1].decode("ascii") if encoding == "utf-8" and declared else encoding
    try:
        page = data.decode(encoding, "replace")
    except LookupError:
        page = data.decode("utf-8", "replace")
    title = _TITLE.search(page[:100_000])
    return Document([web_text(page).text], " ".join(unescape(title[1]).split()) if title else None, None)
