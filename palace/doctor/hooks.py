"""Hooks of coding agents as `palace doctor` looks at them: they fail in silence, so here it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from palace.config.settings import Settings
from palace.hooks.askers import backlog
from palace.hooks.claim import look
from palace.hooks.failures import Failure, list_failures
from palace.models import Check, Verdict

LATELY = timedelta(days=3)
LONG_WAITING = 300.0
"""Seconds; a worker that lives mines what hooks left within some."""
MOST_KINDS = 4


def check_hooks(settings: Settings) -> Iterator[Check]:
    """Look at who answers hooks, at what failed of late, and at what waits to be mined; the server need not answer."""
    if not settings.hooks:
        yield Check("hooks", Verdict.OK, "switched off (PALACE_HOOKS)")
        return
    yield _check_worker(settings)
    failed = list_failures(settings.home_folder, since=datetime.now(UTC) - LATELY)
    if failed:
        yield Check("hooks failed", Verdict.WARNING, _told(failed, settings), "docs/hooks.md says what each means")
    here, elsewhere = backlog(settings)
    if here.waiting and here.seconds >= LONG_WAITING:
        since = f"{here.seconds / 60:,.0f} minutes"
        many = f"{here.waiting:,} transcripts wait to be mined, one for {since}"
        finding = many if here.waiting > 1 else f"1 transcript waits to be mined, for {since}"
        yield Check("hooks left", Verdict.WARNING, finding, "palace worker --once")
    if elsewhere.waiting and elsewhere.seconds >= LONG_WAITING:
        wait = "transcript waits" if elsewhere.waiting == 1 else "transcripts wait"
        finding = f"{elsewhere.waiting:,} {wait} for a worker of another database or schema"
        yield Check("hooks left elsewhere", Verdict.WARNING, finding, "palace worker --once, with its settings")


def _check_worker(settings: Settings) -> Check:
    """Say whether hooks are answered warm: that none is, is nothing amiss."""
    found = look(settings.home_folder)
    if found is None:
        finding = "no worker answers them: each takes a process of its own"
        return Check("hooks", Verdict.OK, f"{finding}, and starts one" if _starts(settings) else finding)
    if found.problem:
        finding = f"{found.path}: {found.problem}; each hook takes a process of its own"
        return Check("hooks", Verdict.WARNING, finding, "end that worker: the next hook starts another (palace worker)")
    answered = f"{found.answered:,} so far"
    return Check("hooks", Verdict.OK, f"a worker answers them, this look in {found.milliseconds:.0f} ms, {answered}")


def _starts(settings: Settings) -> bool:
    return settings.worker_starts and not settings.database_url


def _told(failed: Sequence[Failure], settings: Settings) -> str:
    """Count what failed, by kind."""
    kinds = Counter(each.code for each in failed).most_common(MOST_KINDS)
    last = failed[-1].at.astimezone(settings.zone)
    told = ", ".join(f"{count:,} {code}" for code, count in kinds)
    return f"{len(failed):,} in the last {LATELY.days} days ({told}), the last {last:%Y-%m-%d %H:%M}"
