"""A palace that is open: its database, its user, and the embedder its generation calls for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from shlex import quote

from palace.embedding.local.names import pinned
from palace.embedding.protocol import Embedder, check_embedder
from palace.embedding.registry import embedder_for
from palace.errors import BadRequest, EmbeddingError, NotFound
from palace.intake import given
from palace.mining.embed import EmbeddingRun
from palace.records import Generation, GenerationStatus
from palace.settings import Settings
from palace.store.candidates.semantic import CODED_UP_TO
from palace.store.counts import count_vectors
from palace.store.database import Database, UserSession
from palace.store.users import ensure_user, find_user, list_alike
from palace.store.vectors.generations import activate_first, ensure_generation, find_generation
from palace.store.vectors.index import build_index, has_index
from palace.text.repair import UNHOLDABLE

LONGEST_NAME = 200
"""Characters of a user's name, as in the settings."""


def get_user(database: Database, name: str) -> int:
    """Get the id of a user who has been here before.

    Raises:
        NotFound: there is none of that name; those alike are named where everybody may know them.
    """
    found = find_user(database, name)
    if found is not None:
        return found
    alike = list_alike(database, name)
    meant = f"; did you mean {' or '.join(repr(other) for other in alike)}?" if alike else ""
    raise NotFound(f"there is no user {name!r}{meant} (`palace mine`, note and import make one with --new-user)")


@dataclass(slots=True)
class OpenPalace:
    """What every verb works with."""

    settings: Settings
    database: Database
    user: str
    user_id: int
    embedder: Embedder | None
    """Given by the caller; stands in for the model that the settings name."""
    _embedders: dict[str, Embedder] = field(default_factory=dict)

    @classmethod
    def open(
        cls, settings: Settings, *, user: str | None, embedder: Embedder | None, make_user: bool = True
    ) -> OpenPalace:
        """Open the database, and find or make the user.

        Raises:
            NotFound: there is no such user, and none is to be made.
        """
        name = given.text("user", settings.user if user is None else user)
        if not name.strip() or len(name) > LONGEST_NAME or UNHOLDABLE.search(name):
            raise BadRequest(f"the user's name must be 1 to {LONGEST_NAME} characters that Postgres text can hold")
        if embedder is not None:
            check_embedder(embedder)
        database = Database(settings)
        database.open()
        user_id = ensure_user(database, name) if make_user else get_user(database, name)
        return cls(settings, database, name, user_id, embedder)

    def session(self) -> AbstractContextManager[UserSession]:
        """Open a transaction on the user's palace."""
        return self.database.transaction(self.user_id)

    def find_generation(self) -> Generation | None:
        """Find the user's active generation; None before anything was mined."""
        return self.database.run(self.user_id, lambda session: find_generation(session, "active"))

    def find_model(self) -> tuple[Generation, Embedder] | None:
        """Find the user's active generation with its embedder; None before anything was mined.

        Raises:
            EmbeddingError: as ``embedder_of`` does.
        """
        generation = self.find_generation()
        return (generation, self.embedder_of(generation)) if generation else None

    def embedder_of(self, generation: Generation) -> Embedder:
        """Give the embedder of a generation.

        Raises:
            EmbeddingError: the settings, or the embedder the caller gave, name another model than the palace has.
        """
        wanted = self.embedder.model if self.embedder else self.settings.embedding_model
        is_explicit = self.embedder is not None or "embedding_model" in self.settings.model_fields_set
        # The same model may lie elsewhere on this computer than where the palace was embedded.
        named = pinned(wanted, generation.model) if is_explicit else generation.model
        if named is None:
            raise EmbeddingError(
                f"this palace is embedded with {generation.model}, the settings say {wanted}:"
                f" run `palace embeddings switch {quote(wanted)}`, or take the setting back"
            )
        return self.embedder or self.embedder_named(named, generation.dimension)

    def embedder_named(self, model: str, dimension: int | None = None) -> Embedder:
        """Give the embedder of a model, the same one each time."""
        if model not in self._embedders:
            settings = self.settings.model_copy(
                update={"embedding_dimension": dimension or self.settings.embedding_dimension}
            )
            self._embedders[model] = embedder_for(model, settings)
        return self._embedders[model]

    def embedding_run(self) -> EmbeddingRun:
        """Prepare to embed into the active generation, making the first one if there is none."""
        generation = self.find_generation() or self._first_generation()
        return EmbeddingRun(self.database, self.user_id, generation, self.embedder_of(generation))

    def index_if_large(self) -> None:
        """Build the active generation's HNSW index once the user has too many passages to compare them all.

        That takes the owner's rights: on a shared server without the owner's address the exact scan goes on.
        """
        if not self.database.may_own:
            return
        with self.session() as session:
            generation = find_generation(session, "active")
            vectors = count_vectors(session)
            if generation is None or vectors <= CODED_UP_TO or has_index(session, generation.id):
                return
        build_index(self.database, generation)

    def _first_generation(self) -> Generation:
        embedder = self.embedder or self.embedder_named(self.settings.embedding_model)

        name, width = embedder.model, embedder.dimension  # may ask the model: not while a transaction is open

        def make(session: UserSession) -> Generation:
            generation = ensure_generation(session, model=name, dimension=width, normalised=embedder.normalised)
            activate_first(session, generation)
            found = find_generation(session, "active")
            assert found is not None
            return found

        return self.database.run(self.user_id, make)


def unfinished_switches(generations: Sequence[GenerationStatus]) -> tuple[str, ...]:
    """Say of each generation that is being filled how to go on with it, and how to take it back."""
    active = next((status.generation.model for status in generations if status.state == "active"), None)
    back = f", `palace embeddings switch {quote(active)}` takes it back" if active else ""
    return tuple(
        f"the switch to {status.generation.model} is not finished, {status.pending:,} passages wait:"
        f" `palace embeddings switch {quote(status.generation.model)}"
        f" --dimension {status.generation.dimension}` goes on{back}"
        for status in generations
        if status.state == "filling"
    )
