"""An open palace: its database, its user, and the embedder of its generation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, TypeVar

from palace.ai.embedders.protocol import check_embedder
from palace.ai.embedders.registry import Embedders
from palace.budget import budget_of
from palace.config.effective import Effective, is_said
from palace.config.settings import Settings, names_in
from palace.config.table import check_agent, get_setting
from palace.db.database import Database, UserDatabase, UserSession
from palace.db.generations import Basis, activate_first, ensure_generation, find_generation, get_basis
from palace.db.ledger import NOTHING
from palace.db.settings import held_settings
from palace.db.users import ensure_user, find_user, list_alike
from palace.db.vectors import build_index, has_room
from palace.errors import BadRequest, NotFound, PalaceError
from palace.models import CallSubject, Generation, GenerationStatus, OnProgress, Phase, Progress, intake
from palace.models.intake import UNHOLDABLE
from palace.nlp.questions.names import names_of_user

if TYPE_CHECKING:
    from palace.ai.embedders.protocol import Embedder
    from palace.graph.update import Owner
    from palace.mining.embed import EmbeddingRun
    from palace.mining.steps.step import IndexStep, Work
    from palace.recall.propose import Asked
    from palace.recall.strategy import Strategy

Result = TypeVar("Result")
LONGEST_NAME = 200
"""The most characters in a user's name, as in the settings."""

_MODEL = get_setting("embedding_model")


def get_user(database: Database, name: str) -> int:
    """Return the id of an existing user.

    Raises:
        NotFound: there is none of that name.
    """
    found = find_user(database, name)
    if found is None:
        raise no_user(database, name)
    return found


def no_user(database: Database, name: str) -> NotFound:
    """Return the error for an unknown user, with similar names where everybody may see them."""
    alike = list_alike(database, name)
    meant = f"; did you mean {' or '.join(repr(other) for other in alike)}?" if alike else ""
    return NotFound(f"there is no user {name!r}{meant} (`palace mine`, note and import make one with --new-user)")


@dataclass(frozen=True, slots=True)
class SharedResources:
    """What all palaces of one database share."""

    settings: Settings
    database: Database
    embedders: Embedders
    chosen_strategy: Strategy | None = None
    """The numbers by which recall proceeds; None for Palace's own."""
    chosen_steps: tuple[IndexStep, ...] | None = None
    """The index steps; None for Palace's own."""

    @classmethod
    def of(
        cls, settings: Settings, *, embedder: Embedder | None, strategy: Strategy | None, steps: Sequence[IndexStep]
    ) -> SharedResources:
        """Check the caller's options and combine them; the database is not reached yet.

        Raises:
            BadRequest: one of them cannot be used.
        """
        if embedder is not None:
            check_embedder(embedder)
        if strategy is not None:
            from palace.recall.strategy import check_strategy

            check_strategy(strategy)
        every = _steps_with(steps) if steps else None
        return cls(settings, Database(settings), Embedders(settings, embedder, is_english=_is_english), strategy, every)


def _is_english(text: str) -> bool | None:
    # Imported where another model than the bundled one is in use.
    from palace.nlp.languages import is_english

    return is_english(text)


