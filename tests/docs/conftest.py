"""Places for pages."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from tests.docs import places
from tests.docs.places import Place, SpokenOf
from tests.hosts import Host

PlaceOf = Callable[[str], Place]


@pytest.fixture(scope="session")
def spoken_of(host: Host) -> Iterator[SpokenOf]:
    """The palace that pages speak of."""
    folder = Path(tempfile.mkdtemp(prefix="palace-pages-"))
    with places.spoken_of(host, folder) as made:
        yield made
    shutil.rmtree(folder)


@pytest.fixture
def place_of(host: Host, folder: Path, request: pytest.FixtureRequest) -> Iterator[PlaceOf]:
    """Make the place that a page is to be tried in: an empty palace, unless it is about another."""

    def place(page: str) -> AbstractContextManager[Place]:
        match page:
            case "README.md":
                return places.with_a_server(folder)
            case "docs/howto/remember.md":
                return places.with_a_model(host, folder)
            case "docs/backup.md":
                return places.with_a_backup(request.getfixturevalue("shared_host"), folder)
            case "docs/shared-server.md":
                return places.before_a_shared_server(request.getfixturevalue("shared_host"), folder)
            case "docs/changing.md" | "docs/cli.md" | "docs/export.md" | "docs/transcripts.md":
                made = request.getfixturevalue("spoken_of")
                return places.on_a_database(host, folder, template=made.database, files=made.exports)
            case _:
                return places.on_a_database(host, folder)

    with ExitStack() as opened:
        yield lambda page: opened.enter_context(place(page))
