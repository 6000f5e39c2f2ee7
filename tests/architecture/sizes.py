"""Measures the source: lines, files, words that stand in lists, and how deep tests reach into the library."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

FEW = 5
"""A literal list of more strings than this is a list of words."""
DEEP = 3
"""Names from which on an import reaches past the front of a package: ``palace.db.users``."""


def python_files(folder: str) -> list[Path]:
    """List the Python files below a folder, sorted, without caches."""
    return sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def relative(path: Path) -> str:
    """Return a path as it is written from the root."""
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    """Read a file once."""
    return path.read_text(encoding="utf-8")


def tree_of(path: Path) -> ast.Module:
    """Parse a file; what is parsed is not kept: trees of the whole house are a gigabyte."""
    return ast.parse(text_of(path))


def lines_below(folder: str) -> int:
    """Count the lines of all Python files below a folder."""
    return sum(len(text_of(path).splitlines()) for path in python_files(folder))


def lines_of_packages(folder: str) -> dict[str, int]:
    """Count the lines of each package and of each module right below a folder; keys are names without ``.py``."""
    found: dict[str, int] = {}
    for path in python_files(folder):
        name = path.relative_to(ROOT / folder).parts[0].removesuffix(".py")
        found[name] = found.get(name, 0) + len(text_of(path).splitlines())
    return found


def packages_below(folder: str) -> dict[str, int]:
    """Map each package below a folder, by its path, to the number of modules in it, ``__init__`` apart."""
    return {
        relative(path.parent): len(list(path.parent.glob("*.py"))) - 1
        for path in python_files(folder)
        if path.name == "__init__.py"
    }


def longest_functions(*folders: str) -> list[tuple[int, str]]:
    """Measure each function in lines, from ``def`` to its last, longest first."""
    sizes = [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{relative(path)}:{node.name}")
        for folder in folders
        for path in python_files(folder)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return sorted(sizes, reverse=True)


def tokens_below(folder: str) -> int:
    """Count the tokens of all Python files below a folder, without comments, docstrings and layout."""
    left_out = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    count = 0
    for path in python_files(folder):
        tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
        count += sum(token.type not in left_out for token in tokens) - _docstrings(tree_of(path))
    return count


def _docstrings(tree: ast.Module) -> int:
    """Count the strings that stand alone: docstrings of modules, classes, functions and fields."""
    return sum(isinstance(node, ast.Expr) and _is_text(node.value) for node in ast.walk(tree))


def words_in_lists(folder: str) -> int:
    """Count the words of a language that stand in Python below a folder.

    Members of a literal list, tuple or set, keys of a literal dictionary, and alternatives of a pattern (``a|b|c``),
    where there are more than ``FEW``; and the words of a string that is split.
    """
    return sum(_words(node) for path in python_files(folder) for node in ast.walk(tree_of(path)))


def _words(node: ast.AST) -> int:
    count = 0
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        count = sum(_is_text(each) for each in node.elts)
    elif isinstance(node, ast.Dict):
        count = sum(key is not None and _is_text(key) for key in node.keys)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        count = node.value.count("|") + 1
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        text = node.func.value
        return len(text.value.split()) if isinstance(text, ast.Constant) and isinstance(text.value, str) else 0
    return count if count > FEW else 0


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def deep_imports(folder: str) -> list[str]:
    """List the imports below a folder that reach past the front of a package of the library, with their place."""
    modules = {relative(path).removesuffix(".py").removesuffix("/__init__") for path in python_files("palace")}
    return [
        f"{relative(path)}:{node.lineno} {name}"
        for path in python_files(folder)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _imported(node, modules)
        if name.startswith("palace.") and name.count(".") >= DEEP - 1
    ]


def _imported(node: ast.Import | ast.ImportFrom, modules: set[str]) -> Iterator[str]:
    """Yield the modules that a statement imports: ``from palace.db import users`` is ``palace.db.users``."""
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    elif node.module and not node.level:
        inner = [f"{node.module}.{name.name}" for name in node.names]
        yield from [name for name in inner if name.replace(".", "/") in modules] or [node.module]
