"""What the event of a mining run says: what landed, where, and what failed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palace.errors import Cancelled, PalaceError
from palace.mining.extraction.asking import Asking
from palace.models import MineSummary, SourceFailure
from palace.nlp.repair import repair

MOST_FAILURES = 40
"""That an event names; of more it says how many."""

LONGEST_LINE = 500
"""Characters of a file's name, or of a failure, that are kept."""

Details = dict[str, object]


def mined(source: str, summary: MineSummary, landed: Sequence[tuple[int, int]], ended: PalaceError | None) -> Details:
    """Say what a mine came to: ``landed`` are the drawers by the number of their wing, ``ended`` what broke it off."""
    return {
        **_ended(ended),
        "source": _line(source),
        "files": summary.files,
        "conversations": summary.conversations,
        "drawers_new": summary.drawers_new,
        "drawers_unchanged": summary.drawers_unchanged,
        "drawers_excluded": summary.drawers_excluded,
        "drawers_forgotten": summary.drawers_forgotten,
        "passages_embedded": summary.passages_embedded,
        "passages_pending": summary.passages_pending,
        "cost_usd": str(summary.cost_usd),
        "wings": _wings(landed),
        "failures": [_failure(each) for each in summary.failures[:MOST_FAILURES]],
        "failure_count": len(summary.failures),
        "warning_count": len(summary.warnings),
        "secrets": dict(summary.secrets),
    }


def noted(source: str, landed: Sequence[tuple[int, int]], ended: PalaceError | None) -> Details:
    """Say what filing one note came to."""
    new = sum(count for _, count in landed)
    return {**_ended(ended), "source": source, "drawers_new": new, "wings": _wings(landed)}


def read_by_model(asking: Asking | None) -> Details:
    """Say how a model that reads names and claims fared in a run; nothing where none was to read anything."""
    if asking is None or not asking.read + asking.unread:
        return {}
    return {
        "extraction": {
            "model": _line(asking.extractor.model),
            "read": asking.read,
            "unread": asking.unread,
            "dropped": asking.dropped,
            "out_of_budget": asking.is_out_of_budget,
        }
    }


def _ended(problem: PalaceError | None) -> Details:
    if problem is None:
        return {"outcome": "finished"}
    if isinstance(problem, Cancelled):
        return {"outcome": "cancelled"}
    return {"outcome": "failed", "error": problem.code, "message": _line(str(problem))}


def _wings(landed: Sequence[tuple[int, int]]) -> list[Mapping[str, int]]:
    return [{"number": number, "drawers": count} for number, count in landed]


def _failure(failure: SourceFailure) -> Details:
    return {"file": _line(failure.file), "message": _line(failure.message)}


def _line(text: str) -> str:
    line = " ".join(repair(text)[0].split())
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"
