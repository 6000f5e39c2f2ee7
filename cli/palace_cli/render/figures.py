"""Numbers, money, sizes, moments, and how much went, as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from palace.models import ImportSummary, Job, Kinds, MineSummary, Removal, SecretsFound, TakenBack
from palace.models.graph import Decision, DecisionVerb, Likeness
from palace_cli.clock import shown
from palace_cli.render.visible import one_line

UNDATED = "undated"
NOTHING = "-"
LIKENESS = {
    Likeness.SHORT: "may be short for",
    Likeness.SPELLING: "is spelled like",
    Likeness.INITIALS: "has the initials of",
    Likeness.MEANING: "means something like",
}
"""How one name is like another, between the two."""

_STRETCHES = ((365.2425, "year"), (30.436875, "month"), (7, "week"), (1, "day"))
"""Days of each, the longest first."""


def count(number: int, noun: str) -> str:
    """Write a number with its noun: "1 drawer", "1,204 drawers"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def counts(summary: object, *nouns: str) -> str:
    """Write the numbers of a summary with their nouns: "2 wings, 1 room"; its fields are the plurals."""
    return ", ".join(count(getattr(summary, f"{noun}s"), noun) for noun in nouns)


def about_job(job: Job) -> str:
    """Name the conversation that a job is about."""
    return "all" if job.conversation_id is None else job.title or f"number {job.conversation_id}"


def held(drawers: int, replaced: int) -> str:
    """Write how many drawers there are, and how many of them are old versions: "12 drawers, 2 replaced"."""
    return count(drawers, "drawer") + (f", {replaced:,} replaced" if replaced else "")


def moved_lines(moved: Sequence[tuple[object, object]], most: int = 20) -> list[str]:
    """Write what stands elsewhere by now, a line each; of many the first."""
    lines = [f"{before} is now {after}" for before, after in moved[:most]]
    return [*lines, f"… and {len(moved) - most:,} more"] if len(moved) > most else lines


def restored_line(summary: TakenBack) -> str:
    """Write what stands again, and where: "3 drawers into the wing 'Efoil'"."""
    names = ", ".join(repr(one_line(name)) for name in summary.wings)
    into = f" into the wing{'s' * (len(summary.wings) > 1)} {names}" if names else ""
    return f"{count(summary.drawers, 'drawer')}{into}"


def passages(summary: ImportSummary | MineSummary, *, background: bool = False) -> str:
    """Write how many passages are embedded and how many wait, with what sees to those."""
    line = embedded(summary.passages_embedded, summary.passages_pending)
    sees_to_them = "workers embed them" if background else "palace embeddings backfill"
    return f"{line} ({sees_to_them})" if summary.passages_pending else line


def embedded(done: int, pending: int) -> str:
    """Write how much has a vector, and how much waits for one: sentences have vectors of their own."""
    return f"{done:,} embedded with sentences, {pending:,} pending"


def money(amount: Decimal) -> str:
    """Write US dollars with the digits that small calls need."""
    return f"${amount:,.4f}"


def size(byte_count: int) -> str:
    """Write a size in the largest decimal unit that leaves at least one."""
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if byte_count >= factor:
            return f"{byte_count / factor:.1f} {unit}"
    return f"{byte_count} B"


def moment(when: datetime | None) -> str:
    """Write a moment to the minute, in the person's time zone."""
    return f"{shown(when).isoformat(sep=' ', timespec='minutes')[:16]}" if when else UNDATED


def ago(when: datetime, now: datetime) -> str:
    """Tell a moment from another by the days of the person's calendar: "today", "3 days ago", "in 2 weeks"."""
    days = (shown(now).date() - shown(when).date()).days
    if abs(days) <= 1:
        return {0: "today", 1: "yesterday", -1: "tomorrow"}[days]
    # Of each unit at least two: "13 days ago" says more than "1 week ago".
    length, noun = next(each for each in _STRETCHES if abs(days) >= 2 * each[0])
    told = count(int(abs(days) / length), noun)
    return f"{told} ago" if days > 0 else f"in {told}"


def removal_line(removal: Removal) -> str:
    """Name what goes, the drawers first, what is none left out."""
    nouns = ("drawer", "conversation", "room", "wing")
    return counts(removal, *(noun for noun in nouns if getattr(removal, f"{noun}s"))) or "nothing"


MOST_PLACES = 10
"""So many messages are named; ``--json`` has all."""


def secrets_of(secrets: Kinds) -> str:
    """Write how many there are of each kind: "2 passwords, 1 key"."""
    return ", ".join(count(number, kind) for kind, number in secrets)


def secret_places(found: Sequence[SecretsFound]) -> list[str]:
    """Write where they were, a line for each message; of many the first."""
    lines = [f"{one_line(each.where)}: {secrets_of(each.kinds)}" for each in found[:MOST_PLACES]]
    more = len(found) - len(lines)
    return [*lines, f"… and {more:,} more messages (--json has them)"] if more else lines


def written(value: object) -> str:
    """Write a value as it is typed; "-" for none."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value)) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    return NOTHING if value is None else str(value)


def decision_line(decision: Decision) -> str:
    """Say what was decided on who is who."""
    name, other = one_line(decision.name), one_line(decision.other)
    if decision.verb is DecisionVerb.MERGE:
        return f"{name} is {other}"
    if decision.verb is DecisionVerb.RENAME:
        return f"{name} is called {other}"
    if not decision.is_partial:
        return f"{name} is not {other}"
    return f"{name} is {other} in {count(len(decision.conversations), 'conversation')}"
