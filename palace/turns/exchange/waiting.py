"""What waits in an outbox, and what was refused, told without a word of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.files import read_all
from palace.turns.exchange.outbox import Outbox

UNKNOWN = "it was refused by an earlier version, which did not say why"


@dataclass(frozen=True, slots=True)
class WaitingExchange:
    """An exchange that waits, or that can never be filed."""

    conversation: str
    """What its conversation is known by; "" where the line cannot be read."""
    messages: int
    said_at: datetime | None
    """When its first message was said."""
    size_bytes: int
    reason: str = ""
    """Why it can never be filed; "" where it waits."""


@dataclass(frozen=True, slots=True)
class OutboxContents:
    """What of one user waits to be filed, in order."""

    file: Path
    waiting: tuple[WaitingExchange, ...]
    refused: tuple[WaitingExchange, ...]
    refused_file: Path
    """Where those are kept that can never be filed."""


def contents_of(outbox: Outbox, hide: Callable[[str], str]) -> OutboxContents:
    """Say what an outbox holds; ``hide`` takes the secrets out of what is told."""
    waiting = tuple(_told(line, "", hide) for line in _lines(outbox.path))
    refused = tuple(_refused(line, hide) for line in _lines(outbox.refused_path))
    return OutboxContents(outbox.path, waiting, refused, outbox.refused_path)


def _lines(path: Path) -> list[bytes]:
    return [line for line in read_all(path).split(b"\n") if line.strip()]


def _refused(line: bytes, hide: Callable[[str], str]) -> WaitingExchange:
    try:
        told = json.loads(line)
        reason, kept = str(told["reason"]), str(told["line"])
    except (ValueError, KeyError, TypeError, RecursionError):
        reason, kept = UNKNOWN, line.decode("utf-8", "replace")
    return _told(kept.encode("utf-8", "replace"), reason, hide)


def _told(line: bytes, reason: str, hide: Callable[[str], str]) -> WaitingExchange:
    try:
        exchange = Exchange.read(line.decode())
    except (ValueError, RecursionError):
        return WaitingExchange("", 0, None, len(line), hide(reason or "it cannot be read"))
    said_at = exchange.messages[0].get("created_at")
    return WaitingExchange(
        hide(exchange.conversation), len(exchange.messages), _moment(said_at), len(line), hide(reason)
    )


def _moment(written: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None
