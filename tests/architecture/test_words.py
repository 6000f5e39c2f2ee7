"""One word, one thing: names of modules and of what is in them, docstrings, statement files."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sizes import LIBRARY, ROOT, iter_trees, python_files, relative

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "core", "base_classes"}

FORBIDDEN = {
    "tenant": "user",
    "chunk": "passage",
    "ingest": "mine",
    "retriever": "arm",
    "hydrate": "pack",
    "triple": "relation",
    "completion": "reply",
}
"""Words that docs/glossary.md replaces, and that mean nothing else in this library."""

STATEMENTS = sorted((ROOT / "palace" / "store" / "sql").glob("*.sql"))


@pytest.mark.parametrize("path", python_files(*LIBRARY, "tests", "migrations", "examples"), ids=relative)
def test_a_module_opens_with_what_it_holds_and_has_a_name_that_says_something(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert not EMPTY_NAMES & {path.stem, path.parent.name}


def names_in(tree: ast.Module) -> Iterator[str]:
    """List what a module defines: its functions, classes, parameters and variables."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def words_of(name: str) -> set[str]:
    """Take a name apart: ``HttpClient`` and ``http_client`` are both "http" and "client", plurals are singular."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return {part.lower().removesuffix("s") for part in parts}


def test_a_name_does_not_use_a_word_that_the_glossary_replaces() -> None:
    found = [
        f"{path}: {name} (say {FORBIDDEN[word]})"
        for path, tree in iter_trees("palace")
        for name in names_in(tree)
        for word in words_of(name) & FORBIDDEN.keys()
    ]
    assert found == []


def test_the_glossary_lists_every_word_that_is_checked() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert [word for word in FORBIDDEN if word not in glossary] == []


def test_the_glossary_says_what_a_word_means_once() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = Counter(re.findall(r"^\| ([^|]+) \|", glossary, re.MULTILINE))
    assert [word for word, count in rows.items() if count > 1 and word not in {"word", "---"}] == []


@pytest.mark.parametrize("path", [*STATEMENTS, *sorted((ROOT / "palace" / "tables").glob("*.sql"))], ids=relative)
def test_a_statement_file_starts_with_what_it_answers(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("-- ")


@pytest.mark.parametrize("path", STATEMENTS, ids=relative)
def test_a_statement_file_is_used(path: Path) -> None:
    callers = [file.read_text(encoding="utf-8") for file in python_files("palace/store")]
    assert any(f'"{path.stem}"' in text for text in callers)
