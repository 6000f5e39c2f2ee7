"""Mining in the person's zone: days, rooms, and what was filed before they moved."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from tests.held import rows

LINES = (
    "2024/12/31 22:00 - Ann: The fireworks are ready, all of them.",
    "2025/01/01 00:30 - Bob: A happy new year to you and yours!",
    "2025/01/01 23:30 - Ann: The kites flew high today, did they not?",
)
MORE = "2025/01/02 08:00 - Bob: They did, and the wind holds."


def in_zone(palace: Palace, settings: Settings, zone: str) -> Palace:
    """Open the same palace as somebody in another zone."""
    moved = settings.model_copy(update={"timezone": zone})
    moved.__dict__.pop("zone", None)
    return Palace.open(moved, user=palace.user, embedder=HashingEmbedder())


def rooms(palace: Palace) -> list[tuple[str, int]]:
    query = "SELECT r.slice, count(d.id) FROM room r JOIN drawer d ON d.room_id = r.id GROUP BY r.slice ORDER BY 1"
    return [(day, count) for day, count in rows(palace, query)]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "WhatsApp Chat with Bob.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_a_chat_that_grew_is_filed_once_though_its_days_are_cut_elsewhere(
    palace: Palace, settings: Settings, tmp_path: Path
) -> None:
    """The rooms of a palace of before are days in Greenwich; what is filed stays, what is new goes to its own day."""
    day = '{"type":"message","ts":"%s","user":"U1","text":"%s"}'
    export = tmp_path / "export"
    (export / "general").mkdir(parents=True)
    (export / "channels.json").write_text('[{"id":"C1","name":"general"}]', encoding="utf-8")
    first = [day % ("1735725600.0", "ten in Greenwich"), day % ("1735747200.0", "four in the afternoon")]
    file = export / "general" / "2025-01-01.json"
    file.write_text(f"[{','.join(first)}]", encoding="utf-8")
    with in_zone(palace, settings, "UTC") as greenwich:
        assert greenwich.mine(export).drawers_new == 2
        assert rooms(greenwich) == [("2025-01-01", 2)]
    file.write_text(f"[{','.join([*first, day % ('1735761600.0', 'eight in the evening')])}]", encoding="utf-8")
    with in_zone(palace, settings, "Asia/Tokyo") as tokyo:
        grown = tokyo.mine(export)
        assert (grown.drawers_new, grown.drawers_unchanged) == (1, 2)
        assert rooms(tokyo) == [("2025-01-01", 2), ("2025-01-02", 1)]
        assert tokyo.mine(export).drawers_new == 0


def test_a_chat_without_zones_is_the_same_one_when_its_person_has_moved(
    palace: Palace, settings: Settings, chat: Path
) -> None:
    with in_zone(palace, settings, "Europe/Berlin") as berlin:
        assert berlin.mine(chat).drawers_new == 3
    chat.write_text("\n".join([*LINES, MORE]) + "\n", encoding="utf-8")
    with in_zone(palace, settings, "Asia/Tokyo") as tokyo:
        grown = tokyo.mine(chat)
        assert (grown.drawers_new, grown.drawers_unchanged) == (1, 3)


def test_a_note_is_named_by_its_day_in_the_persons_zone(palace: Palace, settings: Settings) -> None:
    with in_zone(palace, settings, "Asia/Tokyo") as tokyo:
        drawer = tokyo.note("The first sunrise", said_at=datetime(2024, 12, 31, 22, 30, tzinfo=UTC))
        assert drawer.room_name == "2025-01-01 notes"
        assert "| 2025-01-01 |" in tokyo.context_block(tokyo.recall("first sunrise"))
