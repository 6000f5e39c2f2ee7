"""The person's time zone: one they name, else that of this computer."""

from palace.zones.named import find_zone, in_zone
from palace.zones.system import SystemZone, system_zone

__all__ = ["SystemZone", "find_zone", "in_zone", "system_zone"]
