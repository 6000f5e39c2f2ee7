"""The reading of a conversation: its aliases, mentions and assertions, which replace the earlier ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import insert, union

from palace.db.database import UserSession
from palace.db.rows import any_id, row_of
from palace.db.tables import Alias as AliasRow
from palace.db.tables import Assertion, Mention
from palace.models.claims import Claim, VagueDate
from palace.models.graph import Alias


@dataclass(frozen=True, slots=True)
class NewAlias:
    """A name as a conversation uses it, with the family in which it is resolved."""

    alias: Alias
    family: str


@dataclass(frozen=True, slots=True)
class NewMention:
    """The span of a name in a drawer."""

    drawer_id: int
    start: int
    end: int
    folded: str


@dataclass(frozen=True, slots=True)
class NewAssertion:
    """A claim with the folded names of its aliases."""

    drawer_id: int
    ordinal: int
    claim: Claim
    subject: str
    """The subject's folded name."""
    object_folded: str | None
    """None where the object is a value."""


@dataclass(frozen=True, slots=True)
class NewReading:
    """Everything that was read from one conversation."""

    aliases: tuple[NewAlias, ...] = ()
    mentions: tuple[NewMention, ...] = ()
    assertions: tuple[NewAssertion, ...] = ()


def delete_readings(session: UserSession, conversations: Collection[int]) -> None:
    """Delete the readings of conversations."""
    for table in (Mention, Assertion, AliasRow):
        session.delete(table, table.conversation_id == any_id(conversations))


def write_readings(session: UserSession, readings: Mapping[int, NewReading]) -> None:
    """Write the readings of conversations without one. Their aliases are not resolved yet."""
    aliases = [
        row_of(AliasRow, new.alias, conversation_id=conversation_id, family=new.family)
        for conversation_id, reading in readings.items()
        for new in reading.aliases
    ]
    mentions = [
        {
            "drawer_id": mention.drawer_id,
            "char_start": mention.start,
            "char_end": mention.end,
            "conversation_id": conversation_id,
            "folded": mention.folded,
        }
        for conversation_id, reading in readings.items()
        for mention in reading.mentions
    ]
    assertions = [
        _assertion(conversation_id, new) for conversation_id, reading in readings.items() for new in reading.assertions
    ]
    for table, rows in ((AliasRow, aliases), (Mention, mentions), (Assertion, assertions)):
        if rows:
            session.insert(insert(table), rows)


def list_mentioned(session: UserSession, drawer_ids: Sequence[int]) -> set[tuple[int, str]]:
    """List the aliases, (conversation, folded name), that drawers mention or make claims about."""
    wanted = any_id(drawer_ids)
    named = session.select(Mention.conversation_id, Mention.folded).where(Mention.drawer_id == wanted)
    claimed = session.select(Assertion.conversation_id, Assertion.subject).where(Assertion.drawer_id == wanted)
    spoken_of = session.select(Assertion.conversation_id, Assertion.object_folded).where(
        Assertion.drawer_id == wanted, Assertion.object_folded.is_not(None)
    )
    return {(row[0], row[1]) for row in session.execute(union(named, claimed, spoken_of))}


def drop_unused(session: UserSession, conversations: Collection[int]) -> None:
    """Delete the aliases of some conversations that no drawer mentions and no claim is about."""
    of_alias = (AliasRow.conversation_id, AliasRow.folded)
    mentioned = session.select(Mention.folded).where(
        Mention.conversation_id == of_alias[0], Mention.folded == of_alias[1]
    )
    claimed = session.select(Assertion.id).where(
        Assertion.conversation_id == of_alias[0],
        sa.or_(Assertion.subject == of_alias[1], Assertion.object_folded == of_alias[1]),
    )
    session.delete(AliasRow, AliasRow.conversation_id == any_id(conversations), ~mentioned.exists(), ~claimed.exists())


def _assertion(conversation_id: int, new: NewAssertion) -> dict[str, object]:
    claim = new.claim
    return row_of(Assertion, claim) | row_of(
        Assertion,
        new,
        conversation_id=conversation_id,
        char_start=claim.start,
        char_end=claim.end,
        **_date("valid_from", "from_precision", claim.valid_from),
        **_date("valid_to", "to_precision", claim.valid_to),
    )


def _date(column: str, precision: str, told: VagueDate | None) -> dict[str, object]:
    return {column: told.day if told else None, precision: told.precision.value if told else None}
