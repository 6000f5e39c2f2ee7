"""A plug-in of pytest that writes down which lines of the product each test runs: ``-p tests.faults.coverage``.

A line of JSON a test goes to the file that ``--lines-to`` names. What a fixture of a module or the session runs counts
for every test that uses it, not only for the one that happens to come first.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = tuple(f"{ROOT / part}{os.sep}" for part in ("palace", "cli"))
monitoring: Any = getattr(sys, "monitoring", None)
"""Python 3.12's; None before."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the file that is written to."""
    parser.addoption("--lines-to", metavar="FILE", help="append the lines of the product that each test runs")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to watch, in every process that runs tests."""
    if file := config.getoption("--lines-to"):
        if monitoring is None:
            raise pytest.UsageError("--lines-to needs Python 3.12 or later")
        config.pluginmanager.register(Recorder(Path(file)))


class Recorder:
    """Collects the lines that are run, test by test: pairs of file and line."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._run: set[tuple[str, int]] = set()
        """Since the test, or the fixture within it, began."""
        self._made: dict[pytest.FixtureDef[Any], set[tuple[str, int]]] = {}
        """What it took to make the fixtures that several tests share."""
        self._known: set[CodeType] = set()
        self._reports: list[pytest.TestReport] = []
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "faults")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.PY_START, self._enter)
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, self._reach)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.PY_START)

    def _enter(self, code: CodeType, _offset: int) -> object:
        if code.co_filename.startswith(PRODUCT) and code not in self._known:
            self._known.add(code)
            monitoring.set_local_events(monitoring.COVERAGE_ID, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def _reach(self, code: CodeType, line: int) -> object:
        self._run.add((code.co_filename, line))
        return monitoring.DISABLE  # until the next test: once is enough

    def _begin(self) -> set[tuple[str, int]]:
        """Collect anew; give what was collected so far."""
        before, self._run = self._run, set()
        monitoring.restart_events()
        return before

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Generator[None, object, object]:
        """Write down a test with its lines and those of the fixtures that it shares with others."""
        self._begin()
        self._reports.clear()
        result = yield
        shared = (each for found in item._fixtureinfo.name2fixturedefs.values() for each in found)
        lines: dict[str, int] = {}
        for file, line in self._run.union(*(self._made.get(each, ()) for each in shared)):
            lines[file] = lines.get(file, 0) | 1 << line
        told = {
            "id": item.nodeid,
            "seconds": round(sum(report.duration for report in self._reports), 3),
            "passed": not any(report.failed for report in self._reports),
            # As one number a file, in hexadecimal, with a bit a line.
            "lines": {os.path.relpath(file, ROOT): format(bits, "x") for file, bits in lines.items()},
        }
        with self._file.open("ab", buffering=0) as opened:  # one write a line: several processes append
            opened.write(json.dumps(told).encode() + b"\n")
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
            self._made.setdefault(fixturedef, set()).update(self._run)
            self._run |= around

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep how each part of the test went."""
        self._reports.append(report)

    def pytest_unconfigure(self) -> None:
        """Watch no more."""
        monitoring.set_events(monitoring.COVERAGE_ID, 0)
        monitoring.free_tool_id(monitoring.COVERAGE_ID)
