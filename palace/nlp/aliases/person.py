"""The names that people say they have: "I'm Kofi", "Ich heiße Anna Weber". Pure."""

from __future__ import annotations

from collections.abc import Iterator

from palace.models.claims import EntityType
from palace.nlp.aliases.beside import Naming, closes
from palace.nlp.aliases.parts import Parts

_SAYING = (
    ("i", "am"), ("im",), ("my", "name", "is"), ("my", "name", "'s"), ("ich", "heiße"), ("ich", "heisse"),
    ("ich", "bin"), ("bin", "de"), ("bin", "die"), ("mein", "name", "ist"), ("me", ":"),
)  # fmt: skip


def own_names(parts: Parts, speaker: str) -> Iterator[Naming]:
    """List the names that ``speaker`` says they go by."""
    for place in range(len(parts)):
        name = parts[place].name
        if name is None or name.type is not EntityType.PERSON or parts[place].owns or parts.is_supposed(place):
            continue
        is_said = any(
            all(parts[place - len(words) + at].text == word for at, word in enumerate(words)) for words in _SAYING
        )
        if is_said and (closes(parts, place + 1) or parts[place + 1].text in ("and", "und")):
            yield Naming(place, speaker, name.text)
