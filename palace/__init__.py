"""Palace: a Postgres-native long-term memory for people and agents.

``__init__.pyi`` beside this file declares the public names; docs/python.md says what each is for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

__version__ = "0.2.0"


def import_late(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package: names of its ``.pyi`` and modules, imported late."""

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
        if not name.startswith("_") and find_spec(f"{package}.{name}"):
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get, lambda: sorted({*vars(sys.modules[package]), *module_of()})


__getattr__, __dir__ = import_late(__name__, __file__)
