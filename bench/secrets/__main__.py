"""``python -m bench.secrets --messages FILE --json``: what redaction finds of secrets that were planted.

A line is ``{"message", "secrets": [{"text", "kind"}]}``. The sets are in ``bench/secrets/sets``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.secrets.measure import measure, read_messages


def _parser() -> argparse.ArgumentParser:
    """Make the parser of the command line."""
    made = argparse.ArgumentParser(prog="python -m bench.secrets", description=__doc__)
    made.add_argument(
        "--messages", type=Path, required=True, metavar="FILE", help="lines of messages with their secrets"
    )
    made.add_argument("--missed", action="store_true", help="print what was missed, and what was taken for a secret")
    made.add_argument("--json", action="store_true", help="print one object")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    given = _parser().parse_args(arguments)
    try:
        measured = measure(list(read_messages(given.messages)))
    except (OSError, ValueError) as error:
        print(f"bench.secrets: {error}", file=sys.stderr)
        return 1
    if given.missed:
        print(*(f"missed {each}" for each in measured.missed), sep="\n", file=sys.stderr)
        print(*(f"wrong  {each}" for each in measured.wrong), sep="\n", file=sys.stderr)
    figures = measured.figures()
    print(json.dumps(figures) if given.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
