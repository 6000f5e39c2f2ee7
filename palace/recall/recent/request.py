"""Which days are looked back on, checked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta, tzinfo

from palace.errors import BadRequest
from palace.models import Scope
from palace.models.intake import EARLIEST, is_storable

MOST_DAYS = 36_525
"""A hundred years."""

LARGEST_LIMIT = 1000
LARGEST_BUDGET = 1_000_000


@dataclass(frozen=True, slots=True)
class RecentRequest:
    """Which stretch is looked back on, and how much is shown of it."""

    since: datetime
    now: datetime
    """The moment it is asked at, in the person's zone: nothing said later is looked at."""
    limit: int
    """Items of each part at most."""
    scope: Scope = field(default_factory=Scope)
    """Of which only the wings and the readers left out count."""
    names: tuple[str, ...] = ()
    """What the person goes by."""

    @classmethod
    def of(
        cls,
        *,
        days: int,
        since: datetime | None,
        now: datetime,
        limit: int,
        scope: Scope,
        names: tuple[str, ...] = (),
    ) -> RecentRequest:
        """Check a request; without ``since`` it is about the day of ``now`` and so many days before.

        Raises:
            BadRequest: a number makes no sense, or ``since`` is not before ``now``.
        """
        if not 1 <= days <= MOST_DAYS:
            raise BadRequest(f"days must be from 1 to {MOST_DAYS}, not {days}")
        if not 1 <= limit <= LARGEST_LIMIT:
            raise BadRequest(f"limit must be from 1 to {LARGEST_LIMIT}, not {limit}")
        begun = days_before(now, days) if since is None else since
        if begun >= now and since is not None:
            raise BadRequest("since must be earlier than now")
        return cls(min(begun, now), now, limit, scope, names)

    def ending_at(self, last: datetime) -> RecentRequest:
        """Give the request for a stretch as long that ends with the day of ``last``; ``now`` stays what it is."""
        days = max((self.now - self.since).days, 1)
        return replace(self, since=days_before(last.astimezone(self.now.tzinfo), days))


def days_before(moment: datetime, days: int) -> datetime:
    """Give the beginning of the day that is so many days before a moment, in its zone; of the calendar's, the first."""
    try:
        begun = datetime.combine(moment.date() - timedelta(days=days), time.min, tzinfo=_zone_of(moment))
        return begun if is_storable(begun) else EARLIEST
    except OverflowError:
        return EARLIEST


def _zone_of(moment: datetime) -> tzinfo:
    return moment.tzinfo or UTC


def check_budget(budget: int) -> None:
    """Make sure that a number of tokens makes sense.

    Raises:
        BadRequest: it does not.
    """
    if not 1 <= budget <= LARGEST_BUDGET:
        raise BadRequest(f"budget must be from 1 to {LARGEST_BUDGET} tokens, not {budget}")
