"""A palace of many users at full size: samples are mined and timed, the rest is mined as every mine does it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.harness import Figures
from bench.scale.corpus import Messages, conversations, endless, passages_of, take_passages, varied
from bench.scale.grow import LARGEST, fill, list_sizes, near_figures, opened_for, owner_database
from bench.scale.measure import own_sentences
from bench.scale.vectors import NoisyEmbedder, embed_once
from bench.speed.recall import time_recalls
from palace import Administration, Embedder, Palace, Settings, Strategy, Verdict
from palace.db.database import Database, owner_connection
from palace.db.vectors import build_index, index_name

FEWEST_USERS = 5
WARM_UP = 50
FIRST_SEED, SETTLING_SEED, NEW_SEED, MIDDLE_SEED, LARGE_SEED = range(10, 15)
"""Different ones: a vector that the index has already costs less than another."""
LARGE, MIDDLE, NEW, OTHER = "large", "middle", "new", "other-{}"
"""What the users of one palace are called, after the name they share."""
WITHOUT_INDEX = Strategy.of({"scan": {"quantised_up_to": 100_000_000}})
"""Keeps the product from building the index of vectors, which every later row would have to be put into."""

_HELD = """
SELECT (SELECT count(*) FROM drawer WHERE user_id = ANY (mine.ids)),
       (SELECT count(*) FROM passage WHERE user_id = ANY (mine.ids)), cardinality(mine.ids)
FROM (SELECT array_agg(id) AS ids FROM palace_user WHERE starts_with(name, %s)) AS mine
"""


@dataclass(frozen=True, slots=True)
class Size:
    """Who has how much in a palace of many users, and what it is filled and asked with."""

    users: int = 100
    """The large one, the middle one, a new one, and others; five at least."""
    largest: int = 100_000
    """Drawers of the large user; the middle one has a tenth of them."""
    total: int = 1_000_000
    """Drawers of all users, at the end."""
    sample: int = 3000
    """Drawers that are filed and timed together; those of the new user, the last ones of the large and the middle."""
    source: Path | None = None
    """Conversations to take texts from, as they are and then varied; made-up ones without it."""
    origins: int = 20_000
    """Passages that the model embeds, once; all other vectors come from theirs."""
    step: int = 10_000
    """Drawers that are mined together where nothing is timed."""
    queries: int = 200
    """Queries of each user who is asked."""

    def __post_init__(self) -> None:
        """Refuse a size in which somebody would have too little.

        Raises:
            SystemExit: too few users or drawers.
        """
        if self.users < FEWEST_USERS:
            raise SystemExit(f"a palace of many users has {FEWEST_USERS} at least, not {self.users}")
        if self.each < 1 or not 0 < 2 * self.sample < min(self.middle, self.largest):
            raise SystemExit(
                f"{self.total:,} drawers are too few for {self.users} users of whom one has {self.largest:,}"
                f" and three file {self.sample:,} at the end"
            )

    @property
    def others(self) -> int:
        """How many users there are beside the large, the middle and the new one."""
        return self.users - 3

    @property
    def each(self) -> int:
        """Drawers of each other user."""
        return (self.total - self.largest - self.largest // 10 - self.sample) // self.others

    @property
    def middle(self) -> int:
        """Drawers of the middle user: a tenth of the large one's, and what does not go into equal parts."""
        return self.total - self.largest - self.sample - self.each * self.others


