"""What a program imports comes from ``palace``: records, errors and settings, all of them, each documented."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, get_args, get_type_hints

import pytest

import palace as public
from palace import Administration, Palace, PalaceError, errors, turns
from tests.architecture.sizes import ROOT
from tests.docs.pages import PAGES, blocks

VERBS = ("tree", "runs", "embeddings", "entities", "transfer")
"""Attributes of an open palace whose methods return records."""
ERRORS = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, PalaceError)]
PROGRAMS = [block for page in PAGES for block in blocks(page) if block.language == "python"]
PUBLIC = {"palace", "palace.turns", "palace.api.memory_tool"}
"""Modules to import from: the second holds the steps of the turn loop, which need no palace to be open; the third needs
Anthropic's SDK.
"""
ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (.+) \|$", re.MULTILINE)


def imports(node: ast.AST) -> list[str]:
    """List what an ``import`` statement names; nothing of any other node."""
    return [name.name for name in node.names] if isinstance(node, ast.Import) else []


def records_in(hint: Any) -> Iterator[type]:
    """List the records that a type speaks of, and those in their fields."""
    for part in get_args(hint):
        yield from records_in(part)
    if inspect.isclass(hint) and hint.__module__.startswith("palace.models"):
        yield hint
        if is_dataclass(hint) or hasattr(hint, "_fields"):
            for member in get_type_hints(hint).values():
                yield from records_in(member)


def returned(verbs: type) -> Iterator[type]:
    """List what the public methods of a class return."""
    for name, method in inspect.getmembers(verbs, inspect.isfunction):
        if not name.startswith("_"):
            names = {each: getattr(public, each) for each in public.__all__} | vars(turns) | method.__globals__
            yield from records_in(get_type_hints(method, names).get("return"))


def test_every_name_is_there() -> None:
    assert [name for name in public.__all__ if getattr(public, name, None) is None] == []


def test_a_name_that_is_not_there_is_missed_as_in_any_module() -> None:
    name = "Nothing"
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(public, name)


def test_every_record_that_the_facade_returns_is_exported(palace: Palace) -> None:
    facade = (Palace, Administration, *(type(getattr(palace, name)) for name in VERBS))
    records = {kind.__name__ for verbs in facade for kind in returned(verbs)}
    assert len(records) > 40
    assert sorted(records - set(public.__all__)) == []


def test_every_error_is_exported_and_has_a_code_of_its_own_that_is_documented() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    documented = ROW.findall(page)
    assert documented == [(kind.__name__, kind.code, (kind.__doc__ or "").splitlines()[0]) for kind in ERRORS]
    assert len({kind.code for kind in ERRORS}) == len(ERRORS)
    assert {kind.__name__ for kind in ERRORS} <= set(public.__all__)


def test_programs_in_the_documentation_import_what_is_public() -> None:
    nodes = [(program.place, node) for program in PROGRAMS for node in ast.walk(ast.parse(program.text))]
    imported = [
        (place, module)
        for place, node in nodes
        for module in ([node.module] if isinstance(node, ast.ImportFrom) else imports(node))
        if module and module.split(".")[0] == "palace"
    ]
    assert len(imported) > 10
    assert [each for each in imported if each[1] not in PUBLIC] == []
