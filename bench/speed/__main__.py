"""Measure how fast Palace is, as ratios within one run: `python -m bench.speed --data DATA`.

It speaks only to what is public, so that ``--tree`` measures another revision's working tree by the same program.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

TREE = Path(__file__).parents[2]
PARTS = ("recall", "mining", "start")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts that are asked for; print each as a table, and write it as a line of JSON."""
    options = _parser().parse_args(arguments)
    # Before anything of Palace is imported: this decides which tree that is.
    sys.path[:0] = [str(options.tree), str(options.tree / "cli")]
    for name in options.part or PARTS:
        for figures in import_module(f"bench.speed.{name}").measure(options):
            found = {"part": name, "tree": options.tree.name, **figures}
            if options.out:
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found | {"load": os.getloadavg()}) + "\n")
            print(*import_module("bench.harness").figure_lines(found), sep="\n", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument(
        "--data", type=Path, help="folder with longmemeval/sessions.jsonl.gz; texts are made up without it"
    )
    parser.add_argument("--part", action="append", choices=PARTS, help="measure these parts alone")
    parser.add_argument("--home", type=Path, help="a home to keep: what is filled there is not filled again")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_866, 100_000], help="drawers to recall from")
    parser.add_argument("--queries", type=int, default=199, help="questions to ask of each size")
    parser.add_argument("--chats", type=int, default=40, help="conversations to mine")
    parser.add_argument("--runs", type=int, default=7, help="starts of each kind, by turns")
    parser.add_argument("--tree", type=Path, default=TREE, help="working tree of the revision to measure (this one)")
    parser.add_argument("--out", type=Path, help="file to which a line of JSON is added for each result")
    return parser


if __name__ == "__main__":
    sys.exit(main())
