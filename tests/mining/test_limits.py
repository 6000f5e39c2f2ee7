"""What is too long, too large or too odd for the database fails alone, by name; nothing else is held up by it."""

from __future__ import annotations

import json
import os
import random
import string
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from palace import BadRequest, DatabaseRefused, DataRefused, Palace
from palace.mining.filing.identity import conversation_identity
from palace.models import Conversation, Role, Turn, intake
from tests.held import texts_of

DAY = "Mon, 2 Feb 2026 09:00:00 +0000"
LONG = "".join(random.Random(7).choices(string.ascii_letters, k=20_000))


def talk(identifier: str, *contents: str) -> dict[str, Any]:
    return {"id": identifier, "messages": [{"role": "user", "content": content} for content in contents]}


def write(path: Path, *talks: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in talks), encoding="utf-8")
    return path


def test_a_conversation_whose_id_is_longer_than_an_index_holds_is_mined_once(palace: Palace, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", talk(LONG, "Which motor?", "A big one."))
    write(tmp_path / "b.jsonl", talk("short", "Which battery?"))
    first = palace.mine(tmp_path)
    assert (first.failures, first.drawers_new) == ((), 3)
    assert palace.mine(tmp_path).drawers_new == 0
    write(tmp_path / "a.jsonl", talk(LONG, "Which motor?", "A big one.", "How big?"))
    assert palace.mine(tmp_path).drawers_new == 1
    other = write(tmp_path / "c.jsonl", talk(f"{LONG}!", "Which motor?", "A big one."))
    assert palace.mine(other).drawers_new == 2


def test_the_identity_of_a_conversation_with_an_id_that_fits_is_what_it_always_was() -> None:
    turn = (Turn(Role.USER, "Hello."),)
    for kept in ("a", "ä" * 200, "x" * intake.LONGEST_ID):
        assert conversation_identity(Conversation("openai", turn, source_id=kept)) == f"openai:{kept}"


@given(st.text(st.characters(codec=None), max_size=50), st.integers(0, 5000))
def test_a_bounded_id_is_short_begins_as_the_id_does_and_is_the_same_each_time(text: str, length: int) -> None:
    given_id = text + "\N{PILE OF POO}" * length
    bounded = intake.bounded_id(given_id)
    assert len(bounded.encode("utf-8", "surrogatepass")) <= intake.LONGEST_ID
    assert bounded == intake.bounded_id(given_id)
    assert bounded[:200] == given_id[:200]
    if bounded != given_id:
        assert bounded != intake.bounded_id(f"{given_id}x")


def test_what_the_database_cannot_hold_is_named_with_its_place_and_the_rest_is_mined(
    palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "LONGEST_ID", 10**6)
    bad = write(tmp_path / "a.jsonl", talk("one", "Before."), talk(LONG, "Too long."), talk("two", "After."))
    write(tmp_path / "b.jsonl", talk("three", "Elsewhere."))
    summary = palace.mine(tmp_path)
    [failure] = summary.failures
    assert failure.file == str(bad)
    assert failure.message.startswith(f"{bad}, line 2: the database cannot hold it: ")
    assert "\n" not in failure.message
    assert "does not answer" not in failure.message
    assert set(texts_of(palace)) == {"Before.", "After.", "Elsewhere."}


def test_a_message_larger_than_a_drawer_holds_is_missing_alone(
    palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "LARGEST_MESSAGE", 100)
    path = write(tmp_path / "a.jsonl", talk("one", "Small.", "ä" * 51), talk("two", "ä" * 50))
    summary = palace.mine(path)
    assert [failure.message for failure in summary.failures] == [
        f"{path}, line 1, message 2: the message has 102 bytes, more than the 100 that one can have"
    ]
    assert set(texts_of(palace)) == {"Small.", "ä" * 50}
    filed = palace.file(talk("three", "x" * 101, "Here.")["messages"], id="three")
    assert [len(found) for found in filed.pointers] == [0, 1]


def test_of_a_very_long_message_so_many_passages_are_embedded_and_all_is_found_by_its_words(
    palace: Palace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(intake, "MOST_VECTORS", 20)
    monkeypatch.setattr(intake, "SURELY_MORE", 30_000)
    words = " ".join(f"plank{number}" for number in range(4000))
    filed = palace.file([{"role": "user", "content": words}])
    assert filed.warnings == (
        f"messages, conversation 1: message 1 has {len(words):,} characters: only 20 passages of it are"
        " found by meaning, all of it by its words",
    )
    mail = tmp_path / "m.eml"
    quoted = "\n".join(f"> The rudder{number} came loose near the harbour that day." for number in range(1500))
    mail.write_text(f"From: a@x.org\nSubject: Re: s\nDate: {DAY}\n\nYes.\n\nOn {DAY}, Bo <b@x.org> wrote:\n{quoted}\n")
    palace.mine(mail)
    status = palace.status()
    assert (status.embeddings[0].embedded, status.embeddings[0].pending) == (41, 0)
    assert status.passages > 80
    assert palace.recall("plank3999").hits
    assert "rudder1499" in palace.recall("rudder1499").hits[0].drawer.content


def test_a_note_larger_than_a_drawer_holds_is_refused(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "LARGEST_MESSAGE", 100)
    with pytest.raises(BadRequest, match="the note is too large: the message has 101 bytes"):
        palace.note("x" * 101)
    assert palace.runs.list() == ()


def test_a_note_of_a_time_that_has_no_year_in_some_zone_is_refused(palace: Palace) -> None:
    for when in (
        datetime(1, 1, 1, tzinfo=UTC),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
        datetime.max,  # noqa: DTZ901 — naive, as a caller may give it
    ):
        with pytest.raises(BadRequest, match="said_at must be from 0001-01-02 to 9999-12-30, as every time zone has"):
            palace.note("When?", said_at=when)


def test_the_first_and_the_last_moment_that_can_be_kept_come_back(palace: Palace) -> None:
    for when in (intake.EARLIEST, intake.LATEST):
        assert palace.note(f"At {when}", said_at=when).said_at == when


@given(st.datetimes(timezones=st.sampled_from([timezone(timedelta(hours=hours)) for hours in (-23, 0, 14, 23)])))
def test_a_moment_that_can_be_kept_has_a_year_in_every_zone(when: datetime) -> None:
    kept = intake.clamped(when)
    assert intake.is_storable(kept)
    assert kept == when or not intake.is_storable(when)
    for hours in (-23, 23):
        assert 1 <= kept.astimezone(timezone(timedelta(hours=hours))).year <= 9999


@pytest.mark.nightly
def test_a_source_with_an_undecodable_name_is_mined(palace: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    path = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9\n.jsonl"))
    write(path, talk("one", "Hello."))
    assert palace.mine(path).drawers_new == 1
    assert palace.mine(folder).drawers_unchanged == 1
    [run] = palace.runs.list()
    assert run.source == f"{folder}/caf\ufffd\ufffd.jsonl"


REFUSED = {
    "SELECT 'x'::int": DataRefused,
    "SELECT 2147483647 + 1": DataRefused,
    "SELECT to_tsvector('simple', string_agg(md5(n::text), ' ')) FROM generate_series(1, 60000) n": DataRefused,
    "SET LOCAL statement_timeout = 20; SELECT pg_sleep(5)": DatabaseRefused,
    "SET LOCAL lock_timeout = 'much'": DataRefused,
}


def test_a_value_that_does_not_fit_is_not_taken_for_a_server_that_does_not_answer(palace: Palace) -> None:
    def execute(statement: str) -> None:
        with palace._opened.session() as session:
            for part in statement.split("; "):
                session.connection.execute(sa.text(part))

    for statement, kind in REFUSED.items():
        with pytest.raises(DatabaseRefused) as refused:
            execute(statement)
        assert type(refused.value) is kind, statement
        assert "does not answer" not in str(refused.value)
        assert "\n" not in str(refused.value)
