"""Format numbers, money, sizes, times and amounts for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from palace_cli.clock import shown
from palace_cli.render.visible import one_line

if TYPE_CHECKING:
    from palace.models import ImportSummary, Job, Kinds, MineSummary, Removal, SecretsFound, TakenBack

UNDATED = "undated"
NOTHING = "-"

_STRETCHES = ((365.2425, "year"), (30.436875, "month"), (7, "week"), (1, "day"))
"""The length of each unit in days, the longest first."""


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 drawer", "1,204 drawers"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def counts(summary: object, *nouns: str) -> str:
    """Return the counts of a summary with their nouns: "2 wings, 1 room"; its fields have the plural names."""
    return ", ".join(count(getattr(summary, f"{noun}s"), noun) for noun in nouns)


def about_job(job: Job) -> str:
    """Return the name of the conversation that a job is for."""
    return "all" if job.conversation_id is None else job.title or f"number {job.conversation_id}"


def held(drawers: int, replaced: int) -> str:
    """Return the number of drawers, and of old versions among them: "12 drawers, 2 replaced"."""
    return count(drawers, "drawer") + (f", {replaced:,} replaced" if replaced else "")


def moved_lines(moved: Sequence[tuple[object, object]], most: int = 20) -> list[str]:
    """Return a line for each pair of old and new places; only the first of many."""
    lines = [f"{before} is now {after}" for before, after in moved[:most]]
    return [*lines, f"… and {len(moved) - most:,} more"] if len(moved) > most else lines


def restored_line(summary: TakenBack) -> str:
    """Return how many drawers were restored, and where: "3 drawers into the wing 'Efoil'"."""
    names = ", ".join(repr(one_line(name)) for name in summary.wings)
    into = f" into the wing{'s' * (len(summary.wings) > 1)} {names}" if names else ""
    return f"{count(summary.drawers, 'drawer')}{into}"


def passages(summary: ImportSummary | MineSummary, *, background: bool = False) -> str:
    """Return how many passages are embedded and how many are pending, with what will embed those."""
    line = embedded(summary.passages_embedded, summary.passages_pending)
    sees_to_them = "workers embed them" if background else "palace embeddings backfill"
    return f"{line} ({sees_to_them})" if summary.passages_pending else line


def embedded(done: int, pending: int) -> str:
    """Return how many passages and sentences have a vector, and how many wait for one."""
    return f"{done:,} embedded with sentences, {pending:,} pending"


def money(amount: Decimal) -> str:
    """Format US dollars with the digits that small calls need."""
    return f"${amount:,.4f}"


def size(byte_count: int) -> str:
    """Format a size in the largest decimal unit with a value of at least one."""
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if byte_count >= factor:
            return f"{byte_count / factor:.1f} {unit}"
    return f"{byte_count} B"


def moment(when: datetime | None) -> str:
    """Format a time to the minute, in the person's time zone."""
    return f"{shown(when).isoformat(sep=' ', timespec='minutes')[:16]}" if when else UNDATED


def ago(when: datetime, now: datetime) -> str:
    """Return a time relative to another, in calendar days: "today", "3 days ago", "in 2 weeks"."""
    days = (shown(now).date() - shown(when).date()).days
    if abs(days) <= 1:
        return {0: "today", 1: "yesterday", -1: "tomorrow"}[days]
    # Use a unit from two on: "13 days ago" is more precise than "1 week ago".
    length, noun = next(each for each in _STRETCHES if abs(days) >= 2 * each[0])
    told = count(int(abs(days) / length), noun)
    return f"{told} ago" if days > 0 else f"in {told}"


def removal_line(removal: Removal) -> str:
    """Return the amounts removed, the drawers first, without zeros."""
    nouns = ("drawer", "conversation", "room", "wing")
    return counts(removal, *(noun for noun in nouns if getattr(removal, f"{noun}s"))) or "nothing"


MOST_PLACES = 10
"""Messages that are listed, at most; ``--json`` has all."""


def secrets_of(secrets: Kinds) -> str:
    """Return the number of secrets by kind: "2 passwords, 1 key"."""
    return ", ".join(count(number, kind) for kind, number in secrets)


def secret_places(found: Sequence[SecretsFound]) -> list[str]:
    """Return a line for each message with removed secrets; only the first of many."""
    lines = [f"{one_line(each.where)}: {secrets_of(each.kinds)}" for each in found[:MOST_PLACES]]
    more = len(found) - len(lines)
    return [*lines, f"… and {more:,} more messages (--json has them)"] if more else lines


def written(value: object) -> str:
    """Format a value as it would be typed; "-" for None."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value)) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    return NOTHING if value is None else str(value)
