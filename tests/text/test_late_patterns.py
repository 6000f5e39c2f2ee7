"""Patterns are compiled when they are first used, and are what they would have been."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import cast

import pytest

from palace.patterns import Late, late

LOOKING = """
import sys
import palace.hooks.answering.recalling
from palace.patterns import Late
mine = [(name, held) for name, module in list(sys.modules.items()) if name.startswith("palace.")
        for held in vars(module).values() if isinstance(held, Late)]
print(len(mine), [name for name, held in mine if "search" in vars(held)])
"""


def test_importing_compiles_none() -> None:
    out = subprocess.run([sys.executable, "-c", LOOKING], capture_output=True, text=True, check=True).stdout
    count, _, compiled = out.strip().partition(" ")
    assert int(count) > 100
    assert compiled == "[]"


def _late_patterns() -> Iterator[tuple[str, Late]]:
    for package in ("palace.text", "palace.turns", "palace.recall", "palace.hooks"):
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            for name, held in vars(importlib.import_module(found.name)).items():
                if isinstance(held, Late):
                    yield f"{found.name}.{name}", held


def test_every_one_can_be_compiled() -> None:
    patterns = dict(_late_patterns())
    assert len(patterns) > 100
    for held in patterns.values():
        assert cast(re.Pattern[str], held).search("") is None or cast(re.Pattern[str], held).match("") is not None


def test_it_does_what_the_pattern_does() -> None:
    told = r"(?P<first>a)(b+)"
    it, plain = late(told, re.IGNORECASE), re.compile(told, re.IGNORECASE)
    assert it.sub("x", "ABBa") == plain.sub("x", "ABBa")
    assert [found.span() for found in it.finditer("abab")] == [found.span() for found in plain.finditer("abab")]
    assert (it.pattern, it.flags, it.groups) == (plain.pattern, plain.flags, plain.groups)
    assert it.split("cabc") == plain.split("cabc")
    with pytest.raises(AttributeError):
        it.nothing_of_a_pattern  # type: ignore[attr-defined]  # noqa: B018


def test_it_says_what_is_wrong_with_it_when_it_is_used() -> None:
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.search("")
