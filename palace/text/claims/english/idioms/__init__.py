"""Turns of phrase by which English notes and talk say things beside plain sentences."""

from __future__ import annotations

from palace.text.claims.english.idioms.reading import read_idioms

__all__ = ["read_idioms"]