@dataclass(slots=True)
class Filling:
    """One palace on its way to its size, and how long each part of the way took."""

    settings: Settings
    """Of any user; the palace's are named after them."""
    size: Size
    base: list[Messages]
    embedder: NoisyEmbedder
    seconds: dict[str, float] = field(default_factory=dict)

    def user(self, which: str) -> Settings:
        """Give the settings of one of the palace's users."""
        return self.settings.model_copy(update={"user": f"{self.settings.user}-{which}"})

    def file_sample(self, which: str, *, held: int, seed: int) -> Figures:
        """Mine as many drawers as are timed together, of varied texts, into the palace of a user who has ``held``."""
        found, until = varied(self.base, seed=seed), held + self.size.sample
        before = _wal_bytes(self.settings)
        (row,) = fill(self.user(which), found, self.size.sample, self.embedder, drawers=until)
        return row | {"wal_mb": (_wal_bytes(self.settings) - before) / (1 << 20)}

    def fill(self) -> None:
        """Fill it from the first sample to where the last ones are still missing; without an index of vectors."""
        size = self.size
        self._mine(MIDDLE, varied(self.base, seed=2), drawers=size.middle - 2 * size.sample)
        self._mine(LARGE, endless(self.base, seed=3), drawers=size.largest - size.sample)
        with self.timed("mine_others"):
            for number in range(size.others):
                self._mine(OTHER.format(number), varied(self.base, seed=100 + number), drawers=size.each)
        with self.timed("vacuum"), owner_connection(Database(self.settings)) as connection:
            # As autovacuum would have done in a palace that took its time to grow.
            connection.exec_driver_sql("VACUUM (ANALYZE)")

    def _mine(self, which: str, found: Iterator[Messages], *, drawers: int) -> None:
        with self.timed(f"mine_{which}"):
            user, step = self.user(which), self.size.step
            for _ in fill(user, found, step, self.embedder, drawers=drawers, strategy=WITHOUT_INDEX):
                pass

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Note how long a block takes."""
        started = time.perf_counter()
        yield
        self.seconds[part] = time.perf_counter() - started


def million(settings: Settings, size: Size, *, model: Embedder) -> Figures:
    """Fill an empty palace to its size, and measure it on the way and at the end.

    Raises:
        SystemExit: it is filled already.
    """
    base = take_passages(conversations(size.source), passages=size.origins)
    passages = passages_of(base)
    embedder = NoisyEmbedder(model, passages, embed_once(settings.home_folder, model, passages))
    filling = Filling(settings, size, base, embedder)
    with Palace.open(filling.user(LARGE), embedder=embedder) as palace:
        if palace.status().drawers:
            raise SystemExit(f"the palace in {settings.home_folder} is filled already: name another --home")
    first = filling.file_sample(LARGE, held=0, seed=FIRST_SEED)
    filling.fill()
    index = _build(filling)
    # The first of four shows what a build leaves to be done: its pages are still to be written to disk.
    last = [
        filling.file_sample(MIDDLE, held=size.middle - 2 * size.sample, seed=SETTLING_SEED),
        filling.file_sample(NEW, held=0, seed=NEW_SEED),
        filling.file_sample(MIDDLE, held=size.middle - size.sample, seed=MIDDLE_SEED),
        filling.file_sample(LARGE, held=size.largest - size.sample, seed=LARGE_SEED),
    ]
    rate = first["drawers_per_second"]
    return {
        **_held(filling),
        "seconds": filling.seconds,
        "hnsw": index,
        "doctor": [problem for which in (LARGE, OTHER.format(0)) for problem in _problems(filling.user(which))],
        "recall": [_asked(filling, which, model) for which in (LARGE, MIDDLE)],
        "filing": [row | {"ratio": row["drawers_per_second"] / rate} for row in (first, *last)],
        **_figures(filling),
    }


def _build(filling: Filling) -> Figures:
    """Let the product build the index of vectors, all at once."""
    with opened_for(filling.user(LARGE), filling.embedder) as opened:
        generation = opened.embedding_run().generation
        with filling.timed("hnsw"):
            build_index(opened.database, generation)
        with opened.session() as session:
            sizes = list_sizes(session, opened.database.shared.schema.name)
            workers = session.connection.exec_driver_sql("SHOW max_parallel_maintenance_workers").scalar_one()
    megabytes = next(row["mb"] for row in sizes if row["name"] == index_name(generation.id, opened.database.user_id))
    return {"built_mb": megabytes, "workers": int(workers)}


def _held(filling: Filling) -> Figures:
    """Count what all users have, row by row."""
    with owner_database(filling.settings) as owner, owner.without_user() as connection:
        connection.exec_driver_sql("SET LOCAL ROLE NONE")
        drawers, passages, users = connection.exec_driver_sql(_HELD, (f"{filling.settings.user}-",)).one()
    return {"drawers": drawers, "passages": passages, "users": users}


def _problems(settings: Settings) -> list[str]:
    checks = Administration(settings).doctor()
    return [f"{check.name} of {settings.user}: {check.finding}" for check in checks if check.verdict is not Verdict.OK]


def _asked(filling: Filling, which: str, model: Embedder) -> Figures:
    """Ask a user's palace for sentences of its own, in a process that is warm."""
    settings = filling.user(which)
    queries = own_sentences(settings, count=WARM_UP + filling.size.queries, embedder=model)
    # Where there are too few sentences, as in a small palace, those asked first are asked again.
    few = queries[-filling.size.queries :]
    with Palace.open(settings, embedder=model) as palace:
        for query in queries[:WARM_UP]:
            palace.recall(query)
        status = palace.status()
        return {
            "user": settings.user,
            "held": status.drawers,
            "passages": status.passages,
            **time_recalls(palace, model, few),
        }


def _figures(filling: Filling) -> Figures:
    """List sizes, and say how near the nearest neighbours are: a grown palace must not be easier than a real one."""
    near: Figures = {}
    for which in (LARGE, OTHER.format(0)):
        with opened_for(filling.user(which), filling.embedder) as opened, opened.session() as session:
            generation = opened.embedding_run().generation
            near |= near_figures(session, generation, filling.embedder, f"of {opened.user}")
            sizes = list_sizes(session, opened.database.shared.schema.name)
    return {"nearest_cosine": near, "total_mb": sum(row["mb"] for row in sizes), "sizes": sizes[:LARGEST]}


def _wal_bytes(settings: Settings) -> int:
    """Count what the server has ever written ahead, a whole page for each one's first change after a checkpoint."""
    database = Database(settings)
    database.open()
    with database.without_user() as connection:
        written = connection.exec_driver_sql("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").scalar_one()
    database.close()
    return int(written)
