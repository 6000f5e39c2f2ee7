"""``palace status``: one user's palace in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table

from palace.models import JobCounts, PalaceStatus, StepStatus
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import flag, option
from palace_cli.render.figures import count, moment, size
from palace_cli.render.layout import named_values
from palace_cli.render.server import generations_view, server_rows
from palace_cli.render.status_picture import MOST_SLOTS, state_svg
from palace_cli.render.visible import one_line


def status(
    *,
    svg: str | None = option("--svg", "Draw a picture (SVG) of it into a file, or - for standard output.", "FILE"),
    force: bool = flag("--force", "Replace the picture's file if it is there."),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show the palace in numbers, its embeddings and its server.

    The picture has the numbers, how the palace grew over the time in which its drawers were said, and its
    largest wings.

    \b
    palace status
    palace status --svg palace.svg
    """
    options.exclusive(("--svg", svg is not None), ("--json", as_json))
    with open_palace(user) as palace:
        found = palace.status()
        unfinished = palace.embeddings.unfinished()
        picture = "" if svg is None else state_svg(found, palace.tree.calendar(slots=MOST_SLOTS), palace.tree.wings())
    if svg is None:
        output.present(found, status_view, as_json=as_json)
    elif svg == "-":
        output.write_raw(picture)
    else:
        _save(picture, Path(svg), force=force)
    diagnostics.warn(unfinished)


def _save(picture: str, file: Path, *, force: bool) -> None:
    from palace.config.folders import written_whole

    with written_whole(file, force=force) as partial:
        partial.write_text(picture, encoding="utf-8")
    diagnostics.remark(f"drawn: {file}, {size(file.stat().st_size)}")


def status_view(found: PalaceStatus) -> Group:
    parts: list[Table | str] = [named_values([*_count_rows(found), *server_rows(found.server)])]
    if found.embeddings:
        parts += ["", generations_view(tuple(found.embeddings))]
    return Group(*parts)


def _count_rows(found: PalaceStatus) -> list[tuple[str, Any]]:
    return [
        ("user", found.user),
        ("wings", found.wings),
        ("rooms", found.rooms),
        ("drawers", f"{found.drawers:,}, {found.replaced:,} replaced" if found.replaced else found.drawers),
        ("passages", _passages(found)),
        ("sentences", found.sentences),
        ("entities", found.entities),
        ("relations", found.relations),
        ("last mined", found.last_mined_at or "never"),
        ("jobs", _jobs(found.jobs)),
        ("outbox", f"{count(found.outbox, 'exchange')} to be filed (palace outbox flush)" if found.outbox else ""),
        *((f"{step.name} pending", _waiting(step)) for step in found.steps if step.pending),
    ]


def _passages(found: PalaceStatus) -> str:
    """Return how many passages have no vector, so that they and the sentences add up to what is embedded."""
    active = [each.embedded + each.pending for each in found.embeddings if each.state == "active"]
    alone = found.passages + found.sentences - sum(active)
    return f"{found.passages:,}, {alone:,} found by words alone" if active and alone > 0 else f"{found.passages:,}"


def _jobs(jobs: JobCounts) -> str:
    told = {"waiting": jobs.waiting, "running": jobs.running, "failed (palace jobs list)": jobs.failed}
    return ", ".join(f"{number:,} {state}" for state, number in told.items() if number)


def _waiting(step: StepStatus) -> str:
    """Return how many conversations wait for an index step, and what failed last."""
    waiting = count(step.pending, "conversation")
    if not step.failed:
        return waiting
    held = f" ({step.held:,} until palace embeddings backfill)" if step.held else ""
    return f"{waiting}, {step.failed:,} failed{held}, last {moment(step.failed_at)}: {one_line(step.failure or '')}"
