"""Settings of one's own and of agents, for the settings page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.errors import BadRequest
from palace.records.settings import ShownSetting

if TYPE_CHECKING:
    from palace.palace import Palace

WHOLE_PALACE = "embedding_model"
"""Another one embeds everything anew, which takes what it takes."""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """All settings as they hold for somebody."""

    shown: tuple[ShownSetting, ...]
    agents: tuple[str, ...]
    """Those that have settings of their own."""


class SettingSource:
    """Reads and writes settings. Every method blocks: call it from a thread."""

    def __init__(self, palace: Palace) -> None:
        self._settings = palace.settings

    def all(self, agent: str | None) -> SettingsPage:
        """List every setting as it holds."""
        return SettingsPage(self._settings.all(agent=agent), self._settings.agents())

    def explain(self, name: str, agent: str | None) -> ShownSetting:
        """Tell of one setting what every level says."""
        return self._settings.get(name, agent=agent)

    def set(self, name: str, value: str, agent: str | None) -> ShownSetting:
        """Set a value as it is typed.

        Raises:
            BadRequest: it may not be; or it is the model of the whole palace.
        """
        from palace.settings.personal.table import get_setting

        if name == WHOLE_PALACE:
            raise BadRequest(
                "another model embeds everything anew: `palace embeddings switch MODEL` shows how far it is"
            )
        return self._settings.set(name, get_setting(name).kind.read(value), agent=agent)

    def reset(self, name: str, agent: str | None) -> ShownSetting:
        """Take a value away; what stood behind it holds."""
        (shown,) = self._settings.reset(name, agent=agent)
        return shown
