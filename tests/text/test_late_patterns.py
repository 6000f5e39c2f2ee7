"""Patterns are compiled when they are first used; what is heavy is loaded when it is first needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOOKING = """
import sys
import palace.hooks.recalling
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


@pytest.mark.nightly
@pytest.mark.process
def test_importing_compiles_no_pattern_and_loads_no_model() -> None:
    done = subprocess.run([sys.executable, "-c", LOOKING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
