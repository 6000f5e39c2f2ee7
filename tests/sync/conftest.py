"""Two palaces that are kept in step, and what both hold."""

from __future__ import annotations

import json
import shlex
import stat
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palace import Palace, Palaces, Settings
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
    palace.sync(target, ssh=ssh, key=key)
"""

# What is the same in two palaces in step: neither ids nor numbers nor runs.
_HELD = (
    "SELECT encode(d.identity, 'hex'), d.role, d.said_at, d.content, d.replaced_at IS NOT NULL,"
    " encode(r.identity, 'hex') FROM drawer AS d"
    " LEFT JOIN drawer AS r ON r.user_id = d.user_id AND r.id = d.replaced_by WHERE d.user_id = :user_id"
    " UNION ALL SELECT encode(identity, 'hex'), NULL, NULL, NULL, NULL, NULL FROM tombstone"
    " WHERE user_id = :user_id"
)


def held(palace: Palace) -> list[tuple[Any, ...]]:
    """List what a palace holds and what it has forgotten."""
    return sorted(rows(palace, _HELD), key=repr)


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
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


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
