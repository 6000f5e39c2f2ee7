"""A plug-in of pytest that writes down which lines of the product each test runs: ``-p tests.faults.coverage``.

One line of JSON a test goes to the file that ``--lines-to`` names. What a fixture of a module or of the session runs
counts for every test that uses it, not only for the one that happens to come first.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = tuple(f"{ROOT / part}{os.sep}" for part in ("palace", "cli"))
monitoring: Any = getattr(sys, "monitoring", None)
"""Python 3.12's; None before."""

Lines = dict[str, set[int]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the file that is written to."""
    parser.addoption("--lines-to", metavar="FILE", help="append the lines of the product that each test runs")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to watch, in every process that runs tests."""
    file = config.getoption("--lines-to")
    if file and monitoring is None:
        raise pytest.UsageError("--lines-to needs Python 3.12 or later")
    if file:
        config.pluginmanager.register(Recorder(Path(file)))


class Recorder:
    """Collects the lines that are run, test by test."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._run: Lines = {}
        """Since the test, or the fixture within it, began."""
        self._made: dict[pytest.FixtureDef[Any], Lines] = {}
        """What it took to make the fixtures that several tests share."""
        self._known: set[CodeType] = set()
        self._seconds = 0.0
        self._passed = True
        tool, events = monitoring.COVERAGE_ID, monitoring.events
        monitoring.use_tool_id(tool, "faults")
        monitoring.register_callback(tool, events.PY_START, self._enter)
        monitoring.register_callback(tool, events.LINE, self._reach)
        monitoring.set_events(tool, events.PY_START)

    def _enter(self, code: CodeType, _offset: int) -> object:
        if code.co_filename.startswith(PRODUCT) and code not in self._known:
            self._known.add(code)
            monitoring.set_local_events(monitoring.COVERAGE_ID, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def _reach(self, code: CodeType, line: int) -> object:
        self._run.setdefault(code.co_filename, set()).add(line)
        return monitoring.DISABLE  # until the next test: once is enough

    def _begin(self) -> Lines:
        """Collect anew; give what was collected so far."""
        before, self._run = self._run, {}
        monitoring.restart_events()
        return before

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Generator[None, object, object]:
        """Write down a test with its lines and those of the fixtures that it shares with others."""
        self._begin()
        self._seconds, self._passed = 0.0, True
        result = yield
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for each in definitions:
                _add(self._run, self._made.get(each, {}))
        lines = {os.path.relpath(file, ROOT): mask(numbers) for file, numbers in self._run.items()}
        told = {"id": item.nodeid, "seconds": round(self._seconds, 3), "passed": self._passed, "lines": lines}
        with self._file.open("ab", buffering=0) as file:  # one write a line: several processes append
            file.write(json.dumps(told).encode() + b"\n")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """Collect what it takes to make a fixture that several tests share."""
        if fixturedef.scope == "function":
            return (yield)
        around = self._begin()
        try:
            return (yield)
        finally:
            _add(self._made.setdefault(fixturedef, {}), self._run)
            _add(around, self._run)
            self._run = around

    def pytest_unconfigure(self) -> None:
        """Watch no more."""
        monitoring.set_events(monitoring.COVERAGE_ID, 0)
        monitoring.free_tool_id(monitoring.COVERAGE_ID)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up how long the test took."""
        self._seconds += report.duration
        self._passed = self._passed and not report.failed


def _add(lines: Lines, more: Mapping[str, set[int]]) -> None:
    for file, numbers in more.items():
        lines.setdefault(file, set()).update(numbers)


def mask(lines: set[int]) -> str:
    """Write numbers of lines as one number in hexadecimal, a bit a line."""
    return format(sum(1 << line for line in lines), "x")
