"""Databases for palaces, and what a palace answers, so that two can be compared."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from palace import Administration, Check, Palace, Verdict
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.db.vectors import build_index, index_name
from palace.testing import HashingEmbedder
from tests.hosts import Host

MakeSettings = Callable[..., Settings]

USERS = ("mara", "ben")
WORDS = tuple(
    enumerate(["silicone", "propeller", "battery", "controller", "varnish", "anchor", "rudder", "Schärenkreuzer"])
)


@contextmanager
def databases(host: Host, home: Path) -> Iterator[MakeSettings]:
    """Make empty databases, and remove them at the end."""
    made: list[str] = []

    def make(**changes: Any) -> Settings:
        made.append(f"archive_{uuid.uuid4().hex[:10]}")
        host.create_database(made[-1])
        usual: dict[str, Any] = {
            "home": home,
            "database_url": host.runtime_url(made[-1]),
            "database_owner_url": host.owner_url(made[-1]),
        }
        return Settings(**(usual | changes))

    yield make
    for name in made:
        host.drop_database(name)


def owner_url(settings: Settings) -> str:
    """URL of the schema's owner, for the driver."""
    assert settings.database_owner_url is not None
    return settings.database_owner_url.get_secret_value()


def answers(settings: Settings, user: str) -> list[Any]:
    """Everything a user is told: the tree with its pointers, and hits with their scores."""
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        return [*_tree(palace), *(palace.recall(word).hits for _, word in WORDS), palace.recall("spare key").hits]


def _tree(palace: Palace) -> Iterator[Any]:
    for wing in palace.tree.wings():
        for room in palace.tree.rooms(wing):
            yield wing, room, palace.tree.closets(room), palace.tree.drawers(room)


def complaints(settings: Settings, user: str) -> list[Check]:
    """What the doctor finds wrong with a user's palace; not its model, which only the tests have."""
    # Another model than the palace's is refused before anybody looks for it.
    settings = settings.model_copy(update={"user": user, "embedding_model": BUNDLED_MODEL})
    checks = [check for check in Administration(settings).doctor() if check.name not in {"model", "disk"}]
    assert len(checks) > 5
    return [check for check in checks if check.verdict is not Verdict.OK]


def index(palace: Palace) -> str:
    """Build the palace's vector index, which few passages do not have by themselves, and give its name."""
    generation = palace.embeddings.status()[0].generation
    build_index(palace._opened.database, generation)
    return index_name(generation.id, palace._opened.database.user_id)
