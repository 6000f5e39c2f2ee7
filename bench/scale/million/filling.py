"""Filling a palace of many users: samples are mined and timed, the rest comes the quickest way that is true to life."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.scale.corpus import Messages, endless, varied
from bench.scale.grow import fill
from bench.scale.million.copying import Noise, copy_user, owned, tidy
from bench.scale.million.size import Size
from bench.scale.report import Result
from bench.scale.vectors import NoisyEmbedder
from palace import Strategy
from palace.settings import Settings
from palace.store.database import Database
from palace.store.users import ensure_user

LARGE, MIDDLE, TEMPLATE, NEW, COPY = "large", "middle", "template", "new", "copy-{}"
"""What the users of one palace are called, after the name they share."""

WITHOUT_INDEX = Strategy.of({"scan": {"quantised_up_to": 100_000_000}})
"""Keeps the product from building the index of vectors, which every later row would have to be put into."""


@dataclass(slots=True)
class Filling:
    """One palace on its way to its size, and how long each part of the way took."""

    settings: Settings
    """Of any user; the palace's are named after them."""
    size: Size
    base: Sequence[Messages]
    embedder: NoisyEmbedder
    seconds: dict[str, float] = field(default_factory=dict)

    def user(self, which: str) -> Settings:
        """Give the settings of one of the palace's users."""
        return self.settings.model_copy(update={"user": f"{self.settings.user}-{which}"})

    def file_sample(self, which: str, *, held: int, seed: int) -> tuple[Result, list[Result]]:
        """Mine as many drawers as are timed together, of varied texts, into the palace of a user who has ``held``.

        Gives the figures, and what the server worked on meanwhile.
        """
        found, until = varied(self.base, seed=seed), held + self.size.sample
        before = _wal_bytes(self.settings)
        ((row, seen),) = fill(self.user(which), found, self.size.sample, self.embedder, drawers=until)
        return row | {"wal_mb": (_wal_bytes(self.settings) - before) / (1 << 20)}, seen

    def fill(self) -> None:
        """Fill it from the first sample to where the last ones are still missing; without an index of vectors.

        The copies are made beside the filing of the large and the middle user, so that users' rows lie mixed as they
        do where all of them go on talking.
        """
        with self.timed("fill"):
            self._mine(TEMPLATE, endless(self.base, seed=1), drawers=self.size.each)
            with ThreadPoolExecutor(max_workers=1) as pool:
                copying = pool.submit(self._copy)
                self._mine(MIDDLE, varied(self.base, seed=2), drawers=self.size.middle - 2 * self.size.sample)
                self._mine(LARGE, endless(self.base, seed=3), drawers=self.size.largest - self.size.sample)
                copying.result()
        database = Database(self.settings)
        with self.timed("vacuum"):
            tidy(database)

    def _mine(self, which: str, found: Iterator[Messages], *, drawers: int) -> None:
        with self.timed(f"mine_{which}"):
            user, step = self.user(which), self.size.step
            for _ in fill(user, found, step, self.embedder, drawers=drawers, strategy=WITHOUT_INDEX):
                pass

    def _copy(self) -> None:
        database = Database(self.settings)
        database.open()
        template = ensure_user(database, self.user(TEMPLATE).user)
        with self.timed("copy"), owned(database) as owner:
            for number in range(1, self.size.copies + 1):
                started = time.perf_counter()
                noise = Noise.draw(self.embedder.dimension, seed=number)
                copy_user(owner, template, self.user(COPY.format(number)).user, noise)
                print(json.dumps({"copy": number, "seconds": time.perf_counter() - started}), file=sys.stderr)
        database.close()

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Note how long a block takes."""
        started = time.perf_counter()
        yield
        self.seconds[part] = time.perf_counter() - started


def _wal_bytes(settings: Settings) -> int:
    """Count what the server has ever written ahead, a whole page for each one's first change after a checkpoint."""
    database = Database(settings)
    database.open()
    with database.without_user() as connection:
        written = connection.exec_driver_sql("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").scalar_one()
    database.close()
    return int(written)
