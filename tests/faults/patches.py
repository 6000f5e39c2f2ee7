"""The faults: what each patch says, which lines it changes, and which code runs what is changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
Places = dict[str, set[int]]
"""Lines by file."""

_HUNK = re.compile(r"@@ -(\d+)")
_FUNCTION = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)")
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that a person could make."""

    patch: Path

    @property
    def number(self) -> str:
        """What it is called: ``07``."""
        return self.patch.name[:2]

    @property
    def said(self) -> str:
        """What goes wrong, for whom."""
        return self.patch.read_text(encoding="utf-8").partition("\n\n")[0]

    @property
    def files(self) -> set[str]:
        """The files that it changes."""
        return set(changed_lines(self.patch.read_text(encoding="utf-8")))


def list_faults(numbers: Collection[int] = ()) -> list[Fault]:
    """List the faults of some numbers, or all."""
    faults = [Fault(patch) for patch in sorted(FOLDER.glob("*.patch"))]
    return [fault for fault in faults if not numbers or int(fault.number) in numbers]


def changed_lines(patch: str) -> Places:
    """List the lines that a patch takes out; where it only adds, the line before."""
    found: Places = {}
    file, line = "", 0
    for each in patch.splitlines():
        if each.startswith("diff "):
            file, line = "", 0
        elif each.startswith("--- a/"):
            file = each.removeprefix("--- a/")
        elif hunk := _HUNK.match(each):
            line = int(hunk[1])
        elif line and each.startswith(("-", "+")):
            found.setdefault(file, set()).add(line if each[0] == "-" else line - 1)
            line += each[0] == "-"
        elif line:
            line += 1
    return found


def places_of(tree: Path, changed: Places) -> Iterator[Places]:
    """Give the lines of Python that run what is changed, in wider and wider circles.

    First the very lines, and the functions that name what is changed in SQL; then the functions around them, for lines
    that are not run themselves; then all functions of these modules.
    """
    exact: Places = {}
    around: Places = {}
    for file, lines in changed.items():
        if file.endswith(".py"):
            exact[file] = lines
            around[file] = _around(_functions(tree / file), lines)
        else:
            exact |= _naming(tree, _names_in((tree / file).read_text(encoding="utf-8"), max(lines), file))
    yield exact
    yield around
    yield {file: set().union(*_functions(tree / file)) for file in exact}


def _functions(file: Path) -> list[set[int]]:
    """List the functions of a module by their lines."""
    found = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return [set(range(each.lineno + 1, (each.end_lineno or 0) + 1)) for each in found if isinstance(each, _DEFINED)]


def _around(functions: list[set[int]], lines: Collection[int]) -> set[int]:
    """Join the innermost functions around some lines."""
    holding = ([each for each in functions if line in each] for line in lines)
    return set().union(*(min(each, key=len) for each in holding if each))


def _names_in(text: str, line: int, file: str) -> str:
    """Give the name of the function of SQL that a line belongs to; else the file is a statement with a name."""
    before = _FUNCTION.findall("\n".join(text.splitlines()[:line]))
    return before[-1] if before else Path(file).stem


def _naming(tree: Path, name: str) -> Places:
    """Find the functions that use a statement or a function of SQL, by themselves or by a constant of their module."""
    found: Places = {}
    word = re.compile(rf"\b{name}\b")
    for file in sorted((tree / "palace").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not word.search(text):
            continue
        nodes = list(ast.walk(ast.parse(text)))
        said = {n.lineno for n in nodes if isinstance(n, ast.Constant) and word.search(str(n.value))}
        constants = {
            target.id
            for n in nodes
            if isinstance(n, ast.Assign) and not said.isdisjoint(range(n.lineno, (n.end_lineno or 0) + 1))
            for target in n.targets
            if isinstance(target, ast.Name)
        }
        said |= {n.lineno for n in nodes if isinstance(n, ast.Name) and n.id in constants}
        lines = _around(_functions(file), said)
        if lines:
            found[file.relative_to(tree).as_posix()] = lines
    return found
