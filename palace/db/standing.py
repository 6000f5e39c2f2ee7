"""Standing statements of the user, comparisons of statements, and drawers of a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import ARRAY, ColumnElement, Select, Text, all_, cast, func, or_
from sqlalchemy.dialects.postgresql import REGCONFIG

from palace.db.candidates.compare import multirange
from palace.db.database import UserSession
from palace.db.rows import any_text, vector_text
from palace.db.tables import Conversation, Drawer, Memory, Passage, Room, aliased
from palace.models import Alike, Generation, MemoryState, PassageKey, Role, Scope, Statement

_ALL = Scope()
ADDRESSED = ("memory", "note", "openai")
"""Readers of what is said to the palace itself: there, a message without a speaker is the user's, even unanswered."""


def standing_candidates(
    session: UserSession,
    near: tuple[Generation, Sequence[float]],
    *,
    newest: int,
    limit: int,
    names: Sequence[str],
    scope: Scope = _ALL,
) -> list[Statement]:
    """Propose standing statements of the user, who goes by ``names``, by similarity to a unit vector, nearest first.

    Only the ``newest`` filed are examined; at most ``limit`` are returned. Only in the wings of ``scope``.
    """
    parameters = {"vector": vector_text(near[1]), "newest": newest, "limit": limit, "wings": scope.places["wings"]}
    parameters |= {"names": _lowered(names), "addressed": list(ADDRESSED)}
    rows = session.run("standing_candidates", parameters, generation=near[0].id)
    return [Statement(PassageKey(drawer_id, ordinal), *told) for drawer_id, ordinal, *told in rows]


def list_standing(
    session: UserSession,
    wing_id: int | None,
    *,
    names: Sequence[str],
    without_readers: Sequence[str],
    newest: int,
    words: Collection[str] = (),
) -> list[int]:
    """List the ids of drawers, of a wing or of all, with standing statements of the user, who goes by ``names``.

    With ``words``, drawers with one of them are listed instead. The ``newest`` filed, latest first. Replaced drawers
    are left out, and those of some readers.
    """
    holding = Passage.tsv.op("@@")(func.to_tsquery(cast("palace_plain", REGCONFIG), " | ".join(sorted(words))))
    query = (
        session.select(Passage.drawer_id)
        .join(Drawer)
        .join(Room)
        .join(Conversation, (Conversation.user_id == Drawer.user_id) & (Conversation.id == Drawer.conversation_id))
        .where(holding if words else Passage.is_standing, Drawer.replaced_at.is_(None))
        .where(*([] if wing_id is None else [Room.wing_id == wing_id]), ~_is_no_memory(session).exists())
        .where(Conversation.reader != all_(cast(list(without_readers), ARRAY(Text))), _is_own(session, names))
        .group_by(Passage.drawer_id)
        .order_by(Passage.drawer_id.desc())
        .limit(newest)
    )
    return session.values(query)


def _is_no_memory(session: UserSession) -> Select[int]:
    """Select the memory that a drawer states, if it does not count: not accepted, or expired."""
    now = func.statement_timestamp()
    query = session.select(Memory.drawer_id).where(Memory.drawer_id == Drawer.id)
    return query.where((Memory.state != MemoryState.ACCEPTED.value) | (Memory.expires_at <= now)).correlate(Drawer)


def find_own(session: UserSession, drawer_ids: Collection[int], names: Sequence[str]) -> frozenset[int]:
    """Return those of some drawers that the user said, under one of ``names``; doubtful ones are left out."""
    query = session.select(Drawer.id).join(Conversation).where(Drawer.id.in_(drawer_ids), _is_own(session, names))
    return frozenset(session.execute(query).scalars())


def _is_own(session: UserSession, names: Sequence[str]) -> ColumnElement[bool]:
    """Check whether the user said a drawer: under one of their names, or unnamed to the palace or an assistant."""
    other = aliased(Drawer)
    answered = session.select(other.id).where(
        other.conversation_id == Drawer.conversation_id, other.role == Role.ASSISTANT.value
    )
    unnamed = Drawer.speaker.is_(None) & or_(Conversation.reader.in_(ADDRESSED), answered.exists())
    named = func.lower(Drawer.speaker) == any_text(_lowered(names))
    return (Drawer.role == Role.USER.value) & or_(unnamed, named)


def _lowered(names: Sequence[str]) -> list[str]:
    return [name.lower() for name in names]


def alike_statements(
    session: UserSession, keys: Sequence[PassageKey], generation: Generation, *, least: float
) -> Mapping[frozenset[PassageKey], float]:
    """Map pairs of passages of different drawers to their cosine similarity, where it is at least ``least``."""
    if len(keys) < 2:
        return {}
    parameters = {
        "drawers": [key.drawer_id for key in keys],
        "ordinals": [key.ordinal for key in keys],
        "least": least,
    }
    rows = session.run("alike_statements", parameters, generation=generation.id)
    return {frozenset((keys[one - 1], keys[other - 1])): likeness for one, other, likeness in rows}


class Shared(NamedTuple):
    """What two drawers are looked through for."""

    rare: int | None = None
    """In how many passages a word may stand that both say; None where no such word is looked for."""
    named: str | None = None
    """What a drawer may hold: a pattern of Postgres."""
    changing: Callable[[str], bool] | None = None
    """Checks what of it is nearest to a query, with the text beside it: Postgres takes ten times as long for that."""


_NOTHING = Shared()


