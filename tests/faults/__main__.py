"""Check that the tests catch what a person may get wrong: each fault is put in, and what touches it is run.

Commit first: ``record`` runs this tree and ``check`` a clean copy of HEAD or ``--at``, whose lines have to be the same.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from tests.faults.patches import Fault, Places, changed_lines, list_faults, places_of
from tests.faults.trees import ROOT, CannotCheck, Tree, tree_at

ALONE = ("-q", "-n0", "--no-header", "--tb=no")
LONGEST = 7200.0
"""Seconds that a whole suite may take."""


@dataclass(frozen=True, slots=True)
class Known:
    """A test, as the map has it."""

    id: str
    seconds: float
    lines: dict[str, str]

    def touches(self, places: Places) -> bool:
        """Tell whether it runs one of some lines."""
        return any(int(self.lines.get(file, "0"), 16) >> line & 1 for file, lines in places.items() for line in lines)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one fault."""

    fault: Fault
    caught_by: str = ""
    told: str = ""
    is_checked: bool = True
    """False where the patch does not apply, or the tests did not end or could not begin."""

    def __str__(self) -> str:
        """Say it in a line."""
        state = f"caught by {self.caught_by}" if self.caught_by else "NOT CAUGHT" if self.is_checked else "NOT CHECKED"
        return f"{self.fault.number} {state} ({self.told}): {self.fault.said}"


def read_map(file: Path) -> list[Known]:
    """Read the tests of a map, the quickest first; one that failed without a fault tells nothing."""
    with file.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    tests = [Known(each["id"], each["seconds"], each["lines"]) for each in found if each["passed"]]
    return sorted(tests, key=lambda test: test.seconds)


def portions(tests: Sequence[Known]) -> Iterator[Sequence[Known]]:
    """Cut tests into portions, each larger than the one before: what is quick is not kept waiting for the rest."""
    start, size = 0, 24
    while start < len(tests):
        yield tests[start : start + size]
        start, size = start + size, 4 * size


@dataclass(slots=True)
class Checking:
    """Checks faults in some trees, each fault in one that is free."""

    trees: SimpleQueue[Tree]
    asked: argparse.Namespace
    tests: list[Known]
    odd: set[str] = field(default_factory=set)
    """What fails without a fault as well, by its id, or its file where that cannot even be read."""

    def run(self, faults: Sequence[Fault]) -> list[Verdict]:
        """Check faults, and again those that were caught by a test which fails without them as well."""
        with ThreadPoolExecutor(self.asked.j) as pool:
            found = {verdict.fault.number: verdict for verdict in pool.map(self.check, faults)}
        odd = self._failing({verdict.caught_by for verdict in found.values()} - {""})
        if again := [verdict.fault for verdict in found.values() if verdict.caught_by in odd]:
            print(f"once more, without tests that fail without a fault: {', '.join(sorted(odd))}", flush=True)
            self.odd |= odd
            self.tests = [test for test in self.tests if test.id not in odd]
            found |= {verdict.fault.number: verdict for verdict in self.run(again)}
        return list(found.values())

    def check(self, fault: Fault) -> Verdict:
        """Put a fault in, run tests until one fails, and say what came of it."""
        tree = self.trees.get()
        try:
            verdict = self._verdict(tree, fault)
        except CannotCheck as problem:
            verdict = Verdict(fault, told=str(problem), is_checked=False)
        finally:
            self.trees.put(tree)
        print(verdict, flush=True)
        return verdict

    def _verdict(self, tree: Tree, fault: Fault) -> Verdict:
        began = time.monotonic()
        with tree.broken_by(fault.patch) as difference:
            changed = changed_lines(difference)
        circles = places_of(tree.root, changed)
        touching = next((some for each in circles if (some := [test for test in self.tests if test.touches(each)])), [])
        with tree.broken_by(fault.patch):
            caught_by = next(self._caught(tree, touching), "")
        return Verdict(fault, caught_by, f"{len(touching)} tests touch it, {time.monotonic() - began:.0f} s")

    def _caught(self, tree: Tree, touching: Sequence[Known]) -> Iterator[str]:
        """Give what fails: of the tests that touch the fault, then of all, as far as that is wanted."""
        for portion in portions(touching):
            seconds = 300 + 20 * sum(test.seconds for test in portion)
            yield from tree.failures("-x", *ALONE, ids=[test.id for test in portion], seconds=seconds)
        without = [f"--deselect={each}" for each in self.odd]
        if self.asked.all or self.asked.nightly:
            yield from tree.failures("-x", *without, seconds=LONGEST)
        if self.asked.nightly:
            yield from tree.failures("-x", *without, "-m", "nightly", "--hypothesis-profile=nightly", seconds=LONGEST)

    def _failing(self, tests: set[str]) -> set[str]:
        """Give those of some tests that fail without a fault."""
        tree = self.trees.get()
        try:
            return set(tree.failures(*ALONE, "-m", "", ids=sorted(tests), seconds=LONGEST)) if tests else set()
        finally:
            self.trees.put(tree)


def check(asked: argparse.Namespace) -> int:
    """Check the faults that were asked for; give the exit code."""
    faults = list_faults(asked.numbers)
    if unknown := set(asked.numbers) - {int(fault.number) for fault in faults}:
        print(f"error: there is no fault {', '.join(map(str, sorted(unknown)))}", file=sys.stderr)
        return 2
    at_least = (40 if asked.nightly else 38) if asked.at_least is None else asked.at_least
    with ExitStack() as stack:
        trees: SimpleQueue[Tree] = SimpleQueue()
        for _ in range(asked.j):
            trees.put(stack.enter_context(tree_at(asked.at)))
        found = Checking(trees, asked, read_map(asked.map)).run(faults)
    caught = sum(bool(each.caught_by) for each in found)
    print(f"{caught} of {len(faults)} are caught")
    return int(caught < min(at_least, len(faults)) or not all(each.is_checked for each in found))


def record(asked: argparse.Namespace) -> int:
    """Run the default tests with the plug-in that writes the map."""
    asked.map.unlink(missing_ok=True)
    plug_in = ["-p", "tests.faults.coverage", "--lines-to", str(asked.map.absolute())]
    return subprocess.run([sys.executable, "-m", "pytest", *plug_in], cwd=ROOT, check=False).returncode


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    helped = "run the default tests once and write down which lines each runs (Python 3.12 or later)"
    verb = verbs.add_parser("record", help=helped)
    verb.set_defaults(do=record)
    verb.add_argument("map", type=Path, metavar="MAP")
    verb = verbs.add_parser("check", help="put in one fault after the other and run what touches it until a test fails")
    verb.set_defaults(do=check)
    verb.add_argument("map", type=Path, metavar="MAP")
    verb.add_argument("numbers", nargs="*", type=int, metavar="N", help="only these faults")
    verb.add_argument("--all", action="store_true", help="run all default tests where none that touches it fails")
    verb.add_argument("--nightly", action="store_true", help="then all nightly tests as well")
    verb.add_argument("--at", default="HEAD", metavar="REVISION", help="check another revision, whose map it is")
    helped = "how many have to be caught (38, with --nightly 40)"
    verb.add_argument("--at-least", type=int, metavar="N", help=helped)
    verb.add_argument("-j", type=int, default=2, metavar="N", help="how many at a time (2)")
    asked = parser.parse_args()
    return int(asked.do(asked))


if __name__ == "__main__":
    sys.exit(main())
