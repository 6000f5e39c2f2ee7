"""Lines of the log: one event each, as JSON, of counts, kinds and codes; what anybody said or is called is in none."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

ROOT = "palace"
"""The logger above all of ours: ``palace.turns``, ``palace.worker``, ``palace.operations``."""


def tell(logger: logging.Logger, level: int, event: str, **fields: object) -> None:
    """Write one event to the log: its message is a JSON object. No error goes with it: its words may quote anything."""
    said = {"event": event, **fields}
    logger.log(level, "%s", json.dumps(said, ensure_ascii=False), extra={"palace": said})


class JsonLines(logging.Formatter):
    """Writes a record as one JSON object: the time in UTC, the level, the logger, then what is told."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line; of what is not ours, the message alone."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = getattr(record, "palace", None) or {"event": "message", "message": record.getMessage()}
        head = {"time": at, "level": record.levelname.lower(), "logger": record.name}
        return json.dumps({**head, **said}, ensure_ascii=False, default=str)


class PlainLines(logging.Formatter):
    """Writes a record for people: the time, the level, the logger, the event, and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line."""
        at = datetime.fromtimestamp(record.created).astimezone().isoformat(" ", timespec="seconds")
        said = getattr(record, "palace", None)
        told = " ".join(f"{name}={value}" for name, value in said.items()) if said else record.getMessage()
        return f"{at} {record.levelname.lower()} {record.name} {told.removeprefix('event=')}"


def write_log(level: str = "warning", *, as_json: bool = False) -> None:
    """Write the log to standard error from a level on; for programs of ours, as a library leaves it to its host."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    logger = logging.getLogger(ROOT)
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())


def log_alike(*libraries: str) -> None:
    """Make libraries log through Palace's handlers: one line each, without the messages of errors."""
    ours = logging.getLogger(ROOT)
    for name in libraries:
        logger = logging.getLogger(name)
        logger.handlers[:], logger.propagate = ours.handlers, False
        logger.setLevel(max(ours.getEffectiveLevel(), logging.WARNING))
