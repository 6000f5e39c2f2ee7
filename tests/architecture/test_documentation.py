"""The documentation is about this program: its links lead somewhere, it names every table and quotes real messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import Column
from sqlalchemy.dialects import postgresql

from palace.db.tables import Base
from palace.models.lines import (
    ActivityLine,
    ConversationLine,
    DecisionLine,
    DrawerLine,
    ReplyLine,
    RoomLine,
    RunLine,
    SettingLine,
    TombstoneLine,
    WingLine,
)
from tests.architecture.sizes import ROOT, python_files, tree_of

PARTS = (RoomLine, DrawerLine, TombstoneLine, ReplyLine)
LINES = (RunLine, ActivityLine, WingLine, DecisionLine, SettingLine, ConversationLine, *PARTS)
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)")
QUOTED = re.compile(r"^### `(.+)`$", re.MULTILINE)
TABLE = re.compile(r"^## (\w+)$", re.MULTILINE)
COLUMN = re.compile(r"^(\w+)(?: {2,}.*)?$", re.MULTILINE)
TYPED = re.compile(r"^(\w+)  +(\w.*?)(?:  +-- .+)?$", re.MULTILINE)
CALLED = {"timestamp with time zone": "timestamptz", "varchar": "text", "double precision": "double"}
"""What types are called on the page where Postgres has a longer name."""
COMPUTED_OF_NULL = {"code"}
"""Columns that the database computes of one that may be null; what else it computes is never null."""

SAID_BY_THE_COMMAND_LINE = {"palace mcp needs the protocol's library", "passages still pending"}
"""Headings of troubleshooting that are about a number in a summary, not about a message."""


def text_of(page: str) -> str:
    """Read a page by its path below the root."""
    return (ROOT / page).read_text(encoding="utf-8")


def test_every_link_leads_to_a_file_that_is_there() -> None:
    links = [(page, target) for page in PAGES for target in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [(page.name, target) for page, target in links if not (page.parent / target).exists()] == []


def told_type(column: Column[Any]) -> str:
    """Write a column's type as the page does."""
    name = column.type.compile(dialect=postgresql.dialect()).lower()  # type: ignore[no-untyped-call]
    may_be_null = column.nullable and (column.computed is None or column.name in COMPUTED_OF_NULL)
    return CALLED.get(name, name) + (" null" if may_be_null else "")


def test_the_schema_page_names_every_table_with_its_columns_in_order_and_their_types() -> None:
    parts = TABLE.split(text_of("docs/schema.md"))[1:]
    documented = {name: TYPED.findall(part) for name, part in zip(parts[::2], parts[1::2], strict=True)}
    declared = {
        table.name: [(column.name, told_type(column)) for column in table.columns]
        for table in Base.metadata.sorted_tables
    }
    assert documented == declared


def test_the_page_on_exports_names_every_member_of_a_line_in_the_order_it_is_written() -> None:
    parts = re.split(r'^### (?:`"line": "(\w+)"`|.*)$', text_of("docs/export.md"), flags=re.MULTILINE)[1:]
    documented = {kind: COLUMN.findall(part) for kind, part in zip(parts[::2], parts[1::2], strict=True) if kind}
    declared = {kind.line: [member.name for member in fields(kind)] for kind in LINES}
    assert documented == declared


def quoted_parts() -> Iterator[str]:
    """List what the troubleshooting page quotes, cut where it leaves something out."""
    for heading in QUOTED.findall(text_of("docs/troubleshooting.md")):
        if heading not in SAID_BY_THE_COMMAND_LINE:
            yield from (part for part in heading.split("…") if part.strip(" (),"))


@pytest.mark.nightly
def test_the_troubleshooting_page_quotes_what_the_library_says() -> None:
    said = "\n".join(
        node.value
        for folder in ("palace", "cli/palace_cli/connect", "cli/palace_mcp")
        for path in python_files(folder)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert [part for part in quoted_parts() if part not in said] == []


def test_the_decisions_are_numbered_without_gaps_and_say_what_they_decide() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [page.name[:4] for page in pages] == [f"{number:04d}" for number in range(1, len(pages) + 1)]
    for page in pages:
        headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert headings == ["Context", "Decision", "Alternatives", "Not covered"], page.name
        assert page.name in text_of("docs/architecture.md")
