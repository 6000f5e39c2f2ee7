"""Documents: PDF, Word (.docx) and web pages, a drawer for each page.

The text of a document is not said by a person: its pages have the role "system" and a speaker such as "page 3", so
recall finds them, but no claims about the person are made from them, and hooks never pass them to an agent. PDF and
Word need the extra ``documents``.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from html import unescape
from pathlib import PurePosixPath
from threading import Lock
from typing import Any, BinaryIO, NamedTuple

from palace.mining.drafts.draft import NO_TIME, Draft, Stamp
from palace.mining.files.encoding import encoding_of
from palace.mining.files.reading import Reading
from palace.mining.readers.web_text import web_text
from palace.models import Conversation, Role

NAME = "document"
EXTRA = "is a {kind}, which needs `pip install 'memory-palace-pg[documents]'`"
LARGEST = 256 << 20
"""Most bytes of a document, because it is read into memory as a whole."""
EMPTY_PAGES = "pages without text"
_HYPHEN = "\ufffe"
"""What PDFium returns for a hyphen that splits a word at the end of a line."""
_PDF_TIME = re.compile(r"D:(\d{14})(?:([+-]\d\d)'?(\d\d))?")
_PDFIUM_LOCK = Lock()
"""A lock, because PDFium is not thread-safe."""
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?\s*([\w-]{2,30})", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,500})</title>", re.IGNORECASE)
_PDF, _ZIP = b"%PDF-", b"PK\x03\x04"
WORD_TEXT = "word/document.xml"
"""The file that makes a zip archive a Word file."""
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_RENDERED, _TYPED = "\x0c", "\x0b"
"""Marks for page breaks: where Word last rendered one, and where the author inserted one."""


class _Document(NamedTuple):
    pages: list[str]
    title: str | None
    made_at: datetime | None


def recognises(head: bytes, ending: str) -> bool:
    """Check for a PDF by its first bytes, and for Word files and web pages by the ending of the name as well."""
    if ending in (".html", ".htm", ".xhtml"):
        return b"tgme_" not in head and b"Exported Data" not in head
    return _PDF in head[:1024] or (ending == ".docx" and head.startswith(_ZIP))


def read(stream: BinaryIO, reading: Reading) -> Iterator[Conversation]:
    """Read a document as one conversation, with a turn for each page that has text.

    Raises:
        UnreadableSource: it is larger than 256 MiB, damaged, protected by a password or without text, or the extra is
            not installed.
    """
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise reading.problem(f"is a document of more than {LARGEST >> 20} MiB, which is not read")
    is_pdf, is_word = _PDF in data[:1024], data.startswith(_ZIP)
    read_as = _read_pdf if is_pdf else _read_word if is_word else _read_web_page
    try:
        document = read_as(data, reading)
    except ImportError as problem:
        raise reading.problem(EXTRA.format(kind="PDF" if is_pdf else "Word file")) from problem
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
    found = list(draft.finish(title=title, source_id=f"{NAME}:{path}", started_at=document.made_at))
    if not found:
        raise reading.problem("has no text: its pages are empty or pictures, which are not read")
    yield from found


def _read_pdf(data: bytes, reading: Reading) -> _Document:
    import pypdfium2

    with _PDFIUM_LOCK:
        try:
            document = pypdfium2.PdfDocument(data)
            pages = [document[number].get_textpage().get_text_range() for number in range(len(document))]
            about = document.get_metadata_dict()
        except pypdfium2.PdfiumError as problem:
            locked = "password" in str(problem)
            reason = "protected by a password; save it without one and mine that" if locked else "damaged"
            raise reading.problem(f"is a PDF, but {reason}") from problem
    text = [page.replace("\r\n", "\n").replace(_HYPHEN, "") for page in pages]
    return _Document(text, about["Title"] or None, _pdf_time(about["CreationDate"]))


def _pdf_time(written: str) -> datetime | None:
    """Parse a time such as ``D:20080924202650+02'00'``; without an offset it is in UTC."""
    with suppress(ValueError):
        if parts := _PDF_TIME.match(written):
            return datetime.strptime(f"{parts[1]}{parts[2] or '+00'}{parts[3] or '00'}", "%Y%m%d%H%M%S%z")
    return None


def _read_word(data: bytes, reading: Reading) -> _Document:
    import docx

    try:
        document = docx.Document(io.BytesIO(data))
        notes = dict(_notes(document))
        text = "".join(_word_text(document.element.body, notes))
        about = document.core_properties
        made_at = about.modified or about.created
    except Exception as problem:
        raise reading.problem("is not a Word file, or a damaged one") from problem
    # Word stores where it last rendered page breaks; other programs store only the inserted ones.
    pages = text.replace(_TYPED, "").split(_RENDERED) if _RENDERED in text else text.split(_TYPED)
    made_at = None if about.author == "python-docx" else made_at  # that of its template
    return _Document(pages, about.title or None, made_at.replace(tzinfo=UTC) if made_at else None)


def _notes(document: Any) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the footnotes and endnotes of a Word file, by kind and id."""
    from docx.oxml import parse_xml

    for part in document.part.rels.values():
        kind = part.reltype.rpartition("/")[2].removesuffix("s")
        if kind in ("footnote", "endnote"):
            for note in parse_xml(part.target_part.blob):
                yield (kind, note.get(f"{_WORD}id")), " ".join("".join(_word_text(note, {})).split())


def _word_text(element: Any, notes: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Yield the text below an element of a Word file in reading order, with marks at page breaks."""
    for each in element:
        kind = str(each.tag).rpartition("}")[2]
        if kind == "t":
            yield each.text or ""
        elif kind == "tab" and element.tag == f"{_WORD}r":
            yield "\t"
        elif kind in ("br", "cr"):
            yield _TYPED if each.get(f"{_WORD}type") == "page" else "\n"
        elif kind == "lastRenderedPageBreak":
            yield _RENDERED
        elif kind == "pageBreakBefore":
            yield _TYPED
        elif kind.endswith("noteReference"):
            yield f" [{notes.get((kind.removesuffix('Reference'), each.get(f'{_WORD}id')), '')}]"
        elif kind == "tr":
            cells = ("".join(_word_text(cell, notes)).strip("\n") for cell in each.iterchildren(f"{_WORD}tc"))
            yield " | ".join(cells) + "\n"
        elif kind not in ("Fallback", "instrText"):
            yield from _word_text(each, notes)
            yield "\n" if kind == "p" else ""


def _read_web_page(data: bytes, reading: Reading) -> _Document:
    declared = _CHARSET.search(data[:4096])
    encoding = encoding_of(data[:4096], reading)
    encoding = declared[1].decode("ascii") if encoding == "utf-8" and declared else encoding
    try:
        page = data.decode(encoding, "replace")
    except LookupError:
        page = data.decode("utf-8", "replace")
    title = _TITLE.search(page[:100_000])
    return _Document([web_text(page).text], " ".join(unescape(title[1]).split()) if title else None, None)
