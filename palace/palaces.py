"""The palaces in one database, for a program that serves several users."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from palace.embedding.embedders import Embedders
from palace.embedding.protocol import Embedder
from palace.opened import OpenPalace
from palace.palace import Palace
from palace.recall.strategy import Strategy, strategy_or
from palace.settings import Settings, load_settings
from palace.store.database import Database


class Palaces:
    """A database that is open, and the palaces of its users on one pool of connections and one embedder.

    Use as a context manager, or close it. Safe to share between threads.
    """

    def __init__(self, settings: Settings, database: Database, embedders: Embedders, strategy: Strategy) -> None:
        self._settings = settings
        self._database = database
        self._embedders = embedders
        self._strategy = strategy

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        strategy: Strategy | None = None,
    ) -> Self:
        """Open the database for any number of users.

        ``settings``, ``embedder`` and ``strategy`` are those of ``Palace.open``; the user of the settings has no part
        in it.

        Raises:
            DatabaseUnavailable: no server answers, or the embedded one cannot start.
            SchemaMismatch: a shared server's schema is older or newer than this program.
        """
        settings, taken = settings or load_settings(), strategy_or(strategy, Strategy())
        database = Database(settings)
        database.open()
        return cls(settings, database, Embedders(settings, embedder), taken)

    def palace(self, user: str, *, make_user: bool = True) -> Palace:
        """Give a user's palace, making it at first sight unless ``make_user`` is False. It takes a statement or two.

        It need not be closed: closing it gives nothing back, and it can be used until this is closed.

        Raises:
            NotFound: there is no such user, and ``make_user`` is False.
        """
        shared = (self._settings, self._database, self._embedders, self._strategy)
        return Palace(OpenPalace.of(*shared, user=user, make_user=make_user))

    def close(self) -> None:
        """Give back every connection; an embedded server goes on until it has been idle."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
