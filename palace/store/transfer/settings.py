"""What a user has set, read for an export and written for an import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from palace.files.lines import SettingLine
from palace.store.database import UserSession
from palace.store.filing.drawers import batches
from palace.tables import StoredSetting

TAKEN_ALONG = frozenset(
    (
        *("top_k", "floor", "similarity_threshold", "gate", "injection", "injection_tokens"),
        *("working_messages", "working_tokens", "working_least"),
    )
)
"""What a file may set: how much is found, and how it is shown. Models, addresses and whatever has a model asked are of
the place where a palace is kept: no file sends anything anywhere. What is not taken out of messages, for how long what
is forgotten can be restored, whether anything is filed and remembered at all, is a person's to say where it holds."""


def iter_settings(session: UserSession) -> Iterator[SettingLine]:
    """Give what was set and may be taken along, in order of agent and name."""
    columns = (StoredSetting.agent, StoredSetting.name, StoredSetting.value, StoredSetting.changed_at)
    query = select(*columns).where(StoredSetting.user_id == session.user_id, StoredSetting.name.in_(TAKEN_ALONG))
    for row in session.execute(query.order_by(StoredSetting.agent.collate("C"), StoredSetting.name.collate("C"))):
        yield SettingLine(row.agent, row.name, row.value, row.changed_at)


def file_settings(session: UserSession, lines: Sequence[SettingLine]) -> None:
    """Write what is not set here; what is stays as it is."""
    for batch in batches([line for line in lines if line.name in TAKEN_ALONG]):
        rows = [
            {"agent": line.agent, "name": line.name, "value": line.value, "changed_at": line.changed_at}
            for line in batch
        ]
        session.insert(insert(StoredSetting).on_conflict_do_nothing(), rows)