@dataclass(frozen=True, slots=True)
class OpenPalace:
    """A user's palace in an open database, which every verb works with. Immutable, so threads share it."""

    settings: Settings
    database: UserDatabase
    user: str
    embedders: Embedders
    chosen_strategy: Strategy | None = None
    """The numbers by which recall proceeds; None for Palace's own."""
    chosen_steps: tuple[IndexStep, ...] | None = None
    """The index steps; None for Palace's own."""
    is_new: bool = False
    """Whether the user was created on opening."""
    names: tuple[str, ...] = ()
    """Names by which queries may refer to the palace's owner."""

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        user: str | None,
        embedder: Embedder | None,
        make_user: bool = True,
        strategy: Strategy | None = None,
        steps: Sequence[IndexStep] = (),
    ) -> OpenPalace:
        """Open a database for one palace alone, and find or create the user.

        Raises:
            NotFound: there is no such user, and none is to be made.
            BadRequest: the embedder, the strategy or a step cannot be used.
        """
        name = _user_name(settings.user if user is None else user)
        resources = SharedResources.of(settings, embedder=embedder, strategy=strategy, steps=steps)
        resources.database.open()
        try:
            # A caller who opens another user's palace says who they are, not whose it is.
            person = settings.person if name == settings.user else None
            return cls.of(resources, user=name, make_user=make_user, person=person)
        except PalaceError:
            resources.database.close()
            raise

    @classmethod
    def of(cls, resources: SharedResources, *, user: str, make_user: bool, person: str | None = None) -> OpenPalace:
        """Open a user's palace in an open database; ``person`` names its owner, written like the setting.

        Raises:
            NotFound: there is no such user, and none is to be made.
            BadRequest: ``person`` is no name.
        """
        name = _user_name(user)
        names = _names(name, person)
        database = resources.database
        known = find_user(database, name)
        if known is None and not make_user:
            raise no_user(database, name)
        user_id = ensure_user(database, name) if known is None else known
        shared = (resources.embedders, resources.chosen_strategy, resources.chosen_steps)
        return cls(resources.settings, database.of(user_id), name, *shared, is_new=known is None, names=names)

    def effective(self, agent: str | None = None) -> Effective:
        """Return the settings in effect for an agent, or for the user; each call reads the palace with one statement.

        Raises:
            BadRequest: the agent has no name.
        """
        of = "" if agent is None else check_agent(agent)
        return Effective.of(self.settings, self.run(lambda session: held_settings(session, of)), of)

    def effective_and_basis(self, agent: str | None = None) -> tuple[Effective, Basis]:
        """Return the settings in effect for an agent, or for the user, and the basis of a recall, with one statement.

        Raises:
            BadRequest: the agent has no name.
        """
        of = "" if agent is None else check_agent(agent)
        basis = self.run(lambda session: get_basis(session, of))
        return Effective.of(self.settings, basis.stored, of), basis

    def asked(self, subject: CallSubject = NOTHING, basis: Basis | None = None) -> Asked:
        """Return what recall needs of this palace; ``subject`` is what the ledger notes for its model calls."""
        from palace.recall.propose import Asked

        return Asked(self.database, self.model_of, budget_of(self.settings), subject, basis)

    @property
    def strategy(self) -> Strategy:
        """The numbers by which recall proceeds."""
        from palace.recall.strategy import USUAL

        return self.chosen_strategy or USUAL

    @property
    def steps(self) -> tuple[IndexStep, ...]:
        """The index steps, each after those it needs."""
        return _steps_with(()) if self.chosen_steps is None else self.chosen_steps

    @property
    def owner(self) -> Owner:
        """The palace's owner, as the graph knows them."""
        from palace.graph.update import Owner

        return Owner(self.settings.zone, self.names)

    def session(self) -> AbstractContextManager[UserSession]:
        """Open a transaction on the user's rows."""
        return self.database.transaction()

    def run(self, work: Callable[[UserSession], Result]) -> Result:
        """Run ``work`` in a transaction on the user's rows, again where the connection is lost."""
        return self.database.run(work)

    def unmake_user(self) -> None:
        """Delete the user if they were created on opening and nothing was stored since."""
        from palace.db.changes.removal import remove_unused_user

        if self.is_new:
            self.run(remove_unused_user)

    def find_generation(self) -> Generation | None:
        """Return the user's active generation; None before anything was mined."""
        return self.database.run(lambda session: find_generation(session, "active"))

    def find_model(self) -> tuple[Generation, Embedder] | None:
        """Return the user's active generation with its embedder; None before anything was mined.

        Raises:
            EmbeddingError: the settings, or the embedder the caller gave, name another model than the palace has.
        """
        return self.model_of(self.run(get_basis))

    def model_of(self, basis: Basis) -> tuple[Generation, Embedder] | None:
        """Return the generation of a basis with its embedder, which may be loaded; None before anything was mined.

        Raises:
            EmbeddingError: the settings, or the embedder the caller gave, name another model than the palace has.
        """
        generation = basis.generation
        return (generation, self.embedders.of(generation, _chosen_in(basis))) if generation else None

    def embedding_run(self) -> EmbeddingRun:
        """Prepare to embed into the active generation, creating the first one if there is none."""
        from palace.mining.embed import EmbeddingRun

        basis = self.run(get_basis)
        chosen = _chosen_in(basis)
        generation = basis.generation or self._first_generation(chosen)
        return EmbeddingRun(self.database, generation, self.embedders.of(generation, chosen), budget_of(self.settings))

    def work(self, report: OnProgress | None = None) -> Work:
        """Prepare to run index steps, with the embedding model opened.

        Raises:
            EmbeddingError: the settings, or the embedder the caller gave, name another model than the palace has.
        """
        return replace(self.work_without_model(report), runs=[self.embedding_run()])

    def work_without_model(self, report: OnProgress | None = None) -> Work:
        """Prepare to run index steps that need no model; a step that does opens it first."""
        from palace.mining.extraction.asking import Asking
        from palace.mining.steps.step import Work

        asking, zone = Asking.of(self.database, self.settings, self.names), self.settings.zone
        return Work(self.database, self.embedding_run, zone, report, self.names, self.steps, asking=asking)

    def index_if_large(self, report: OnProgress | None = None) -> None:
        """Build the active generation's HNSW index once the user has too many passages for an exact scan.

        That takes the owner's rights: on a shared server without the owner's address the exact scan goes on.
        """
        if not self.database.shared.may_own:
            return
        with self.session() as session:
            generation = self.find_unindexed(session)
        if generation is None:
            return
        tell = report or (lambda _: None)
        tell(Progress(Phase.INDEX, 0, 1, "indexes", generation.model))
        build_index(self.database, generation)
        tell(Progress(Phase.INDEX, 1, 1, "indexes", generation.model))

    def find_unindexed(self, session: UserSession) -> Generation | None:
        """Return the active generation if it should have an HNSW index, has none, and there is room for one."""
        found, _, sizes = get_basis(session)
        if found is None or not self.strategy.scan.want_index(sizes.vectors, found.dimension):
            return None
        return None if sizes.is_indexed or not has_room(session) else found

    def _first_generation(self, chosen: str | None) -> Generation:
        embedder = self.embedders.first(chosen)
        name, width = embedder.model, self.embedders.width(embedder)

        def make(session: UserSession) -> Generation:
            generation = ensure_generation(session, model=name, dimension=width, normalised=embedder.normalised)
            activate_first(session, generation)
            return find_generation(session, "active") or generation

        return self.database.run(make)


