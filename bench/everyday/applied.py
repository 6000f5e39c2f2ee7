"""`python -m bench.everyday.applied`: is what a person asked for or prefers in the block of the tasks where it applies?

Each statement is said in passing, in a conversation of its own; then tasks are given as turns of others, two where it
applies and two where it does not. Counted are blocks that have it, with and without memories made of the statements.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from bench.everyday.sets import PARTS, read
from bench.harness import home_settings
from bench.metrics import interval
from palace import Palace, Palaces

SETS = ("applied", "applied_later", "advice")
BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Blocks(NamedTuple):
    """Whether each task's block has the statement, where it applies and where it does not."""

    wanted: list[bool]
    unwanted: list[bool]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.applied", description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="tune", help="which set: to develop with, or kept apart")
    parser.add_argument("--set", choices=SETS, default=SETS[0], help="the first, one written later, or of things told")
    parser.add_argument("--language", default="en")
    parser.add_argument("--missed", action="store_true", help="name the tasks whose block is not right")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of the parts as JSON lines."""
    parser = _parser()
    options = parser.parse_args(arguments)
    found = read(options.part, options.language, options.set)
    if found is None:
        parser.error(f"there is no set {options.set} in {options.language}")
    with (
        home_settings(worker_starts=False, server_idle_minutes=1, timezone="UTC", turn_timeout_seconds=60) as settings,
        Palaces.open(settings) as palaces,
    ):
        for is_made in (False, True):
            palace = palaces.palace(f"applied-{is_made}")
            _file(palace, found)
            made = len(palace.memories.make().memories) if is_made else 0
            blocks = _ask(palace, found, is_told=options.missed)
            print(json.dumps({"part": options.part, "memories": made, **_figures(blocks)}))
    return 0


def _file(palace: Palace, found: dict[str, Any]) -> None:
    """File a conversation for each statement, with a remark before it, a day after the other."""
    for number, each in enumerate(found["stated"]):
        remark = found["remarks"][number % len(found["remarks"])]
        said = (("user", remark), ("assistant", "I see."), ("user", each["said"]), ("assistant", "Understood."))
        at = BEGUN + timedelta(days=number)
        messages = [{"role": role, "content": text, "timestamp": at.isoformat()} for role, text in said]
        palace.file(messages, id=f"said-{number}")


def _ask(palace: Palace, found: dict[str, Any], *, is_told: bool) -> Blocks:
    blocks = Blocks([], [])
    for each in found["stated"]:
        for tasks, counted, is_right in ((each["applies"], blocks.wanted, True), (each["not"], blocks.unwanted, False)):
            for task in tasks:
                has = each["key"] in palace.turn(task, session="asked").block
                counted.append(has)
                if is_told and has != is_right:
                    print(f"{'missed' if is_right else 'wrong'}: {each['key']}: {task}")
    return blocks


def _figures(blocks: Blocks) -> dict[str, Any]:
    return dict(_shares(blocks))


def _shares(blocks: Blocks) -> Iterator[tuple[str, Any]]:
    for name, each in (("applies", blocks.wanted), ("does_not", blocks.unwanted)):
        low, high = interval([float(has) for has in each])
        yield name, {"of": len(each), "has": sum(each), "percent": round(100 * sum(each) / len(each), 1)}
        yield f"{name}_interval", [round(100 * low, 1), round(100 * high, 1)]


if __name__ == "__main__":
    raise SystemExit(main())
