"""The façade's grouped verbs: the tree, and the embeddings."""

from __future__ import annotations

from collections.abc import Callable

from palace.errors import BadRequest, EmbeddingError, NotFound
from palace.mining.closets import redraw_pending
from palace.mining.embed import EmbeddingRun, backfill
from palace.opened import OpenPalace
from palace.records import BackfillSummary, Closet, Drawer, Generation, GenerationStatus, Room, Wing
from palace.store.database import UserSession
from palace.store.drawers import list_room_drawers
from palace.store.filing.places import find_wing
from palace.store.tree import (
    find_room,
    find_wing_by_id,
    find_wing_by_number,
    list_closets,
    list_rooms,
    list_wings,
)
from palace.store.vectors.generations import (
    ensure_generation,
    flip_to,
    list_generations,
    start_filling,
)
from palace.text.pointers import find_wing_number, parse_room
from palace.text.slug import slugify

Progress = Callable[[int], None]


class TreeVerbs:
    """Walking the palace: wings, rooms, closets, drawers."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened

    def wings(self) -> tuple[Wing, ...]:
        """List the wings in order of number."""
        with self._opened.session() as session:
            return list_wings(session)

    def wing(self, name: str) -> Wing:
        """Get a wing by name, alias or number (``W-042``).

        Raises:
            NotFound: there is none.
        """
        number = find_wing_number(name)
        with self._opened.session() as session:
            if number is not None:
                found = find_wing_by_number(session, number)
            else:
                wing_id = find_wing(session, slugify(name))
                found = find_wing_by_id(session, wing_id) if wing_id is not None else None
        if found is None:
            raise NotFound(f"there is no wing {name!r}; `palace ls` lists them")
        return found

    def rooms(self, wing: Wing) -> tuple[Room, ...]:
        """List a wing's rooms in order of number."""
        with self._opened.session() as session:
            return list_rooms(session, wing.id)

    def room(self, pointer: str) -> Room:
        """Get a room by the first two parts of a pointer, ``W-042/R-11``.

        Raises:
            BadRequest: the pointer has another shape; ``NotFound`` when there is no such room.
        """
        wing_number, room_number = parse_room(pointer)
        with self._opened.session() as session:
            found = find_room(session, wing_number, room_number)
        if found is None:
            raise NotFound(f"there is no room {pointer.strip()}; `palace ls W-{wing_number:03d}` lists the wing's")
        return found

    def closets(self, room: Room) -> tuple[Closet, ...]:
        """List a room's closets in the order their topics first come up."""
        with self._opened.session() as session:
            return list_closets(session, room.id)

    def drawers(self, room: Room, *, limit: int = 200, offset: int = 0) -> tuple[Drawer, ...]:
        """List a room's drawers in the order they were said."""
        if limit < 1 or offset < 0:
            raise BadRequest("limit must be 1 or more, offset 0 or more")
        with self._opened.session() as session:
            return tuple(list_room_drawers(session, room.id, limit=limit, offset=offset))


class EmbeddingVerbs:
    """The palace's embeddings: how full, filling them, changing the model."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened

    def status(self) -> tuple[GenerationStatus, ...]:
        """List the user's generations, the active one first; none before anything was mined."""
        with self._opened.session() as session:
            return list_generations(session)

    def backfill(self, *, progress: Progress | None = None) -> BackfillSummary:
        """Embed every passage that waits for it, then draw the topics that waited for that."""
        run = self._opened.embedding_run()
        summary = backfill(run, progress=progress)
        redraw_pending(run.database, run.user_id, run.generation.id)
        self._opened.index_if_large()
        return summary

    def switch(self, model: str, *, dimension: int | None = None, progress: Progress | None = None) -> GenerationStatus:
        """Change the model: fill a new generation beside the active one, then make it the active one.

        Until the last passage is embedded, recall goes on with the old generation; interrupted, the same call goes on.

        Raises:
            EmbeddingError: the model does not answer; what it has embedded so far is kept.
        """
        opened = self._opened
        active = opened.find_generation()
        if active is not None and active.model == model and dimension in (None, active.dimension):
            return self.status()[0]
        embedder = opened.embedder if opened.embedder and opened.embedder.model == model else None
        embedder = embedder or opened.embedder_named(model, dimension)

        width = embedder.dimension  # may ask the model: not while a transaction is open

        def begin(session: UserSession) -> Generation:
            generation = ensure_generation(
                session, model=embedder.model, dimension=width, normalised=embedder.normalised
            )
            start_filling(session, generation)
            return generation

        generation = opened.database.run(opened.user_id, begin)
        run = EmbeddingRun(opened.database, opened.user_id, generation, embedder)
        self._fill(run, progress)
        opened.index_if_large()
        return self.status()[0]

    def _fill(self, run: EmbeddingRun, progress: Progress | None) -> None:
        # Miners go on meanwhile; what they add is pending too, so the proof may fail a few times.
        while True:
            run.embed_pending(progress=progress)
            if run.warnings:
                raise EmbeddingError(f"{run.warnings[-1]}; run the same command again to go on")
            if run.database.run(run.user_id, lambda session: flip_to(session, run.generation)):
                return
