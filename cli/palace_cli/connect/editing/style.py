"""How a JSON text is laid out, so that what is put in looks like the rest. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from palace_cli.connect.editing.scan import Node


@dataclass(frozen=True, slots=True)
class Style:
    """Line ends, indentation, and whether there are any."""

    newline: str = "\n"
    unit: str = "  "
    """What a level is indented by."""
    is_spread: bool = True
    """Whether a member has a line of its own; else everything stands on one."""
    separators: tuple[str, str] = (", ", ": ")
    """What stands between members, and behind a name, on one line."""

    def written(self, value: Any, indent: str, *, spread: bool | None = None) -> str:
        """Write a value whose first line is indented so; what has nothing in it but plain values stays on one line."""
        if not (self.is_spread if spread is None else spread) or not _has_parts(value):
            return json.dumps(value, ensure_ascii=False, separators=self.separators)
        inner = indent + self.unit
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(name, ensure_ascii=False)}: {self.written(each, inner)}" for name, each in value.items()
            ]
        else:
            parts = [self.written(each, inner) for each in value]
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        lines = f",{self.newline}{inner}".join(parts)
        return f"{opening}{self.newline}{inner}{lines}{self.newline}{indent}{closing}"


def style_of(text: str, root: Node) -> Style:
    """Tell how a text is laid out by its first member; an empty one has what most have."""
    if not root.members:
        return Style("\r\n" if "\r\n" in text else "\n")
    indent = indent_of(text, root.members[0].start)
    tight = "" if re.search(r'"\s*:\S', text) and not re.search(r'":\s', text) else " "
    return Style(
        "\r\n" if "\r\n" in text else "\n",
        indent or "  ",
        indent is not None or "\n" in text.strip(),
        (f",{tight}", f":{tight}"),
    )


def indent_of(text: str, at: int) -> str | None:
    """Return the blanks in front of what stands first on its line; None for what does not."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if line.strip(" \t") == "" and "\n" in text[:at] else None


def line_indent(text: str, at: int) -> str:
    """Return the blanks that the line begins with in which something stands."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _has_parts(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value)
