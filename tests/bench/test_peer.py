"""Another program, called with a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.scale.corpus import write_chats
from bench.scale.peer import Peer

CHAT = [{"role": "user", "content": "Which wire should carry the motor current?"}]


def test_a_peer_is_given_the_folder_and_an_empty_palace(tmp_path: Path) -> None:
    write_chats(tmp_path / "chats", [CHAT, CHAT])
    ran, size = Peer("cp -r {folder} {palace}").mine(tmp_path / "chats")
    assert size == sum(path.stat().st_size for path in (tmp_path / "chats").iterdir())
    assert ran.peak_mb > 0


def test_a_peer_that_fails_ends_the_measurement_with_what_it_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no such model"):
        Peer("sh -c 'echo no such model >&2; exit 3'").mine(tmp_path)
