"""The palaces in one database, for a program that serves several users."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from palace.api.palace import Palace
from palace.config.settings import Settings, load_settings
from palace.models import KeyGrant, intake
from palace.opened import OpenPalace, SharedResources
from palace.operations.grants import Grants
from palace.operations.keys import check_key
from palace.operations.web_sessions import check_session, end_session, start_session

if TYPE_CHECKING:
    from palace.ai.embedders.protocol import Embedder
    from palace.mining.steps.step import IndexStep
    from palace.recall.strategy import Strategy


class Palaces:
    """An open database with the palaces of its users, who share a connection pool and an embedder.

    Use as a context manager, or close it. Safe to share between threads.
    """

    def __init__(self, resources: SharedResources) -> None:
        self._resources = resources

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        strategy: Strategy | None = None,
        steps: Sequence[IndexStep] = (),
    ) -> Self:
        """Open the database for any number of users.

        ``settings``, ``embedder``, ``strategy`` and ``steps`` are as in ``Palace.open``; the user and the person of the
        settings are ignored.

        Raises:
            DatabaseUnavailable: no server answers, or the embedded one cannot start.
            SchemaMismatch: a shared server's schema is older or newer than this program.
        """
        resources = SharedResources.of(settings or load_settings(), embedder=embedder, strategy=strategy, steps=steps)
        resources.database.open()
        return cls(resources)

    def palace(self, user: str, *, make_user: bool = True, person: str | None = None) -> Palace:
        """Return a user's palace, creating the user if needed, unless ``make_user`` is False; takes a statement or two.

        ``person`` is the user's name as people write it ("Marta Lindqvist"), several separated by commas: a query with
        such a name is answered with what the user says of themselves. Closing the palace is not needed and has no
        effect; it can be used until this object is closed.

        Raises:
            NotFound: there is no such user, and ``make_user`` is False.
            BadRequest: ``person`` is no name.
        """
        return Palace(OpenPalace.of(self._resources, user=user, make_user=make_user, person=person))

    def check_key(self, key: str) -> KeyGrant | None:
        """Return what a key from ``palace.keys`` allows; None if it is wrong, expired or revoked, which look alike."""
        return check_key(self._resources.database, intake.text("key", key))

    def start_session(self, grant: KeyGrant) -> str:
        """Start the session of a browser that signed in, and return its secret, the browser's cookie.

        It may do what its key may, for 14 days, and ends when the key is revoked, rotated or expires; one of the
        account that serves (``KeyGrant.of_account``) ends after a day.
        """
        return start_session(self._resources.database, grant)

    def check_session(self, secret: str) -> KeyGrant | None:
        """Return what a browser's session allows; None if it is wrong or over, or its key no longer valid."""
        return check_session(self._resources.database, intake.text("secret", secret))

    def end_session(self, secret: str) -> None:
        """End the session of a browser that signs out; one that is over or wrong is left alone."""
        end_session(self._resources.database, intake.text("secret", secret))

    @property
    def grants(self) -> Grants:
        """What people let programs do by OAuth."""
        return Grants(self._resources.database)

    def check_schema(self) -> None:
        """Check that the database answers, and that its schema is this program's.

        Raises:
            DatabaseUnavailable: no server answers; ``SchemaMismatch``: the schema is older or newer.
        """
        self._resources.database.check_schema()

    @property
    def settings(self) -> Settings:
        """The settings that it was opened with."""
        return self._resources.settings

    def close(self) -> None:
        """Close every connection; an embedded server runs on until it has been idle."""
        self._resources.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
