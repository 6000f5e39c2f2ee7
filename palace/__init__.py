"""Palace: a Postgres-native long-term memory for people and agents.

``__init__.pyi`` beside this file declares the public names; docs/python.md says what each is for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

__version__ = "0.2.0"


def import_late(package: str, file: str) -> Callable[[str], object]:
    """Return a ``__getattr__`` for a package that imports the module of a name of its ``.pyi`` on first use."""

    @cache
    def module_of() -> dict[str, str]:
        text = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
        return {name: module for module, name in re.findall(r"^from (\S+) import (\w+)", text, re.MULTILINE)}

    def get(name: str) -> object:
        if name == "__all__":
            return sorted([*module_of(), *(["__version__"] if package == __name__ else [])])
        if module := module_of().get(name):
            found = getattr(import_module(module), name)
            setattr(sys.modules[package], name, found)
            return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get


__getattr__ = import_late(__name__, __file__)
