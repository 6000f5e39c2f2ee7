"""``palace scrub``: take secrets out of what was filed before."""

from __future__ import annotations

from typing import Annotated

from rich.table import Table

from palace.models import ScrubSummary
from palace_cli import diagnostics, options
from palace_cli.command import Palace, answers
from palace_cli.options import option
from palace_cli.render.figures import count, secrets_of
from palace_cli.render.layout import named_values

DryRun = Annotated[bool, option("--dry-run", "Only say what would be taken out.")]


def summary_view(summary: ScrubSummary) -> Table:
    return named_values(
        [
            ("dry run", "nothing was changed; this is what would be taken out" if summary.dry_run else ""),
            ("wing", summary.wing or ""),
            ("read", count(summary.read, "drawer")),
            ("secrets", secrets_of(summary.secrets) or "none"),
            ("in", f"{count(summary.drawers, 'drawer')} of {count(summary.conversations, 'conversation')}"),
            ("names", f"{summary.names:,}" if summary.names else ""),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )


@answers(summary_view)
def scrub(palace: Palace, *, wing: options.Wing = None, dry_run: DryRun = False) -> ScrubSummary:
    """Take secrets out of what was filed before.

    Keys, tokens, passwords, private keys and card numbers become [secret: kind], in messages, old versions, titles
    and all that was made of them; pointers stay. Interrupted, the same command goes on. What was exported or backed
    up before is out of reach, and so are the files that were mined (docs/secrets.md).

    \b
    palace scrub --dry-run
    palace scrub
    palace scrub --wing "Efoil rebuild"
    """
    with diagnostics.progress() as progress:
        return palace.scrub(wing=wing, dry_run=dry_run, progress=progress)
