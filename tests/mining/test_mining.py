"""Mining end to end, on the real database: verbatim, idempotent, growing, resumable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace import Palace, Phase, Progress
from palace.testing import HashingEmbedder
from tests.held import drawers, rows, texts_of

TALK = [
    {"role": "user", "content": "I rebuilt the efoil with a 12-AWG silicone wire and it overheated after ten minutes."},
    {"role": "assistant", "content": "Take 8 AWG for 60 A continuous, and keep the run short."},
    {"role": "user", "content": "Which propeller fits a 65161 motor?"},
    {"role": "assistant", "content": "A 7-inch two-blade propeller is a common choice."},
]


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_each_turn_becomes_a_drawer_in_a_room_of_a_wing(palace: Palace, tmp_path: Path) -> None:
    summary = palace.mine(write(tmp_path / "efoil.json", TALK))
    assert (summary.conversations, summary.drawers_new, summary.drawers_unchanged) == (1, 4, 0)
    assert summary.passages_pending == 0
    assert summary.passages_embedded == 4
    assert texts_of(palace) == [turn["content"] for turn in TALK]
    (wing,) = palace.tree.wings()
    assert (wing.name, wing.number) == ("efoil", 1)
    assert [str(drawer.pointer) for drawer in drawers(palace)] == [f"§ W-001/R-01/D-00{n}" for n in (1, 2, 3, 4)]
    assert all(drawer.closet_name for drawer in drawers(palace))


def test_mining_it_or_a_copy_under_another_name_again_changes_nothing(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "efoil.json", TALK)
    palace.mine(source)
    before = drawers(palace)
    again = palace.mine(source)
    assert (again.drawers_new, again.drawers_unchanged) == (0, 4)
    assert palace.mine(write(tmp_path / "b.json", TALK)).drawers_new == 0
    assert drawers(palace) == before


def test_a_grown_file_adds_only_its_new_turns(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path / "efoil.json", TALK[:2]))
    grown = palace.mine(write(tmp_path / "efoil.json", TALK))
    assert (grown.drawers_new, grown.drawers_unchanged) == (2, 2)
    assert texts_of(palace) == [turn["content"] for turn in TALK]
    status = palace.status()
    counted = rows(palace, "SELECT (SELECT count(*) FROM drawer), (SELECT count(*) FROM passage)")
    assert [(status.drawers, status.passages)] == counted == [(4, 4)]
    assert (status.wings, status.rooms) == (1, 1)


def test_what_is_said_several_times_between_turns_that_were_edited_is_filed_once_each(
    palace: Palace, tmp_path: Path
) -> None:
    def said(*between: str) -> dict[str, Any]:
        turns = [*TALK[:2], *({"role": "user", "content": text} for text in between), *TALK[2:]]
        return {"id": "mast", "messages": turns}

    palace.mine(write(tmp_path / "mast.json", said("Is it up?", "Yes.", "Yes.", "Then go.")))
    edited = palace.mine(write(tmp_path / "mast.json", said("Is the mast up?", "Yes.", "Yes.", "Then go on.")))
    assert (edited.drawers_new, edited.drawers_unchanged) == (2, 6)
    assert texts_of(palace).count("Yes.") == 2


def test_an_edited_last_turn_is_added_flagged_and_every_pointer_stays(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path / "efoil.json", TALK))
    before = {drawer.content: drawer.pointer for drawer in drawers(palace)}
    edited = [*TALK[:3], {"role": "assistant", "content": "Take a three-blade one."}]
    assert palace.mine(write(tmp_path / "efoil.json", edited)).drawers_new == 1
    after = drawers(palace)
    assert {drawer.content: drawer.pointer for drawer in after}.items() >= before.items()
    assert [drawer.content for drawer in after if drawer.is_revision] == ["Take a three-blade one."]
    assert palace.mine(write(tmp_path / "efoil.json", TALK)).drawers_new == 0


ODD = (
    "NUL\0within",
    "half a pair \ud800 and \udfff",
    "\r\n both \r and \n, and a tab\t",
    "e\u0301 is not \u00e9",
    "\u202eturned\u202c, \u200bunseen, \ufeffmarked, \x1b[31mred",
    "\u2028 and \u2029 end no line",
    "\U0001f6e5\ufe0f \U000e0041 \uffff",
    "' OR '1'='1'; -- %s {0} :user_id \\",
    "long " * 5_000,
)


def test_drawers_hold_what_was_said_byte_for_byte(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path / "talk.json", [{"role": "user", "content": content} for content in ODD]))
    kept = [(drawer.content, drawer.is_repaired) for drawer in drawers(palace)]
    holdable = ["".join("\ufffd" if c == "\0" or "\ud800" <= c <= "\udfff" else c for c in said) for said in ODD]
    assert kept == [(can_be, can_be != said) for can_be, said in zip(holdable, ODD, strict=True)]


def test_white_space_is_a_message_but_nothing_to_embed(palace: Palace, tmp_path: Path) -> None:
    talk = [*TALK[:1], {"role": "assistant", "content": " \n\t "}]
    summary = palace.mine(write(tmp_path / "talk.json", talk))
    assert texts_of(palace)[1] == " \n\t "
    assert (summary.passages_embedded, summary.passages_pending) == (1, 0)


def test_a_dry_run_counts_and_stores_nothing(palace: Palace, tmp_path: Path) -> None:
    summary = palace.mine(write(tmp_path / "talk.json", TALK), dry_run=True)
    assert summary.dry_run
    assert (summary.conversations, summary.drawers_new) == (1, 4)
    assert (palace.tree.wings(), palace.activity()) == ((), ())
    assert palace.embeddings.status() == ()


def test_a_broken_file_leaves_nothing_and_the_others_are_mined(palace: Palace, tmp_path: Path) -> None:
    write(tmp_path / "good.json", TALK)
    broken = json.dumps([{"id": str(n), "messages": [*TALK, {"role": "user", "content": str(n)}]} for n in range(50)])
    (tmp_path / "broken.json").write_text(broken[:-20], encoding="utf-8")
    summary = palace.mine(tmp_path)
    (failure,) = summary.failures
    assert "broken.json" in failure.message
    assert "\n" not in failure.message
    assert texts_of(palace) == [turn["content"] for turn in TALK]


def test_an_empty_file_is_said_to_be_empty_and_is_no_failure(palace: Palace, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("", encoding="utf-8")
    summary = palace.mine(tmp_path / "empty.json")
    assert summary.failures == ()
    assert "empty.json" in summary.warnings[0]


def test_a_failing_model_leaves_text_searchable_and_backfill_finishes(
    settings: Any, palace: Palace, tmp_path: Path
) -> None:
    user = palace.user
    broken = HashingEmbedder(fail_on=lambda text: True)
    with Palace.open(settings, user=user, embedder=broken) as without_model:
        summary = without_model.mine(write(tmp_path / "efoil.json", TALK))
        assert (summary.drawers_new, summary.passages_pending) == (4, 4)
        assert any("not everything is embedded" in warning for warning in summary.warnings)
        recalled = without_model.recall("silicone wire overheated")
        assert recalled.hits[0].drawer.content == TALK[0]["content"]
        assert any("keywords only" in warning for warning in recalled.warnings)
    assert palace.embeddings.backfill().embedded == 4
    (status,) = palace.embeddings.status()
    assert (status.embedded, status.pending) == (4, 0)
    assert palace.embeddings.backfill().embedded == 0


def test_mining_again_finishes_what_an_interruption_left(settings: Any, palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "efoil.json", TALK)

    class Interrupted(HashingEmbedder):
        def embed_passages(self, texts: Any) -> Any:
            raise KeyboardInterrupt

    with Palace.open(settings, user=palace.user, embedder=Interrupted()) as stopped, pytest.raises(KeyboardInterrupt):
        stopped.mine(source)
    assert len(texts_of(palace)) == 4
    summary = palace.mine(source)
    assert (summary.drawers_new, summary.passages_embedded, summary.passages_pending) == (0, 4, 0)
    assert all(drawer.closet_name for drawer in drawers(palace))


def test_topics_follow_the_conversation_as_it_grows(palace: Palace, tmp_path: Path) -> None:
    battery = [{"role": "user", "content": f"The battery pack wiring and battery cells, part {n}."} for n in range(6)]
    travel = [{"role": "user", "content": f"Our Lisbon holiday hotel and Lisbon flights, part {n}."} for n in range(6)]
    palace.mine(write(tmp_path / "talk.json", battery))
    first = {drawer.closet_name for drawer in drawers(palace)}
    palace.mine(write(tmp_path / "talk.json", battery + travel))
    after = drawers(palace)
    assert len(first) == 1
    assert after[0].closet_name != after[-1].closet_name


@pytest.mark.nightly
def test_conversations_of_one_wing_share_it_whatever_the_case_accents_and_punctuation(
    palace: Palace, tmp_path: Path
) -> None:
    palace.mine(write(tmp_path / "a.json", TALK[:2]), wing="Efoil Rebuild")
    palace.mine(write(tmp_path / "b.json", TALK[2:]), wing="efoil  rebuild")
    for name in ("Ärger  im Büro!", "arger im buro", "東京 旅行", "Project A", "Project B"):
        palace.note(f"Filed in {name}.", wing=name)
    assert [(wing.name, wing.room_count) for wing in palace.tree.wings()] == [
        *(("Efoil Rebuild", 2), ("Ärger im Büro!", 1), ("東京 旅行", 1), ("Project A", 1), ("Project B", 1))
    ]


def test_progress_reports_each_step_up_to_its_total(palace: Palace, tmp_path: Path) -> None:
    told: list[Progress] = []
    path = write(tmp_path / "efoil.json", TALK)
    summary = palace.mine(path, progress=told.append)
    last = {now.phase: now for now in told}
    model, embedded = "testing/hashing-384", summary.passages_embedded
    assert last == {
        Phase.READ: Progress(Phase.READ, 4, None, "turns", str(path)),
        Phase.FILE: Progress(Phase.FILE, 4, 4, "turns", str(path)),
        Phase.EMBED: Progress(Phase.EMBED, embedded, embedded, "passages", model),
        Phase.TOPICS: Progress(Phase.TOPICS, 1, 1, "conversations"),
        Phase.EXTRACTION: Progress(Phase.EXTRACTION, 1, 1, "conversations"),
    }
