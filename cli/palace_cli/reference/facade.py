"""The reference of the Python interface, from its signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from textwrap import dedent
from typing import Any

import palace
from palace import lifetime, turns
from palace.errors import PalaceError
from palace.verbs.turns import TurnVerbs


def _groups() -> dict[str, type]:
    """List the grouped verbs as an open palace is given them: ``self.tree = TreeVerbs(opened)``."""
    made = ast.parse(dedent(inspect.getsource(lifetime.OpenedPalace.__init__)))
    found = {
        ast.unparse(node.targets[0]): ast.unparse(node.value.func)
        for node in ast.walk(made)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
    }
    return {name.removeprefix("self."): getattr(lifetime, kind) for name, kind in found.items()}


GROUPS: dict[str, type] = {**_groups(), "turns": TurnVerbs}
"""The grouped verbs of an open palace."""
CLASSES: dict[str, type] = {
    "Palace": palace.Palace,
    **{f"palace.{name}": kind for name, kind in GROUPS.items()},
    "Palaces": palace.Palaces,
    "Administration": palace.Administration,
    "turns.Turn": turns.Turn,
    "Cancellation": palace.Cancellation,
    "Worker": palace.Worker,
}
"""What is described method by method, as a program names it."""
_WIDTH = 100
_OPENING = """\
# Python reference

Written by `python -m palace_cli.reference` from signatures and docstrings: change those, not this page.

[python.md](python.md) says with examples what all of this is for, and lists the [errors](python.md#errors). Everything
is imported from `palace`, the parts of the turn loop from `palace.turns`. The fields of records are in
[records.schema.json](records.schema.json).
"""


def facade_page() -> str:
    """Return the whole page."""
    described = (line for name, kind in CLASSES.items() for line in _class(name, kind))
    return "\n".join((_OPENING.rstrip(), *described, *_functions(), *_names()))


def prose(docstring: str | None) -> str:
    """Turn a docstring into Markdown: what it raises becomes a list, literals stand in single backticks."""
    text = re.sub(r"``(.+?)``", r"`\1`", inspect.cleandoc(docstring or ""))
    text = re.sub(r"\bdocs/([\w/-]+\.md)", r"[docs/\1](\1)", text)
    told, _, raised = text.partition("Raises:\n")
    if not raised:
        return told.strip()
    entries = re.split(r"\n(?=\w+: )", inspect.cleandoc(raised))
    listed = "\n".join(f"- {' '.join(entry.split())}" for entry in entries)
    return f"{told.strip()}\n\nRaises:\n\n{listed}"


def signature(name: str, function: Callable[..., Any]) -> str:
    """Write a call as it is declared, a parameter a line where it is long; without ``self`` and ``cls``."""
    declared = inspect.signature(function)
    parts = list[str]()
    for each in declared.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and "*" not in parts and not any(part.startswith("*") for part in parts):
            parts.append("*")
        parts.append(_parameter(each))
    returned = _annotation(declared.return_annotation)
    after = f" -> {returned}" if returned else ""
    line = f"{name}({', '.join(parts)}){after}"
    return line if len(line) <= _WIDTH else "".join((f"{name}(\n", *(f"    {part},\n" for part in parts), f"){after}"))


def _parameter(each: inspect.Parameter) -> str:
    star = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
    annotation = _annotation(each.annotation)
    typed = f"{star}{each.name}: {annotation}" if annotation else f"{star}{each.name}"
    if each.default is each.empty:
        return typed
    return f"{typed} = {each.default!r}" if isinstance(each.default, (str, int, float, tuple, type(None))) else typed


def _annotation(annotation: object) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _class(name: str, kind: type) -> Iterator[str]:
    yield f"\n## {name}\n\n{prose(kind.__doc__)}"
    for method in _methods(kind):
        called = f"{name}.{method}"
        member = inspect.getattr_static(kind, method)
        if isinstance(member, property):
            yield f"\n### {called}\n\n{prose(member.__doc__)}"
        else:
            yield _call(called, getattr(kind, method))


def _methods(kind: type) -> list[str]:
    """List public methods and properties in the order they are declared, those of the class itself first."""
    listed = {name: None for each in kind.__mro__ for name in vars(each) if not name.startswith("_")}
    wanted = (property, classmethod, staticmethod)
    return [
        name
        for name in listed
        if inspect.isfunction(member := inspect.getattr_static(kind, name)) or isinstance(member, wanted)
    ]


def _call(name: str, function: Callable[..., Any]) -> str:
    called = signature(name.rpartition(".")[2], function)
    return f"\n### {name}\n\n```\n{called}\n```\n\n{prose(function.__doc__)}"


def _functions() -> Iterator[str]:
    yield "\n## Functions"
    for module, prefix in ((palace, ""), (turns, "turns.")):
        for name in module.__all__:
            if inspect.isfunction(function := getattr(module, name)):
                yield _call(f"{prefix}{name}", function)


def _names() -> Iterator[str]:
    """Say of every other name what it is, but for errors, which have a list of their own."""
    yield "\n## Other names\n\n| name | is | means |\n|---|---|---|"
    for module, prefix in ((palace, ""), (turns, "turns.")):
        for name in module.__all__:
            kind = getattr(module, name)
            if inspect.isclass(kind) and kind not in CLASSES.values() and not issubclass(kind, PalaceError):
                first = prose(kind.__doc__).partition("\n\n")[0]
                yield f"| `{prefix}{name}` | {_sort(kind)} | {' '.join(first.split()).replace('|', chr(92) + '|')} |"
    yield ""


def _sort(kind: type) -> str:
    if issubclass(kind, StrEnum):
        return ", ".join(f"`{member.value}`" for member in kind)
    if getattr(kind, "_is_protocol", False):
        return "protocol"
    return "record" if kind.__module__.startswith("palace.records") else "class"
