"""What becomes of drawers when their source says something else: in the palace, in recall, and when it is undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace import Palace, Removal, Role
from tests.held import drawers

GREETING = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello! How can I help you today?"},
]
BOATS = [
    {"role": "user", "content": "The dentist of the harbour town moved to Rosenweg 4 last week."},
    {"role": "assistant", "content": "Then it is a walk of ten minutes from the ferry to the dentist."},
    {"role": "user", "content": "My appointment with the dentist is on Tuesday at nine."},
    {"role": "assistant", "content": "I would take the ferry at seven, the next one is too late."},
]


def write(path: Path, content: Any) -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def standing(palace: Palace) -> list[str]:
    return [drawer.content for drawer in drawers(palace) if drawer.replaced_at is None]


def named(messages: list[dict[str, str]]) -> dict[str, Any]:
    """A chat that has an id, so that it is known again whatever is edited in it."""
    return {"id": "boats", "messages": messages}


def edited(text: str) -> dict[str, Any]:
    return named([*BOATS[:2], {"role": "user", "content": text}, BOATS[3]])


@pytest.mark.nightly
def test_two_chats_that_greet_alike_are_two_rooms_each_in_its_wing(palace: Palace, tmp_path: Path) -> None:
    one = write(tmp_path / "one.json", [*GREETING, {"role": "user", "content": "Which battery wire is right?"}])
    other = write(tmp_path / "other.json", [*GREETING, {"role": "user", "content": "Name me a good cheese."}])
    palace.mine(one, wing="Boats")
    palace.mine(other, wing="Kitchen")
    assert {wing.name: wing.drawer_count for wing in palace.tree.wings()} == {"Boats": 3, "Kitchen": 3}
    assert palace.mine(one).drawers_new == palace.mine(other).drawers_new == 0


def test_an_edited_message_is_marked_and_its_pointer_leads_to_what_replaced_it(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "boats.json", named(BOATS))
    palace.mine(source)
    assert palace.status().replaced == 0
    before = {str(drawer.pointer): drawer.content for drawer in drawers(palace)}
    palace.mine(write(source, edited("My appointment with the dentist is on Thursday at noon.")))
    assert {pointer: palace.show(pointer).drawer.content for pointer in before} == before
    (old,) = [drawer for drawer in drawers(palace) if drawer.replaced_at]
    assert old.content == BOATS[2]["content"]
    assert palace.show(str(old.replaced_by)).drawer.content == "My appointment with the dentist is on Thursday at noon."
    assert len(standing(palace)) == 4
    (wing,) = palace.tree.wings()
    (room,) = palace.tree.rooms(wing)
    assert (wing.drawer_count, wing.replaced_count) == (room.drawer_count, room.replaced_count) == (5, 1)
    assert sum(closet.replaced_count for closet in palace.tree.closets(room)) == 1
    assert (palace.status().drawers, palace.status().replaced) == (5, 1)
    # The very words of the old version.
    hits = [hit.drawer.content for hit in palace.recall("appointment dentist Tuesday nine").hits]
    assert ("My appointment with the dentist is on Thursday at noon." in hits, old.content in hits) == (True, False)


def test_a_run_that_only_found_something_gone_can_be_undone(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "boats.json", named(BOATS))
    palace.mine(source)
    palace.mine(write(source, named([*BOATS[:2], BOATS[3]])))
    run_id = palace.runs.list()[0].id
    rehearsed = palace.runs.undo(run_id, dry_run=True)
    undone = palace.runs.undo(run_id)
    assert standing(palace) == [turn["content"] for turn in BOATS]
    assert (rehearsed.marks, undone.marks, undone.removal) == (1, 1, Removal())


@pytest.mark.nightly
def test_undoing_runs_counts_the_marks_on_what_stays_and_not_those_on_what_goes(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "boats.json", named(BOATS))
    palace.mine(source)
    palace.mine(write(source, edited("My appointment is on Thursday.")))
    first, second = (run.id for run in reversed(palace.runs.list()))
    assert palace.runs.undo(second, dry_run=True).marks == 1
    assert palace.runs.undo(first, cascade=True, dry_run=True).marks == 0
    assert palace.runs.undo(first, cascade=True).marks == 0


def test_forgetting_what_replaced_a_message_does_not_make_the_old_one_current(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "boats.json", named(BOATS))
    palace.mine(source)
    palace.mine(write(source, edited("My appointment is on Thursday.")))
    (old,) = [drawer for drawer in drawers(palace) if drawer.replaced_at]
    palace.forget(str(old.replaced_by))
    assert BOATS[2]["content"] not in standing(palace)


def test_a_log_that_lost_its_beginning_goes_on_in_its_room(palace: Palace, tmp_path: Path) -> None:
    lines = [{"role": "user", "content": f"Entry {n} of the log that the harbour office keeps."} for n in range(12)]
    palace.mine(write(tmp_path / "log.json", lines[:8]))
    summary = palace.mine(write(tmp_path / "log.json", lines[4:]))
    assert (summary.drawers_new, summary.drawers_unchanged) == (4, 4)
    assert standing(palace) == [line["content"] for line in lines]
    assert len(palace.tree.rooms(palace.tree.wings()[0])) == 1


def test_what_stands_before_a_known_beginning_comes_first(palace: Palace, tmp_path: Path) -> None:
    lines = [{"role": "user", "content": f"Entry {n} of the log that the harbour office keeps."} for n in range(12)]
    palace.mine(write(tmp_path / "log.json", lines[6:]))
    palace.mine(write(tmp_path / "log.json", lines))
    assert standing(palace) == [line["content"] for line in lines]
    before = palace.show("W-001/R-01/D-001", context=1).before
    assert [drawer.content for drawer in before] == [lines[5]["content"]]


def test_a_note_file_that_grows_keeps_its_room_and_its_former_text(palace: Palace, tmp_path: Path) -> None:
    text = "\n".join(f"Line {n} of what I know about the tides of the bay." for n in range(8))
    palace.mine(write(tmp_path / "tides.md", text))
    palace.mine(write(tmp_path / "tides.md", f"{text}\nAnd one more about the moon."))
    assert len(drawers(palace)) == 2
    assert standing(palace) == [f"{text}\nAnd one more about the moon."]
    assert len(palace.tree.rooms(palace.tree.wings()[0])) == 1


def test_excluding_messages_changes_nothing_about_the_others(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "boats.json", [{"role": "user", "content": "my key is sk-abc123"}, *BOATS])
    first = palace.mine(source, exclude=[r"sk-\w+"])
    assert (first.drawers_new, first.drawers_excluded) == (4, 1)
    again = palace.mine(source, exclude=["Rosenweg", r"sk-\w+"])
    assert (again.drawers_new, again.drawers_unchanged, again.drawers_excluded) == (0, 3, 2)
    whole = palace.mine(source)
    assert (whole.drawers_new, whole.drawers_unchanged) == (1, 4)
    assert standing(palace)[0] == "my key is sk-abc123"
    assert len(standing(palace)) == 5


def test_a_forgotten_chat_without_an_id_stays_forgotten_when_it_is_mined_again_cut(
    palace: Palace, tmp_path: Path
) -> None:
    palace.mine(write(tmp_path / "boats.json", BOATS))
    palace.forget("W-001")
    summary = palace.mine(write(tmp_path / "boats.json", BOATS[1:]))
    assert (summary.drawers_new, summary.drawers_forgotten) == (0, 3)


def test_another_wing_for_what_is_filed_already_is_told_to_be_where_it_is(palace: Palace, tmp_path: Path) -> None:
    source = write(tmp_path / "boats.json", BOATS)
    palace.mine(source, wing="Boats")
    (warning,) = palace.mine(source, wing="Kitchen").warnings
    assert "stands in the wing 'Boats' already" in warning
    assert palace.mine(source, wing="boats").warnings == ()


def diary(*days: str) -> str:
    return "# Diary\n\n" + "\n".join(f"## 2024-05-0{number}\n\n{text}\n" for number, text in enumerate(days, 1))


DAYS = (
    "Planted the runner beans along the southern fence, and the first row of potatoes.",
    "Rain all day; nothing done.",
    "The beans have come up, but the slugs were there before me and took every third.",
)


def test_a_diary_that_grows_by_a_day_adds_that_day(palace: Palace, tmp_path: Path) -> None:
    for count in range(1, len(DAYS) + 1):
        found = palace.mine(write(tmp_path / "diary.md", diary(*DAYS[:count])))
        assert (found.drawers_new, found.drawers_unchanged) == (1, count - 1)
    assert [text.split("\n")[-1] for text in standing(palace)] == list(DAYS)


@pytest.mark.nightly
def test_a_message_sent_to_two_on_one_day_leaves_their_chats_apart(palace: Palace, tmp_path: Path) -> None:
    wish = f"31/12/2023, 23:58 - Ann: A happy new year to all of you, {'and health, and joy ' * 5}!\n"
    answered = f"{wish}31/12/2023, 23:59 - Bob: The same to you!\n01/01/2024, 00:10 - Ann: Thanks!\n"
    palace.mine(write(tmp_path / "WhatsApp Chat with Cid.txt", wish))
    palace.mine(write(tmp_path / "WhatsApp Chat with Bob.txt", answered))
    assert len(drawers(palace)) == 4


SAID = [
    ("user", "Which fuse?"),
    ("assistant", "Forty amperes."),
    ("user", "Thanks!"),
    ("assistant", "Welcome."),
    ("user", "Bye."),
]


def latest_first(form: str, count: int) -> str:
    """Write the first so many messages in a form, the latest first."""
    rows = [(f"2024-05-01 10:{30 + n}", who, text) for n, (who, text) in enumerate(SAID[:count])][::-1]
    match form:
        case "csv":
            return "\n".join(["timestamp,author,text", *(",".join(row) for row in rows)])
        case "txt":
            return "\n".join(f"[{at}] {who.title()}: {text}" for at, who, text in rows)
        case "jsonl":
            return "\n".join(json.dumps({"role": who, "content": text, "timestamp": at}) for at, who, text in rows)
    said = [{"role": who, "content": text, "created_at": at} for at, who, text in rows]
    return json.dumps({"id": "w", "messages": [{"role": "system", "content": "Be brief."}, *said]})


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "txt"])
def test_an_export_with_the_latest_message_first_stands_in_order_and_grows_at_its_end(
    form: str, palace: Palace, tmp_path: Path
) -> None:
    path = tmp_path / f"chat.{form}"
    for count, new in ((3, 3 + (form == "json")), (5, 2), (5, 0)):
        path.write_text(latest_first(form, count))
        assert palace.mine(path).drawers_new == new
    told = [drawer.content for drawer in drawers(palace) if drawer.role is not Role.SYSTEM]
    assert told == [text for _, text in SAID]


LOG = """<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-05-02 09:00:00Z

