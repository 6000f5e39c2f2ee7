"""`python -m bench.work errors [--half develop|apart] [--show]`: measures the history of coding agents' work."""

from __future__ import annotations

import argparse

from bench.harness import figure_lines
from bench.work.errors import measure

parser = argparse.ArgumentParser(prog="python -m bench.work")
parser.add_argument("part", choices=["errors"])
parser.add_argument("--half", choices=["develop", "apart"], default="develop")
parser.add_argument("--show", action="store_true", help="print the pairs that are judged wrongly")
options = parser.parse_args()
print("\n".join(figure_lines(measure(options.half, options.show))))
