"""``palace mine``: read conversations and file their drawers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from rich.table import Table

from palace.models import MineSummary, RehearsedSource
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import count, money, passages, secret_places, secrets_of
from palace_cli.render.layout import named_values

MOST_SOURCES = 20
"""So many sources of a dry run are shown."""

Sources = Annotated[list[str], argument("SOURCE...", "Files, folders, archives, or - for standard input.")]
Name = Annotated[
    str | None,
    option("--name", 'What standard input is called; "standard input" unless given.', "FILE"),
]
Dates = Annotated[
    str | None,
    option("--dates", "How 05/01/2024 is meant; told from each source unless given.", "day-first|month-first"),
]
Encoding = Annotated[str | None, option("--encoding", "How text is encoded; UTF-8 unless given.", "NAME")]
DryRun = Annotated[bool, option("--dry-run", "Read everything, store nothing; say what is new in each source.")]
Exclude = Annotated[
    list[str] | None,
    option("--exclude", "Leave out messages in which this regular expression is found; repeatable.", "PATTERN"),
]
KeepSecrets = Annotated[bool, option("--keep-secrets", "File keys, passwords and card numbers as they were said.")]
Restore = Annotated[bool, option("--restore-forgotten", "File again what was forgotten.")]
Background = Annotated[bool, option("--background", "Only file; workers do the rest.")]


def mine(
    sources: Sources,
    *,
    name: Name = None,
    wing: options.Wing = None,
    dry_run: DryRun = False,
    exclude: Exclude = None,
    keep_secrets: KeepSecrets = False,
    restore_forgotten: Restore = False,
    dates: Dates = None,
    encoding: Encoding = None,
    background: Background = False,
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """Read conversations and file each message verbatim.

    Mining the same conversation again changes nothing; a grown one adds only its new turns. A file, a
    conversation or a message that cannot be read is named and the others are mined all the same; the exit code is
    then 1. What a folder holds that is not for mining, such as pictures, is counted.
    What was forgotten stays forgotten, unless --restore-forgotten. What says nothing of itself goes into a
    wing called after its file, or after the folder or archive that it was found in. Secrets are replaced
    by [secret: kind] and counted, unless --keep-secrets.

    \b
    palace mine conversations.json
    palace mine ~/.claude/projects --wing "Efoil rebuild"
    palace mine january.json february.json notes/
    cat notes.md | palace mine - --name meeting.md --dry-run
    """
    with open_palace(user, new_user=new_user) as palace, diagnostics.progress() as progress:
        summary = palace.mine(
            *sources,
            name=name,
            dates=dates,
            encoding=encoding,
            wing=wing,
            dry_run=dry_run,
            exclude=exclude or (),
            keep_secrets=keep_secrets,
            restore_forgotten=restore_forgotten,
            background=background,
            progress=progress,
        )
    output.present(summary, partial(summary_view, background=background), as_json=as_json)
    diagnostics.report_mined(summary)


def turn_count(summary: MineSummary) -> int:
    """Count the turns that were read."""
    return summary.drawers_new + summary.drawers_unchanged + summary.drawers_excluded + summary.drawers_forgotten


def summary_view(summary: MineSummary, *, background: bool = False) -> Table:
    rate = f" ({turn_count(summary) / summary.seconds:,.0f} turns/s)" if summary.seconds else ""
    return named_values(
        [
            ("dry run", "nothing was stored; this is what would have been" if summary.dry_run else ""),
            ("drawers", _drawers(summary)),
            ("read", f"{count(summary.conversations, 'conversation')} in {count(summary.files, 'file')}"),
            ("secrets", secrets_of(summary.secrets)),
            *(("", line) for line in secret_places(summary.secrets_in)),
            ("left out", ", ".join(f"{number:,} {kind}" for kind, number in summary.left_out)),
            ("passed over", ", ".join(count(number, kind.removesuffix("s")) for kind, number in summary.passed_over)),
            *(("source", line) for line in _sources(summary.sources)),
            ("closets", f"{summary.closets:,}"),
            ("graph", _graph(summary)),
            ("passages", passages(summary, background=background)),
            ("cost", money(summary.cost_usd)),
            ("time", f"{summary.seconds:,.1f} s{rate}"),
        ]
    )


def _graph(summary: MineSummary) -> str:
    if not summary.names and not summary.claims:
        return ""
    return f"{count(summary.names, 'name')}, {count(summary.claims, 'claim')} read"


def _sources(sources: Sequence[RehearsedSource]) -> list[str]:
    """Write what each of several sources would come to, those with something new or replaced; of many the first."""
    if len(sources) < 2:
        return []
    changed = [source for source in sources if source.new or source.replaced]
    lines = [
        f"{source.file}: {source.new:,} new, {source.unchanged:,} unchanged, {source.replaced:,} replaced"
        for source in changed[:MOST_SOURCES]
    ]
    more, same = len(changed) - len(lines), len(sources) - len(changed)
    if more:
        lines.append(f"… and {more:,} more with something new or replaced (--json has all)")
    return [*lines, f"{same:,} with nothing new"] if same else lines


def _drawers(summary: MineSummary) -> str:
    new, unchanged, excluded = summary.drawers_new, summary.drawers_unchanged, summary.drawers_excluded
    line = f"{new:,} new, {unchanged:,} unchanged, {excluded:,} excluded"
    return f"{line}, {summary.drawers_forgotten:,} forgotten" if summary.drawers_forgotten else line
