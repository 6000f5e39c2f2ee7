"""Filling a palace to a size at which the model would take hours: what filing costs as it grows, and how much disk."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pydantic import SecretStr

from bench.harness import Figures
from bench.metrics import percentile
from bench.scale.corpus import Messages, conversations, endless, passages_of, read_export, take_passages, write_export
from bench.scale.vectors import NoisyEmbedder, embed_once, nearest_cosines
from palace import Palace, Settings, Strategy
from palace.ai.embedders.protocol import Embedder, Vectors
from palace.db.candidates.semantic import Scan, semantic_candidates
from palace.db.database import Database, UserSession
from palace.db.vectors import index_name
from palace.models import Generation, ScanLimits, Scope
from palace.opened import OpenPalace

SAMPLE = 300
"""Vectors whose nearest neighbour is looked for."""
LARGEST = 20
"""Tables and indexes that are listed."""

_SIZES = """
SELECT relname, CASE relkind WHEN 'r' THEN pg_table_size(oid) ELSE pg_relation_size(oid) END / 1048576.0 AS mb
FROM pg_class
WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'i') ORDER BY mb DESC
"""
_VECTORS = """
SELECT embedding::text FROM passage_embedding
WHERE user_id = %s AND generation_id = %s AND embedding IS NOT NULL ORDER BY md5(drawer_id::text), ordinal LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Growth:
    """How a palace is filled."""

    users: Mapping[str, int]
    """Drawers by user."""
    source: Path | None = None
    """Conversations to take texts from, as they are and then varied; made-up ones without it."""
    origins: int = 4000
    """Passages that the model embeds, once; all other vectors come from theirs."""
    step: int = 10_000
    """Drawers that are mined and timed together."""
    rebuild: bool = False
    """Whether the HNSW index is dropped and built once more at the end, at full size."""
    strategy: Strategy = field(default_factory=Strategy)
    """Of the palaces: it says from what size on one gets an index."""


def grow(settings: Settings, growth: Growth, *, model: Embedder) -> Figures:
    """Fill each user's palace to its size: as every mine does, but with vectors that take no time."""
    base = take_passages(conversations(growth.source), passages=growth.origins)
    passages = passages_of(base)
    embedder = NoisyEmbedder(model, passages, embed_once(settings.home_folder, model, passages))
    steps: list[Figures] = []
    for number, (user, drawers) in enumerate(growth.users.items()):
        asked = settings.model_copy(update={"user": user})
        found = endless(base, seed=number)
        steps += fill(asked, found, growth.step, embedder, drawers=drawers, strategy=growth.strategy)
    largest = max(growth.users, key=lambda user: growth.users[user])
    figures = _figures(settings.model_copy(update={"user": largest}), embedder, growth)
    return {"drawers": sum(row["drawers"] for row in steps), **figures, "steps": steps}


def fill(
    settings: Settings,
    found: Iterator[Messages],
    step: int,
    embedder: NoisyEmbedder,
    *,
    drawers: int,
    strategy: Strategy | None = None,
) -> Iterator[Figures]:
    """Mine the next drawers in steps; give each step's figures."""
    with Palace.open(settings, embedder=embedder, strategy=strategy) as palace:
        held = palace.status().drawers
        while held < drawers:
            export = settings.home_folder / f"grow-{settings.user}-{held}.jsonl"
            write_export(export, found, drawers=min(step, drawers - held), prefix=f"{held}-")
            row = _time_mine(settings, palace, export, embedder)
            held += row["drawers"]
            yield row | {"held": held}
            export.unlink()


def _time_mine(settings: Settings, palace: Palace, export: Path, embedder: NoisyEmbedder) -> Figures:
    characters = sum(len(message["content"]) for messages in read_export(export) for message in messages)
    before, worked, started = embedder.seconds, time.process_time(), time.perf_counter()
    summary = palace.mine(export)
    seconds, worked = time.perf_counter() - started, time.process_time() - worked
    row = {
        "user": settings.user,
        "drawers": summary.drawers_new,
        "passages": summary.passages_embedded,
        "seconds": summary.seconds,
        "drawers_per_second": summary.drawers_new / summary.seconds,
        "characters_per_second": characters / summary.seconds,
        # Where other programs run beside it, this separates growth from their load.
        "processor_seconds": worked,
        "vector_seconds": embedder.seconds - before,
        # Building the index comes after the mine that made the palace large enough for one.
        "index_seconds": seconds - summary.seconds,
    }
    print(json.dumps(row), file=sys.stderr)
    return row


