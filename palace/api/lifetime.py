"""Open and close a palace: the base class of the façade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from palace.cancellation import Cancellation, ended_by
from palace.config.settings import Settings, load_settings
from palace.errors import PalaceError
from palace.opened import OpenPalace

if TYPE_CHECKING:
    from palace.ai.embedders.protocol import Embedder
    from palace.mining.steps.step import IndexStep
    from palace.models import HandOvers, Impact, OnProgress, SyncStatus, SyncSummary
    from palace.operations.answers import AnswerVerbs
    from palace.operations.corrections import CorrectionVerbs
    from palace.operations.embeddings import EmbeddingVerbs
    from palace.operations.entities import EntityVerbs
    from palace.operations.evaluation import EvaluationVerbs
    from palace.operations.extraction import ExtractionVerbs
    from palace.operations.forgotten import ForgottenVerbs
    from palace.operations.grants import GrantVerbs
    from palace.operations.jobs import JobVerbs
    from palace.operations.keys import KeyVerbs
    from palace.operations.memories import MemoryVerbs
    from palace.operations.memory_files import MemoryFileVerbs
    from palace.operations.projects import ProjectVerbs
    from palace.operations.review import ReviewVerbs
    from palace.operations.runs import RunVerbs
    from palace.operations.settings import SettingVerbs
    from palace.operations.transfer import TransferVerbs
    from palace.operations.tree import TreeVerbs
    from palace.operations.turns import TurnVerbs
    from palace.operations.working import WorkingVerbs
    from palace.recall.strategy import Strategy
    from palace.worker.runner import InsideWorker


class OpenedPalace:
    """An open palace with its groups of methods."""

    tree: TreeVerbs
    runs: RunVerbs
    embeddings: EmbeddingVerbs
    entities: EntityVerbs
    corrections: CorrectionVerbs
    transfer: TransferVerbs
    extraction: ExtractionVerbs
    working: WorkingVerbs
    jobs: JobVerbs
    settings: SettingVerbs
    forgotten: ForgottenVerbs
    review: ReviewVerbs
    projects: ProjectVerbs
    keys: KeyVerbs
    grants: GrantVerbs
    answers: AnswerVerbs
    memory_files: MemoryFileVerbs
    memories: MemoryVerbs
    evaluation: EvaluationVerbs

    def __init__(self, opened: OpenPalace, *, owns_database: bool = False) -> None:
        self._opened = opened
        self._owns_database = owns_database
        self._worker: InsideWorker | None = None

    def impact(self, *, limit: int = 20, wing: str | None = None) -> tuple[Impact, ...]:
        """List the drawers and memories that were put into requests, those that replies used most first.

        Each with how often it was injected, used, and corrected by the person's next message.

        Raises:
            NotFound: there is no such wing.
        """
        from palace.operations.memory_life import impact

        return impact(self._opened, wing, limit=limit)

    def hand_overs(self) -> tuple[HandOvers, ...]:
        """Count what hooks added before and after tool calls on this machine, by week and project, the latest first."""
        from palace.hooks.hand_over_log import by_week

        return by_week(self._opened)

    def sync(
        self,
        target: str | Path,
        *,
        key: str | Path | None = None,
        ssh: str = "ssh",
        program: str = "palace",
        pair: bool = False,
        forget_many: bool = False,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> SyncSummary:
        """Synchronise the palace with that of another machine, ``ssh://host``, or through a shared folder.

        Each palace gets what only the other has, and forgets what the other forgot; messages with secrets are not sent.
        In a folder each machine writes encrypted bundles; ``key`` is the key file, by default one in the palace's home,
        which the first sync creates and which must be copied to the other machines. ``ssh`` is the program that
        connects to the other machine, ``program`` the command of Palace there. The first sync with a palace over ssh
        must ``pair`` it: whoever controls it can write instructions here. ``forget_many`` confirms that most drawers
        here are forgotten. After an interruption, the same call continues (docs/howto/sync.md).

        Raises:
            BadRequest: the target is no machine or folder, the key file is missing or open to others, the other palace
                is not paired, or more than half of at least 20 drawers would be forgotten.
            UnreadableSource: the other machine cannot be reached, or sent invalid data; what was filed stays.
            Cancelled: ``cancel`` was cancelled; what was filed stays.
        """
        from palace.operations.sync import Confirmed, sync

        with ended_by(cancel):
            path = None if key is None else Path(key)
            return sync(
                self._opened,
                str(target),
                key=path,
                remote=(ssh, program),
                confirmed=Confirmed(pair, forget_many),
                progress=progress,
            )

    def answer_sync(self, reader: BinaryIO, writer: BinaryIO, *, forget_many: bool = False) -> None:
        """Answer another machine that runs ``sync``, over two streams, until it closes the connection.

        ``forget_many`` confirms that most drawers here are forgotten; the other machine cannot confirm that.

        Raises:
            PalaceError: what it sent cannot be filed; the other machine gets the message as well.
        """
        from palace.operations.sync import answer_sync

        answer_sync(self._opened, reader, writer, forget_many=forget_many)

    def sync_status(self) -> SyncStatus:
        """Return the name of this machine, the fingerprint of its palace, and with whom it was synchronised when."""
        from palace.operations.machines import status

        return status(self._opened)

    def unpair(self, name: str) -> bool:
        """Remove a machine that was lost or sold, by the name or fingerprint that ``sync_status`` shows, or a folder.

        A machine over ssh is refused on both sides of a sync, until one that begins here pairs with it. One that has
        the key of a folder can still read and write there, so that folder's bundles are not read any more: synchronise
        through a new folder, which gets a new key. Returns whether that is necessary.

        Raises:
            NotFound: there is no such machine or folder.
        """
        from palace.operations.machines import unpair

        return unpair(self._opened, name)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Create a group of methods on first access, so that recall does not wait for its imports."""
            if name not in VERBS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            verbs = getattr(import_module(f"palace.operations.{name}"), VERBS[name])(self._opened)
            setattr(self, name, verbs)
            return verbs

        def __dir__(self) -> list[str]:
            return [*super().__dir__(), *VERBS]

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        user: str | None = None,
        embedder: Embedder | None = None,
        make_user: bool = True,
        strategy: Strategy | None = None,
        steps: Sequence[IndexStep] = (),
        background: bool = False,
    ) -> Self:
        """Open a user's palace, and create the user if needed, unless ``make_user`` is False.

        ``settings`` default to the environment and ``config.toml``; ``user`` overrides theirs; ``embedder`` replaces
        the model that the settings or the palace name; ``strategy`` is the default of ``recall``; ``steps`` are index
        steps of your own, run after those of Palace (docs/extending.md). With ``background`` a worker runs in this
        process until the palace is closed (docs/worker.md). A newly created user is removed again if an error of Palace
        ends the ``with`` block before anything is stored.

        Raises:
            BadRequest: the embedder, the strategy or a step cannot be used.
            DatabaseUnavailable: no server answers, or the embedded one cannot start.
            SchemaMismatch: a shared server's schema is older or newer than this program.
            NotFound: there is no such user, and ``make_user`` is False.
        """
        opened = OpenPalace.open(
            settings or load_settings(),
            user=user,
            embedder=embedder,
            make_user=make_user,
            strategy=strategy,
            steps=steps,
        )
        made = cls(opened, owns_database=True)
        if background:
            # The queue's library is imported only where a worker is wanted.
            from palace.worker.runner import InsideWorker

            made._worker = InsideWorker(opened)
        return made

    @cached_property
    def turns(self) -> TurnVerbs:
        """The methods of the turn loop besides ``turn``."""
        # Readers are imported only for turns, which file with them.
        from palace.operations.turns import TurnVerbs

        return TurnVerbs(self._opened, self.working, self._wake_worker)

    def close(self) -> None:
        """Close the database connections, unless others use them too; an embedded server runs on for a while."""
        if self._worker is not None:
            self._worker.end()
        if self._owns_database:
            self._opened.database.shared.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(problem, PalaceError):
            self._opened.unmake_user()
        self.close()

    def _wake_worker(self) -> None:
        """Make sure that a worker does the enqueued jobs."""
        if self._worker is None:
            from palace.worker.starting import ensure_worker

            ensure_worker(self._opened.settings)

    @property
    def user(self) -> str:
        """The name of the user whose palace this is."""
        return self._opened.user

    @property
    def _zone(self) -> tzinfo:
        """The user's time zone, in which naive times are read."""
        return self._opened.settings.zone


VERBS: Mapping[str, str] = OpenedPalace.__annotations__
"""The groups of methods by attribute, each with its class; the module in ``palace.operations`` has the same name."""
