"""The stored settings of a user and of their agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from palace.db.database import UserSession
from palace.db.driver import Answer, TextResult
from palace.db.locks import Guarded, wait_alone
from palace.db.rows import row_of
from palace.db.tables import StoredSetting

if TYPE_CHECKING:
    from palace.models.lines import SettingLine

_HELD = text(
    # As text: every recall runs it.
    "SELECT agent, name, value FROM setting WHERE user_id = :user_id AND agent IN ('', :agent)"
    " AND NOT starts_with(name, 'secrets_')"
)

_OWN = text(
    "SELECT agent, name, value FROM setting"
    " WHERE user_id = :user_id AND agent = '' AND name = ANY(CAST(:names AS text[]))"
)


def held_settings(session: UserSession, agent: str) -> dict[tuple[str, str], object]:
    """Map (agent, name) to the values set for the user ("") and for one agent, without settings about secrets."""
    return ask_held_settings(session, agent).get()


def ask_held_settings(session: UserSession, agent: str) -> Answer[dict[tuple[str, str], object]]:
    """As ``held_settings``, read together with others."""
    return session.ask(_HELD, {"agent": agent}, _by_name)


def own_settings(session: UserSession, names: Sequence[str]) -> dict[tuple[str, str], object]:
    """Map ("", name) to the values that the user has set for themselves, of some names."""
    return ask_own_settings(session, names).get()


def ask_own_settings(session: UserSession, names: Sequence[str]) -> Answer[dict[tuple[str, str], object]]:
    """As ``own_settings``, read together with others."""
    return session.ask(_OWN, {"names": list(names)}, _by_name)


def _by_name(rows: TextResult) -> dict[tuple[str, str], object]:
    return {(row[0], row[1]): row[2] for row in rows}


def all_settings(session: UserSession) -> dict[tuple[str, str], object]:
    """Map (agent, name) to all values that the user has set."""
    query = session.select(StoredSetting.agent, StoredSetting.name, StoredSetting.value)
    return {(row.agent, row.name): row.value for row in session.execute(query)}


def write_setting(session: UserSession, agent: str, name: str, value: Any) -> None:
    """Store one value."""
    row = {"agent": agent, "name": name, "value": value}
    session.put(StoredSetting, row, key=("agent", "name"), columns=("value", "changed_at"))


def follow_setting(session: UserSession, name: str, value: Any) -> None:
    """Update a value that the user has set for themselves; if none is stored, do nothing."""
    session.update(StoredSetting, StoredSetting.agent == "", StoredSetting.name == name, value=value)


def erase_settings(session: UserSession, agent: str, names: Sequence[str]) -> int:
    """Delete values, so that those of the user or the process apply; return how many there were."""
    return session.delete(StoredSetting, StoredSetting.agent == agent, StoredSetting.name.in_(names)).rowcount


def lock_settings(session: UserSession) -> None:
    """Lock settings against other writers until the transaction ends: values are checked together."""
    wait_alone(session, Guarded.SETTINGS)


TAKEN_ALONG = frozenset(
    (
        *("top_k", "floor", "similarity_threshold", "gate", "injection", "injection_tokens"),
        *("working_messages", "working_tokens", "working_least"),
    )
)
"""Settings that an import may set: how much is found, and how it is shown. Models and addresses belong to the place
where a palace is kept: no imported file may send anything anywhere. Secrets, the time for restoring, and whether
anything is filed or recalled are decided by the user there."""


def iter_settings(session: UserSession) -> Iterator[SettingLine]:
    """Yield the stored settings that an export may contain, in order of agent and name."""
    from palace.models.lines import SettingLine

    columns = (StoredSetting.agent, StoredSetting.name, StoredSetting.value, StoredSetting.changed_at)
    query = session.select(*columns).where(StoredSetting.name.in_(TAKEN_ALONG))
    for row in session.execute(query.order_by(StoredSetting.agent.collate("C"), StoredSetting.name.collate("C"))):
        yield SettingLine(row.agent, row.name, row.value, row.changed_at)


def file_settings(session: UserSession, lines: Sequence[SettingLine]) -> None:
    """Insert the settings that are not set here; existing ones stay as they are."""
    session.add(StoredSetting, [row_of(StoredSetting, line) for line in lines if line.name in TAKEN_ALONG])
