"""Words that Postgres's parser does not find: the parts of names and codes, and of writing without spaces."""

from __future__ import annotations

from palace.text.further.asked import FurtherWords, further_words, words_asked
from palace.text.further.unspaced import UNSPACED

__all__ = ["UNSPACED", "FurtherWords", "further_words", "words_asked"]
