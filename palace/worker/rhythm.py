"""How often a worker looks, says that it lives, and tries again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The times of a worker, in seconds."""

    heartbeat: float = 3
    """How often it says that it lives."""
    silence: float = 15
    """Not heard of for so long, a worker is gone: others take its jobs over."""
    look: float = 5
    """How often it looks for jobs of such workers."""
    poll: float = 5
    """How often it looks for work where notifications wake it; where they may not come, every ``poll_unwoken``."""
    poll_unwoken: float = 1
    linger: float = 5
    """How long a worker that ends with the queue waits for more."""
    watch: float = 2
    """How often it looks at the folders that it watches."""
    inbox: float = 1
    """How often it looks for what hooks left."""
    reconnect: float = 2
    """After so long a server that went away is tried again."""
    rests: tuple[float, ...] = (5, 61, 301, 1501)
    """How long a job rests after each failure: a little longer than the index steps do that it consists of."""

    @property
    def most_attempts(self) -> int:
        """After so many failures a job is given up."""
        return len(self.rests) + 1

    def rest_after(self, attempts: int) -> float:
        """Give how long a job rests that had failed so often before."""
        return self.rests[min(attempts, len(self.rests) - 1)] if self.rests else 0.0
