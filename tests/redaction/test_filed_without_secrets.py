"""Secrets are taken out before anything is filed, and nothing is filed twice, whatever rules there are by then.

What was taken out stays out, and is known, where a palace goes: through exports, and from older versions.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace import Conversation, Palace, PalaceError, Palaces, Role, Settings, Turn, UnreadableSource
from palace.mining.filing.identity import content_digest, conversation_identity, identity_by_count
from tests.held import drawers, texts_of
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
WITH_IDS = [{**message, "id": f"m{number}"} for number, message in enumerate(TALK)]
CALLED = {"id": "talk-1", "title": f"password: {SECRET}"}
SHAPES = pytest.mark.parametrize(("talk", "named"), [(TALK, {}), (WITH_IDS, CALLED)], ids=["plain", "ids"])


@SHAPES
def test_nothing_of_a_secret_is_filed_and_nothing_twice(
    palace: Palace, tmp_path: Path, talk: list[dict[str, str]], named: dict[str, str]
) -> None:
    path = write(tmp_path, talk, **named)
    assert palace.mine(path, dry_run=True).secrets == (("password", 1),)
    summary = palace.mine(path)
    assert texts_of(palace)[0] == KEPT
    assert places_of(palace, SECRET, "bramble") == []
    assert summary.secrets == (("password", 1),)
    (found,) = summary.secrets_in
    assert found.where.endswith("message 1")
    assert found.kinds == (("password", 1),)
    assert SECRET not in repr(summary)
    assert [drawer.redacted for drawer in drawers(palace)] == [(("password", 1),), (), (), ()]
    (hit, *_) = palace.recall("what is my laptop password?", floor="none").hits
    assert hit.drawer.redacted == (("password", 1),)
    assert palace.activity()[0].details["secrets"] == {"password": 1}
    again = palace.mine(path)
    assert (again.drawers_new, again.drawers_unchanged, again.secrets) == (0, 4, ())
    assert palace.mine(path, keep_secrets=True).drawers_new == 0
    assert len(texts_of(palace)) == 4


def test_no_name_of_a_wing_a_room_or_a_run_holds_a_secret(palace: Palace, tmp_path: Path) -> None:
    told, other = [{"role": "user", "content": "user,password\nmara,Tern-Hollow-81"}], "Tern-Hollow-81"
    palace.file([{"role": "user", "content": "It works."}], title=f"my laptop password is {SECRET}")
    palace.file([{"role": "user", "content": "It still works."}], wing=f"password: {SECRET}")
    palace.note("The router is new.", wing=f"my wifi password is {SECRET}")
    palace.file(told, title=f"mara,{other}")
    folder = tmp_path / f"password={SECRET}"
    folder.mkdir()
    palace.mine(write(folder, TALK))
    assert places_of(palace, SECRET, "bramble") == []
    assert places_of(palace, other, "hollow") == []


@pytest.mark.nightly
@SHAPES
def test_what_was_kept_as_it_was_said_is_known_without_its_secrets(
    palace: Palace, tmp_path: Path, talk: list[dict[str, str]], named: dict[str, str]
) -> None:
    path = write(tmp_path, talk, **named)
    assert palace.mine(path, keep_secrets=True).secrets == ()
    assert texts_of(palace)[0] == TOLD
    assert palace.mine(path).drawers_new == 0
    assert len(texts_of(palace)) == 4


@pytest.mark.nightly
@SHAPES
def test_another_rule_files_nothing_twice(
    palace: Palace, settings: Settings, tmp_path: Path, talk: list[dict[str, str]], named: dict[str, str]
) -> None:
    path = write(tmp_path, talk, **named)
    palace.mine(path)
    rules = ({"secrets_patterns": {"instrument": r"propeller"}}, {"secrets_off": ("password",)})
    for rule in (*rules, {"secrets_allowed": (SECRET,)}):
        with opened(settings, palace, **rule) as other:
            assert other.mine(path).drawers_new == 0
    assert len(texts_of(palace)) == 4
    assert texts_of(palace)[0] == KEPT


def test_what_was_forgotten_stays_forgotten(palace: Palace, tmp_path: Path) -> None:
    path = write(tmp_path, TALK)
    palace.mine(path)
    palace.forget(str(drawers(palace)[0].pointer))
    assert palace.mine(path).drawers_new == 0
    assert palace.mine(path, keep_secrets=True).drawers_forgotten == 1
    assert palace.mine(path, restore_forgotten=True).drawers_new == 1
    assert palace.mine(path).drawers_unchanged == 4


def test_another_secret_in_the_same_words_is_another_message(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path, id="talk-1"))
    changed = [{**TALK[0], "content": TOLD.replace(SECRET, "Heron-Thistle-48")}, *TALK[1:]]
    assert palace.mine(write(tmp_path, changed, id="talk-1")).drawers_new == 1
    assert texts_of(palace).count(KEPT) == 2


def test_a_note_of_a_secret_is_filed_once(palace: Palace, settings: Settings) -> None:
    note = palace.note(TOLD, said_at=NOON)
    assert (note.content, note.redacted) == (KEPT, (("password", 1),))
    assert palace.note(TOLD, said_at=NOON).pointer == note.pointer
    assert palace.note(TOLD, said_at=NOON, keep_secrets=True).pointer == note.pointer
    with opened(settings, palace, secrets_off=("password",)) as other:
        assert other.note(TOLD, said_at=NOON).pointer == note.pointer
    assert palace.note("the boat is sold", id="x").pointer != note.pointer
    assert palace.note(TOLD, id="x").content == KEPT
    assert palace.note(TOLD, id="x", keep_secrets=True).content == KEPT
    assert places_of(palace, SECRET) == []


def test_messages_of_a_program_are_filed_without_secrets(palace: Palace) -> None:
    summary = palace.file(TALK, id="chat")
    assert summary.secrets == (("password", 1),)
    assert palace.file(TALK, id="chat", keep_secrets=True).pointers == summary.pointers
    assert texts_of(palace)[0] == KEPT
    assert palace.file(TALK, id="other", keep_secrets=True).drawers_new == 4


def test_no_hash_that_is_stored_tells_whether_a_guess_is_right(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path))
    said = Turn(Role.USER, TOLD)
    conversation = Conversation("openai", (said,))
    name = conversation_identity(conversation)
    guesses = {
        content_digest(TOLD),
        identity_by_count(name, said, 1),
        name.encode(),
        hash_of_line(TOLD),
    }
    assert not guesses & hashes_of(palace)
    palace.mine(write(tmp_path, [{"role": "user", "content": "The mast of the efoil is made of carbon, as I said."}]))
    assert any(len(each) == 16 for each in hashes_of(palace))


def test_two_miners_at_once_file_it_once(palace: Palace, tmp_path: Path) -> None:
    path = write(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda keeps: palace.mine(path, keep_secrets=keeps), (True, False)))
    assert sum(each.drawers_new for each in done) == 4
    assert len(texts_of(palace)) == 4


def test_a_note_file_that_grows_is_known_by_its_other_lines(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "garden.md"
    lines = [f"The {name} wants a place in the sun and much water in summer." for name in ("rose", "fig", "vine")]
    path.write_text("\n".join([*lines, f"wifi password: {SECRET}"]))
    palace.mine(path)
    path.write_text("\n".join([*lines, f"wifi password: {SECRET}", "The olive stands the winter behind the house."]))
    palace.mine(path)
    standing = [drawer.content for drawer in drawers(palace) if drawer.replaced_at is None]
    assert len(standing) == 1
    assert standing[0].endswith("behind the house.")
    assert SECRET not in json.dumps(texts_of(palace))


def test_a_pattern_that_cannot_be_used_is_one_line(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    with opened(settings, palace, secrets_patterns={"x": "(a+)+"}) as other:
        with pytest.raises(PalaceError, match="the pattern 'x' cannot be used"):
            other.mine(write(tmp_path))
        assert texts_of(other) == []


@pytest.mark.nightly
def test_a_palace_that_was_exported_knows_what_was_said(palace: Palace, palaces: Palaces, tmp_path: Path) -> None:
    source = write(tmp_path)
    palace.mine(source)
    palace.note(TOLD, id="laptop")
    palace.transfer.export(tmp_path / "palace.jsonl")
    assert SECRET not in (tmp_path / "palace.jsonl").read_text()
    other = palaces.palace(f"{palace.user}-other")
    other.transfer.load(tmp_path / "palace.jsonl")
    assert [drawer.redacted for drawer in drawers(other)] == [drawer.redacted for drawer in drawers(palace)]
    other.transfer.export(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "palace.jsonl").read_bytes()
    assert other.mine(source).drawers_new == 0
    assert other.mine(source, keep_secrets=True).drawers_new == 0
    other.note(TOLD, id="laptop")
    assert len(texts_of(other)) == 5


@pytest.mark.nightly
def test_an_export_with_secrets_comes_back_byte_for_byte(palace: Palace, palaces: Palaces, tmp_path: Path) -> None:
    palace.mine(write(tmp_path), keep_secrets=True)
    palace.transfer.export(tmp_path / "palace.jsonl")
    other = palaces.palace(f"{palace.user}-other")
    other.transfer.load(tmp_path / "palace.jsonl")
    assert texts_of(other)[0] == TOLD
    assert other.mine(write(tmp_path)).drawers_new == 0


def test_a_line_that_has_half_of_what_was_taken_out_is_refused(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path))
    palace.transfer.export(tmp_path / "palace.jsonl")
    whole = (tmp_path / "palace.jsonl").read_text()
    for broken in ('"redacted":null', '"redacted":{}', '"redacted":{"Password":1}', '"redacted":{"password":0}'):
        (tmp_path / "broken.jsonl").write_text(whole.replace('"redacted":{"password":1}', broken))
        with pytest.raises(UnreadableSource, match=r"redacted|kind"):
            palace.transfer.load(tmp_path / "broken.jsonl")