<!-- Claude Code Session aaaa1111-2222-4333-8444-000000000001 (2026-05-02 09:00:00Z) -->

_**User (2026-05-02 09:00:00Z)**_

Which fuse does the winch need?

---

_**Agent (claude-opus-4-6 2026-05-02 09:00:05Z)**_

Look at the plate: it names the current that the motor draws when it is stuck.

_**Agent (claude-opus-4-6 2026-05-02 09:00:09Z)**_

Forty amperes, slow-blow.
"""
GROWN = """
---

_**User (2026-05-02 09:05:00Z)**_

Thanks.

---

_**Agent (claude-opus-4-6 2026-05-02 09:06:00Z)**_

Good choice.
"""


@pytest.mark.parametrize(
    "head",
    [
        "**Session ID:** ses_5b1f2c\n**Updated:** {}",
        "<!-- Generated by SpecStory -->\n\n<!-- Claude Code Session {} -->",
    ],
)
def test_a_short_log_that_names_its_session_grows_whatever_else_changes(
    head: str, palace: Palace, tmp_path: Path
) -> None:
    path, day = tmp_path / "log.md", "Claude" in head
    mark = "_**{}**_" if day else "## {}"
    told = "\n\n---\n\n".join(
        f"{mark.format(who)}\n\n{text}" for who, text in (("User", "which fuse?"), ("Assistant", "40 A."))
    )
    for step in (1, 2):
        session = "aaaa1111-2222-4333-8444-000000000001" if day else f"10:0{step}"
        path.write_text(f"# Winch\n\n{head.format(session)}\n\n---\n\n{told.split('---')[0] if step == 1 else told}\n")
        palace.mine(path)
    assert sum(wing.room_count for wing in palace.tree.wings()) == 1


def test_a_log_of_a_session_that_grows_adds_only_the_new_turns(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "2026-05-02_09-00-00Z-which-fuse.md"
    for text, new in ((LOG, 4), (LOG + GROWN, 2), (LOG + GROWN, 0)):
        path.write_text(text)
        assert palace.mine(path).drawers_new == new
    roles = [drawer.role.value for drawer in drawers(palace)]
    assert roles == ["system", "user", "assistant", "assistant", "user", "assistant"]


@pytest.mark.parametrize(
    "above", ["# 2024-05-01\n\nMounted the winch.\n\n", "<!-- Notes of the boat, kept by Ann and Derek. -->\n\n"]
)
def test_a_diary_whose_last_day_is_written_on_stands_once(above: str, palace: Palace, tmp_path: Path) -> None:
    path, day = tmp_path / "diary.md", f"{above}# 2024-05-02\n\nBought the fuse for the anchor winch.\n"
    for text in (day, f"{day}\nTried it.\n", f"{day}\nTried it.\n\nAll well.\n\n# 2024-05-03\n\nSailed.\n"):
        path.write_text(text)
        palace.mine(path)
    said = standing(palace)
    assert len(said) == 3
    assert said[1] == "# 2024-05-02\n\nBought the fuse for the anchor winch.\n\nTried it.\n\nAll well."
