"""Two palaces that are kept in step, and what both hold."""

from __future__ import annotations

import json
import shlex
import socket
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from palace import Palace, PalaceError, Palaces, Settings
from tests.held import rows

ANSWERS = """
import sys
from pathlib import Path
from palace import Palace, Settings
from palace.testing import HashingEmbedder
settings, user = Settings.model_validate_json(sys.argv[1]), sys.argv[2]
with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
    palace.answer_sync(sys.stdin.buffer, sys.stdout.buffer)
"""
ASKS = """
import sys
from palace import Palace, Settings
from palace.testing import HashingEmbedder
settings, user, target, ssh, key = Settings.model_validate_json(sys.argv[1]), *sys.argv[2:]
with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
    print("ready", flush=True)
    palace.sync(target, ssh=ssh, key=key, pair=True)
"""

# All that a person sees of two palaces in step, except numbers: the conversations of notes are named by those of wings.
# Nor the language, which a short message takes from what was filed before it on its machine.
_DRAWERS = """
SELECT encode(d.identity, 'hex'), CASE WHEN c.reader IN ('note', 'memory') THEN c.reader ELSE c.identity END, c.title,
       CASE WHEN c.reader IN ('note', 'memory') THEN 0 ELSE d.position END, w.slug, w.name, r.slice, r.name,
       d.role, d.speaker, d.said_at, d.said_offset, d.spoken_of, d.content, d.is_revision, d.is_repaired, d.redacted,
       d.said, d.reading, d.replaced_at, encode(newer.identity, 'hex'), encode(asked.identity, 'hex'),
       m.type, m.state, m.origin, m.maker, m.importance, m.confidence, m.is_pinned, m.reason, m.evidence, m.alike,
       m.contradicts, m.expires_at, m.updated_at
FROM drawer AS d
JOIN conversation AS c ON c.user_id = d.user_id AND c.id = d.conversation_id
JOIN room AS r ON r.user_id = d.user_id AND r.id = d.room_id
JOIN wing AS w ON w.user_id = d.user_id AND w.id = r.wing_id
LEFT JOIN drawer AS newer ON newer.user_id = d.user_id AND newer.id = d.replaced_by
LEFT JOIN drawer AS asked ON asked.user_id = d.user_id AND asked.id = d.answers
LEFT JOIN memory AS m ON m.user_id = d.user_id AND m.drawer_id = d.id
WHERE d.user_id = :user_id"""
_OTHERS = (
    "SELECT encode(identity, 'hex'), forgotten_at FROM tombstone WHERE user_id = :user_id AND restored_by IS NULL",
    "SELECT verb, decided, undone_at IS NULL FROM entity_decision WHERE user_id = :user_id",
)


def held(palace: Palace) -> list[tuple[Any, ...]]:
    """List what a palace holds and what it has forgotten."""
    return sorted((row for query in (_DRAWERS, *_OTHERS) for row in rows(palace, query)), key=repr)


def settings_json(settings: Settings) -> str:
    """Write settings for another process, with the addresses of the server."""
    urls = {name: getattr(settings, name) for name in ("database_url", "database_owner_url")}
    told = {name: url.get_secret_value() for name, url in urls.items() if url is not None}
    return json.dumps({"home": str(settings.home), "database_schema": settings.database_schema, **told})


def instead_of_ssh(folder: Path, settings: Settings, user: str) -> str:
    """Write a program that reaches the palace of a user where ssh would reach another machine."""
    script = folder / f"ssh-{uuid.uuid4().hex[:8]}"
    command = shlex.join([sys.executable, "-c", ANSWERS, settings_json(settings), user])
    script.write_text(f"#!/bin/sh\nexec {command}\n")
    script.chmod(0o755)
    return str(script)


BRIDGE = """
import os, socket, sys, threading
with socket.socket(socket.AF_UNIX) as there:
    there.connect(sys.argv[1])
    def send():
        while block := os.read(0, 65536):  # a buffer that waits at the end would abort the program
            there.sendall(block)
        there.shutdown(socket.SHUT_WR)
    threading.Thread(target=send, daemon=True).start()
    while block := there.recv(65536):
        sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()
"""


@contextmanager
def reached(palace: Palace, folder: Path, **confirmed: bool) -> Iterator[str]:
    """Answer for a palace in a thread, and yield a program that reaches it where ssh would reach another machine."""
    address, script = folder / "socket", folder / "bridge"
    address.unlink(missing_ok=True)
    script.write_text(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-ISc', BRIDGE, str(address)])}\n")
    script.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(address))
        server.listen()

        def answer() -> None:
            with suppress(OSError):
                while True:
                    there, _ = server.accept()
                    with there, there.makefile("rb") as reader, there.makefile("wb") as writer, suppress(PalaceError):
                        palace.answer_sync(reader, writer, **confirmed)

        answering = threading.Thread(target=answer)
        answering.start()
        try:
            yield str(script)
        finally:
            server.shutdown(socket.SHUT_RDWR)
            answering.join()


@pytest.fixture
def two(palaces: Palaces) -> tuple[Palace, Palace]:
    """The palaces of one person on two machines."""
    return palaces.palace(f"desktop-{uuid.uuid4()}"), palaces.palace(f"laptop-{uuid.uuid4()}")


@pytest.fixture
def keyed(two: tuple[Palace, Palace], tmp_path: Path) -> Callable[[Palace], Any]:
    """Keeps a palace in step through a shared folder, with the key that the first has made."""
    shared = tmp_path / "shared"
    shared.mkdir()

    def share(palace: Palace) -> Any:
        return palace.sync(shared, key=tmp_path / "folder.key")

    return share
