"""What ChatGPT was told, or keeps, about a person: custom instructions and saved memories, as notes.

Every conversation of an export repeats what was in force in it, so a note is known by its text and given once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from palace.mining.readers.chatgpt.messages import words_of
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_object, as_title, text_field
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

WING = "ChatGPT: about you"

_ENTRY = re.compile(r"^\d+\.\s+\[(\d{4}-\d{2}-\d{2})\]\.?\s*(.*(?:\n(?!\d+\.\s+\[).*)*)", re.MULTILINE)
"""One memory of the list that a conversation was given: "3. [2024-05-01]. Lives in Lisbon."."""
_INSTRUCTIONS = (
    ("about_user_message", "user_profile", "Custom instructions: about you"),
    ("about_model_message", "user_instructions", "Custom instructions: how to respond"),
)


class AboutYou:
    """What was found in one file, so that nothing is given twice."""

    def __init__(self, reader: str, reading: Reading) -> None:
        self.reader, self.reading = reader, reading
        self.given: set[str] = set()

    def of_conversation(self, said_at: datetime | None) -> _Notes:
        """Begin to collect what one conversation shows."""
        return _Notes(self, said_at)


class _Notes:
    """The notes of one conversation, given only where the conversation could be read."""

    def __init__(self, about: AboutYou, said_at: datetime | None) -> None:
        self._about, self._said_at = about, said_at
        self._found: list[tuple[str, Role, str, object]] = []

    def take(self, message: dict[str, Any]) -> bool:
        """Take what a message shows of the person; tell whether the conversation is to go without the message."""
        content, metadata = as_object(message.get("content")), as_object(message.get("metadata"))
        kind = content.get("content_type")
        if kind == "user_editable_context" or metadata.get("is_user_system_message"):
            self._take_instructions(message, as_object(metadata.get("user_context_message_data")))
            return True
        if kind == "model_editable_context":
            self._take_memories(text_field(content, "model_set_context") or "")
            return True
        author = as_object(message.get("author"))
        if message.get("recipient") == "bio" and author.get("role") == "assistant":
            self._take("", Role.ASSISTANT, words_of(message), message.get("create_time"))
        return False

    def finish(self, place: str) -> Iterator[Conversation]:
        """Give those that no conversation before this one has given."""
        for title, role, text, said_at in self._found:
            digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            if digest not in self._about.given:
                self._about.given.add(digest)
                draft = Draft(self._about.reader, self._about.reading, dated=False)
                draft.say(role, text, Stamp(said_at))
                yield from draft.finish(source_id=f"about:{digest}", title=title, project=WING, place=place)

    def _take_instructions(self, message: dict[str, Any], given: dict[str, Any]) -> None:
        content = as_object(message.get("content"))
        texts = {title: text_field(given, raw) or text_field(content, old) for raw, old, title in _INSTRUCTIONS}
        if not any(texts.values()):
            texts = {"Custom instructions": words_of(message)}
        for title, text in texts.items():
            self._take(title, Role.USER, text or "", self._said_at)

    def _take_memories(self, text: str) -> None:
        entries = list(_ENTRY.finditer(text))
        for entry in entries:
            self._take("", Role.ASSISTANT, entry[2].rstrip(), entry[1])
        if not entries:
            self._take("Saved memories", Role.ASSISTANT, text, self._said_at)

    def _take(self, title: str, role: Role, text: str, said_at: object) -> None:
        if text.strip():
            self._found.append((title or as_title(text, 60) or "", role, text, said_at))
