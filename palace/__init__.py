"""Palace: a Postgres-native long-term memory for people and agents.

``__init__.pyi`` beside this file declares the public names; docs/python.md says what each is for.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

__version__ = "0.2.0"


@cache
def _module_of() -> dict[str, str]:
    """Map each public name to its module."""
    text = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return {name: module for module, name in re.findall(r"^from (\S+) import (\w+)", text, re.MULTILINE)}


def __getattr__(name: str) -> object:
    """Import the module of a public name on first use, so that `import palace` costs nothing."""
    if name == "__all__":
        return sorted([*_module_of(), "__version__"])
    if module := _module_of().get(name):
        return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
