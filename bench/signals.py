"""`python -m bench.signals`: what each signal buys on every set to develop with, and the fusion beside its arms.

Each question's candidates are compared once and ranked often, before the floor and what stands behind it. The figures
of a set are a file of the folder; the table is that of all files there, so that sets may be measured one by one. It
says by how much the product is better than the vector and the keywords alone, and than itself without each signal.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.command import opened_run
from bench.everyday.answers import file_load
from bench.everyday.languages import loads as language_loads
from bench.everyday.sets import Load, read_loads
from bench.graph.asked import loads as graph_loads
from bench.harness import Figures, opened_palaces, progress
from bench.locomo import BENCHMARK as LOCOMO
from bench.longmemeval import BENCHMARK as LONGMEMEVAL
from bench.metrics import interval, paired_difference
from bench.retrieval import product
from bench.retrieval.dataset import Benchmark
from bench.retrieval.run import ABLATIONS, ingest
from bench.retrieval.score import SCORERS
from bench.retrieval.show import markdown
from palace import Drawer, Palace, PalaceError, Palaces, Strategy
from palace.models import Compared
from palace.recall.comparison import Comparison
from palace.recall.fuse import fuse

PRODUCT = "product"
MEASURES = {"mrr": "MRR", "any@5": "in five", "share@10": "share of the evidence in ten"}
"""What is printed; all@5 is written down as well."""
WRITTEN = (*MEASURES, "all@5")
ARMS: Mapping[str, Callable[[Compared], float]] = {
    "vector": lambda drawer: drawer.similarity or 0.0,
    "keywords": lambda drawer: drawer.keyword,
}
FILES: Mapping[str, tuple[Benchmark, str]] = {
    "pooled": (LONGMEMEVAL, "pooled"),
    "own": (LONGMEMEVAL, "official"),
    "locomo": (LOCOMO, "official"),
}
"""Sets that are made of a file: the benchmark and its haystack."""
GRAPH = [Path(__file__).parent / "graph" / "sets" / name for name in ("tune", "more", "further")]
Names = Mapping[int, str]


class Case(NamedTuple):
    """A question, compared."""

    found: Comparison
    names: Names
    """What each drawer is, session or turn, by id."""
    gold: frozenset[str]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.signals", description=__doc__)
    parser.add_argument("--home", type=Path, help="a palace to keep; what is filed there already is not filed again")
    parser.add_argument("--out", type=Path, default=Path("bench/runs/signals"), help="folder of the figures")
    parser.add_argument("--everyday", action="store_true", help="measure our own sets")
    for name in FILES:
        parser.add_argument(f"--{name}", type=Path, help=f"measure {FILES[name][0].name} of this file")
    parser.add_argument("--limit", type=int, help="only the first so many questions of a file")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the sets that are asked for and print the table of all that was measured."""
    options = _parser().parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        for name, cases in _sets(options):
            path = options.out / f"{name.replace(' ', '-').replace(',', '')}.json"
            path.write_text(json.dumps({"set": name, **measure(cases)}, indent=1) + "\n", encoding="utf-8")
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(tables([json.loads(path.read_text(encoding="utf-8")) for path in sorted(options.out.glob("*.json"))]))
    return 0


def _sets(options: argparse.Namespace) -> Iterator[tuple[str, list[Case]]]:
    if options.everyday:
        with opened_palaces(options.home, server_idle_minutes=1) as palaces:
            yield from everyday(palaces)
    for name, (benchmark, haystack) in FILES.items():
        if (data := getattr(options, name)) is not None:
            asked = {"data": data, "haystack": haystack, "limit": options.limit, "variant": PRODUCT}
            place = {"home": options.home, "out": options.out.parent}
            with opened_run(benchmark, argparse.Namespace(**asked, **place), drops=False) as run:
                ingest(run)
                wanted = [each for each in run.dataset.questions if not each.is_abstention]
                cases = list[Case]()
                for haystack_asked, questions in run.by_haystack(wanted):
                    with run.palace(haystack_asked) as palace:
                        names = names_of(palace, product.Places.of(palace, haystack_asked).session)
                        for _, each in progress(name, questions, total=len(questions)):
                            found = product.compared(palace, each.text, product.moment_of(each))
                            cases.append(Case(found, names, frozenset(each.gold_sessions)))
            yield name, cases


