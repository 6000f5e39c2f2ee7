"""Measure the history of coding agents' work: `python -m bench.work PART [--half develop|apart] [--show]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.harness import figure_lines
from bench.work import errors, situations

parser = argparse.ArgumentParser(prog="python -m bench.work")
parser.add_argument("part", choices=["errors", "situations"])
parser.add_argument("--half", choices=["develop", "apart"], default="develop")
parser.add_argument("--show", action="store_true", help="print what is judged or handed over wrongly")
parser.add_argument("--home", type=Path, help="of `situations`: PALACE_HOME, which is filled")
options = parser.parse_args()
if options.part == "errors":
    figures = errors.measure(options.half, options.show)
elif options.home is None:
    parser.error("situations need a --home")
else:
    figures = situations.measure(options.home, options.half, show=options.show)
print("\n".join(figure_lines(figures)))
