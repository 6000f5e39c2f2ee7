"""Reading drawers: by id, by pointer, with their neighbours."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from unicodedata import normalize

import sqlalchemy as sa
from sqlalchemy.sql.selectable import LateralFromClause

from palace.db.candidates.words import QueryWords, written_without_spaces
from palace.db.database import UserSession
from palace.db.driver import Answer, TextResult
from palace.db.rows import any_bytes, batches, columns_of, ids_text, record_of, vector_text
from palace.db.tables import Assertion, Closet, Passage, Room, RoomAlias, Wing, aliased
from palace.db.tables import Drawer as DrawerRow
from palace.errors import NotFound
from palace.models import Drawer, Ended, Generation, NewPassage, PassageKey, PassageKind, Pointer, Role, Scope, Span

_ALL = Scope()
STEMMED = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
"""Text search configurations by ISO 639-1; their dictionaries end in ``_stem``. ``stemmers_of.sql`` has the same."""

_UNSPACED = ("ja", "ko", "th", "zh")
"""Languages whose letters no stemmer changes, with English words in their texts."""


class _Cited(NamedTuple):
    """Aliases for a drawer that another one refers to, and its place."""

    drawer: type[DrawerRow]
    room: type[Room]
    wing: type[Wing]


class Recalled(NamedTuple):
    """A drawer with its best passage, and what in it matched the query."""

    drawer: Drawer
    passage: Span
    near: Mapping[Span, float]
    """Similarity to the query by span of the passage that has a vector: its sentences, or all of it."""
    words: Mapping[str, tuple[str, ...]]
    """The query's words as written there, lower-case, by lexeme, rarest first."""


class AsOf(NamedTuple):
    """The moments for which it is decided whether a statement still holds."""

    now: datetime | None = None
    """A statement that ends later still holds; None: one that has any end does not."""
    known: datetime | None = None
    """Statements made from then on are unknown; None: all are known."""


class Neighbours(NamedTuple):
    """The drawers around one in its room, on each side in the order they were said."""

    before: tuple[Drawer, ...]
    after: tuple[Drawer, ...]


def _heads() -> dict[str, str]:
    """Map first letters of stems to letters a word may begin with: stemming removes marks (German ü becomes u)."""
    heads: dict[str, str] = {}
    for letter in map(chr, (*range(0xC0, 0x180), *range(0x370, 0x400))):
        bare = normalize("NFD", letter)[0]
        if letter.islower() and bare != letter:
            heads[bare] = heads.get(bare, bare) + letter
    return heads


_HEADS = _heads()
SAYS_SO = ("holds", "begins", "corrects")
"""Actions of claims that state that something is so."""
_CITED = {name: _Cited(aliased(DrawerRow), aliased(Room), aliased(Wing)) for name in ("replacing", "answered", "later")}
_NUMBERS = tuple(
    getattr(each, part).number.label(f"{name}_{part}") for name, each in _CITED.items() for part in _Cited._fields
)


def ask_recalled(
    session: UserSession,
    keys: Mapping[PassageKey, bool],
    words: QueryWords,
    near: tuple[Generation, Sequence[float]] | None,
    as_of: AsOf = AsOf(),  # noqa: B008
    scope: Scope = _ALL,
) -> Answer[dict[PassageKey, Recalled]]:
    """Map passages to their drawers; passages that are gone, or another user's, are left out.

    ``keys`` maps each passage to whether what matched in it is returned as well. ``near`` is a generation and a unit
    vector of its model, None to match by words alone. With wings in ``scope``, nothing outside of them is returned.
    """
    parameters = {
        "drawer_ids": ids_text(key.drawer_id for key in keys),
        "ordinals": ids_text(key.ordinal for key in keys),
        "in_full": list(keys.values()),
        "vector": vector_text(near[1]) if near else None,
        "now": as_of.now,
        "known": as_of.known,
        "wings": scope.places["wings"],
        "lexemes": list(words.forms),
        "any_word": " | ".join(word.query for word in words.words if word.lexemes) or None,
        "heads": sorted({head for lexeme in words.forms for head in _HEADS.get(lexeme[:1], lexeme[:1])}),
        "languages": list(STEMMED),
        "stemmers": [f"pg_catalog.{name}_stem" for name in STEMMED.values()],
    }
    forms = words.forms

    def read(rows: TextResult) -> dict[PassageKey, Recalled]:
        return {PassageKey(row.id, row.ordinal): _recalled(row, words, forms) for row in rows}

    # Planning a join of so many tables takes longer than executing it, and each connection plans it anew at first.
    with session.options(join_collapse_limit=1):
        return session.ask("recalled_drawers", parameters, read, {"generation": near[0].id if near else 0})