def _figures(settings: Settings, embedder: NoisyEmbedder, growth: Growth) -> Figures:
    """Measure the filled database: sizes, index, how near neighbours are."""
    with opened_for(settings, embedder, growth.strategy) as opened:
        generation = opened.embedding_run().generation
        name = index_name(generation.id, opened.database.user_id)
        rebuilt = _rebuild(opened, name) if growth.rebuild else {}
        with opened.session() as session:
            sizes = list_sizes(session, opened.database.shared.schema.name)
            near = near_figures(session, generation, embedder, "in the palace")
    return {
        **rebuilt,
        "hnsw_mb": next((row["mb"] for row in sizes if row["name"] == name), 0.0),
        "total_mb": sum(row["mb"] for row in sizes),
        "nearest_cosine": near,
        "sizes": sizes[:LARGEST],
    }


@contextmanager
def opened_for(settings: Settings, embedder: Embedder | None, strategy: Strategy | None = None) -> Iterator[OpenPalace]:
    """Open the palace that the settings name, from within; its connections are given back."""
    opened = OpenPalace.open(settings, user=None, embedder=embedder, strategy=strategy)
    try:
        yield opened
    finally:
        opened.database.shared.close()


def near_figures(session: UserSession, generation: Generation, embedder: NoisyEmbedder, name: str) -> Figures:
    """Give deciles of the cosine of vectors with the nearest other one: of the real ones, and of the user's."""
    origins = embedder.origins
    sample = origins[np.random.default_rng(1).permutation(len(origins))[:SAMPLE]]
    stored = session.connection.exec_driver_sql(_VECTORS, (session.user_id, generation.id, SAMPLE)).all()
    vectors: Vectors = np.array([json.loads(text) for (text,) in stored], np.float32)
    nearest: list[float] = []
    for vector in vectors:
        near = (generation, vector.tolist())
        found = semantic_candidates(session, near, scope=Scope(), scan=Scan.EXACT, limit=10, limits=ScanLimits())
        nearest += [candidate.score for candidate in found if candidate.score < 1 - 1e-3][:1]
    by_name = {f"of {len(origins):,} real": nearest_cosines(sample, origins), name: nearest}
    return {
        name: {f"p{percent}": percentile(values, percent / 100) for percent in (10, 50, 90)}
        for name, values in by_name.items()
    }


def list_sizes(session: UserSession, schema: str) -> list[Figures]:
    """List tables and indexes with their megabytes, the largest first."""
    rows = session.connection.exec_driver_sql(_SIZES, (schema,)).all()
    return [{"name": name, "mb": float(megabytes)} for name, megabytes in rows]


def _rebuild(opened: OpenPalace, index: str) -> Figures:
    """Drop the HNSW index, and let the product build it as it does when a palace has become large."""
    with (
        owner_database(opened.settings, opened.database.shared) as owner,
        owner.of(opened.database.user_id).transaction() as session,
    ):
        session.connection.exec_driver_sql("SET LOCAL ROLE NONE")
        session.connection.exec_driver_sql(f"DROP INDEX IF EXISTS {index}")
    started = time.perf_counter()
    opened.index_if_large()
    return {"hnsw_build_seconds": time.perf_counter() - started}


@contextmanager
def owner_database(settings: Settings, known: Database | None = None) -> Iterator[Database]:
    """Open the database of settings as its owner, who sees every user's rows."""
    address = (known or Database(settings)).owner_url().replace("postgresql+psycopg://", "postgresql://")
    owner = Database(settings.model_copy(update={"database_url": SecretStr(address)}))
    owner.open()
    try:
        yield owner
    finally:
        owner.close()
