"""A palace of two users, a backup of it, and empty databases to restore into."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palace import Administration, Palace, Settings
from palace.testing import HashingEmbedder
from tests.archive.places import USERS, WORDS, MakeSettings, databases, index, owner_url
from tests.hosts import Host
from tests.hosts.reach import execute


@pytest.fixture
def new_database(host: Host, tmp_path: Path) -> Iterator[MakeSettings]:
    """Make an empty database of the test's own."""
    with databases(host, tmp_path) as make:
        yield make


@pytest.fixture
def empty(new_database: MakeSettings) -> Settings:
    """An empty palace."""
    settings = new_database()
    Administration(settings).upgrade()
    return settings


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A conversation."""
    file = tmp_path_factory.mktemp("archive") / "Käfer & Boot.json"
    turns = [{"role": ("user", "assistant")[n % 2], "content": f"{word} is said in turn {n}"} for n, word in WORDS]
    file.write_text(json.dumps({"id": "boats", "title": "Boats", "messages": turns}), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def filled(host: Host, source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A palace of two users, with notes and an HNSW index; tests only read it."""
    with databases(host, tmp_path_factory.mktemp("filled")) as make:
        settings = make()
        Administration(settings).upgrade()
        for user in USERS:
            with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
                palace.mine(source, wing=f"Wing of {user}")
                palace.note(f"{user} keeps the spare key under the boat")
                index(palace)
        yield settings


@pytest.fixture(scope="session")
def backup(filled: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it."""
    file = tmp_path_factory.mktemp("backup") / "größer und schöner.backup"
    Administration(filled).backup(file)
    return file


@pytest.fixture
def changed_backup(new_database: MakeSettings, tmp_path: Path) -> Callable[..., Path]:
    """Back up an empty palace after statements were run on it."""

    def make(*statements: str) -> Path:
        settings = new_database()
        Administration(settings).upgrade()
        execute(owner_url(settings), *statements)
        return Administration(settings).backup(tmp_path / "changed.backup").file

    return make