def everyday(palaces: Palaces) -> Iterator[tuple[str, list[Case]]]:
    """Ask our own sets: names by kind, the ten languages together, and what is asked of the graph."""
    loads = [
        (f"{language} {group}", f"tune-{language}-{load.name}", load)
        for language in ("en", "de")
        for group, load in read_loads("tune", language)
    ]
    loads += [("languages", f"language-{load.name}", load) for load in language_loads("tune")]
    for folder in GRAPH:
        loads += [(group, f"graph-{load.name}", load) for group, load in graph_loads(folder)]
    groups: dict[str, list[Case]] = defaultdict(list)
    for _, (group, user, load) in progress("asked palace", loads, total=len(loads)):
        for kind, case in _asked(palaces.palace(user, person=load.person or None), load):
            groups[f"{group}, {kind}" if group.endswith("names") else group].append(case)
    yield from groups.items()


def _asked(palace: Palace, load: Load) -> Iterator[tuple[str, Case]]:
    turns = file_load(palace, load)
    names = names_of(palace, lambda drawer: turns[str(drawer.pointer)])
    for each in load.questions:
        if each.answers:
            yield each.kind, Case(product.compared(palace, each.text, each.at), names, each.answers)


def names_of(palace: Palace, name: Callable[[Drawer], str]) -> Names:
    """Name every drawer of a palace."""
    rooms = (room for _, room in product.list_rooms(palace))
    return {drawer.id: name(drawer) for room in rooms for drawer in palace.tree.drawers(room, limit=product.PAGE)}


def ranked(case: Case, strategy: Strategy) -> list[str]:
    """Rank a question's candidates as a strategy weighs them; what answers a question stands with it."""
    order = fuse(case.found.drawers, case.found.background, strategy.weighing(case.found.calibration)).ranked
    shown = (drawer for each in order for drawer in (each.drawer, each.question) if drawer is not None)
    return _named(case, shown)


def ranked_alone(case: Case, value: Callable[[Compared], float]) -> list[str]:
    """Rank a question's candidates by one value."""
    return _named(case, sorted(case.found.drawers, key=lambda drawer: (-value(drawer), drawer.id)))


def _named(case: Case, drawers: Iterable[Compared]) -> list[str]:
    return list(dict.fromkeys(case.names[each.id] for each in drawers if each.id in case.names))


def measure(cases: Sequence[Case]) -> Figures:
    """Score the product, and how much better it is than each arm, and than itself without each part of its fusion."""
    whole = _scores([ranked(case, Strategy()) for case in cases], cases)
    others = {name: [ranked_alone(case, value) for case in cases] for name, value in ARMS.items()}
    others |= {name: [ranked(case, each.strategy) for case in cases] for name, each in ABLATIONS.items()}
    found: Figures = {"questions": len(cases), PRODUCT: {}, "gains": {}}
    found[PRODUCT] = {name: {"value": sum(v) / len(v), "interval": interval(v)} for name, v in whole.items()}
    for name, rankings in others.items():
        found["gains"][name] = {}
        for measured, values in _scores(rankings, cases).items():
            gain = paired_difference(values, whole[measured])
            found["gains"][name][measured] = {"value": gain.mean, "interval": gain.interval}
    return found


def _scores(rankings: Sequence[Sequence[str]], cases: Sequence[Case]) -> dict[str, list[float]]:
    pairs = list(zip(rankings, cases, strict=True))
    return {name: [SCORERS[name](ranking, list(case.gold)) for ranking, case in pairs] for name in WRITTEN}


def tables(sets: Sequence[Figures]) -> str:
    """Write a table for each measure: a set in each row, with the product's gains by each part; sure ones are bold."""
    parts = list(dict.fromkeys(name for each in sets for name in each["gains"]))
    head = ("in percent", "product", *(name.removeprefix("without-") for name in parts))
    lines = list[str]()
    for measured, title in MEASURES.items():
        rows = []
        for each in sets:
            gains = (each["gains"].get(name, {}).get(measured) for name in parts)
            of_product = f"{100 * each[PRODUCT][measured]['value']:.1f}"
            rows.append((f"{each['set']} ({each['questions']})", of_product, *map(_cell, gains)))
        lines += [f"**{title}**", "", *markdown(head, rows), ""]
    return "\n".join(lines)


def _cell(gain: Figures | None) -> str:
    if gain is None or gain["value"] == 0 == gain["interval"][1] - gain["interval"][0]:
        return ""
    low, high = gain["interval"]
    shown = f"{100 * gain['value']:+.1f}"
    return f"**{shown}**" if low > 0 or high < 0 else shown


if __name__ == "__main__":
    sys.exit(main())
