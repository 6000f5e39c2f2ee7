"""What was filed before loses its secrets, wherever anything was made of them, and is known all the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace import Conversation, Palace, Role, Settings, Turn
from palace.mining.filing.identity import content_digest, conversation_identity, identity_by_count
from tests.held import drawers, execute, rows, texts_of
from tests.redaction.planted import (
    KEPT,
    SECRET,
    TALK,
    TOLD,
    hash_of_line,
    hashes_of,
    opened,
    places_of,
    write,
)

NOON = datetime(2026, 4, 30, 12, tzinfo=UTC)
CALLED = {"id": "talk-1", "title": f"{SECRET} reset"}
PARTS = (SECRET, "bramble")


def pointers(palace: Palace) -> list[str]:
    return [str(drawer.pointer) for drawer in drawers(palace)]


def test_nothing_is_left_of_a_secret(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path, **CALLED), keep_secrets=True)
    palace.note(f"The boat's name is Heron. My sister is Anna. My alarm password is {SECRET}.", keep_secrets=True)
    before = pointers(palace)
    assert places_of(palace, *PARTS)
    summary = palace.scrub()
    assert places_of(palace, *PARTS) == []
    assert (summary.drawers, summary.conversations, summary.dry_run) == (2, 2, False)
    assert summary.secrets == (("password", 2),)
    assert summary.passages_pending == 0
    assert SECRET not in repr(summary)
    assert pointers(palace) == before
    assert KEPT in texts_of(palace)
    assert palace.recall("which propeller fits the efoil?", floor="none").hits
    assert palace.status().drawers == len(before)
    assert rows(palace, "SELECT count(*) FROM passage_embedding WHERE embedding IS NULL") == [(0,)]
    counted = "SELECT passage_count::int FROM term_count WHERE lexeme = 'boat'"
    there = "SELECT count(*) FROM passage WHERE tsv @@ to_tsquery('simple', 'boat')"
    assert rows(palace, counted) == rows(palace, there)
    palace.rebuild()
    assert places_of(palace, *PARTS) == []


def test_what_was_scrubbed_is_not_filed_again(palace: Palace, tmp_path: Path) -> None:
    path = write(tmp_path)
    palace.mine(path, keep_secrets=True)
    palace.note(TOLD, said_at=NOON, keep_secrets=True)
    palace.scrub()
    for keeps in (False, True):
        assert palace.mine(path, keep_secrets=keeps).drawers_new == 0
        palace.note(TOLD, said_at=NOON, keep_secrets=keeps)
    assert len(texts_of(palace)) == 5
    grown = [*TALK, {"role": "user", "content": "And the mast of the efoil, what is it made of by now?"}]
    assert palace.mine(write(tmp_path, grown)).drawers_new == 1


@pytest.mark.nightly
def test_what_was_forgotten_before_stays_forgotten(palace: Palace, tmp_path: Path) -> None:
    path = write(tmp_path)
    palace.mine(path, keep_secrets=True)
    palace.forget(pointers(palace)[3])
    palace.scrub()
    assert palace.mine(path).drawers_forgotten == 1
    assert palace.mine(path, restore_forgotten=True).drawers_new == 1
    assert palace.mine(path).drawers_unchanged == 4


@pytest.mark.nightly
def test_old_versions_are_scrubbed_and_stay_linked(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path, id="talk-1"), keep_secrets=True)
    changed = [{**TALK[0], "content": "my laptop password is in the safe, do not tell anybody"}, *TALK[1:]]
    palace.mine(write(tmp_path, changed, id="talk-1"), keep_secrets=True)
    (old,) = (drawer for drawer in drawers(palace) if drawer.replaced_at)
    palace.scrub()
    (now,) = (drawer for drawer in drawers(palace) if drawer.replaced_at)
    assert (now.content, now.replaced_by, now.replaced_at) == (KEPT, old.replaced_by, old.replaced_at)
    assert places_of(palace, *PARTS) == []


def test_a_new_rule_reaches_what_was_filed(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    path = write(tmp_path)
    palace.mine(path)
    with opened(settings, palace, secrets_patterns={"relative": "Anna"}) as other:
        summary = other.scrub()
        assert (summary.drawers, summary.secrets) == (1, (("relative", 1),))
        assert places_of(other, "anna") == []
        assert all(each.name != "Anna" for each in other.entities.list())
    assert palace.mine(path).drawers_new == 0
    assert drawers(palace)[2].redacted == (("relative", 1),)


def test_no_hash_is_left_that_tells_whether_a_guess_is_right(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path), keep_secrets=True)
    said = Turn(Role.USER, TOLD)
    name = conversation_identity(Conversation("openai", (said,)))
    guesses = {content_digest(TOLD), name.encode(), hash_of_line(TOLD)}
    guesses |= {
        identity_by_count(name, Turn(Role(message["role"]), message["content"]), 1) for message in (TALK[0], TALK[3])
    }
    assert guesses & hashes_of(palace)
    palace.forget(pointers(palace)[3])
    palace.scrub()
    assert not guesses & hashes_of(palace)


def test_scrubbing_is_rehearsed_done_once_by_several_at_once_and_told_without_what_it_was(
    palace: Palace, tmp_path: Path
) -> None:
    palace.mine(write(tmp_path), keep_secrets=True)
    rehearsed = palace.scrub(dry_run=True)
    assert (rehearsed.drawers, rehearsed.secrets, rehearsed.read) == (1, (("password", 1),), 4)
    assert texts_of(palace)[0] == TOLD
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: palace.scrub(), range(3)))
    assert texts_of(palace)[0] == KEPT
    assert drawers(palace)[0].redacted == (("password", 1),)
    assert places_of(palace, *PARTS) == []
    assert {"password": 1} in [event.details["secrets"] for event in palace.activity(kind="memory_scrubbed")]
    before = [(drawer.id, drawer.content) for drawer in drawers(palace)]
    again = palace.scrub()
    assert (again.drawers, again.secrets, again.names) == (0, (), 0)
    assert [(drawer.id, drawer.content) for drawer in drawers(palace)] == before


@pytest.mark.nightly
def test_what_is_interrupted_goes_on(palace: Palace) -> None:
    for number in range(3):
        palace.file(TALK, id=f"talk-{number}", keep_secrets=True)

    def break_off(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        palace.scrub(progress=break_off)
    palace.scrub()
    assert places_of(palace, *PARTS) == []
    assert palace.status().embeddings[0].pending == 0


@pytest.mark.nightly
def test_an_export_from_before_brings_nothing_back_twice(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path), keep_secrets=True)
    palace.transfer.export(tmp_path / "before.jsonl")
    palace.forget(pointers(palace)[3])
    palace.scrub()
    summary = palace.transfer.load(tmp_path / "before.jsonl")
    assert (summary.drawers_new, summary.drawers_forgotten) == (0, 1)
    assert places_of(palace, *PARTS) == []


def test_what_was_forgotten_with_a_secret_cannot_be_restored(palace: Palace, tmp_path: Path) -> None:
    path = write(tmp_path, **CALLED | {"title": "A talk"})
    palace.mine(path, keep_secrets=True)
    first, _, third, _ = pointers(palace)
    palace.forget(first)
    palace.forget(third)
    summary = palace.scrub()
    assert places_of(palace, *PARTS) == []
    assert summary.warnings == ("1 forgotten drawers held secrets: they are deleted, and cannot be restored any more",)
    assert [place.pointers for place in palace.forgotten.list()] == [(third,)]
    assert palace.forgotten.restore(third).drawers == 1
    again = palace.mine(path)
    assert (again.drawers_new, again.drawers_unchanged, again.drawers_forgotten) == (0, 3, 1)


def test_a_scrubbed_memory_keeps_its_versions_its_state_and_its_use(palace: Palace, settings: Settings) -> None:
    said = str(palace.note("My sister is called Anna.").pointer)
    first = palace.memories.store("My sister is Anna", evidence=[said], importance=0.8)
    palace.memories.store("My sister is Anna.")
    palace.memories.pin(str(first.id))
    used = "INSERT INTO drawer_use (user_id, drawer_id, injected_count) SELECT user_id, id, 3 FROM drawer"
    execute(palace, f"{used} WHERE user_id = :user_id")
    before = [(each.injected_count, each.used_at) for each in palace.impact()]
    assert len(before) == 3
    with opened(settings, palace, secrets_patterns={"relative": "Anna"}) as other:
        assert other.scrub().drawers == 3
    assert [(each.injected_count, each.used_at) for each in palace.impact()] == before
    versions = palace.memories.versions(str(first.id))
    assert [each.content for each in versions] == [
        "My sister is [secret: relative]",
        "My sister is [secret: relative].",
    ]
    assert (versions[0].is_pinned, versions[0].importance, len(versions[0].evidence)) == (True, 0.8, 1)
