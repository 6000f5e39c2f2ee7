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
SPEAKING = ("docs/changing.md", "docs/cli.md", "docs/export.md")
"""Pages that speak of a palace that is there, by the names in it."""


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

    def on_the_palace_spoken_of() -> AbstractContextManager[Place]:
        made = request.getfixturevalue("spoken_of")
        return places.on_a_database(host, folder, template=made.database, files=made.exports)

    def beside_a_shared_server() -> AbstractContextManager[Place]:
        return places.before_a_shared_server(request.getfixturevalue("shared_host"), folder)

    made_for: dict[str, Callable[[], AbstractContextManager[Place]]] = {
        "README.md": lambda: places.with_a_server(folder),
        **dict.fromkeys(("docs/howto/remember.md", "docs/agents.md"), lambda: places.with_a_model(host, folder)),
        "docs/models.md": lambda: places.with_an_embedding_model(host, folder),
        "docs/backup.md": lambda: places.with_a_backup(request.getfixturevalue("shared_host"), folder),
        "docs/shared-server.md": beside_a_shared_server,
        **dict.fromkeys(SPEAKING, on_the_palace_spoken_of),
    }

    def place(page: str) -> AbstractContextManager[Place]:
        return made_for.get(page, lambda: places.on_a_database(host, folder))()

    with ExitStack() as opened:
        yield lambda page: opened.enter_context(place(page))
