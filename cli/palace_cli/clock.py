"""The person's time zone, in which the command line reads and shows every time."""

from __future__ import annotations

from contextvars import ContextVar
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palace.config.settings import Settings

_ZONE: ContextVar[tzinfo | None] = ContextVar("zone", default=None)


def set_zone(settings: Settings) -> None:
    """Show times in the zone of the settings from now on."""
    _ZONE.set(settings.zone)


def set_zone_named(name: str | None) -> None:
    """Show times in a named zone from now on; without a name, in this computer's."""
    from palace.config.zones import find_zone

    _ZONE.set(None if name is None else find_zone(name))


def zone_as_set() -> tzinfo:
    """Return the zone of the settings, for code that needs it before a palace is open."""
    from palace.config.settings import load_settings

    return load_settings().zone


def zone_shown() -> tzinfo:
    """Return the zone in which times are shown; this computer's before any settings were read."""
    from palace.config.zones import system_zone

    return _ZONE.get() or system_zone()


def shown(moment: datetime) -> datetime:
    """Convert an aware time to the person's zone."""
    from palace.config.zones import in_zone

    return in_zone(moment, zone_shown())
