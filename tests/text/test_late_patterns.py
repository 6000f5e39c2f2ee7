"""Patterns are compiled when they are first used; what is heavy is loaded when it is first needed."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from typing import cast

import pytest

from palace.patterns import Late, late

LOOKING = """
import sys
import palace.hooks.answering.recalling
from palace.patterns import Late
mine = [(name, held) for name, module in list(sys.modules.items()) if name.startswith("palace.")
        for held in vars(module).values() if isinstance(held, Late)]
assert len(mine) > 100
assert [name for name, held in mine if "search" in vars(held)] == []
from palace.text.entities import bundled_tagger
from palace.text.languages import tell_language as tell
assert bundled_tagger()
assert tell("My sister moved to Lisbon last year.") == "en"
assert tell("我姐姐去年搬到了上海。") == "zh"
assert tell("Danke") is None
assert {"spacy", "thinc", "py3langid"}.isdisjoint(sys.modules)
"""


@pytest.mark.process
def test_importing_compiles_no_pattern_and_loads_no_model() -> None:
    done = subprocess.run([sys.executable, "-c", LOOKING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
def test_every_one_can_be_compiled() -> None:
    for package in ("palace.text", "palace.turns", "palace.recall", "palace.hooks"):
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            for held in vars(importlib.import_module(found.name)).values():
                if isinstance(held, Late):
                    cast(re.Pattern[str], held).search("")


def test_it_says_what_is_wrong_with_it_when_it_is_used() -> None:
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.search("")
