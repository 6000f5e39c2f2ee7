"""Measures the source: lines of modules and functions, methods of classes, modules of packages.

``python -m tests.architecture.sizes`` prints how the medians stand against the aims; the ceilings are a test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
LIBRARY = ("palace", "cli", "bench")
"""What is written to be read for long; aims and package sizes are about these."""

MODULE_AIM, MODULE_NINE_IN_TEN = 110, 280
FUNCTION_AIM, FUNCTION_NINE_IN_TEN = 9, 30


@dataclass(frozen=True, slots=True)
class Size:
    """How large one thing is."""

    name: str
    """Path below the root, and the name in it: ``palace/store/tree.py:list_rooms``."""
    count: int


def python_files(*folders: str) -> list[Path]:
    """List the Python files below some folders of the repository, in order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def relative(path: Path) -> str:
    """Name a file by its path below the root."""
    return path.relative_to(ROOT).as_posix()


def iter_trees(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Parse every module, with its path below the root."""
    for path in python_files(*folders):
        yield relative(path), ast.parse(_text(path))


def modules(*folders: str) -> list[Size]:
    """Measure each module in lines."""
    return [Size(relative(path), len(_text(path).splitlines())) for path in python_files(*folders)]


def functions(*folders: str) -> list[Size]:
    """Measure each function and method in lines, from ``def`` to its last; nested ones count on their own too."""
    return [
        Size(f"{path}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for path, tree in iter_trees(*folders)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def classes(*folders: str) -> list[Size]:
    """Measure each class in public methods and properties."""
    return [
        Size(f"{path}:{node.name}", sum(_is_public_method(part) for part in node.body))
        for path, tree in iter_trees(*folders)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]


def packages(*folders: str) -> list[Size]:
    """Measure each package in the modules that lie in it; ``__init__`` is the package itself."""
    inside = sorted({path.parent for path in python_files(*folders)})
    return [Size(relative(folder), len(list(folder.glob("*.py"))) - _has_init(folder)) for folder in inside]


def statements() -> list[Size]:
    """Measure each ``.sql`` file of the library in lines."""
    return [Size(relative(path), len(_text(path).splitlines())) for path in sorted((ROOT / "palace").rglob("*.sql"))]


def report() -> str:
    """Say how the medians stand against the aims."""
    return "\n".join(
        (
            _line("modules", modules(*LIBRARY), MODULE_AIM, MODULE_NINE_IN_TEN),
            _line("functions", functions(*LIBRARY), FUNCTION_AIM, FUNCTION_NINE_IN_TEN),
        )
    )


def _line(what: str, sizes: Sequence[Size], aim: int, nine_in_ten: int) -> str:
    counts = sorted(size.count for size in sizes)
    ninth = counts[len(counts) * 9 // 10]
    return (
        f"{len(counts):,} {what}: median {median(counts):g} lines (aim {aim}), "
        f"nine in ten up to {ninth} (aim {nine_in_ten}), largest {counts[-1]}"
    )


def _is_public_method(node: ast.stmt) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_")


def _has_init(folder: Path) -> bool:
    return (folder / "__init__.py").exists()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    print(report())
