"""Who has how much in a palace of many users."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FEWEST_USERS = 5


@dataclass(frozen=True, slots=True)
class Size:
    """How large a palace is to be, and what it is filled and asked with."""

    users: int = 100
    """The large one, the middle one, a new one, the template, and its copies; five at least."""
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
    def each(self) -> int:
        """Drawers of the template, and of each of its copies."""
        return (self.total - self.largest - self.largest // 10 - self.sample) // (self.users - 3)

    @property
    def middle(self) -> int:
        """Drawers of the middle user: a tenth of the large one's, and what does not go into equal parts."""
        return self.total - self.largest - self.sample - self.each * (self.users - 3)

    @property
    def copies(self) -> int:
        """Users who are copied from the template."""
        return self.users - 4
