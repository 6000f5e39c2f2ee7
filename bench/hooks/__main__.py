"""Measure hooks: ``python -m bench.hooks``, with ``prompts`` in a home, or ``instructions``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench.hooks.measure import measure_instructions, measure_prompts
from bench.hooks.prompts import HALVES


def main() -> None:
    """Measure, and print what came of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    prompts = verbs.add_parser("prompts", help="what prompts of the sets are answered with")
    prompts.add_argument("--half", choices=HALVES, help="one half alone; both where it is not given")
    prompts.add_argument("--home", type=Path, required=True, help="PALACE_HOME, which is filled")
    verbs.add_parser("instructions", help="what is taken for an instruction that stands")
    options = parser.parse_args()
    is_short = options.verb == "instructions"
    told = measure_instructions() if is_short else measure_prompts(options.home, options.half)
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
