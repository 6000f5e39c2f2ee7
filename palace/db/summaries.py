"""Rolling summaries of conversations: claimed for renewal, replaced, and deleted with the messages they cover."""

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
    """A stored summary."""

    summary: str
    covered: int
    stays: tuple[int, ...]
    digest: bytes | None
    """Hash of the covered messages, under the palace's key; None as long as nothing is summarised."""
    failures: int
    tried: int
    model: str | None = None
    covers: tuple[bytes, ...] = ()
    """Hashes of the covered messages, under the palace's key; not read back."""


@dataclass(frozen=True, slots=True)
class SummedUp:
    """A summarised conversation."""

    session: str
    """The conversation's name; read from the database, the identity under which it is filed."""
    agent: str | None
    summary: str
    covered: int
    """How many messages the summary covers."""
    model: str | None
    """The model that wrote it."""
    made_at: datetime
    expires_at: datetime


def find_summary(session: UserSession, identity: str, agent: str) -> KeptSummary | None:
    """Return the summary of a conversation; None if there is none, or it is expired."""
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
    """Claim the renewal of a summary; return the revision to settle, or None while another process renews it.

    ``covers`` are hashes of the messages to be summarised: if one of them is forgotten meanwhile, the row is deleted
    and the result is not stored.
    """
    now = datetime.now(UTC)
    session.delete(WorkingSummary, WorkingSummary.expires_at <= now)
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
    """Store a renewed summary; False if the row is gone, or another process has claimed it since."""
    lists = {"stays": list(kept.stays), "covers": list(kept.covers)}
    values = row_of(WorkingSummary, kept, **lists, claimed_until=None, made_at=datetime.now(UTC))
    this = (*_of(identity, agent), WorkingSummary.revision == revision)
    return bool(session.update(WorkingSummary, *this, **values).rowcount)


def release_summary(session: UserSession, identity: str, agent: str, revision: int) -> None:
    """Release a claim on a summary that was not renewed."""
    this = (*_of(identity, agent), WorkingSummary.revision == revision)
    session.update(WorkingSummary, *this, claimed_until=None)


def drop_summary(session: UserSession, identity: str, agent: str) -> bool:
    """Delete the summary of a conversation; False if there was none."""
    return bool(session.delete(WorkingSummary, *_of(identity, agent)).rowcount)


def drop_summing_up(session: UserSession, conversations: Sequence[int], drawer_ids: Sequence[int]) -> int:
    """Delete the summaries of some conversations, and others that cover messages of some drawers; return how many."""
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
    """List the summarised conversations, latest first."""
    kept = WorkingSummary
    columns = (kept.identity, kept.agent, kept.summary, kept.covered, kept.model, kept.made_at, kept.expires_at)
    query = session.select(*columns).where(kept.covered > 0, kept.expires_at > datetime.now(UTC))
    rows = session.execute(query.order_by(kept.made_at.desc(), kept.identity, kept.agent))
    return [SummedUp(row.identity, row.agent or None, *row[2:]) for row in rows]


def clean_summaries(session: UserSession, clean: Callable[[str], str]) -> int:
    """Clean the stored summaries with ``clean``; return how many changed."""
    query = session.select(WorkingSummary.identity, WorkingSummary.agent, WorkingSummary.summary)
    changed = 0
    for row in session.execute(query).all():
        cleaned = clean(row.summary)
        if cleaned != row.summary:
            # A renewal in progress has read the old text: its result must not be stored.
            new = {"summary": cleaned, "revision": WorkingSummary.revision + 1, "claimed_until": None}
            session.update(WorkingSummary, *_of(row.identity, row.agent), **new)
            changed += 1
    return changed


def _of(identity: str, agent: str) -> tuple[sa.ColumnElement[bool], ...]:
    return WorkingSummary.identity == identity, WorkingSummary.agent == agent
