"""What is sought: recall as the command line has it, and when things were said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palace_cli.tui.seeking.line import Line
from palace_cli.tui.seeking.times import first_moment, last_moment

if TYPE_CHECKING:
    from palace.cancellation import Cancellation
    from palace.palace import Palace
    from palace.records import Calendar, Recollection

MOST_WINGS = 500
"""Wings that one chooses from; others are typed."""


class SeekSource:
    """Answers query lines. Every method blocks: call it from a thread."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace

    def recall(self, line: Line, cancel: Cancellation, *, floor: str | None = None) -> Recollection:
        """Recall for a line that has words.

        Raises:
            BadRequest: a filter is none; ``NotFound``: there is no such wing or speaker; ``Cancelled``.
        """
        given = line.filters
        return self._palace.recall(
            line.words,
            wing=given.get("wing"),
            since=first_moment(given.get("since")),
            until=last_moment(given.get("until")),
            role=given.get("role"),
            speaker=given.get("speaker"),
            language=given.get("language"),
            floor=floor,
            rerank=False,
            cancel=cancel,
        )

    def calendar(self, line: Line, slots: int) -> Calendar:
        """Count when things were said, in the wing and the time of a line."""
        return self._palace.tree.calendar(
            slots=slots,
            wing=line.filters.get("wing"),
            since=first_moment(line.filters.get("since")),
            until=last_moment(line.filters.get("until")),
        )

    def wings(self) -> tuple[str, ...]:
        """Name the wings, in order of number."""
        return tuple(wing.name for wing in self._palace.tree.wings(limit=MOST_WINGS))

    def prepare(self) -> None:
        """Load what the first recall needs, so that it is as quick as the others."""
        self._palace.recall("memory palace", top_k=1, rerank=False)
