"""Measuring a palace of many users: what filing costs at its size, its disk, its index, and its recalls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from bench.scale.corpus import conversations, passages_of, take_passages
from bench.scale.grow import LARGEST, SAMPLE, deciles, list_sizes, palace_cosines
from bench.scale.measure import own_sentences, time_recalls
from bench.scale.million.copying import owned
from bench.scale.million.filling import COPY, LARGE, MIDDLE, NEW, Filling
from bench.scale.million.size import Size
from bench.scale.report import Result
from bench.scale.vectors import NoisyEmbedder, embed_once, nearest_cosines
from palace import Palace
from palace.administration import Administration
from palace.embedding.protocol import Embedder
from palace.opened import OpenPalace
from palace.records import Verdict
from palace.settings import Settings
from palace.store.vectors.index import build_index, index_name

WARM_UP = 50
FIRST_SEED, SETTLING_SEED, NEW_SEED, MIDDLE_SEED, LARGE_SEED = range(10, 15)
"""Different ones: a vector that the index has already costs less than another."""

_HELD = """
SELECT (SELECT count(*) FROM drawer WHERE user_id = ANY (mine.ids)),
       (SELECT count(*) FROM passage WHERE user_id = ANY (mine.ids)), cardinality(mine.ids)
FROM (SELECT array_agg(id) AS ids FROM palace_user WHERE starts_with(name, %s)) AS mine
"""


def million(settings: Settings, size: Size, *, model: Embedder) -> Result:
    """Fill an empty palace to its size, and measure it on the way and at the end.

    Raises:
        SystemExit: it is filled already.
    """
    base = take_passages(conversations(size.source), passages=size.origins)
    passages = passages_of(base)
    embedder = NoisyEmbedder(model, passages, embed_once(settings.home_folder, model, passages))
    filling = Filling(settings, size, base, embedder)
    _require_empty(filling)
    first = filling.file_sample(LARGE, held=0, seed=FIRST_SEED)
    filling.fill()
    index = _build(filling)
    last = _file_last(filling)
    rate = first[0]["drawers_per_second"]
    return {
        **_held(filling),
        "seconds": filling.seconds,
        "hnsw": index,
        "doctor": [problem for which in (LARGE, COPY.format(1)) for problem in _problems(filling.user(which))],
        "recall": [_asked(filling, which, model) for which in (LARGE, MIDDLE)],
        "filing": [row | {"ratio": row["drawers_per_second"] / rate} for row, _ in (first, *last)],
        **_figures(filling),
        "server_at_first": first[1],
        **{f"server_at_last_{row['user']}_{row['held']}": seen for row, seen in last},
    }


def _require_empty(filling: Filling) -> None:
    with Palace.open(filling.user(LARGE), embedder=filling.embedder) as palace:
        if palace.status().drawers:
            raise SystemExit(f"the palace in {filling.settings.home_folder} is filled already: name another --home")


def _build(filling: Filling) -> Result:
    """Let the product build the index of vectors, all at once."""
    with _opened(filling, LARGE) as opened:
        generation = opened.embedding_run().generation
        with filling.timed("hnsw"):
            build_index(opened.database, generation)
        with opened.session() as session:
            sizes = list_sizes(session, opened.database.shared.schema.name)
            workers = session.connection.exec_driver_sql("SHOW max_parallel_maintenance_workers").scalar_one()
    megabytes = next(row["mb"] for row in sizes if row["name"] == index_name(generation.id, opened.database.user_id))
    return {"built_mb": megabytes, "workers": int(workers)}


def _file_last(filling: Filling) -> list[tuple[Result, list[Result]]]:
    """File the last drawers: those of a new user, and of two who have many already.

    The first of four shows what a build leaves to be done: its pages are still to be written to disk.
    """
    size = filling.size
    return [
        filling.file_sample(MIDDLE, held=size.middle - 2 * size.sample, seed=SETTLING_SEED),
        filling.file_sample(NEW, held=0, seed=NEW_SEED),
        filling.file_sample(MIDDLE, held=size.middle - size.sample, seed=MIDDLE_SEED),
        filling.file_sample(LARGE, held=size.largest - size.sample, seed=LARGE_SEED),
    ]


def _held(filling: Filling) -> Result:
    """Count what all users have, row by row."""
    with _opened(filling, LARGE) as opened, owned(opened.database.shared) as owner, owner.without_user() as connection:
        connection.exec_driver_sql("SET LOCAL ROLE NONE")
        drawers, passages, users = connection.exec_driver_sql(_HELD, (f"{filling.settings.user}-",)).one()
    return {"drawers": drawers, "passages": passages, "users": users}


def _problems(settings: Settings) -> list[str]:
    checks = Administration(settings).doctor()
    return [f"{check.name} of {settings.user}: {check.finding}" for check in checks if check.verdict is not Verdict.OK]


def _asked(filling: Filling, which: str, model: Embedder) -> Result:
    """Ask a user's palace for sentences of its own, in a process that is warm."""
    settings = filling.user(which)
    queries = own_sentences(settings, count=WARM_UP + filling.size.queries, embedder=model)
    # Where there are too few sentences, as in a small palace, those asked first are asked again.
    few = queries[-filling.size.queries :]
    with Palace.open(settings, embedder=model) as palace:
        for query in queries[:WARM_UP]:
            palace.recall(query)
        status = palace.status()
        return {"user": settings.user, "held": status.drawers, "passages": status.passages, **time_recalls(palace, few)}


def _figures(filling: Filling) -> Result:
    """List sizes, and tell how near the nearest neighbours are: a grown palace must not be easier than a real one."""
    origins = filling.embedder.origins
    sample = origins[np.random.default_rng(1).permutation(len(origins))[:SAMPLE]]
    near = {f"of {len(origins):,} real": deciles(nearest_cosines(sample, origins))}
    for which in (LARGE, COPY.format(1)):
        with _opened(filling, which) as opened, opened.session() as session:
            generation = opened.embedding_run().generation
            near[f"of {opened.user}"] = deciles(palace_cosines(session, generation))
            sizes = list_sizes(session, opened.database.shared.schema.name)
    return {"nearest_cosine": near, "total_mb": sum(row["mb"] for row in sizes), "sizes": sizes[:LARGEST]}


@contextmanager
def _opened(filling: Filling, which: str) -> Iterator[OpenPalace]:
    opened = OpenPalace.open(filling.user(which), user=None, embedder=filling.embedder)
    try:
        yield opened
    finally:
        opened.database.shared.close()
