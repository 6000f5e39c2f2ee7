"""The application on an embedded server that somebody stops."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Palace
from palace.administration import Administration
from palace.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.tui.widgets.banner import Banner
from tests.tui.test_browse_screen import Make, browse_of
from tests.tui.walking import Walk, walk


@pytest.fixture
def embedded() -> Iterator[tuple[Palace, Administration]]:
    """A palace on a server of its own, and what stops that."""
    home = Path(tempfile.mkdtemp(prefix="palace-", dir="/tmp"))
    home.chmod(0o711)
    settings = Settings(home=home / "home", database_url=None, database_owner_url=None)
    administration = Administration(settings)
    try:
        with Palace.open(settings, user="anna", embedder=HashingEmbedder()) as palace:
            yield palace, administration
    finally:
        administration.stop()
        shutil.rmtree(home)


@pytest.mark.nightly
def test_a_server_that_was_stopped_is_started_by_a_person_alone(
    embedded: tuple[Palace, Administration], make_app: Make
) -> None:
    palace, administration = embedded
    palace.note("The hull wants paint.")

    async def steps(person: Walk) -> None:
        banner = browse_of(person.app).query_one(Banner)
        assert administration.stop()
        await person.until(lambda: bool(banner.display))
        assert "the embedded server was stopped" in person.screen
        await asyncio.sleep(2.5)
        await person.press("right")
        assert not administration.status().running
        await person.press("ctrl+r")
        await person.until(lambda: not banner.display)
        assert administration.status().running

    walk(make_app(palace), steps, size=(120, 24))