class Verbs:
    """Base of the verbs of an open palace, grouped by noun: ``palace.tree``, ``palace.jobs`` …"""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened


def _chosen_in(basis: Basis) -> str | None:
    """Return the user's own embedding model; an invalid one is ignored."""
    return str(basis.stored["", _MODEL.name]) if is_said(basis.stored, _MODEL, "") else None


def _user_name(given_name: str) -> str:
    name = intake.text("user", given_name)
    if not name.strip() or len(name) > LONGEST_NAME or UNHOLDABLE.search(name):
        raise BadRequest(f"the user's name must be 1 to {LONGEST_NAME} characters that Postgres text can hold")
    return name


def _names(user: str, person: str | None) -> tuple[str, ...]:
    given_person = intake.optional_text("person", person)
    try:
        return (*(names_in(given_person) if given_person is not None else ()), *names_of_user(user))
    except ValueError as problem:
        raise BadRequest(f"person {problem}") from problem


def _steps_with(own: Sequence[IndexStep]) -> tuple[IndexStep, ...]:
    # Imported only here: the steps import the readers of names and claims, which take time.
    from palace.mining.steps.registry import steps_with

    return steps_with(own)


def unfinished_switches(generations: Sequence[GenerationStatus]) -> tuple[str, ...]:
    """Return a line for each generation being filled: how to continue the switch, and how to undo it."""
    active = next((status.generation.model for status in generations if status.state == "active"), None)
    back = f", `palace embeddings switch {quote(active)}` takes it back" if active else ""
    return tuple(
        f"the switch to {status.generation.model} is not finished, {status.pending:,} passages wait:"
        f" `palace embeddings switch {quote(status.generation.model)}"
        f" --dimension {status.generation.dimension}` goes on{back}"
        for status in generations
        if status.state == "filling"
    )
