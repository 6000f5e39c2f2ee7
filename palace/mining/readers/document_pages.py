"""Reads the pages of a PDF or Word file from standard input and writes them as JSON; a program that ``documents`` runs.

A document can make its reader loop or fill the memory, and PDFium cannot be interrupted. So it is read in a process of
its own, which limits itself and imports nothing of Palace. Arguments are folders to import from.
"""

from __future__ import annotations

import ctypes
import io
import json
import re
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

EXTRA = "is a {kind}, which needs `pip install 'memory-palace-pg[documents]'`"
NO_WORD_FILE = "is not a Word file, or a damaged one"
MEMORY, SECONDS = 1 << 30, 60
"""Bytes of memory beyond those at the start, and seconds of computing time, at most."""
LARGEST_TEXT, LARGEST_UNPACKED = 64 << 20, 256 << 20
"""Bytes of text, and of the unpacked parts of a Word file, at most."""
_KILL = 9
_DIES_WITH_PARENT = 1
"""The option PR_SET_PDEATHSIG of Linux."""
_HYPHEN = "\ufffe"
"""What PDFium returns for a hyphen that splits a word at the end of a line."""
_PDF_TIME = re.compile(r"D:(\d{14})(?:([+-]\d\d)'?(\d\d))?")
_TEMPLATE = date(2013, 12, 23)
"""The day of the template that python-docx writes into files whose times are not set."""
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_RENDERED, _TYPED = "\x0c", "\x0b"
"""Marks for page breaks: where Word last rendered one, and where the author inserted one."""


class Document(NamedTuple):
    """The text of a document, as JSON an array of this order."""

    pages: list[str]
    title: str | None
    made_at: str | None


class _RefusedError(Exception):
    """The document is not read, for the reason in the message."""


def main() -> None:
    """Read standard input and write ``{"document": …}`` or ``{"problem": REASON}``."""
    sys.path += sys.argv[1:]
    _limit()
    data = sys.stdin.buffer.read()
    is_pdf = b"%PDF-" in data[:1024]
    try:
        found: dict[str, object] = {"document": _read_pdf(data) if is_pdf else _read_word(data)}
    except _RefusedError as problem:
        found = {"problem": str(problem)}
    except ImportError:
        found = {"problem": EXTRA.format(kind="PDF" if is_pdf else "Word file")}
    json.dump(found, sys.stdout)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    with suppress(OSError, ValueError, AttributeError):  # what follows is of Linux
        ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, _KILL)
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _within(pages: Iterator[str]) -> Iterator[str]:
    size = 0
    for page in pages:
        size += len(page.encode("utf-8", "replace"))
        if size > LARGEST_TEXT:
            raise _RefusedError(f"has more than {LARGEST_TEXT >> 20} MiB of text")
        yield page


def _read_pdf(data: bytes) -> Document:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
        pages = list(_within(document[number].get_textpage().get_text_range() for number in range(len(document))))
        about = document.get_metadata_dict()
    except pypdfium2.PdfiumError as problem:
        locked = "password" in str(problem)
        reason = "protected by a password; save it without one and mine that" if locked else "damaged"
        raise _RefusedError(f"is a PDF, but {reason}") from problem
    text = [page.replace("\r\n", "\n").replace(_HYPHEN, "") for page in pages]
    return Document(text, about["Title"] or None, _pdf_time(about["CreationDate"]))


def _pdf_time(written: str) -> str | None:
    """Parse a time such as ``D:20080924202650+02'00'``; without an offset it is in UTC."""
    with suppress(ValueError):
        if parts := _PDF_TIME.match(written):
            return datetime.strptime(f"{parts[1]}{parts[2] or '+00'}{parts[3] or '00'}", "%Y%m%d%H%M%S%z").isoformat()
    return None


def _read_word(data: bytes) -> Document:
    import docx

    try:
        _check_unpacked(data)
        document = docx.Document(io.BytesIO(data))
        text = "".join(_within(_word_text(document.element.body, dict(_notes(document)))))
        about = document.core_properties
        times = [each for each in (about.modified, about.created) if each and each.date() != _TEMPLATE]
    except (MemoryError, _RefusedError):
        raise
    except Exception as problem:
        raise _RefusedError(NO_WORD_FILE) from problem
    # Word stores where it last rendered page breaks; other programs store only the inserted ones.
    pages = text.replace(_TYPED, "").split(_RENDERED) if _RENDERED in text else text.split(_TYPED)
    return Document(pages, about.title or None, times[0].replace(tzinfo=UTC).isoformat() if times else None)


def _check_unpacked(data: bytes) -> None:
    with ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > LARGEST_UNPACKED:
            raise _RefusedError(f"unpacks to more than {LARGEST_UNPACKED >> 20} MiB")


def _notes(document: Any) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the footnotes and endnotes of a Word file, by kind and id."""
    from docx.oxml import parse_xml

    for part in document.part.rels.values():
        kind = part.reltype.rpartition("/")[2].removesuffix("s")
        if kind in ("footnote", "endnote"):
            for note in parse_xml(part.target_part.blob):
                yield (kind, note.get(f"{_WORD}id")), " ".join("".join(_word_text(note, {})).split())


def _word_text(element: Any, notes: dict[tuple[str, str], str]) -> Iterator[str]:
    """Yield the text below an element of a Word file in reading order, with marks at page breaks.

    A note stands at its first reference, and is removed from ``notes``; later references are only its number.
    """
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
            number = each.get(f"{_WORD}id") or ""
            yield f" [{notes.pop((kind.removesuffix('Reference'), number), number)}]"
        elif kind == "tr":
            cells = ("".join(_word_text(cell, notes)).strip("\n") for cell in each.iterchildren(f"{_WORD}tc"))
            yield " | ".join(cells) + "\n"
        elif kind not in ("Fallback", "instrText"):
            yield from _word_text(each, notes)
            yield "\n" if kind == "p" else ""


if __name__ == "__main__":
    main()
