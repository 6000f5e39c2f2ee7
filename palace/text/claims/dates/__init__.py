"""Since when, until when: the times that a clause or a sentence tells, and which claim they belong to. Pure."""

from __future__ import annotations

from palace.text.claims.dates.told import Length, Times, is_only_time, times_of

__all__ = ["Length", "Times", "is_only_time", "times_of"]
