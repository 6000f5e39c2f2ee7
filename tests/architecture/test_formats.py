"""docs/formats.md and the readers say the same: every reader has its section, every kind left out its row."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.architecture.sizes import ROOT, iter_trees

READERS = "palace/mining/readers"
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## .+\(`([\w-]+)`(?:, `([\w-]+)`)*\)$", re.MULTILINE)
NAMED = re.compile(r"`([\w-]+)`")
ROW = re.compile(r"^\| left out: (.+?) \|", re.MULTILINE)
NAMES = {"NAME", "NOTE"}
"""What a module of readers calls the names its conversations go by."""
HANDED_ON = {"reading.py", "drafts/draft.py", "drafts/parts.py", "alone.py", "files/companions.py"}
"""Where a kind that somebody else has named is passed on."""

Constants = dict[str, ast.expr]


def constants() -> tuple[dict[str, ast.Module], Constants]:
    """Give the modules of the readers, and all that is assigned at the top of any of them."""
    trees = dict(iter_trees(READERS))
    found: Constants = {}
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.value is not None:
                found[node.targets[0].id] = node.value
    return trees, found


def within(path: str) -> str:
    """Give where among the readers a module lies."""
    return path.split("/readers/", 1)[-1]


def texts_in(node: ast.expr, known: Constants) -> Iterator[str]:
    """Give the kinds an expression can be: a text, or the values of a table that is looked up."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Name) and node.id in known:
        yield from texts_in(known[node.id], known)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from texts_in(value, known)
    elif isinstance(node, ast.Tuple):
        for part in node.elts:
            yield from texts_in(part.elts[1] if isinstance(part, ast.Tuple) else part, known)
    elif isinstance(node, ast.IfExp | ast.BoolOp):
        for part in node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse):
            yield from texts_in(part, known)


def called_kinds(tree: ast.Module, known: Constants) -> Iterator[str]:
    """Give the kinds a module leaves out: what it passes to ``leave_out``, and to ``empty``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "leave_out" and node.args:
                yield from texts_in(node.args[0], known)
            yield from (kind for word in node.keywords if word.arg == "empty" for kind in texts_in(word.value, known))
        elif isinstance(node, ast.FunctionDef):
            defaults = zip(reversed(node.args.args), reversed(node.args.defaults), strict=False)
            yield from (kind for arg, value in defaults if arg.arg == "empty" for kind in texts_in(value, known))


def tabled_kinds(known: Constants) -> Iterator[str]:
    """Give the kinds that tables hold: those whose name says that what is in them is left out."""
    for name, value in known.items():
        if name.endswith(("LEFT_OUT", "SKIPPED", "HOUSEKEEPING")):
            yield from texts_in(value, known)


def kinds() -> set[str]:
    trees, known = constants()
    called = {kind for tree in trees.values() for kind in called_kinds(tree, known)}
    every: set[str] = set()
    for tree in trees.values():
        own = {
            node.targets[0].id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        every |= set(tabled_kinds(own))
    return called | every


def sections() -> list[str]:
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    return [name for heading in headings if SECTION.match(f"## {heading}") for name in NAMED.findall(heading)]


def test_every_kind_that_a_reader_leaves_out_is_on_the_page_and_no_other() -> None:
    found = kinds()
    assert {"hidden reasoning", "reactions", "joins and departures", "account data (user.json)"} <= found
    assert set(ROW.findall(PAGE)) == found


def test_every_call_that_leaves_out_names_its_kind_where_the_page_can_hold_it() -> None:
    trees, known = constants()
    unnamed = [
        f"{path}:{node.lineno}"
        for path, tree in trees.items()
        if within(path) not in HANDED_ON
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) == "leave_out"
        and not list(texts_in(node.args[0], known))
    ]
    tables = {"assistants/claude_code.py", "mail/mails.py", "slack/export.py", "slack/messages.py"}
    assert {within(place).split(":")[0] for place in unnamed} <= tables


def test_every_reader_has_one_section() -> None:
    trees, _ = constants()
    names = {
        node.value.value
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in NAMES
        and isinstance(node.value, ast.Constant)
    }
    assert "chatgpt" in names
    assert set(sections()) == names
    assert [name for name, count in Counter(sections()).items() if count > 1] == []
