"""How large the house is: measured, and held against ``budget.toml`` beside this file.

``python -m tests.architecture.budget`` prints both; with ``--lower`` it writes what is lower now into the file.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from statistics import median, quantiles

from tests.architecture.sizes import (
    ROOT,
    deep_imports,
    lines_below,
    lines_of_packages,
    longest_functions,
    packages_below,
    python_files,
    text_of,
    tokens_below,
    words_in_lists,
)

FILE = Path(__file__).with_name("budget.toml")
WRITTEN = ("palace", "cli", "bench")
"""Folders of what is kept; lengths of modules are about these."""
SMALL = 3
"""Modules that a package holds at least."""

Figures = dict[str, dict[str, int]]


def budget() -> Figures:
    """Read what is allowed."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def measured(*, slowly: bool = True) -> Figures:
    """Measure what is, under the same names; tokens and words take ten seconds and are left out unless ``slowly``."""
    packages = packages_below("palace")
    modules = [len(text_of(path).splitlines()) for folder in WRITTEN for path in python_files(folder)]
    return {
        "lines": {folder: lines_below(folder) for folder in (*WRITTEN, "tests")} | {"sql": _lines_of_sql()},
        "palace": lines_of_packages("palace"),
        "modules": {
            "median": int(median(modules)),
            "ninetieth_percentile": int(quantiles(modules, n=10)[-1]),
            "longest": max(modules),
            "longest_function": longest_functions(*WRITTEN)[0][0],
        },
        "shape": {
            "files": len(python_files("palace")),
            "packages": len(packages),
            "deepest_package": max(name.count("/") + 1 for name in packages),
            "packages_below_three_modules": sum(count < SMALL for count in packages.values()),
        }
        | ({"tokens": tokens_below("palace"), "words_in_lists": words_in_lists("palace")} if slowly else {}),
        "tests": {"imports_past_the_front_of_a_package": len(deep_imports("tests"))},
    }


def beyond(allowed: Figures, found: Figures) -> list[str]:
    """List what is larger than it may be, and what has no number, a line each."""
    return [
        f"{table}.{name}: {figure:,} of at most {allowed.get(table, {}).get(name, 0):,}"
        for table, figures in found.items()
        for name, figure in figures.items()
        if figure > allowed.get(table, {}).get(name, 0)
    ]


def _lines_of_sql() -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "palace").rglob("*.sql"))


def _lower(allowed: Figures, found: Figures) -> None:
    """Write each number that is lower now into the file, and take out what is gone; its comments stay."""
    table, kept = "", []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            table = heading[1]
        name, sign, _ = line.partition(" = ")
        if sign and table in found and table in allowed:
            if name not in found[table]:
                continue
            kept.append(f"{name} = {min(allowed[table][name], found[table][name])}")
        else:
            kept.append(line)
    FILE.write_text("\n".join(kept) + "\n", encoding="utf-8")


def main() -> int:
    """Print each figure with what is allowed, or lower the file; 1 where something is beyond it."""
    allowed, found = budget(), measured()
    if "--lower" in sys.argv[1:]:
        _lower(allowed, found)
        return 0
    for table, figures in found.items():
        for name, figure in figures.items():
            print(f"{table + '.' + name:52} {figure:>9,} of {allowed.get(table, {}).get(name, 0):>9,}")
    return 1 if beyond(allowed, found) else 0


if __name__ == "__main__":
    sys.exit(main())
