"""Scores written out for people: any and all always side by side, with counts and intervals. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.retrieval.score import MEASURES, PLACES, Figures

Summary = Mapping[str, Any]
"""A manifest and a score, as ``bench/baselines`` keeps them."""

_COLUMNS = (
    *("variant", "any / all @1", "any / all @5", "any / all / share @10", "MRR"),
    *("turns, any / all / share @10", "in five drawers, any / all"),
)
_SHORTLY = (0, 2, 4)
"""Columns that are printed of a variant without one weight."""
_HAYSTACKS = {"official": "own haystacks", "pooled": "pooled"}


def markdown(head: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """Give the lines of a Markdown table."""
    head = list(head)
    return [_line(head), f"|{'---|' * len(head)}", *map(_line, rows)]


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def summary_text(summary: Summary) -> str:
    """Write one score out: levels at every depth, types of question, abstentions, times."""
    manifest, score = summary["manifest"], summary["score"]
    overall, abstention, latest = score["overall"], score["abstention"], score.get("latest_first", {"count": 0})
    figures = ("any@5", "all@5", "any@10", "all@10", "mrr")
    types = (
        (name, level["count"], *(_full(level["sessions"][figure]) for figure in figures))
        for name, level in score["by_type"].items()
    )
    lines = [
        title(summary),
        f"variant {manifest.get('variant', {}).get('name', '?')}, {overall['count']} questions with an answer",
        "",
        *_depths("sessions", overall["sessions"], overall["count"]),
        *_depths("turns", overall["turns"], overall["turns"]["count"]),
        *markdown(("type", "questions", *figures), types),
        "",
        f"in the answer of five drawers: any {_full(overall['delivered']['any@5'])},"
        f" all {_full(overall['delivered']['all@5'])}",
        f"without an answer: {abstention['count']} questions, nothing given back for {abstention['nothing_delivered']}",
    ]
    if latest["count"]:
        share = 100 * latest["first"] / latest["count"]
        lines.append(
            f"latest first: {latest['first']} of {latest['count']} questions about something that changed"
            f" ({share:.1f} %)"
        )
    times = score["latency_ms"].items()
    lines += [f"{step}: {spent['p50']:.1f} ms (p50), {spent['p95']:.1f} ms (p95)" for step, spent in times]
    if mined := manifest.get("mined"):
        lines.append(
            f"mined: {mined['drawers']:,} drawers of {mined['haystacks']:,} haystacks in {mined['seconds']:,} s,"
            f" {mined['drawers_per_second']:,} a second"
        )
    return "\n".join([*lines, *problem_lines(manifest)])


def problem_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Say what was wrong with the file that a run is of."""
    return [f"in the file: {kind}: {count}" for kind, count in manifest.get("problems", {}).items()]


def title(summary: Summary) -> str:
    """Name what was measured."""
    manifest = summary["manifest"]
    haystack = _HAYSTACKS.get(manifest.get("haystack", ""), "?")
    return f"{manifest.get('benchmark', '?')}, {manifest.get('dataset', {}).get('name', '?')}, {haystack}"


def tables(summaries: Iterable[Summary]) -> str:
    """Make a table for every file and haystack measured, under its name; a variant a row, in percent."""
    groups: dict[str, list[Summary]] = {}
    for summary in summaries:
        groups.setdefault(title(summary), []).append(summary)
    written = []
    for name, group in groups.items():
        overall = group[0]["score"]["overall"]
        counts = f"{overall['count']} questions, {overall['turns']['count']} with marked turns"
        rows = [_by_lot(overall), *map(_cells, group)]
        written.append("\n".join((f"**{name}**: {counts}", "", *markdown(_COLUMNS, rows))))
    return "\n\n".join(written)


def comparison_text(names: tuple[str, str], compared: Figures) -> str:
    """Write a paired comparison out, second run minus first."""
    lines = [
        f"{names[1]} minus {names[0]}, on {compared['questions']} questions with an answer"
        f" ({compared['left_out']} asked by only one of them)"
    ]
    for level in ("sessions", "delivered", "turns"):
        rows = (
            (name, f"{100 * found['difference']:+.1f}", _signed(found["interval"]), found["better"], found["worse"])
            for name, found in compared[level].items()
            if name != "count"
        )
        lines += ["", *markdown((level, "difference", "95 % interval", "better", "worse"), rows)]
    return "\n".join(lines)


def _cells(summary: Summary) -> list[str]:
    overall = summary["score"]["overall"]
    sessions, name = overall["sessions"], summary["manifest"]["variant"]["name"]
    cells = [
        name,
        _percents(sessions, "any@1", "all@1"),
        f"{_percents(sessions, 'any@5', 'all@5')} {_interval(sessions['all@5'])}",
        _percents(sessions, "any@10", "all@10", "share@10"),
        f"{_percents(sessions, 'mrr')} {_interval(sessions['mrr'])}",
        _percents(overall["turns"], "any@10", "all@10", "share@10"),
        _percents(overall["delivered"], "any@5", "all@5"),
    ]
    return [cell if not name.startswith("without-") or column in _SHORTLY else "" for column, cell in enumerate(cells)]


def _by_lot(overall: Figures) -> list[str]:
    sessions, ten = overall["sessions"], ("any@10", "all@10", "share@10")
    return [
        "(by lot, expected)",
        *(_percents(sessions, f"any@{k}", f"all@{k}", part="chance") for k in (1, 5)),
        _percents(sessions, *ten, part="chance"),
        _percents(sessions, "mrr", part="chance"),
        _percents(overall["turns"], *ten, part="chance"),
        "",
    ]


def _depths(level: str, figures: Figures, count: int) -> list[str]:
    rows = ((f"@{k}", *(_full(figures[f"{name}@{k}"]) for name in MEASURES)) for k in PLACES)
    return [*markdown((f"{level} ({count})", *MEASURES), rows), f"mrr: {_full(figures['mrr'])}", ""]


def _percents(figures: Figures, *names: str, part: str = "value") -> str:
    return " / ".join(f"{100 * figures[name][part]:.1f}" for name in names)


def _interval(figure: Figures) -> str:
    low, high = figure["interval"]
    return f"({100 * low:.1f}–{100 * high:.1f})"


def _signed(edges: Sequence[float]) -> str:
    return f"{100 * edges[0]:+.1f} to {100 * edges[1]:+.1f}"


def _full(figure: Figures) -> str:
    chance = f", by lot {100 * figure['chance']:.1f}" if "chance" in figure else ""
    return f"{figure['sum']:g}: {100 * figure['value']:.1f} {_interval(figure)}{chance}"
