"""What a stranger puts into a call, and what is compared of the answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from palace.models import Room, Wing
from tests.isolation.victim import Cast, Victim

# What differs between any two calls: internal ids, moments, durations, random keys, checksums.
VARYING = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\b7\d{6}\b", "<id>"),
        (r"\bid\"?[=:] ?\d+", "<id>"),
        (r"datetime\.datetime\([^()]*(\([^()]*\))?[^()]*\)", "<moment>"),
        (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d(:\d\d)?|Z)?", "<moment>"),
        (r"\d{4}-\d\d-\d\d( \w+ session)?", "<day>"),
        (r"seconds'?\"?[=:] ?[\d.e-]+", "<seconds>"),
        (r"[\d,.]+ s\b( \([\d,]+ turns/s\))?", "<seconds>"),
        (r"timings_ms\"?[=:] ?\{[^}]*\}", "<timings>"),
        (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<key>"),
        (r"[0-9a-f]{32,64}", "<digest>"),
    )
)

# What a query is weighed as repeats its words; how rare they are is the answer.
WEIGHED = re.compile(r"Word\(query=\"[^\"]*\"")


@dataclass(frozen=True, slots=True)
class Guess:
    """The victim's names, numbers and records, or those of somebody who is gone and that exist nowhere."""

    cast: Cast
    closet: str
    run_id: int
    job_id: int
    key_id: str
    grant_id: str
    wing_record: Wing
    room_record: Room
    memory_id: int
    source: Path
    """A file to mine: the one they mined."""
    export: Path
    """A file to import: their export."""

    @classmethod
    def of(cls, victim: Victim, folder: Path) -> Guess:
        """Take note of all that somebody has."""
        palace, cast = victim.palace, victim.cast
        wing = palace.tree.wing(cast.wing)
        (room,) = palace.tree.rooms(wing)
        closet, *_ = palace.tree.closets(room)
        export = folder / f"{cast.file}l"
        palace.transfer.export(export)
        (key,), (grant,) = palace.keys.list(), palace.grants.list()
        ids = (victim.run_id, victim.job_id, key.id, grant.id)
        memory_id = palace.tree.drawers(room)[-1].id
        return cls(cast, closet.name, *ids, wing, room, memory_id, victim.source, export)

    @property
    def number(self) -> str:
        return f"W-{self.cast.number}"

    @property
    def former_number(self) -> str:
        return f"W-{self.cast.number + 1}"

    @property
    def room(self) -> str:
        return f"{self.number}/R-01"

    @property
    def former_room(self) -> str:
        return f"{self.former_number}/R-01"

    @property
    def pointer(self) -> str:
        return f"§ {self.room}/D-001"

    @property
    def memory(self) -> str:
        return f"§ {self.room}/D-003"

    @property
    def former_pointer(self) -> str:
        return f"§ {self.former_room}/D-001"

    def spoken(self) -> dict[str, str]:
        """Map each text that an answer may repeat to what stands for it in a comparison, the longest first."""
        cast = self.cast
        named = {
            str(self.export): "<export>",
            str(self.source): "<source>",
            str(self.source.parent): "<folder>",
            str(self.run_id): "<run>",
            str(self.job_id): "<job>",
            self.key_id: "<key id>",
            self.grant_id: "<grant id>",
            cast.secret: "<secret>",
            # What the closet of a note of the very same words is named by: one phrase or the other.
            " ".join(cast.secret.split()[1:3]): "<named by it>",
            " ".join(cast.secret.rstrip(".").split()[-2:]): "<named by it>",
            cast.query: "<query>",
            cast.wing: "<wing>",
            cast.former_wing: "<former wing>",
            cast.wing.lower(): "<slug>",
            cast.former_wing.lower(): "<former slug>",
            cast.wing.lower()[:-1]: "<stem>",
            cast.former_wing.lower()[:-1]: "<former stem>",
            self.closet: "<closet>",
            self.number: "<number>",
            self.former_number: "<former number>",
        }
        return dict(sorted(named.items(), key=lambda item: -len(item[0])))

    def comparable(self, told: str, user: str) -> str:
        """Write an answer without what was guessed and without what differs between any two calls."""
        told = WEIGHED.sub("Word(<query>", told)
        for text, instead in {user: "<user>", **self.spoken()}.items():
            told = told.replace(text, instead)
        for pattern, instead in VARYING:
            told = pattern.sub(instead, told)
        return told
