"""The rules of language in ``palace/data`` find their own examples, and are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import palace
from palace.nlp.rules import Rules, caseless

DATA = Path(palace.__file__).parent / "data"
FILES = sorted(path.relative_to(DATA) for path in DATA.rglob("*.toml"))

LOOKING = """
import sys
import palace.hooks.recalling
from palace.nlp.rules import Late, Rules, rules
modules = [module for name, module in list(sys.modules.items()) if name.startswith("palace.")]
held = [each for module in modules for each in vars(module).values()]
assert [each for each in held if isinstance(each, Late) and "search" in vars(each)] == []
assert [each for each in held if isinstance(each, Rules) and each.pattern.cache_info().currsize] == []
from palace.nlp.names.reading import read_names
from palace.nlp.languages import tell_language as tell
assert read_names([]) == []
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


def test_rules_find_their_examples_and_no_counter_examples() -> None:
    told = [(path, name, examples) for path in FILES for name, examples in _examples(_read(path))]
    assert len(told) > 40
    wrong = []
    for path, name, examples in told:
        rules = Rules(*path.parts)
        wrong += [(str(path), name, text) for text in examples["finds"] if not rules.finds(name, text)]
        wrong += [(str(path), name, text) for text in examples.get("misses", ()) if rules.finds(name, text)]
    assert wrong == []


def test_a_list_matches_where_one_of_its_patterns_does_and_a_table_says_what_is_meant() -> None:
    rules = Rules("asked", "breadth.toml")
    assert rules.meaning("breadth", "In what order did I visit them?") == "order"
    assert rules.meaning("breadth", "How many letters did I write?") == "count"
    assert rules.meaning("breadth", "Where is my key?") is None
    assert rules["breadth.order"] is rules["breadth.order"]


@pytest.mark.parametrize("text", ["STRASSE", "İSTANBUL, bass", "baſs", "Kıng", "\u212aing", "KING\nKing", ""])
def test_a_pattern_without_case_finds_the_same_in_any_letters(text: str) -> None:
    pattern = r"(?i)\b(?:king|strasse|bass|[a-z]stan)"
    expected = [found.span() for found in re.finditer(pattern, text)]
    assert [found.span() for found in caseless(pattern).finditer(text)] == expected
    first = caseless(pattern).search(text)
    assert (first and first.span()) == (expected[0] if expected else None)
    assert (caseless(pattern).match(text) is None) == (re.match(pattern, text) is None)


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads((DATA / path).read_text("utf-8"))


def _examples(read: dict[str, Any], within: str = "") -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Iterate over the examples of a file: beside a rule, or in a table of them by the names of rules."""
    for name, value in read.items():
        if isinstance(value, dict) and "finds" in value:
            yield within.removeprefix("examples.") + name, value
        elif isinstance(value, dict):
            yield from _examples(value, f"{within}{name}.")
