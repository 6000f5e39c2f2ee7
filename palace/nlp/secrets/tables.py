"""Secrets in tables: beside their label in a Markdown row, or below it in a Markdown or CSV column. Pure.

Lines are read once, in order, with the columns of the last header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palace.nlp.rules import rules
from palace.nlp.secrets.findings import KEY, PASSWORD, TOKEN, Finding, Page, occurrences
from palace.nlp.secrets.values import is_made, is_plain, is_random, is_strong

_RULES = rules("secrets", "beside")

_RULE = re.compile(r"[ \t>|:+-]*-[ \t>|:+-]*")
_HEAD = re.compile(r"[\"']?[^\W\d][\w/-]{0,24}(?: [\w/-]{1,20}){0,2}[\"']?")
_PIN = re.compile(r"\d{4,8}")
_DRESS = " \t*_`\"'"
_LONGEST, _MOST_CELLS = 4000, 64


class _Cell(NamedTuple):
    value: str
    start: int


@dataclass(frozen=True, slots=True)
class _Head:
    """The header of a table: the kinds of its secret columns by index, and the form of its rows."""

    separator: str
    columns: Mapping[int, str]
    count: int
    has_user: bool
    is_tight: bool


def find_tabled(page: Page) -> Iterator[Finding]:
    """Find secrets in tables, beside or below the label of a secret."""
    done = 0
    for start in _starts(page):
        if start >= done:
            found, done = _table(page.text, start)
            yield from found


def _starts(page: Page) -> list[int]:
    """Return the offsets of the lines that contain the label of a secret."""
    starts: set[int] = set()
    for stem in _RULES.table("table_stems"):
        ended = 0
        for place in occurrences(page.lower, stem):
            if place >= ended:
                end = page.text.find("\n", place)
                ended = len(page.text) if end < 0 else end
                starts.add(page.text.rfind("\n", 0, place) + 1)
    return sorted(starts)


def _table(text: str, start: int) -> tuple[list[Finding], int]:
    """Read a table from the line at an offset on; return its findings and the offset of the line behind it."""
    all_found: list[Finding] = []
    head: _Head | None = None
    while True:
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        if len(line) > _LONGEST:
            return all_found, start + len(line) + 1
        following = text[end + 1 : end + _LONGEST].partition("\n")[0] if end >= 0 else ""
        found, head = (_of_bars if "|" in line else _of_commas)(line, start, following, head)
        all_found += found
        start += len(line) + 1
        if head is None or end < 0:
            return all_found, start


def _of_bars(line: str, place: int, following: str, head: _Head | None) -> tuple[list[Finding], _Head | None]:
    head = head if head and head.separator == "|" else None
    if _RULE.fullmatch(line):
        return [], head
    if " | " not in line and not line.lstrip(" \t>").startswith("|"):
        return [], None  # alternatives in code, such as "password|token"
    cells = _cells(line, "|", place)
    labels = _labels(cells)
    found = _row(cells, head) if head else []
    for index, kind in labels.items():
        if kind != "pass" and index + 1 < len(cells) and _is_secret(cells[index + 1].value, kind):
            found.append(_finding(cells[index + 1], kind))
    is_head = _RULE.fullmatch(following) and "-" in following
    if labels and (is_head or (head is None and not found)):
        return found, _head("|", cells, labels, line)
    return found, head


def _of_commas(line: str, place: int, following: str, head: _Head | None) -> tuple[list[Finding], _Head | None]:
    if head and head.separator != "|" and head.separator in line:
        cells = _cells(line, head.separator, place)
        return (_row(cells, head), head) if len(cells) == head.count else ([], None)
    for separator in (",", ";", "\t"):
        if separator in line and separator in following:
            cells = _cells(line, separator, place)
            labels = _labels(cells)
            if labels and len(cells) > len(labels) and all(_HEAD.fullmatch(cell.value) for cell in cells):
                return [], _head(separator, cells, labels, line)
    return [], None


def _cells(line: str, separator: str, place: int) -> list[_Cell]:
    cells = []
    for part in line.split(separator, _MOST_CELLS)[:_MOST_CELLS]:
        inner = part.strip(_DRESS + "\r")
        cells.append(_Cell(inner, place + part.find(inner)))
        place += len(part) + 1
    return cells


def _labels(cells: Sequence[_Cell]) -> dict[int, str]:
    found = {}
    for index, cell in enumerate(cells):
        label = _RULES["table_label"].fullmatch(cell.value.lower().rstrip(":")) if len(cell.value) <= 60 else None
        if label:
            found[index] = label.lastgroup or PASSWORD
    return found


def _head(separator: str, cells: Sequence[_Cell], labels: Mapping[int, str], line: str) -> _Head:
    has_user = any(_RULES["table_user"].fullmatch(cell.value.lower()) for cell in cells)
    columns = {index: kind for index, kind in labels.items() if has_user or kind != "pass"}
    return _Head(separator, columns, len(cells), has_user, f"{separator} " not in line or separator == "|")


def _row(cells: Sequence[_Cell], head: _Head) -> list[Finding]:
    found = []
    for index, kind in head.columns.items():
        cell = cells[index] if index < len(cells) else _Cell("", 0)
        is_word = head.has_user and head.is_tight and kind in ("password", "pass") and is_plain(cell.value)
        if is_word or _is_secret(cell.value, kind):
            found.append(_finding(cell, kind))
    return found


def _is_secret(value: str, kind: str) -> bool:
    if " " in value or len(value) > 200:
        return False
    if kind == "pin":
        return _PIN.fullmatch(value) is not None
    if kind in ("key", "token"):
        return is_random(value) and is_made(value, 16)
    return is_strong(value)


def _finding(cell: _Cell, kind: str) -> Finding:
    end = cell.start + len(cell.value)
    return Finding(cell.start, end, {"key": KEY, "token": TOKEN}.get(kind, PASSWORD), "table")