def alike_drawers(
    session: UserSession,
    drawer_ids: Sequence[int],
    near: tuple[Generation, Sequence[float]],
    *,
    least: float,
    shared: Shared = _NOTHING,
) -> Mapping[frozenset[int], Alike]:
    """Map pairs of drawers to the similarity of their passages nearest to a query, where it is at least ``least``."""
    if len(drawer_ids) < 2:
        return {}
    parameters = {
        "drawers": list(drawer_ids),
        "vector": vector_text(near[1]),
        "least": least,
        "rare": shared.rare,
        "named": shared.named,
        "stretches": shared.changing is not None,
    }
    rows = session.run("alike_drawers", parameters, generation=near[0].id).all()
    changes = shared.changing
    changing = {one for one, *_, stretch in rows if stretch is not None and changes and changes(stretch)}
    return {
        pair: Alike(likeness, shares, frozenset(naming), pair & changing)
        for one, other, likeness, shares, naming, _ in rows
        if len(pair := frozenset((one, other))) == 2
    }


MOST_SPEAKERS = 10_000


def has_speaker(session: UserSession, name: str, scope: Scope = _ALL, *, tools: bool = True) -> bool:
    """Check whether a drawer in a scope's wings, maybe leaving out tools', has a speaker of this name, in any case."""
    by_them = func.lower(Drawer.speaker) == func.lower(name)
    roles = () if tools else (Drawer.role != Role.TOOL.value,)
    return session.has(session.select(Drawer.id).where(by_them, *roles, *within(session, scope)))


def list_speakers(session: UserSession, scope: Scope = _ALL) -> list[str]:
    """List the names of speakers in the wings of a scope, at most 10,000."""
    names = session.select(Drawer.speaker).where(Drawer.speaker.is_not(None), *within(session, scope))
    return session.values(names.distinct().limit(MOST_SPEAKERS))


def within(session: UserSession, scope: Scope) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions under which drawers are in the wings of a scope."""
    if scope.wing_ids is not None:
        yield Drawer.room_id.in_(session.select(Room.id).where(Room.wing_id.in_(scope.wing_ids)))


class SaidThen(NamedTuple):
    """A drawer of a time, with measures of how much it says."""

    key: PassageKey
    """The drawer with its first passage."""
    room_id: int
    turn: tuple[int, int]
    """Its conversation and position there."""
    role: Role
    moment: datetime
    """When it was said; for an undated drawer, when its room began."""
    speaks_of_it: bool
    """Whether it speaks of the time."""
    is_dated: bool
    is_replaced: bool
    replaced_by: int | None
    """Id of the drawer that replaced it."""
    beginning: str
    """The beginning of its text, long enough to decide whether it only asks."""
    rarity: float
    """The summed idf of its words."""
    words: int
    """The number of those words; 16 at most."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How much of a time is sampled."""

    slices: int = 48
    """The number of slices of equal length."""
    each: int = 6
    """Drawers of each slice, where there are as many."""
    sampled: int = 250
    """Drawers in total, in proportion to each slice's; with fewer, all are read."""
    many: int = 20_000
    """With at least so many drawers, only about half as many are read, and none of other times that speak of it."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """The times asked for, as half-open pairs of moments."""

    said: Sequence[tuple[datetime, datetime]]
    meant: Sequence[tuple[datetime, datetime]]
    told: tuple[datetime, datetime]
    """When drawers that speak of the ``meant`` times were said, so that not everything is searched for them."""


USUAL = Sample()


def telling_drawers(session: UserSession, times: Stretches, *, scope: Scope, sample: Sample = USUAL) -> list[SaidThen]:
    """List drawers said in some stretches of time, or speaking of them; unordered, but deterministic."""
    parameters = {
        "windows": multirange(times.said),
        "first": min(start for start, _ in times.said),
        "last": max(end for _, end in times.said),
        "meant": multirange(times.meant),
        "told_first": times.told[0],
        "told_last": times.told[1],
        "slices": sample.slices,
        "each": sample.each,
        "sampled": sample.sampled,
        "many": sample.many,
        "tools": scope.tools,
        **scope.filters,
    }
    # Starting workers takes longer than they save.
    with session.options(max_parallel_workers_per_gather=0):
        rows = session.run("telling_drawers", parameters)
    return [
        SaidThen(PassageKey(drawer_id, ordinal), room_id, (conversation_id, position), Role(role), *rest)
        for drawer_id, ordinal, room_id, conversation_id, position, role, *rest in rows
    ]


_KEEPS_OUT = sa.text(
    # By the wings, which are few, and the index of rooms by wing: a palace may have very many rooms.
    "SELECT EXISTS (SELECT FROM wing AS w WHERE w.user_id = :user_id AND w.id <> ALL(CAST(:wings AS bigint[]))"
    " AND EXISTS (SELECT FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = w.id)) AS other_wings,"
    " EXISTS (SELECT FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[])))"
    " AS of_readers"
)


def bounds_of(session: UserSession, scope: Scope) -> Scope:
    """Drop a scope's wings if no others have rooms, and its readers if they read nothing, for a cheaper query.

    Arms may propose by the result as long as nothing is filed meanwhile: results are checked against the scope itself.
    """
    if not scope.is_confined and not scope.without_readers:
        return scope
    other_wings, of_readers = session.execute(_KEEPS_OUT, scope.places).one()
    return replace(
        scope,
        wing_ids=scope.wing_ids if other_wings else None,
        without_readers=scope.without_readers if of_readers else (),
    )
