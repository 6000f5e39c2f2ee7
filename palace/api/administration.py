"""Administer the database server: what needs no open palace."""

from __future__ import annotations

from pathlib import Path

from palace.ai.embedders.registry import fetch_model
from palace.cancellation import Cancellation, ended_by
from palace.config.settings import Settings
from palace.db.backup import restore_archive, write_archive
from palace.db.database import Database
from palace.db.embedded.server import leaving_stopped
from palace.db.program_schema import program_address
from palace.db.users import ensure_user
from palace.doctor import examine
from palace.errors import BadRequest
from palace.models import Backup, Check, FetchedModel, OnProgress, RestoreSummary, ServerStatus, intake
from palace.opened import get_user

__all__ = ["Administration", "leaving_stopped"]


class Administration:
    """The database server of a palace, and the models on this computer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._database = Database(settings)

    def start(self) -> ServerStatus:
        """Start the embedded server, migrate its schema if needed, and return its status.

        Raises:
            BadRequest: the palace is on a shared server, which Palace does not start.
        """
        self._refuse_shared("start")
        self._database.open()
        self._database.close()
        return self.status()

    def stop(self) -> bool:
        """Stop the embedded server; return False if it was not running.

        Raises:
            BadRequest: the palace is on a shared server, which Palace does not stop.
        """
        self._refuse_shared("stop")
        assert self._database.server is not None
        return self._database.server.stop()

    def status(self) -> ServerStatus:
        """Return the status of the server; starts nothing."""
        return self._database.status()

    def url(self, *, owner: bool = False) -> str:
        """Return the URL for psql and other programs, as runtime role or schema owner, without a password."""
        return self._database.shown_url(owner=owner)

    def program_address(self, program: str, *, user: str | None = None) -> str:
        """Create a schema for the tables of another program, and return the owner's URL, which starts in that schema.

        Each ``program`` has one, and each ``user`` of it. The URL has the owner's password: it is for the program.

        Raises:
            BadRequest: the program's name is invalid; ``DatabaseUnavailable``: no server answers.
        """
        named = intake.optional_text("user", user)
        return program_address(self._database, intake.text("program", program), named)

    def upgrade(self) -> str:
        """Migrate the schema to this program's revision and return the revision."""
        revision = self._database.upgrade()
        self._database.close()
        return revision

    def backup(
        self,
        file: str | Path,
        *,
        force: bool = False,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> Backup:
        """Write the palaces of all users to a file, without blocking them; ``force`` overwrites a file.

        Raises:
            BadRequest: there is nothing to back up, or the file exists already.
            DatabaseUnavailable: no server answers.
            DatabaseRefused: the server did not return everything; no file is left.
            Cancelled: ``cancel`` was cancelled; no file is left.
        """
        with ended_by(cancel):
            return write_archive(self._database, Path(file), force=force, progress=progress)

    def restore(
        self, file: str | Path, *, progress: OnProgress | None = None, cancel: Cancellation | None = None
    ) -> RestoreSummary:
        """Fill an empty database from a backup of this program's schema revision or an older one.

        Raises:
            UnreadableSource: the file is no backup of Palace, is truncated, or is from a newer program.
            BadRequest: the database is not empty, or has another schema.
            DatabaseUnavailable: no server answers.
            DatabaseRefused: the server refused a statement; nothing was changed.
            Cancelled: ``cancel`` was cancelled before everything was restored; nothing was changed.
        """
        try:
            with ended_by(cancel):
                return restore_archive(self._database, Path(file), progress)
        finally:
            self._database.close()

    def fetch_model(self, model: str, progress: OnProgress | None = None) -> FetchedModel:
        """Download a model from the hub (``hf:OWNER/NAME``) into its cache, and test it; from then on it works offline.

        Raises:
            EmbeddingError: the name has another form, the hub cannot be reached, or the model cannot be used.
        """
        return fetch_model(model, self._settings, progress)

    def doctor(self, *, make_user: bool = True) -> tuple[Check, ...]:
        """Check server, extension, schema, role, indexes, rows, model and disk; each check says how to fix it.

        Raises:
            NotFound: there is no such user, and ``make_user`` is False.
        """
        find = ensure_user if make_user else get_user
        try:
            return tuple(examine(self._settings, self._database, find))
        finally:
            self._database.close()

    def _refuse_shared(self, verb: str) -> None:
        if self._settings.database_url:
            raise BadRequest(f"PALACE_DATABASE_URL names a shared server: {verb} it where it runs")
