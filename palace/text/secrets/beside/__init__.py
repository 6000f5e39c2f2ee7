"""Secrets that something beside them gives away: a column's head, the other half of a pair, a question. All pure."""

from __future__ import annotations

from collections.abc import Iterator

from palace.text.secrets.beside.changes import find_changed
from palace.text.secrets.beside.codes import find_codes
from palace.text.secrets.beside.pairs import find_pairs
from palace.text.secrets.beside.tables import find_tabled
from palace.text.secrets.findings import Finding, Page

__all__ = ["find_beside"]


def find_beside(page: Page) -> Iterator[Finding]:
    """Find them."""
    yield from find_tabled(page)
    yield from find_pairs(page)
    yield from find_codes(page)
    yield from find_changed(page)
