"""Results as files, and the tables made from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.harness import Figures, manifest
from bench.retrieval.show import markdown


def write_run(folder: Path, name: str, result: Figures, *, source: str) -> None:
    """Write one result with what it was measured on."""
    folder.mkdir(parents=True, exist_ok=True)
    written = json.dumps({"manifest": manifest(source), "result": result}, indent=2)
    (folder / f"{name}.json").write_text(written + "\n", encoding="utf-8")


def table(folder: Path) -> str:
    """Make Markdown of every result in a folder, in order of name: one table of figures, then one for each list."""
    results = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["result"] for path in sorted(folder.glob("*.json"))
    }
    rows = ((name, ", ".join(_figures(result))) for name, result in results.items())
    lines = markdown(("measurement", "figures"), rows)
    for name, result in results.items():
        for listed, found in result.items():
            if isinstance(found, list) and found:
                head = list(dict.fromkeys(column for row in found for column in row))
                cells = ([_shown(row.get(column, "")) for column in head] for row in found)
                lines += ["", f"{name}, {listed}:", "", *markdown(head, cells)]
    return "\n".join(lines)


def _figures(result: Figures, prefix: str = "") -> Iterator[str]:
    for name, value in result.items():
        if isinstance(value, dict):
            yield from _figures(value, f"{prefix}{name} ")
        elif not isinstance(value, list):
            yield f"{prefix}{name} {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return " / ".join(f"{_shown(inner)} ({label})" for label, inner in value.items())
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
