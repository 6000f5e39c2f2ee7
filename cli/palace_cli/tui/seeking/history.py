"""Where one was: a jump leaves a place that one can come back to. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST = 200
"""Places that are kept."""


@dataclass(frozen=True, slots=True)
class Visited:
    """A place in the palace, and what stood beside it."""

    left: str
    """What the left pane showed: "tree" or "seek"."""
    pointer: str | None
    """The drawer; None for none."""


@dataclass
class History:
    """The places that one jumped between, in order, and which of them one is at."""

    places: list[Visited] = field(default_factory=list)
    at: int = -1

    def jump(self, here: Visited, there: Visited) -> None:
        """Go from one place to another; what one had come back from is no more ahead."""
        del self.places[self.at + 1 :]
        self._reach(here)
        self._reach(there)
        del self.places[:-MOST]
        self.at = len(self.places) - 1

    def back(self, here: Visited) -> Visited | None:
        """Give the place one came from; None at the first."""
        return self._step(here, -1)

    def forward(self, here: Visited) -> Visited | None:
        """Give the place one came back from; None at the last."""
        return self._step(here, 1)

    def _step(self, here: Visited, by: int) -> Visited | None:
        if not 0 <= self.at + by < len(self.places):
            return None
        # One may have walked on from where one arrived; there one comes back to.
        if self.places[self.at] != here:
            self.places[self.at] = here
        self.at += by
        return self.places[self.at]

    def _reach(self, place: Visited) -> None:
        if not self.places or self.places[-1] != place:
            self.places.append(place)