def configuration_of(language: str | None) -> str:
    """Return the text search configuration of a language: English for None, ``simple`` where there is no stemmer."""
    if language is None or language in _UNSPACED:
        return "pg_catalog.english"
    return f"pg_catalog.{STEMMED.get(language, 'simple')}"


def find_drawer(session: UserSession, pointer: Pointer) -> Drawer | None:
    """Return a drawer by its pointer, present or former; None without one."""
    former = session.select(RoomAlias.room_id).where(
        RoomAlias.wing_number == pointer.wing, RoomAlias.room_number == pointer.room
    )
    for stands_there in (
        sa.and_(Wing.number == pointer.wing, Room.number == pointer.room),
        Room.id == former.scalar_subquery(),
    ):
        query = _drawers(session).where(stands_there, DrawerRow.number == pointer.drawer)
        row = session.execute(query).one_or_none()
        if row:
            return _record(row)
    return None


def find_conversation_of(session: UserSession, *, room_id: int) -> int | None:
    """Return the conversation that a room belongs to; None if the room is gone."""
    query = session.select(Room.conversation_id).where(Room.id == room_id)
    return session.execute(query).scalar_one_or_none()


def get_drawer_by_identity(session: UserSession, identity: bytes) -> Drawer:
    """Return a drawer by its identity. Raises ``NotFound``: another transaction forgot it meanwhile."""
    row = session.execute(_drawers(session).where(DrawerRow.identity == identity)).one_or_none()
    if row is None:
        raise NotFound("the drawer was forgotten meanwhile")
    return _record(row)


def list_drawers_by_identity(session: UserSession, identities: Sequence[bytes]) -> list[Drawer]:
    """List the drawers of identities, as they were filed; identities without a drawer are left out."""
    query = _drawers(session).where(DrawerRow.identity.in_(identities)).order_by(DrawerRow.filed_at, DrawerRow.id)
    return [_record(row) for row in session.execute(query)] if identities else []


def get_drawers(session: UserSession, drawer_ids: Collection[int]) -> dict[int, Drawer]:
    """Map ids to drawers; those that are gone, or another user's, are left out."""
    query = _drawers(session).where(DrawerRow.id.in_(drawer_ids))
    return {row.id: _record(row) for row in session.execute(query)} if drawer_ids else {}


def list_told_at(session: UserSession, pointers: Collection[Pointer]) -> dict[Pointer, tuple[datetime | None, Role]]:
    """Map pointers to when their drawers were said, and by whom; those where none stands now are left out."""
    query = session.select(DrawerRow.role, DrawerRow.said_at, Wing.number, Room.number, DrawerRow.number)
    stands_there = sa.tuple_(Wing.number, Room.number, DrawerRow.number).in_(list(map(tuple, pointers)))
    rows = session.execute(query.join(Room).join(Wing).where(stands_there))
    return {Pointer(*numbers): (said_at, Role(role)) for role, said_at, *numbers in rows}


def find_pointers(session: UserSession, identities: Sequence[bytes]) -> dict[bytes, Pointer]:
    """Map identities to the present pointers of their drawers; identities without a drawer are left out."""
    query = session.select(DrawerRow.identity, Wing.number, Room.number, DrawerRow.number).join(Room).join(Wing)
    return {
        identity: Pointer(*numbers)
        for batch in batches(identities)
        for identity, *numbers in session.execute(query.where(DrawerRow.identity == any_bytes(batch)))
    }


class Part(NamedTuple):
    """Selects drawers of a room."""

    room_id: int
    closet_id: int | None = None
    """Only of this closet; 0 for drawers in no closet."""
    since: datetime | None = None
    """Only drawers said from then on; an undated one counts as said when its room began."""
    until: datetime | None = None
    """Only drawers said before then."""
    after: tuple[int, int] | None = None
    """Only drawers after this position and number."""


def list_room_drawers(session: UserSession, part: Part, *, limit: int | None = None, offset: int = 0) -> list[Drawer]:
    """List drawers of a room in the order they were said."""
    query = _drawers(session).where(*_in(part)).order_by(DrawerRow.position, DrawerRow.number)
    return [_record(row) for row in session.execute(query.limit(limit).offset(offset))]


