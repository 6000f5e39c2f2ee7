"""What an earlier version read, and this one reads better: what is read now stands, once, and nothing filed is lost."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from palace import Palace, Settings, UnreadableSource
from tests.hosts import Host
from tests.upgrades.make import BACKUP, FOLDER, drawers_of
from tests.upgrades.readings import NAME, cases, embedder
from tests.upgrades.test_upgrades import restored

pytestmark = pytest.mark.nightly
RELEASE = "0.2.0"
TOO_LITTLE = {"exports/openai-files-and-media.json"}
"""Short conversations without an id of which hardly a word is read as it was: nothing says that they are the same."""
HELD = json.loads((FOLDER / f"{RELEASE}{NAME}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def settings(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A database that mined the corpus with the readers of then, migrated."""
    home = tmp_path_factory.mktemp("readings")
    with restored(FOLDER / f"{RELEASE}{NAME}{BACKUP}", host, home) as settings:
        yield settings


def shown(palace: Palace) -> Counter[tuple[object, ...]]:
    """Count what each drawer shows that stands."""
    standing = [drawer for drawer in drawers_of(palace) if drawer.replaced_at is None]
    return Counter((drawer.role, drawer.speaker, drawer.said_at, drawer.content) for drawer in standing)


@contextmanager
def mined_anew(settings: Settings, path: Path) -> Iterator[Palace | None]:
    """Mine a case into a new palace; None where it is refused, in part or as a whole."""
    with Palace.open(settings, user=f"anew-{uuid.uuid4()}", embedder=embedder()) as palace:
        try:
            yield None if palace.mine(path).failures else palace
        except UnreadableSource:
            yield None


def test_what_is_read_better_stands_as_it_is_read_now_and_what_was_filed_then_stays(settings: Settings) -> None:
    for name, path in sorted(cases().items()):
        if name not in HELD or name in TOO_LITTLE:
            continue
        with (
            mined_anew(settings, path) as anew,
            Palace.open(settings, user=name, embedder=embedder()) as palace,
        ):
            if anew is not None:  # else what was filed of it stays as it is
                palace.mine(path)
                assert shown(palace) >= shown(anew), name
                before = drawers_of(palace)
                assert palace.mine(path).drawers_new == 0, name
                assert drawers_of(palace) == before, name
            assert {pointer: palace.show(pointer).drawer.content for pointer in HELD[name]} == HELD[name]
