"""``palace sync``: synchronise with another machine, over ssh or through a shared folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from palace.errors import BadRequest, PalaceError
from palace.models import SyncStatus, SyncSummary
from palace.models.spool import own_input
from palace_cli import diagnostics, options, output
from palace_cli.command import write_answer
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option
from palace_cli.render.figures import count, moment
from palace_cli.render.layout import named_values

if TYPE_CHECKING:
    from palace import Palace

REFUSED = "this machine refuses it until `palace sync ssh://NAME --pair` is run here"
NEW_FOLDER = "it still has the key of the folder: synchronise through a new folder, and copy the new key to the others"


def sync(
    target: str | None = argument(
        "TARGET", "Another machine, ssh://host, or a shared folder.", default=None, show_default=False
    ),
    *,
    key: Path | None = option("--key", "The key file of a shared folder, if it is not the palace's own.", "FILE"),
    ssh: str = option(
        "--ssh", "The program that connects to the other machine.", "COMMAND", default="ssh", envvar="PALACE_SYNC_SSH"
    ),
    program: str = option("--program", "The command of Palace on the other machine.", "COMMAND", default="palace"),
    pair: bool = flag("--pair", "Pair with the palace of that machine; once, at the first sync over ssh."),
    forget_many: bool = flag("--forget-many", "Forget also more than half of the drawers here."),
    unpair: str | None = option(
        "--unpair", "Refuse a machine that was lost or sold, by its name or fingerprint in --status.", "NAME"
    ),
    status: bool = flag("--status", "Only show this machine and its peers: fingerprints, and the last syncs."),
    serve: bool = option("--serve", "Answer another machine on standard input.", default=False, hidden=True),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Synchronise this palace with another machine of yours, or through a shared folder.

    Each palace gets what only the other has, and forgets what the other forgot. Pointers do not change. Messages with
    secrets are not sent. After an interruption, run the same command again. In a shared folder (Dropbox, Syncthing, a
    git repository) everything is encrypted.

    \b
    palace sync ssh://laptop --pair
    palace sync ssh://laptop
    palace sync ssh://derek@laptop:2222/home/derek/palace
    palace sync ~/Dropbox/palace
    palace sync --status
    palace sync --unpair ssh://laptop
    """
    if not (target or status or serve or unpair):
        raise BadRequest("name the other machine or a folder, as in `palace sync ssh://laptop`")
    with open_palace(user) as palace:
        if serve:
            return _answer(palace, forget_many=forget_many)
        if unpair:
            after = NEW_FOLDER if palace.unpair(unpair) else "" if Path(unpair).is_absolute() else REFUSED
            diagnostics.remark(": ".join(filter(None, (f"unpaired {unpair}", after))))
        if status or unpair:
            return write_answer(palace.sync_status(), status_view, as_json=as_json)
        with diagnostics.progress() as progress:
            summary = palace.sync(
                target or "", key=key, ssh=ssh, program=program, pair=pair, forget_many=forget_many, progress=progress
            )
    write_answer(summary, sync_view, as_json=as_json)
    _conclude(summary)


def _answer(palace: Palace, *, forget_many: bool) -> None:
    try:
        palace.answer_sync(own_input(), output.stream(), forget_many=forget_many)
    except PalaceError as problem:
        # The other machine has the message, and shows what is printed here as well.
        raise typer.Exit(diagnostics.ExitCode.INCOMPLETE) from problem


def _conclude(summary: SyncSummary) -> None:
    if summary.key:
        diagnostics.remark(
            f"copy {summary.key} to your other machines, but not through the folder: it decrypts the bundles"
        )
    if summary.skipped:
        raise typer.Exit(diagnostics.ExitCode.INCOMPLETE)


def sync_view(summary: SyncSummary) -> Table:
    withheld = f"{summary.withheld:,} with secrets; palace scrub redacts them" if summary.withheld else ""
    there = f" here and {summary.forgotten_there:,} there" if summary.forgotten_there else ""
    return named_values(
        {
            "synchronised in part with" if summary.skipped else "synchronised with": summary.peer,
            "paired with": summary.paired,
            "drawers": f"{summary.sent:,} sent, {summary.received:,} received, {summary.forgotten:,} forgotten{there}",
            "withheld": withheld,
            "not read": count(summary.skipped, "bundle") if summary.skipped else "",
            "passages": f"{summary.passages_pending:,} pending (palace embeddings backfill)"
            if summary.passages_pending
            else "",
            "time": summary.seconds,
        }
    )


def status_view(status: SyncStatus) -> Table:
    shown = [(status.machine, f"this machine, palace {status.fingerprint}")]
    for peer in status.peers:
        palace = f"palace {peer.fingerprint}" if peer.fingerprint else ""
        last = f"last on {moment(peer.synced_at)}" if peer.synced_at else "not synchronised yet"
        shown.append((peer.name, ", ".join(filter(None, (palace, "unpaired" if peer.is_unpaired else last)))))
    return named_values(shown)
