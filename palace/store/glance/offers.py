"""What a look reads: the numbers of a palace, and what of it begins as something that is typed."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, NamedTuple

from palace.store.glance.look import Look

MOST = 50
"""What is offered at most: more than a screen helps nobody."""
LONGEST = 200
"""Characters of what is typed that are looked at."""


class Offered(NamedTuple):
    """Something that may be meant."""

    value: str
    means: str


class Kind(StrEnum):
    """Of what kind it is; each is the statement that lists what there is of it."""

    WING = "offer_wings"
    ROOM = "offer_rooms"
    DRAWER = "offer_drawers"
    ENTITY = "offer_entities"
    JOB = "offer_jobs"
    RUN = "offer_runs"
    DECISION = "offer_decisions"
    AGENT = "offer_agents"
    SESSION = "offer_sessions"
    SPEAKER = "offer_speakers"


def offers(look: Look, kind: Kind, typed: str, **extra: object) -> list[Offered]:
    """List what of a kind begins as typed, in the letters that its statement compares; ``MOST`` of them."""
    pattern = re.sub(r"([\\%_])", r"\\\1", typed[:LONGEST].replace("\0", "")) + "%"
    return [Offered(value, means or "") for value, means in look.rows(kind, typed=pattern, limit=MOST, **extra)]


def numbers(look: Look) -> tuple[Any, ...]:
    """Give drawers, wings, rooms, when something was mined last, and the jobs that wait and that failed."""
    (found,) = look.rows("glance")
    return found
