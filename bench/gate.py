"""`python -m bench.gate --messages FILE`: compare what the gate decides with what messages need."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.harness import Figures, figure_lines, sha256_of
from palace.errors import BadRequest, PalaceError
from palace.turns import Decision, FoldedNames, gate

ROUNDS = 5
"""Times each message is judged for its time, of which the median counts; before, all are judged once."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One message, and whether it needs memory."""

    message: str
    history: tuple[Any, ...]
    """The messages before it, oldest first."""
    needs_memory: bool
    kind: str
    """What sort of message it is ("own", "greeting", "code"), to group by."""
    language: str = "?"
    known: tuple[str, ...] = ()
    """Names that the palace is taken to know."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One message, and what the gate made of it."""

    labelled: Labelled
    decision: Decision
    milliseconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure files of messages; the figures go to standard output, what went wrong to standard error."""
    options = _parser().parse_args(arguments)
    try:
        judged = judge(read_messages(options.messages))
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    if options.missed:
        print("\n".join(missed_lines(judged)), file=sys.stderr)
    about = {"name": options.messages.name, "sha256": sha256_of(options.messages)}
    found = {"messages": about, **figures(judged)}
    print(json.dumps(found, indent=1) if options.json else "\n".join(figure_lines(found)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description=__doc__)
    parser.add_argument("--messages", type=Path, required=True, metavar="FILE", help="labelled messages, a line each")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--missed", action="store_true", help="list what was decided wrongly, on standard error")
    return parser


def read_messages(path: Path) -> tuple[Labelled, ...]:
    """Read a file of labelled messages.

    Raises:
        BadRequest: there is no such file, it has no messages, or a line is not what it should be.
    """
    try:
        messages = tuple(_messages(path, path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as problem:
        raise BadRequest(f"{path} cannot be read: {problem}") from problem
    if not messages:
        raise BadRequest(f"{path} has no messages")
    return messages


def _messages(path: Path, lines: list[str]) -> Iterator[Labelled]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            message, needs = found["message"], found["needs_memory"]
        except (ValueError, KeyError, TypeError) as problem:
            raise BadRequest(f"{path}, line {number}: {problem!r}") from problem
        if not isinstance(message, str) or not isinstance(needs, bool):
            raise BadRequest(f"{path}, line {number}: message is a text and needs_memory true or false")
        history, known = (tuple(found.get(name) or ()) for name in ("history", "known"))
        kind, language = (str(found.get(name, "?")) for name in ("kind", "language"))
        yield Labelled(message, history, needs, kind, language, known)


def judge(messages: Sequence[Labelled]) -> list[Judged]:
    """Have the gate judge each message, several times."""
    names = [FoldedNames(each.known) for each in messages]
    for each, known in zip(messages, names, strict=True):
        gate(each.message, each.history, known=known)
    return [_judge(each, known) for each, known in zip(messages, names, strict=True)]


def _judge(labelled: Labelled, known: FoldedNames) -> Judged:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        decision = gate(labelled.message, labelled.history, known=known)
        times.append(1000 * (time.perf_counter() - begun))
    return Judged(labelled, decision, median(times))


def figures(judged: Sequence[Judged]) -> Figures:
    """Give the shares and times of all messages, and of each language and kind."""
    spent = sorted(each.milliseconds for each in judged)
    by_language: dict[str, list[Judged]] = {}
    by_kind: dict[str, list[Judged]] = {}
    for each in judged:
        by_language.setdefault(each.labelled.language, []).append(each)
        by_kind.setdefault(each.labelled.kind, []).append(each)
    return {
        **_shares(judged),
        "milliseconds": {
            "median": round(median(spent), 3),
            "p95": round(spent[int(0.95 * (len(spent) - 1))], 3),
            "most": round(spent[-1], 3),
        },
        "by_language": {name: _shares(by_language[name]) for name in sorted(by_language)},
        "by_kind": {name: _shares(by_kind[name]) for name in sorted(by_kind)},
    }


def _shares(judged: Iterable[Judged]) -> Figures:
    found: Figures = {}
    by_need: dict[bool, list[bool]] = {True: [], False: []}
    for each in judged:
        by_need[each.labelled.needs_memory].append(not each.decision.searched)
    for name, skipped in (("needed", by_need[True]), ("others", by_need[False])):
        share = round(sum(skipped) / len(skipped), 4) if skipped else None
        found |= {name: len(skipped), f"{name}_skipped": sum(skipped), f"{name}_skipped_share": share}
    return found


def missed_lines(judged: Iterable[Judged]) -> list[str]:
    """List what was skipped and should not have been, then what was searched and need not have been."""
    wrong = [each for each in judged if each.decision.searched is not each.labelled.needs_memory]
    wrong.sort(key=lambda each: each.decision.searched)
    return [
        f"{'searched' if each.decision.searched else 'skipped '} {each.labelled.language} {each.labelled.kind}"
        f" ({each.decision.rule}): {each.labelled.message!r}"
        for each in wrong
    ]


if __name__ == "__main__":
    sys.exit(main())
