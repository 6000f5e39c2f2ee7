"""Measure hooks: ``python -m bench.hooks``, with ``prompts`` or ``latency`` in a home, or ``instructions``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench.hooks.measure import measure_instructions, measure_latency, measure_prompts
from bench.hooks.prompts import HALVES


def main() -> None:
    """Measure, and print what came of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    prompts = verbs.add_parser("prompts", help="what prompts of the sets are answered with")
    prompts.add_argument("--half", choices=HALVES, help="one half alone; both where it is not given")
    latency = verbs.add_parser("latency", help="how long `palace hook prompt` takes in a palace that is there")
    latency.add_argument("--folder", type=Path, required=True, help="a folder of a project with a wing")
    latency.add_argument("--prompt", default="Why did we decide against it, and what did we agree on instead?")
    latency.add_argument("--prompts", type=Path, help="a file of prompts, one a line, in the place of the one prompt")
    latency.add_argument("--runs", type=int, default=20, help="calls for each prompt")
    latency.add_argument("--cold", action="store_true", help="without a worker, which would answer warm")
    verbs.add_parser("instructions", help="what is taken for an instruction that stands")
    for each in (prompts, latency):
        each.add_argument("--home", type=Path, required=True, help="PALACE_HOME; prompts fill it")
    options = parser.parse_args()
    if options.verb == "instructions":
        told = measure_instructions()
    elif options.verb == "prompts":
        told = measure_prompts(options.home, options.half)
    else:
        lines = options.prompts.read_text(encoding="utf-8").splitlines() if options.prompts else [options.prompt]
        asked = [line for line in lines if line.strip()]
        told = measure_latency(options.home, options.folder, asked, runs=options.runs, is_cold=options.cold)
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
