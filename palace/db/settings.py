"""Settings of a user's own and of their agents, as they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import text

from palace.db.database import UserSession
from palace.db.locks import Guarded, wait_alone
from palace.db.rows import row_of
from palace.db.tables import StoredSetting
from palace.models.lines import SettingLine

_HELD = text(
    # As a text: every recall asks.
    "SELECT agent, name, value FROM setting WHERE user_id = :user_id AND agent IN ('', :agent)"
    " AND NOT starts_with(name, 'secrets_')"
)


def held_settings(session: UserSession, agent: str) -> dict[tuple[str, str], object]:
    """Map agent and name to what the user has set for themselves ("") and for one agent; not what is of secrets."""
    return {(row[0], row[1]): row[2] for row in session.execute(_HELD, {"agent": agent})}


def own_settings(session: UserSession, names: Sequence[str]) -> dict[tuple[str, str], object]:
    """Map "" and name to what the user has set for themselves, of some names."""
    query = session.select(StoredSetting.agent, StoredSetting.name, StoredSetting.value)
    own = query.where(StoredSetting.agent == "", StoredSetting.name.in_(names))
    return {(row.agent, row.name): row.value for row in session.execute(own)}


def all_settings(session: UserSession) -> dict[tuple[str, str], object]:
    """Map agent and name to everything that the user has set."""
    query = session.select(StoredSetting.agent, StoredSetting.name, StoredSetting.value)
    return {(row.agent, row.name): row.value for row in session.execute(query)}


def write_setting(session: UserSession, agent: str, name: str, value: Any) -> None:
    """Set one value."""
    row = {"agent": agent, "name": name, "value": value}
    session.put(StoredSetting, row, key=("agent", "name"), columns=("value", "changed_at"))


def follow_setting(session: UserSession, name: str, value: Any) -> None:
    """Have what the user has set say what has become of it; where they have set nothing, nothing is."""
    session.update(StoredSetting, StoredSetting.agent == "", StoredSetting.name == name, value=value)


def erase_settings(session: UserSession, agent: str, names: Sequence[str]) -> int:
    """Take values away, so that what they stood in front of holds; give how many there were."""
    return session.delete(StoredSetting, StoredSetting.agent == agent, StoredSetting.name.in_(names)).rowcount


def lock_settings(session: UserSession) -> None:
    """Have those who set something wait for each other until the transaction ends: values are checked together."""
    wait_alone(session, Guarded.SETTINGS)


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
    query = session.select(*columns).where(StoredSetting.name.in_(TAKEN_ALONG))
    for row in session.execute(query.order_by(StoredSetting.agent.collate("C"), StoredSetting.name.collate("C"))):
        yield SettingLine(row.agent, row.name, row.value, row.changed_at)


def file_settings(session: UserSession, lines: Sequence[SettingLine]) -> None:
    """Write what is not set here; what is stays as it is."""
    session.add(StoredSetting, [row_of(StoredSetting, line) for line in lines if line.name in TAKEN_ALONG])
