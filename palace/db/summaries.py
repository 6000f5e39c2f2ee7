"""Rolling summaries of conversations: found, claimed by who renews one, replaced, and gone with what they sum up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import or_
from sqlalchemy.dialects.postgresql import BYTEA, insert

from palace.db.database import UserSession
from palace.db.filing.conversations import hidden_digest
from palace.db.rows import any_id, row_of
from palace.db.tables import Conversation, Drawer, WorkingSummary


@dataclass(frozen=True, slots=True)
class KeptSummary:
    """A summary as it is kept."""

    summary: str
    covered: int
    stays: tuple[int, ...]
    digest: bytes | None
    """Of what it stands for, under the palace's key; None as long as nothing is summed up."""
    failures: int
    tried: int
    model: str | None = None
    covers: tuple[bytes, ...] = ()
    """Of each message, under the key; not read back."""


@dataclass(frozen=True, slots=True)
class SummedUp:
    """A conversation whose checkpoint is kept."""

    session: str
    """What it is known by; from the database, the identity under which it is filed."""
    agent: str | None
    summary: str
    covered: int
    """How many messages the summary stands for."""
    model: str | None
    """Who wrote it."""
    made_at: datetime
    expires_at: datetime


def find_summary(session: UserSession, identity: str, agent: str) -> KeptSummary | None:
    """Find what a conversation is summed up to; None of one that is not, or whose time is over."""
    kept = WorkingSummary
    columns = (kept.summary, kept.covered, kept.stays, kept.digest, kept.failures, kept.tried, kept.model)
    query = session.select(*columns).where(*_of(identity, agent), kept.expires_at > datetime.now(UTC))
    row = session.execute(query).one_or_none()
    if row is None:
        return None
    digest = row.digest
    return KeptSummary(row.summary, row.covered, tuple(row.stays), digest, row.failures, row.tried, row.model)


def claim_summary(
    session: UserSession, identity: str, agent: str, covers: Sequence[bytes], *, lasting: timedelta, claimed: timedelta
) -> int | None:
    """Have nobody else renew a summary for a while; None where somebody is at it, else the revision to settle.

    ``covers`` are hashes of what is about to be summed up: when one of these is forgotten meanwhile, the row goes, and
    what comes of it is not kept.
    """
    now = datetime.now(UTC)
    _drop_expired(session, now)
    begun = {
        "identity": identity,
        "agent": agent,
        "summary": "",
        "covered": 0,
        "stays": [],
        "covers": list(covers),
        "failures": 0,
        "tried": 0,
        "revision": 1,
        "claimed_until": now + claimed,
        "made_at": now,
        "expires_at": now + lasting,
    }
    made = insert(WorkingSummary)
    again = made.on_conflict_do_update(
        index_elements=["user_id", "identity", "agent"],
        set_={
            "revision": WorkingSummary.revision + 1,
            "claimed_until": made.excluded.claimed_until,
            "covers": WorkingSummary.covers.op("||")(made.excluded.covers),
            "expires_at": made.excluded.expires_at,
        },
        where=or_(WorkingSummary.claimed_until.is_(None), WorkingSummary.claimed_until <= now),
    )
    found = session.insert(again.returning(WorkingSummary.revision), begun).scalar_one_or_none()
    return None if found is None else int(found)


def settle_summary(session: UserSession, identity: str, agent: str, revision: int, kept: KeptSummary) -> bool:
    """Put what came of renewing a summary in the place of the former; False where that is gone, or another's by now."""
    lists = {"stays": list(kept.stays), "covers": list(kept.covers)}
    values = row_of(WorkingSummary, kept, **lists, claimed_until=None, made_at=datetime.now(UTC))
    this = (*_of(identity, agent), WorkingSummary.revision == revision)
    return bool(session.update(WorkingSummary, *this, **values).rowcount)


def release_summary(session: UserSession, identity: str, agent: str, revision: int) -> None:
    """Let others renew a summary that was not renewed after all."""
    this = (*_of(identity, agent), WorkingSummary.revision == revision)
    session.update(WorkingSummary, *this, claimed_until=None)


def drop_summary(session: UserSession, identity: str, agent: str) -> bool:
    """Drop what a conversation is summed up to."""
    return bool(session.delete(WorkingSummary, *_of(identity, agent)).rowcount)


def drop_summing_up(session: UserSession, conversations: Sequence[int], drawer_ids: Sequence[int]) -> int:
    """Drop the summaries of some conversations, and those of others that stand for what some drawers say."""
    named = session.select(Conversation.identity).where(Conversation.id.in_(conversations))
    said = session.select(hidden_digest(Drawer, session.user_id)).where(Drawer.id == any_id(drawer_ids))
    kept = session.select(WorkingSummary.identity).limit(1)
    if session.execute(kept).one_or_none() is None:
        return 0
    identities = session.values(named)
    digests = session.values(said)
    told = or_(
        WorkingSummary.identity.in_(identities),
        WorkingSummary.covers.overlap(sa.cast(digests, sa.ARRAY(BYTEA))),
    )
    return session.delete(WorkingSummary, told).rowcount


def list_summaries(session: UserSession) -> list[SummedUp]:
    """List the conversations that are summed up, the latest first."""
    kept = WorkingSummary
    columns = (kept.identity, kept.agent, kept.summary, kept.covered, kept.model, kept.made_at, kept.expires_at)
    query = session.select(*columns).where(kept.covered > 0, kept.expires_at > datetime.now(UTC))
    rows = session.execute(query.order_by(kept.made_at.desc(), kept.identity, kept.agent))
    return [SummedUp(row.identity, row.agent or None, *row[2:]) for row in rows]


def clean_summaries(session: UserSession, clean: Callable[[str], str]) -> int:
    """Put what ``clean`` makes of them in the place of summaries; give how many changed."""
    query = session.select(WorkingSummary.identity, WorkingSummary.agent, WorkingSummary.summary)
    changed = 0
    for row in session.execute(query).all():
        cleaned = clean(row.summary)
        if cleaned != row.summary:
            # Who renews it at this moment was shown the former one: nothing comes of that.
            new = {"summary": cleaned, "revision": WorkingSummary.revision + 1, "claimed_until": None}
            session.update(WorkingSummary, *_of(row.identity, row.agent), **new)
            changed += 1
    return changed


def _of(identity: str, agent: str) -> tuple[sa.ColumnElement[bool], ...]:
    return WorkingSummary.identity == identity, WorkingSummary.agent == agent


def _drop_expired(session: UserSession, now: datetime) -> None:
    session.delete(WorkingSummary, WorkingSummary.expires_at <= now)
