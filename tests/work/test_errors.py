"""Errors and commands: the same on another day and machine, different ones apart, and long ones in linear time."""

from __future__ import annotations

from time import process_time

import pytest

from bench.work.errors import measure
from palace.nlp.work.commands import command_key
from palace.nlp.work.errors import find_errors


def test_pairs_to_develop_with_are_told_as_they_should_be() -> None:
    found = measure("develop", show=False)
    assert found["found"] >= 0.95 * found["same"]
    assert found["joined"] <= 0.02 * found["different"]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("cd /w/api && FOO=1 timeout 60 .venv/bin/python -m pytest -q tests 2>&1 | tail -5", "pytest -q tests"),
        ("npx tsc --noEmit; echo $?", "tsc --noEmit"),
        ("uv run ruff check . || true", "ruff check ."),
        ("make check > out.log 2>&1 &", "make check"),
        ("cat a.py | tail -3", "cat a.py"),
        ("make lint && make test", "make lint && make test"),
        ("tail -3", "tail -3"),
    ],
)
def test_a_command_is_the_same_in_other_wrappers(command: str, key: str) -> None:
    assert command_key(command) == key


def test_an_error_has_its_place_in_the_output() -> None:
    output = "collected 3 items\n\n\x1b[31mE   KeyError: 'salt'\x1b[0m\nmake: *** [Makefile:3: check] Error 1\n"
    (error,) = find_errors(output)
    assert error.signature == "KeyError: 'salt'"
    assert "KeyError" in output[error.start : error.end]


@pytest.mark.parametrize(
    "text", ["| grep a ", "a=b ", "2>&1 ", "x/", "&", "a:1:", "│ ", "error: 1.1.1", "/a/a error: "]
)
def test_long_texts_take_linear_time(text: str) -> None:
    started = process_time()
    command_key(text * 4000)
    find_errors(f"{text * 1000}\n" * 100)
    assert process_time() - started < 2
