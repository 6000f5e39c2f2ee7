"""What is written down beside drawers and their places, and may tell what a person named: paths, failures, events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select, update

from palace.store.database import UserSession
from palace.tables import ActivityEvent, CostEntry, EntityDecision, MiningRun, StepState, Wing, WingAlias

Cleaning = Callable[[str], str]
_TEXTS = ((MiningRun, MiningRun.source), (CostEntry, CostEntry.source), (StepState, StepState.failure))
_DETAILS = ((ActivityEvent, ActivityEvent.details), (EntityDecision, EntityDecision.decided))


def clean_texts(session: UserSession, clean: Cleaning, slug_of: Cleaning) -> int:
    """Put what ``clean`` makes of them in the place of texts and names; return how many changed."""
    changed = sum(_clean_column(session, table, column, clean) for table, column in _TEXTS)
    changed += sum(_clean_details(session, table, column, clean) for table, column in _DETAILS)
    return changed + _clean_wings(session, clean, slug_of)


def _clean_column(session: UserSession, table: Any, column: Any, clean: Cleaning) -> int:
    query = select(column).where(table.user_id == session.user_id, column.is_not(None)).distinct()
    changed = 0
    for text in session.execute(query).scalars().all():
        cleaned = clean(text)
        if cleaned != text:
            named = update(table).where(table.user_id == session.user_id, column == text)
            changed += session.execute(named.values({column: cleaned})).rowcount
    return changed


def _clean_details(session: UserSession, table: Any, column: Any, clean: Cleaning) -> int:
    changed = 0
    for row in session.execute(select(table.id, column.label("told")).where(table.user_id == session.user_id)).all():
        cleaned = _cleaned(row.told, clean)
        if cleaned != row.told:
            this = update(table).where(table.user_id == session.user_id, table.id == row.id)
            session.execute(this.values({column: cleaned}))
            changed += 1
    return changed


def _cleaned(value: Any, clean: Cleaning) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {name: _cleaned(each, clean) for name, each in value.items()}
        case list():
            return [_cleaned(each, clean) for each in value]
        case _:
            return value


def _clean_wings(session: UserSession, clean: Cleaning, slug_of: Cleaning) -> int:
    query = select(Wing.slug).where(Wing.user_id == session.user_id)
    aliases = select(WingAlias.slug).where(WingAlias.user_id == session.user_id)
    taken = set(session.execute(sa.union_all(query, aliases)).scalars())
    changed = 0
    for table in (Wing, WingAlias):
        rows = session.execute(select(table.slug, table.name).where(table.user_id == session.user_id)).all()
        for slug, name in rows:
            cleaned = clean(name)
            if cleaned == name:
                continue
            base = free = slug_of(cleaned)
            number = 1
            while free in taken:
                number += 1
                free = f"{base}-{number}"
            taken.add(free)
            this = update(table).where(table.user_id == session.user_id, table.slug == slug)
            session.execute(this.values(slug=free, name=cleaned))
            changed += 1
    return changed
