"""Every release's database, as it was left behind: it migrates, and all that was in it is there."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Administration, Palace, RestoreSummary, Settings
from palace.db.schema import HEAD
from palace.testing import HashingEmbedder
from tests.archive.places import complaints, databases, owner_url
from tests.catalog import CATALOG, catalog
from tests.hosts import Host
from tests.upgrades.make import BACKUP, FOLDER, NOTED_AT, drawers_of, told, write_sources

pytestmark = pytest.mark.slow
RELEASES = sorted(path.name.removesuffix(BACKUP) for path in FOLDER.glob(f"*[0-9a-f]{BACKUP}"))
"""And one revision between two: b485c60e."""
LARGEST_BYTES = 100_000
RANKED_ANEW = {"pelican": "§ W-002/R-01/D-001", "varnish the hatch": "§ W-001/R-02/D-002"}
"""Best hits that are others now: what the person said comes before an assistant's line that waits for its vector, and
an answer before its question."""


@dataclass(frozen=True)
class Upgraded:
    """A release's database, restored and migrated."""

    settings: Settings
    fresh: Settings
    """An empty database, migrated by this program from nothing."""
    summary: RestoreSummary
    expected: dict[str, Any]

    def open(self, user: str) -> Palace:
        """Open a user's palace with the embedder that filled it."""
        return Palace.open(self.settings, user=user, embedder=HashingEmbedder(self.expected["dimension"]))


@contextmanager
def restored(backup: Path, host: Host, home: Path) -> Iterator[Settings]:
    """Restore a packed backup, which migrates it, into a database of its own."""
    with databases(host, home) as make:
        settings = make()
        unpacked = home / "release.backup"
        unpacked.write_bytes(gzip.decompress(backup.read_bytes()))
        Administration(settings).restore(unpacked)
        yield settings


@contextmanager
def migrated(release: str, host: Host, home: Path) -> Iterator[Upgraded]:
    """Restore a release's database, which migrates it."""
    expected = json.loads((FOLDER / f"{release}.json").read_text(encoding="utf-8"))
    with databases(host, home) as make:
        settings, fresh = make(), make()
        Administration(fresh).upgrade()
        backup = home / "release.backup"
        backup.write_bytes(gzip.decompress((FOLDER / f"{release}{BACKUP}").read_bytes()))
        yield Upgraded(settings, fresh, Administration(settings).restore(backup), expected)


BY_DAY_THE_FIRST = [RELEASES[0], *(pytest.param(each, marks=pytest.mark.nightly) for each in RELEASES[1:])]
"""The first goes through every change of the schema."""


@pytest.fixture(scope="module", params=BY_DAY_THE_FIRST)
def upgraded(
    request: pytest.FixtureRequest, host: Host, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Upgraded]:
    """A release's database, migrated; tests share it and add nothing to it."""
    with migrated(request.param, host, tmp_path_factory.mktemp("upgrades")) as found:
        yield found


@pytest.fixture(params=BY_DAY_THE_FIRST)
def changeable(request: pytest.FixtureRequest, host: Host, tmp_path: Path) -> Iterator[Upgraded]:
    """A release's database, migrated, of the test's own."""
    with migrated(request.param, host, tmp_path) as found:
        yield found


def test_the_first_release_is_kept_and_every_file_is_small() -> None:
    assert RELEASES[0] == "0.1.0"
    assert [path.name for path in FOLDER.glob(f"*{BACKUP}") if path.stat().st_size > LARGEST_BYTES] == []


def test_the_schema_is_the_one_that_a_new_palace_gets(upgraded: Upgraded) -> None:
    found = []
    for settings in (upgraded.settings, upgraded.fresh):
        with sa.create_engine(owner_url(settings), poolclass=sa.NullPool).connect() as connection:
            found.append(catalog(connection))
    assert upgraded.summary.revision == HEAD
    for name in CATALOG:
        assert found[0][name] == found[1][name], name


