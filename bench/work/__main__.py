"""Measure the history of coding agents' work: `python -m bench.work PART [--half develop|apart] [--show]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.harness import figure_lines
from bench.work import errors, messages, situations


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.work", description=__doc__)
    parser.add_argument("part", choices=["errors", "messages", "situations"])
    parser.add_argument("--half", choices=["develop", "apart"], default="develop")
    parser.add_argument("--show", action="store_true", help="print what is judged or handed over wrongly")
    parser.add_argument("--fit", action="store_true", help="of `messages`: write the weights")
    parser.add_argument("--home", type=Path, help="of `situations`: PALACE_HOME, which is filled")
    return parser


def main() -> None:
    """Print the figures of a part."""
    options = _parser().parse_args()
    if options.part == "errors":
        figures = errors.measure(options.half, options.show)
    elif options.part == "messages":
        figures = messages.measure(fit=options.fit)
    elif options.home is None:
        _parser().error("situations need a --home")
    else:
        figures = situations.measure(options.home, options.half, show=options.show)
    print("\n".join(figure_lines(figures)))


if __name__ == "__main__":
    main()
