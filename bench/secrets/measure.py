"""What redaction does to messages whose secrets are known. Pure but for reading the file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from palace.text.secrets import redact

SPLIT = "\u241f"
"""Stands within the secrets of the sets kept here, so that nobody who scans the repository takes them for real ones; it
is taken out when a file is read."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its secrets."""

    text: str
    secrets: tuple[tuple[str, str], ...]
    """Each as it stands in the message, and its kind."""


@dataclass(slots=True)
class Measured:
    """What was found of some messages."""

    messages: int = 0
    planted: int = 0
    found: int = 0
    of_right_kind: int = 0
    clean: int = 0
    false: int = 0
    """Messages without any secret in which something was found."""
    extra: int = 0
    """Findings in messages with secrets that touch none of them."""
    characters: int = 0
    seconds: float = 0.0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def figures(self) -> dict[str, object]:
        """Give the figures as one object."""
        return {
            "messages": self.messages,
            "planted": self.planted,
            "found": self.found,
            "of_right_kind": self.of_right_kind,
            "without": self.clean,
            "false": self.false,
            "extra": self.extra,
            "found_by_kind": dict(sorted(self.kinds.items())),
            "us_a_kilobyte": round(self.seconds * 1e6 / max(1.0, self.characters / 1000), 1),
        }


def read_messages(path: Path) -> Iterator[Message]:
    """Read a file of lines ``{"message", "secrets": [{"text", "kind"}]}``; ``ValueError`` names the line."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                read = json.loads(line.replace(SPLIT, "").replace("\\u241f", ""))
                secrets = tuple((each["text"], each.get("kind", "")) for each in read.get("secrets") or ())
                yield Message(read["message"], secrets)
            except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error


def measure(messages: list[Message]) -> Measured:
    """Redact each message; a secret is found when nothing of it is left where it stood."""
    measured = Measured()
    redact("")  # reads the shapes, once a process
    for message in messages:
        began = process_time()
        redacted = redact(message.text)
        measured.seconds += process_time() - began
        measured.messages += 1
        measured.characters += len(message.text)
        _count(measured, message, [(found.start, found.end, found.kind) for found in redacted.findings])
    return measured


def _count(measured: Measured, message: Message, found: list[tuple[int, int, str]]) -> None:
    if not message.secrets:
        measured.clean += 1
        measured.false += bool(found)
        measured.wrong += [f"{kind}: {message.text[start:end]!r} in {message.text!r}" for start, end, kind in found]
    touched: set[int] = set()
    for secret, kind in message.secrets:
        measured.planted += 1
        start = message.text.find(secret)
        covering = [each for each in found if each[0] <= start and start + len(secret) <= each[1]]
        touched |= {each[0] for each in found if each[0] < start + len(secret) and start < each[1]}
        if start >= 0 and covering:
            measured.found += 1
            measured.of_right_kind += covering[0][2] == kind
            measured.kinds[kind] += 1
        else:
            measured.missed.append(f"{kind}: {secret!r} in {message.text!r}")
    if message.secrets:
        measured.extra += sum(each[0] not in touched for each in found)
        measured.wrong += [
            f"{kind}: {message.text[start:end]!r} beside" for start, end, kind in found if start not in touched
        ]
