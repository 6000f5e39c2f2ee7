"""A conversation that clearly belongs to a wing goes there; where in doubt, it goes where it went before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from palace import Conversation, MineSummary, Palace, Role, Turn, WingKind
from palace.mining.filing.place import place_wing
from palace.mining.filing.wing_matching import NamedWing, names_wing, wing_of_title

WINGS = [
    NamedWing(1, "Efoil rebuild", ("Efoil rebuild", "Foil project")),
    NamedWing(2, "Project A", ("Project A",)),
    NamedWing(3, "Garden", ("Garden",)),
    NamedWing(4, "Garden house", ("Garden house",)),
    NamedWing(5, "New York", ("New York",)),
    NamedWing(6, "Anna Berg", ("Anna Berg", "Anna")),
]


NAMED = {
    "Efoil rebuild": 1,
    "efoil REBUILD": 1,
    "Efoil rebuild: battery wiring": 1,
    "Battery wiring (Efoil rebuild)": 1,
    "[Foil project] mast": 1,
    "Battery wiring for the Efoil rebuild": 1,
    "Efoil rebuild battery wiring": 1,
    "Akku für den Efoil rebuild": 1,
    "Project A": 2,
    "Project A budget": 2,
    "Garden - tomatoes": 3,
    "Garden house: roof": 4,
    "Painting the Garden house": None,
    "Paint for the garden house": 4,
}
ALIKE = [
    "Project B", "Project B budget", "Project", "Project A2", "Project A 2: budget", "Project A/B comparison",
    "Project A and project B", "Project A: how it differs from Project B", "Project A vs Project C",
    "Garden hose leaks", "Gardening tips", "A garden in the city", "Garden 2: tomatoes",
    "New York Times subscription", "Efoil", "Rebuild of the efoil", "Efoil rebuild 2 mast", "Efoil rebuild II",
    "Anna Bergmann", "", "???",
]  # fmt: skip


def test_a_title_names_the_wing_and_what_is_only_alike_belongs_nowhere() -> None:
    wanted = NAMED | dict.fromkeys([*ALIKE, "Garden: Efoil rebuild"])
    found = {title: wing_of_title(title, WINGS) for title in wanted}
    assert {title: wing and wing.id for title, wing in found.items()} == wanted


def test_short_names_and_numbers_name_nothing() -> None:
    assert not names_wing("2026: plans", "2026")
    assert not names_wing("IT: plans", "IT")


def talk(name: str, *said: tuple[str, str], title: str | None = None) -> dict[str, Any]:
    """Give a conversation as a program would; ``said`` are speakers, "" for nobody, and what they say."""
    messages: list[dict[str, str]] = [
        {"role": "user" if speaker != "assistant" else speaker, "content": f"{name}: {text}"}
        | ({"name": speaker} if speaker and speaker != "assistant" else {})
        for speaker, text in said
    ]
    return {"messages": messages, "id": name, "title": title}


def wings_of(palace: Palace) -> dict[str, int]:
    return {wing.name: wing.room_count for wing in palace.tree.wings()}


def filed(palace: Palace, name: str, said: Sequence[tuple[str, str]], **given: Any) -> MineSummary:
    wing = given.pop("wing", None)
    made = talk(name, *said, **given)
    return palace.file(made["messages"], id=made["id"], title=made["title"], wing=wing)


ASKED = [("", "Which battery?"), ("assistant", "One of 24 volts.")]


def test_a_title_leads_to_the_wing_and_mining_says_so(palace: Palace) -> None:
    filed(palace, "one", ASKED, wing="Efoil rebuild")
    summary = filed(palace, "two", ASKED, title="Efoil rebuild: battery")
    assert wings_of(palace) == {"Efoil rebuild": 2}
    assert summary.notices == ("a conversation went to the wing 'Efoil rebuild': the title names it",)
    filed(palace, "three", ASKED, title="Something else")
    assert wings_of(palace) == {"Efoil rebuild": 2, "Something else": 1}


def test_what_is_asked_for_comes_first(palace: Palace) -> None:
    filed(palace, "one", ASKED, wing="Efoil rebuild")
    filed(palace, "two", ASKED, title="Efoil rebuild: battery", wing="Another")
    assert wings_of(palace) == {"Efoil rebuild": 1, "Another": 1}


def test_what_is_placed_stays_placed(palace: Palace) -> None:
    filed(palace, "one", ASKED, title="Efoil rebuild, battery")
    filed(palace, "two", ASKED, wing="Efoil rebuild")
    grown = [*ASKED, ("", "And the fuse?")]
    summary = filed(palace, "one", grown, title="Efoil rebuild: battery")
    assert summary.drawers_new == 1
    assert wings_of(palace) == {"Efoil rebuild, battery": 1, "Efoil rebuild": 1}
    palace.tree.move("Efoil rebuild", "Boats", create=True)
    filed(palace, "two", [*grown, ("", "Thanks.")], title="Efoil rebuild: battery")
    assert wings_of(palace)["Boats"] == 1


def coded(palace: Palace, folder: Path, name: str, project: str = "efoil") -> MineSummary:
    """Mine a session of Claude Code, which says what project it is of."""
    turn = {
        **{"type": "user", "uuid": name, "sessionId": name, "cwd": f"/home/derek/{project}"},
        **{"timestamp": "2026-01-15T10:30:00.000Z", "message": {"role": "user", "content": f"Fix the {name} test."}},
    }
    (folder / f"{name}.jsonl").write_text(json.dumps(turn))
    return palace.mine(folder / f"{name}.jsonl")


@pytest.mark.nightly
def test_a_project_follows_most_of_its_rooms(palace: Palace, tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        coded(palace, tmp_path, name)
    palace.tree.move("W-001/R-01", "Boats", create=True)
    coded(palace, tmp_path, "four")
    palace.tree.move("W-001/R-02", "Boats")
    coded(palace, tmp_path, "five")
    assert wings_of(palace) == {"efoil": 3, "Boats": 2}
    for room in ("W-001/R-03", "W-001/R-04"):
        palace.tree.move(room, "Boats")
    summary = coded(palace, tmp_path, "six")
    assert wings_of(palace) == {"efoil": 1, "Boats": 5}
    assert summary.notices == ("a conversation went to the wing 'Boats': most of its project was moved there",)
    coded(palace, tmp_path, "seven", project="garden")
    assert wings_of(palace) == {"efoil": 1, "Boats": 5, "garden": 1}


@pytest.mark.nightly
def test_a_project_whose_rooms_went_to_several_wings_stays(palace: Palace, tmp_path: Path) -> None:
    for name in ("one", "two", "three", "four"):
        coded(palace, tmp_path, name)
    for number, wing in enumerate(("Boats", "Boats", "Masts"), start=1):
        palace.tree.move(f"W-001/R-{number:02d}", wing, create=True)
    coded(palace, tmp_path, "five")
    assert wings_of(palace) == {"efoil": 2, "Boats": 2, "Masts": 1}


def test_a_talk_with_a_person_goes_to_their_wing_which_is_one_of_a_person_then(palace: Palace) -> None:
    palace.note("Anna Berg likes orchids.", wing="Anna Berg")
    assert palace.tree.wing("Anna Berg").kind is WingKind.TOPIC
    filed(palace, "chat", [("Anna Berg", "Hi!"), ("Derek", "Hello.")])
    wing = palace.tree.wing("Anna Berg")
    assert (wing.room_count, wing.kind) == (2, WingKind.PERSON)
    filed(palace, "group", [("Anna Berg", "Hi!"), ("Derek", "Hello."), ("Mia", "Hey.")], title="Climbing")
    filed(palace, "other", [("Anna Huber", "Hi!"), ("Derek", "Hello.")], title="Chat with Anna Huber")
    assert wings_of(palace) == {"Anna Berg": 2, "Climbing": 1, "Chat with Anna Huber": 1}


@pytest.mark.nightly
def test_what_stands_where_all_of_a_source_goes_draws_nothing(palace: Palace) -> None:
    palace.note("Hello.", wing="ChatGPT")
    filed(palace, "one", ASKED, title="ChatGPT: plans")
    assert wings_of(palace) == {"ChatGPT": 1, "ChatGPT: plans": 1}


def test_a_wing_that_is_asked_for_is_of_the_kind_that_the_source_tells() -> None:
    turns = (Turn(Role.USER, "Hi", speaker="Anna"), Turn(Role.USER, "Hello", speaker="Derek"))
    chat = Conversation("whatsapp", turns)
    assert place_wing(chat, asked="anna", source_name="").kind is WingKind.PERSON
    assert place_wing(chat, asked="Family", source_name="").kind is WingKind.TOPIC
    with_machine = Conversation("chatgpt", (*turns, Turn(Role.ASSISTANT, "Hi")), project="Efoil")
    assert place_wing(with_machine, asked="Anna", source_name="").kind is WingKind.TOPIC
    assert place_wing(with_machine, asked="EFOIL", source_name="").kind is WingKind.PROJECT


def test_each_chat_has_a_wing_and_a_grown_one_stays_where_it_is_filed(palace: Palace, tmp_path: Path) -> None:
    def export(name: str, *said: str) -> Path:
        path = tmp_path / f"WhatsApp Chat with {name}.txt"
        path.write_text("".join(f"[{day:02}.05.24, 10:32:15] {line}\n" for day, line in enumerate(said, 1)))
        return path

    choir = ("Petra: who is in for Saturday", "Hanna: me, and Anton", "Anton: so am I")
    palace.mine(export("Ulrika Ek", "Ulrika Ek: the ferry was late", "Hanna: oh no"), export("Choir", *choir))
    palace.mine(export("Swimmers", "Bo: who swims", "Hanna: me", "Ulrika Ek: not today"), wing="Sports")
    wings = {wing.name: (wing.kind, wing.drawer_count) for wing in palace.tree.wings()}
    person, topic = WingKind.PERSON, WingKind.TOPIC
    assert wings == {"Choir": (topic, 3), "Sports": (topic, 3), "Ulrika Ek": (person, 2)}
    palace.tree.move("Choir", "Singing", create=True)
    grown = palace.mine(
        export("Choir", *choir, "Petra: see you there"), export("Swimmers", "Bo: who swims", "Hanna: me")
    )
    assert grown.drawers_new == 1
    assert {wing.name: wing.drawer_count for wing in palace.tree.wings()} == {"Singing": 4, "Sports": 3, "Ulrika Ek": 2}
