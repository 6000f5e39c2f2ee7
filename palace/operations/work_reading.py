"""Work of coding agents, as methods of the façade."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from palace.errors import BadRequest
from palace.models import Scope, WorkQuery, intake
from palace.opened import OpenPalace

if TYPE_CHECKING:
    from palace.models import WorkHere, WorkHistory


class WorkReading:
    """Look up what coding agents did in their sessions."""

    _opened: OpenPalace

    def work(
        self,
        *,
        file: str | os.PathLike[str] | None = None,
        command: str | None = None,
        error: str | None = None,
        symbol: str | None = None,
        wing: str | None = None,
        wings: Iterable[str] | None = None,
        scope: Scope | None = None,
        since: datetime | None = None,
        limit: int = 20,
    ) -> WorkHistory:
        """Return what sessions of coding agents decided, tried, fixed and changed, oldest first.

        The query names a ``file`` (absolute, or relative to its project), a ``command`` line, an ``error`` message, a
        ``symbol``, or several of these. ``wing``, ``wings`` or a project's ``scope`` limits it; ``limit`` is the most
        entries, of which the newest are returned. No model is called.

        Raises:
            BadRequest: none of the four was passed, or an argument has a wrong type; ``NotFound``: no such wing.
        """
        from palace.operations.recall import scope_in
        from palace.operations.work import work

        path = os.fspath(file) if isinstance(file, os.PathLike) else file
        given = {"file": path, "command": command, "error": error, "symbol": symbol}
        texts = {name: intake.optional_text(name, value) for name, value in given.items()}
        if not any(text and text.strip() for text in texts.values()):
            raise BadRequest("give a file, a command, an error or a symbol")
        begun = intake.moment("since", since, self._opened.settings.zone)
        query = WorkQuery(**texts, since=begun, limit=intake.row_count("limit", limit))
        return work(self._opened, query, scope_in(self._opened, wing, wings, scope))

    def work_here(self, folder: str | os.PathLike[str] | None = None, *, scope: Scope | None = None) -> WorkHere:
        """Return the latest work in a folder's project, its open failures, and the last failure.

        Without a folder, those of the whole palace, or of a ``scope``.
        """
        from palace.operations.projects import absolute
        from palace.operations.work import work_here

        return work_here(self._opened, None if folder is None else absolute(folder), scope or Scope())
