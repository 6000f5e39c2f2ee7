"""Which language a message is in, as far as it tells; nothing here asks a network."""

from __future__ import annotations

from palace.text.languages.short import languages_of
from palace.text.languages.told import tell_language

__all__ = ["languages_of", "tell_language"]
