"""Every code that stands in the log of failed hooks is told on the page that `palace doctor` names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import palace.errors
from palace.errors import PalaceError

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "hooks.md"
SOURCES = (
    *(ROOT / "palace" / "hooks").rglob("*.py"),
    *(ROOT / "cli" / "palace_hook").rglob("*.py"),
    ROOT / "palace" / "turns" / "loop" / "guard.py",
)
GIVEN = {"note": 3, "_note": 1, "_give_up": 2, "Unintelligible": 0, "Unasked": 0, "Outcome": 0}
"""Where what writes a code, or carries one there, takes it among its arguments."""
CHOSEN = {"reason", "code"}
"""What a code is called where it is chosen first."""
RETURNING = ("trust.py", "aside.py")
"""Modules in which functions that return a word return a code."""
CODE = re.compile(r"[a-z]+(_[a-z]+)*")


def _words(node: ast.AST) -> Iterator[str]:
    """Give the texts that an expression may come to; what a call is given is none, but for one that looks up."""
    if isinstance(node, ast.Call) and _name(node) != "get":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
        yield node.value
    for each in ast.iter_child_nodes(node):
        yield from _words(each)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _carriers(tree: ast.AST, *, is_returning: bool) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _name(node)
            yield from node.args[GIVEN[name] : GIVEN[name] + 1] if name in GIVEN else ()
            yield from (named.value for named in node.keywords if name in GIVEN and named.arg in CHOSEN)
        elif isinstance(node, ast.Assign):
            yield from (node.value for to in node.targets if isinstance(to, ast.Name) and to.id in CHOSEN)
        elif isinstance(node, ast.Return) and is_returning:
            yield node


def written() -> set[str]:
    """Gather the codes that the source of hooks has, and those of the errors of Palace."""
    found = {
        word
        for path in SOURCES
        for carrier in _carriers(ast.parse(path.read_text()), is_returning=path.name in RETURNING)
        for word in _words(carrier)
    }
    errors = {
        each.code for each in vars(palace.errors).values() if isinstance(each, type) and issubclass(each, PalaceError)
    }
    return found | errors


def told() -> set[str]:
    """Read the codes in the first column of the page's table."""
    table = PAGE.read_text().partition("| code | means |")[2].partition("\n\n")[0]
    named = {code for line in table.splitlines()[2:] for code in re.findall("`([^`]+)`", line.split("|")[1])}
    return {code for code in named if CODE.fullmatch(code)}


def test_the_page_tells_every_code_and_none_that_is_never_written() -> None:
    codes = written()
    assert {"not_json", "given_up", "no_worker", "vanished", "import_failed", "overdue", "too_large"} <= codes
    assert codes - told() == set()
    assert told() - codes == set()