def test_every_drawer_is_where_it_was_and_what_was_cited_in_its_time_can_still_be_looked_up(upgraded: Upgraded) -> None:
    for user, expected in upgraded.expected["users"].items():
        with upgraded.open(user) as palace:
            drawers = drawers_of(palace)
            assert {str(drawer.pointer): told(drawer) for drawer in drawers} == expected["drawers"]
            assert palace.status().drawers == len(drawers)
            assert {pointer: palace.show(pointer).drawer.content for pointer in expected["cited"]} == expected["cited"]


def test_recall_has_the_same_best_hits(upgraded: Upgraded) -> None:
    for user, expected in upgraded.expected["users"].items():
        with upgraded.open(user) as palace:
            found = {
                # A question stands with its answer by now.
                query: [
                    str(each.pointer)
                    for hit in palace.recall(query).hits
                    for each in (hit.drawer, hit.question)
                    if each
                ]
                for query in expected["best"]
            }
            assert [query for query, pointer in expected["best"].items() if pointer not in found[query]] == []
            best = {query: RANKED_ANEW.get(query, pointer) for query, pointer in expected["best"].items()}
            assert {query: pointers[0] for query, pointers in found.items()} == best


def test_mining_the_same_sources_and_filing_the_same_notes_again_adds_nothing(
    upgraded: Upgraded, tmp_path: Path
) -> None:
    write_sources(tmp_path, upgraded.expected["sources"])
    for user, source, wing in upgraded.expected["mined"]:
        with upgraded.open(user) as palace:
            summary = palace.mine(tmp_path / source, wing=wing)
            assert (summary.drawers_new, summary.failures) == (0, ())
            assert summary.drawers_unchanged > 0
    for user, note in upgraded.expected["notes"]:
        with upgraded.open(user) as palace:
            pointer = str(palace.note(note, said_at=NOTED_AT).pointer)
        assert upgraded.expected["users"][user]["drawers"][pointer][-1] == note


def test_the_doctor_finds_nothing_but_what_was_pending(upgraded: Upgraded) -> None:
    for user in upgraded.expected["users"]:
        assert {check.name for check in complaints(upgraded.settings, user)} <= {"pending", "unqueued", "switch"}


def test_every_passage_learns_its_room_and_who_said_it(upgraded: Upgraded) -> None:
    wrong = "SELECT count(*), count(*) FILTER (WHERE p.room_id <> d.room_id OR p.is_person <> (d.role = 'user'))"
    wrong += " FROM palace.passage AS p JOIN palace.drawer AS d ON d.user_id = p.user_id AND d.id = p.drawer_id"
    with sa.create_engine(owner_url(upgraded.settings), poolclass=sa.NullPool).connect() as connection:
        passages, amiss = connection.execute(sa.text(wrong)).one()
    assert passages > 0
    assert amiss == 0


def pending(palace: Palace) -> dict[str, int]:
    """Give how many conversations wait for each index step."""
    return {step.name: step.pending for step in palace.status().steps}


@pytest.mark.nightly
@pytest.mark.parametrize("changeable", ["0.1.0", "0.2.0"], indirect=True)
def test_what_an_older_version_cut_is_named_and_cut_anew(changeable: Upgraded) -> None:
    for user in changeable.expected["users"]:
        with changeable.open(user) as palace:
            assert pending(palace)["passages"] > 0
            before = {str(drawer.pointer): told(drawer) for drawer in drawers_of(palace)}
            palace.embeddings.backfill()
            assert not any(pending(palace).values())
            assert {str(drawer.pointer): told(drawer) for drawer in drawers_of(palace)} == before
        assert {check.name for check in complaints(changeable.settings, user)} <= {"switch"}


@pytest.mark.nightly
def test_what_was_half_done_can_be_finished(changeable: Upgraded) -> None:
    for user in changeable.expected["users"]:
        with changeable.open(user) as palace:
            palace.embeddings.backfill()
            filling = palace.embeddings.status()[1:]
        for status in filling:
            embedder = HashingEmbedder(status.generation.dimension)
            with Palace.open(changeable.settings, user=user, embedder=embedder) as palace:
                assert palace.embeddings.switch(embedder.model).pending == 0
        assert complaints(changeable.settings, user) == []
