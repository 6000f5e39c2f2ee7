"""`python -m bench.everyday`: file the sets' palaces and ask them, one table for all."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.everyday.answers import Found, Row, ask_all, by_kind, table
from bench.everyday.sets import NAMES, PARTS, Load, read_loads
from bench.harness import opened_palaces
from palace import PalaceError, Palaces, Strategy


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the sets that are named, all by default; the table goes to standard output."""
    options = _parser().parse_args(arguments)
    strategy = Strategy.of(json.loads(options.strategy)) if options.strategy else None
    try:
        with opened_palaces(options.home, strategy=strategy, server_idle_minutes=1) as palaces:
            rows = [
                row
                for part in options.part or ("tune",)
                for language in options.language or ("en", "de")
                for row in _rows(palaces, part, language, options)
            ]
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(json.dumps([asdict(row) for row in rows], indent=1) if options.json else table(rows))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.everyday", description=__doc__)
    parser.add_argument(
        "--part", choices=PARTS, action="append", help="which sets: to develop with, or kept apart (tune)"
    )
    parser.add_argument("--language", choices=("en", "de"), action="append", help="of which language (all)")
    parser.add_argument("--set", choices=NAMES, action="append", help="which of them (all)")
    parser.add_argument("--home", type=Path, help="a palace to keep; what is filed there already is not filed again")
    parser.add_argument("--strategy", help="numbers of a strategy, as JSON")
    parser.add_argument("--missed", action="store_true", help="name the questions without an answer in the first five")
    parser.add_argument("--json", action="store_true", help="print one JSON list of rows")
    return parser


def _rows(palaces: Palaces, part: str, language: str, options: argparse.Namespace) -> Iterator[Row]:
    groups: dict[str, list[Load]] = {}
    for group, load in read_loads(part, language, options.set or NAMES):
        groups.setdefault(group, []).append(load)
    for group, loads in groups.items():
        answers = [each for load in loads for each in ask_all(palaces, f"{part}-{language}-{load.name}", load)]
        if options.missed:
            _tell_missed(group, loads, answers)
        yield from by_kind(f"{part} {language} {group}", answers)


def _tell_missed(group: str, loads: Sequence[Load], answers: Sequence[Found]) -> None:
    said = {turn.id: turn.text for load in loads for talk in load.talks for turn in talk.turns}
    for each in answers:
        wanted = each.question.answers
        if bool(wanted) != bool(each.hits) or (wanted and not each.within(5)):
            print(f"\n{group} {each.question.id} ({each.question.kind}): {each.question.text}", file=sys.stderr)
            for answer in sorted(wanted):
                print(f"    wanted {said[answer][:150]}", file=sys.stderr)
            for hit, score in list(zip(each.hits, each.scores, strict=False))[:3]:
                print(f"    {score:.2f} {said[hit][:150]}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
