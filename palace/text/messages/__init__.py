"""What is read from a message when it is filed: passages, sentences, times spoken of."""

from __future__ import annotations

from palace.text.messages.index import index_message

__all__ = ["index_message"]