def list_drawers(
    session: UserSession, *, behind: Pointer | None, wing_ids: Sequence[int] | None, room_id: int | None, limit: int
) -> list[Drawer]:
    """List drawers of the palace, some wings or a room in order of their pointers, after a given one."""
    by_pointer = (Wing.number, Room.number, DrawerRow.number)
    # Their ids come first, so that nothing else is read of the other drawers of a room.
    page = session.select(DrawerRow.id).join(Room).join(Wing)
    if behind is not None:
        page = page.where(Wing.number >= behind.wing)
        page = page.where(sa.tuple_(*by_pointer) > sa.tuple_(behind.wing, behind.room, behind.drawer))
    if wing_ids is not None:
        page = page.where(Room.wing_id.in_(wing_ids))
    if room_id is not None:
        page = page.where(DrawerRow.room_id == room_id)
    ids = session.values(page.order_by(*by_pointer).limit(limit))
    query = _drawers(session).where(DrawerRow.id.in_(ids)).order_by(*by_pointer)
    return [_record(row) for row in session.execute(query)] if ids else []


def count_room_drawers(session: UserSession, part: Part) -> int:
    """Count drawers of a room."""
    query = session.select(sa.func.count(DrawerRow.id)).join(Room).where(*_in(part))
    return int(session.execute(query).scalar_one())


def _in(part: Part) -> Iterator[sa.ColumnElement[bool]]:
    when = sa.func.coalesce(DrawerRow.said_at, Room.started_at, DrawerRow.filed_at)
    yield DrawerRow.room_id == part.room_id
    if part.closet_id is not None:
        yield DrawerRow.closet_id == part.closet_id if part.closet_id else DrawerRow.closet_id.is_(None)
    if part.since is not None:
        yield when >= part.since
    if part.until is not None:
        yield when < part.until
    if part.after is not None:
        yield sa.tuple_(DrawerRow.position, DrawerRow.number) > sa.tuple_(*part.after)


def list_neighbours(
    session: UserSession, drawers: Sequence[Drawer], count: int, now: datetime | None = None
) -> dict[int, Neighbours]:
    """Map drawer ids to up to ``count`` drawers of the same room on each side.

    Statements that end after ``now`` are shown as valid. Takes two statements for any number of drawers, and none if
    there is nothing to return.
    """
    found: dict[int, tuple[list[Drawer], list[Drawer]]] = {drawer.id: ([], []) for drawer in drawers}
    if found and count:
        near = session.run("neighbouring_drawers", {"drawer_ids": list(found), "count": count}).all()
        query = _drawers(session).where(DrawerRow.id.in_({row.id for row in near}))
        records = {row.id: _still(_record(row), now) for row in session.execute(query)}
        for row in near:
            found[row.beside][row.is_after].append(records[row.id])
    return {drawer_id: Neighbours(tuple(before), tuple(after)) for drawer_id, (before, after) in found.items()}


def list_around(session: UserSession, drawer_id: int, count: int) -> Neighbours:
    """List up to ``count`` drawers on each side of one in its conversation, in any room; none if it is gone."""
    here = session.execute(
        session.select(DrawerRow.conversation_id, DrawerRow.position, DrawerRow.room_id, DrawerRow.number).where(
            DrawerRow.id == drawer_id
        )
    ).one_or_none()
    if here is None:
        return Neighbours((), ())
    order = (DrawerRow.position, DrawerRow.room_id, DrawerRow.number)
    talk = _drawers(session).where(DrawerRow.conversation_id == here[0]).limit(count)
    before = talk.where(sa.tuple_(*order) < sa.tuple_(*here[1:])).order_by(*(each.desc() for each in order))
    after = talk.where(sa.tuple_(*order) > sa.tuple_(*here[1:])).order_by(*order)
    earlier, later = ([_record(row) for row in session.execute(query)] for query in (before, after))
    return Neighbours(tuple(reversed(earlier)), tuple(later))


def list_passages(session: UserSession, drawer_id: int) -> tuple[NewPassage, ...]:
    """List the passages of a drawer in order, then its sentences that are indexed by themselves."""
    query = session.select(Passage.char_start, Passage.char_end, Passage.kind, Passage.is_standing)
    rows = session.execute(query.where(Passage.drawer_id == drawer_id).order_by(Passage.ordinal))
    return tuple(NewPassage(Span(start, end), PassageKind(kind), is_standing) for start, end, kind, is_standing in rows)


