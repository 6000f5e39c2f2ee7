"""`python -m bench.gate --messages FILE`: hold what the gate decides against what messages need."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.gate.measure import figures, judge, missed_lines
from bench.gate.messages import read_messages, sha256_of
from palace.errors import PalaceError


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
    print(json.dumps(found, indent=1) if options.json else page(found))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description=__doc__)
    parser.add_argument("--messages", type=Path, required=True, metavar="FILE", help="labelled messages, a line each")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--missed", action="store_true", help="list what was decided wrongly, on standard error")
    return parser


def page(found: Mapping[str, Any]) -> str:
    """Write the figures to be read: a line for all, and for each language and kind."""
    rows = [("all", found), *found["by_language"].items(), *found["by_kind"].items()]
    lines = [f"{'':18}{'need memory':>12}{'skipped':>9}{'others':>9}{'skipped':>9}"]
    lines += [
        f"{name:18}{row['needed']:>12}{row['needed_skipped']:>9}{row['others']:>9}{row['others_skipped']:>9}"
        for name, row in rows
    ]
    times = found["milliseconds"]
    return "\n".join([*lines, f"ms a message: median {times['median']}, p95 {times['p95']}, at most {times['most']}"])


if __name__ == "__main__":
    sys.exit(main())
