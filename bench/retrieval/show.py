"""Scores written out for people: any and all always side by side, with counts and intervals. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.retrieval.score import PLACES, Figures

Summary = Mapping[str, Any]
"""A manifest and a score, as ``bench/baselines`` keeps them."""

_COLUMNS = (
    *("variant", "any / all @1", "any / all @5", "any / all / share @10", "MRR"),
    *("turns, any / all / share @10", "in five drawers, any / all"),
)


def summary_text(summary: Summary) -> str:
    """Write one score out: levels at every depth, types of question, abstentions, times."""
    manifest, score = summary["manifest"], summary["score"]
    lines = [
        title(summary),
        f"variant {manifest.get('variant', {}).get('name', '?')}, {score['overall']['count']} questions with an answer",
        "",
        *_depths("sessions", score["overall"]["sessions"], score["overall"]["count"]),
        *_depths("turns", score["overall"]["turns"], score["overall"]["turns"]["count"]),
        *_types(score),
        _delivered_line(score["overall"]),
        _abstention_line(score["abstention"]),
        *_latest_line(score.get("latest_first", {"count": 0})),
        *(f"{step}: {times['p50']:.1f} ms (p50), {times['p95']:.1f} ms (p95)" for step, times in _times(score)),
        *_mined_line(manifest),
        *(f"in the file: {kind}: {count}" for kind, count in manifest.get("problems", {}).items()),
    ]
    return "\n".join(lines)


def title(summary: Summary) -> str:
    """Name what was measured."""
    manifest = summary["manifest"]
    return f"{manifest.get('benchmark', '?')}, {manifest.get('dataset', {}).get('name', '?')}, {_haystack(manifest)}"


def table(summaries: Sequence[Summary]) -> list[str]:
    """Make a Markdown table of runs of one file, a variant a row; percentages, with intervals for all@5 and MRR."""
    lines = [f"| {' | '.join(_COLUMNS)} |", f"|{'---|' * len(_COLUMNS)}"]
    rows = [_by_lot(summaries[0]), *map(_cells, summaries)]
    return lines + [f"| {' | '.join(cells)} |" for cells in rows]


def tables(summaries: Iterable[Summary]) -> str:
    """Make a table for every file and haystack measured, under its name."""
    groups: dict[str, list[Summary]] = {}
    for summary in summaries:
        groups.setdefault(title(summary), []).append(summary)
    return "\n\n".join("\n".join((_heading(name, group), "", *table(group))) for name, group in groups.items())


def comparison_text(names: tuple[str, str], compared: Figures) -> str:
    """Write a paired comparison out, second run minus first."""
    lines = [
        f"{names[1]} minus {names[0]}, on {compared['questions']} questions with an answer"
        f" ({compared['left_out']} asked by only one of them)"
    ]
    for level in ("sessions", "delivered", "turns"):
        figures = {name: found for name, found in compared[level].items() if name != "count"}
        lines += ["", f"| {level} | difference | 95 % interval | better | worse |", "|---|---|---|---|---|"]
        lines += [
            f"| {name} | {100 * found['difference']:+.1f} | {_signed(found['interval'])} | {found['better']} |"
            f" {found['worse']} |"
            for name, found in figures.items()
        ]
    return "\n".join(lines)


def _heading(name: str, group: Sequence[Summary]) -> str:
    overall = group[0]["score"]["overall"]
    return f"**{name}**: {overall['count']} questions, {overall['turns']['count']} with marked turns"


def _cells(summary: Summary) -> list[str]:
    overall = summary["score"]["overall"]
    sessions = overall["sessions"]
    return [
        summary["manifest"]["variant"]["name"],
        _both(sessions, 1),
        f"{_both(sessions, 5)} {_interval(sessions['all@5'])}",
        f"{_both(sessions, 10)} / {_percent(sessions['share@10'])}",
        f"{_percent(sessions['mrr'])} {_interval(sessions['mrr'])}",
        f"{_both(overall['turns'], 10)} / {_percent(overall['turns']['share@10'])}",
        _both(overall["delivered"], 5),
    ]


def _by_lot(summary: Summary) -> list[str]:
    overall = summary["score"]["overall"]

    def by_lot(level: str, *names: str) -> str:
        return " / ".join(f"{100 * overall[level][name]['chance']:.1f}" for name in names)

    return [
        "(by lot, expected)",
        *(by_lot("sessions", f"any@{k}", f"all@{k}") for k in (1, 5)),
        by_lot("sessions", "any@10", "all@10", "share@10"),
        by_lot("sessions", "mrr"),
        by_lot("turns", "any@10", "all@10", "share@10"),
        "",
    ]


def _depths(level: str, figures: Figures, count: int) -> list[str]:
    lines = [f"| {level} ({count}) | any | all | share | ndcg |", "|---|---|---|---|---|"]
    for k in PLACES:
        lines.append(
            f"| @{k} | {' | '.join(_full(figures[f'{name}@{k}']) for name in ('any', 'all', 'share', 'ndcg'))} |"
        )
    return [*lines, f"mrr: {_full(figures['mrr'])}", ""]


def _types(score: Figures) -> list[str]:
    lines = ["| type | questions | any@5 | all@5 | any@10 | all@10 | mrr |", "|---|---|---|---|---|---|---|"]
    for name, level in score["by_type"].items():
        cells = (_full(level["sessions"][figure]) for figure in ("any@5", "all@5", "any@10", "all@10", "mrr"))
        lines.append(f"| {name} | {level['count']} | {' | '.join(cells)} |")
    return [*lines, ""]


def _delivered_line(overall: Figures) -> str:
    delivered = overall["delivered"]
    return f"in the answer of five drawers: any {_full(delivered['any@5'])}, all {_full(delivered['all@5'])}"


def _latest_line(latest: Figures) -> list[str]:
    if not latest["count"]:
        return []
    share = 100 * latest["first"] / latest["count"]
    return [
        f"latest first: {latest['first']} of {latest['count']} questions about something that changed ({share:.1f} %)"
    ]


def _abstention_line(abstention: Figures) -> str:
    return (
        f"without an answer: {abstention['count']} questions, nothing given back for {abstention['nothing_delivered']}"
    )


def _mined_line(manifest: Mapping[str, Any]) -> Iterable[str]:
    if mined := manifest.get("mined"):
        yield (
            f"mined: {mined['drawers']:,} drawers of {mined['haystacks']:,} haystacks in {mined['seconds']:,} s,"
            f" {mined['drawers_per_second']:,} a second"
        )


def _times(score: Figures) -> Iterable[tuple[str, Mapping[str, float]]]:
    times: Mapping[str, Mapping[str, float]] = score["latency_ms"]
    return times.items()


def _haystack(manifest: Mapping[str, Any]) -> str:
    return {"official": "own haystacks", "pooled": "pooled"}.get(manifest.get("haystack", ""), "?")


def _both(figures: Figures, k: int) -> str:
    return f"{_percent(figures[f'any@{k}'])} / {_percent(figures[f'all@{k}'])}"


def _percent(figure: Figures) -> str:
    return f"{100 * figure['value']:.1f}"


def _interval(figure: Figures) -> str:
    low, high = figure["interval"]
    return f"({100 * low:.1f}–{100 * high:.1f})"


def _signed(edges: Sequence[float]) -> str:
    return f"{100 * edges[0]:+.1f} to {100 * edges[1]:+.1f}"


def _full(figure: Figures) -> str:
    chance = f", by lot {100 * figure['chance']:.1f}" if "chance" in figure else ""
    return f"{figure['sum']:g}: {_percent(figure)} {_interval(figure)}{chance}"