def _drawers(session: UserSession) -> sa.Select[*tuple[Any, ...]]:
    stale = _first_overtaken(session)
    query = (
        session.select(
            *columns_of(DrawerRow, Drawer),
            DrawerRow.number,
            Wing.number.label("wing_number"),
            Wing.name.label("wing_name"),
            Room.number.label("room_number"),
            Room.name.label("room_name"),
            Closet.name.label("closet_name"),
            *_NUMBERS,
            stale.c.until,
            stale.c.is_part,
            stale.c.subject,
            stale.c.predicate,
            stale.c.object,
        )
        .join(Room)
        .join(Wing)
        .outerjoin(Closet, sa.and_(Closet.user_id == DrawerRow.user_id, Closet.id == DrawerRow.closet_id))
    )
    query = query.outerjoin(stale, sa.literal(True))
    for cited, column in zip(
        _CITED.values(), (DrawerRow.replaced_by, DrawerRow.answers, stale.c.superseded_by), strict=True
    ):
        query = query.outerjoin(
            cited.drawer, sa.and_(cited.drawer.user_id == DrawerRow.user_id, cited.drawer.id == column)
        )
        query = query.outerjoin(
            cited.room, sa.and_(cited.room.user_id == DrawerRow.user_id, cited.room.id == cited.drawer.room_id)
        )
        query = query.outerjoin(
            cited.wing, sa.and_(cited.wing.user_id == DrawerRow.user_id, cited.wing.id == cited.room.wing_id)
        )
    return query


def _first_overtaken(session: UserSession) -> LateralFromClause:
    holding = aliased(Assertion)
    is_part = session.select(holding.id).where(
        holding.drawer_id == DrawerRow.id, holding.until.is_(None), holding.action.in_(SAYS_SO)
    )
    said = (Assertion.until, Assertion.superseded_by, Assertion.subject, Assertion.predicate, Assertion.object)
    query = session.select(*said, is_part.correlate(DrawerRow).exists().label("is_part")).where(
        DrawerRow.user_id == session.user_id,
        Assertion.drawer_id == DrawerRow.id,
        Assertion.until.is_not(None),
        Assertion.superseded_by.is_distinct_from(DrawerRow.id),
        Assertion.action.in_(SAYS_SO),
    )
    return query.correlate(DrawerRow).order_by(Assertion.until, Assertion.ordinal).limit(1).lateral("stale")


def _record(row: sa.Row[*tuple[Any, ...]]) -> Drawer:
    return record_of(
        Drawer,
        row,
        pointer=Pointer(row.wing_number, row.room_number, row.number),
        redacted=tuple(sorted((row.redacted or {}).items())),
        replaced_by=_pointer(row.replacing_wing, row.replacing_room, row.replacing_drawer),
        answers=_pointer(row.answered_wing, row.answered_room, row.answered_drawer),
        superseded_by=_pointer(row.later_wing, row.later_room, row.later_drawer),
        ended=Ended(row.subject, row.predicate, row.object) if row.is_part else None,
    )


def _recalled(row: sa.Row[*tuple[Any, ...]], words: QueryWords, forms: Mapping[str, str]) -> Recalled:
    written: dict[str, set[str]] = {lexeme: set() for lexeme in words.lexemes}
    for stem, word in zip(row.stems or (), row.words or (), strict=True):
        written[forms[stem]].add(word.lower())
    for gram, stretch in written_without_spaces(words.grams, row.content[row.char_start : row.char_end]):
        written[gram].add(stretch)
    return Recalled(
        drawer=_record(row),
        passage=Span(row.char_start, row.char_end),
        near=dict(zip(map(Span, row.starts or (), row.ends or ()), row.similarities or (), strict=True)),
        words={lexeme: tuple(sorted(forms)) for lexeme, forms in written.items() if forms},
    )


def _still(drawer: Drawer, now: datetime | None) -> Drawer:
    is_over = drawer.until is None or now is None or drawer.until <= now
    return drawer if is_over else replace(drawer, until=None, superseded_by=None, ended=None)


def _pointer(wing: int | None, room: int | None, drawer: int | None) -> Pointer | None:
    return None if wing is None or room is None or drawer is None else Pointer(wing, room, drawer)
