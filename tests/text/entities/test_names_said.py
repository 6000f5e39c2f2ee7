"""Names as people write them: what is found, and what it is."""

from __future__ import annotations

import pytest

from palace.records import Role
from palace.records.graph import Said
from palace.text.entities import bundled_tagger, read_names

SAID = [
    # kin and friends, in capitals or without
    ("My sister Anna moved to Porto in June.", {"Anna": "person", "Porto": "place", "in June": "time"}),
    ("my brother oskar got a job at siemens", {"oskar": "person", "siemens": "organisation"}),
    ("aunt Rose sends her love", {"Rose": "person"}),
    ("Dr. Nakamura moved my appointment to Tuesday", {"Nakamura": "person", "Tuesday": "time"}),
    ("my boss is now henrike de boer", {"henrike de boer": "person"}),
    ("ask @mira_k about the keys", {"mira_k": "person"}),
    ("I had dinner with Yusuf and Amelie", {"Yusuf": "person", "Amelie": "person"}),
    ("Ewa's mum is visiting this week", {"Ewa": "person"}),
    ("uncle Viktor and I built a shed", {"Viktor": "person"}),
    ("hi Marek, lunch at noon?", {"Marek": "person", "at noon": "time"}),
    # pets and things with names
    ("my dog biscuit hates the vacuum", {"biscuit": "item"}),
    ("we got a kitten called waffles", {"waffles": "item"}),
    ("our cat is ill, her name is Tilly", {"Tilly": "item"}),
    ("I sold the boat called Albatross", {"Albatross": "item"}),
    ("the server named kraken is down again", {"kraken": "item"}),
    ("we named him pixel", {"pixel": "item"}),
    ("the server hydra is down", {"hydra": "item"}),
    ("We own a boat, the Kittiwake.", {"Kittiwake": "item"}),
    ("Her engine is a Gamma 27.", {"Gamma 27": "item"}),
    ("me and nilufar broke up", {"nilufar": "person"}),
    # whole phrases
    ("Paris is my sister.", {"Paris": "person"}),
    ("Mark said no.", {"Mark": "person"}),
    ("we moved from slack to signal in feb", {"slack": "item", "signal": "item", "in feb": "time"}),
    ("the garage on mill lane", {"mill lane": "place"}),
    ("ask @lena.k about project heron.", {"lena.k": "person", "heron": "project"}),
    # places
    ("i grew up in bath", {"bath": "place"}),
    ("we live in reading since march", {"reading": "place", "since march": "time"}),
    ("I'm from Ljubljana but live in Graz now", {"Ljubljana": "place", "Graz": "place"}),
    ("Our flat is on Harrow Road near Queens Park", {"Harrow Road": "place", "Queens Park": "place"}),
    ("moved from ghent to utrecht", {"ghent": "place", "utrecht": "place"}),
    ("we stayed at the Hotel Miramar", {"Hotel Miramar": "place"}),
    # firms, schools, bands, services
    ("I work at Northvolt as a chemist", {"Northvolt": "organisation"}),
    ("Leo goes to Riverside Primary School", {"Leo": "person", "Riverside Primary School": "organisation"}),
    ("I cancelled Netflix", {"Netflix": "organisation"}),
    ("got an offer from Kestrel Labs on Friday", {"Kestrel Labs": "organisation", "on Friday": "time"}),
    ("I joined the Alpine Club", {"Alpine Club": "organisation"}),
    ("she studies at the University of Tartu", {"University of Tartu": "organisation"}),
    # software, devices, medicines
    ("we migrated from MySQL to PostgreSQL 16", {"MySQL": "item", "PostgreSQL 16": "item"}),
    ("I switched from Notion to Obsidian", {"Notion": "item", "Obsidian": "item"}),
    ("the doctor put me on bisoprolol 5 mg", {"bisoprolol": "item"}),
    ("I bought a Fairphone 5", {"Fairphone 5": "item"}),
    ("using neovim with docker all day", {"neovim": "item", "docker": "item"}),
    # events and projects
    ("I ran the Lisbon Half Marathon", {"Lisbon Half Marathon": "event"}),
    ("we are going to Oktoberfest", {"Oktoberfest": "event"}),
    ("Project Heron ships on 3 May", {"Project Heron": "project", "3 May": "time"}),
    # times
    ("see you at 7:30 pm", {"at 7:30 pm": "time"}),
    ("we met in 2014, on Christmas Eve", {"in 2014": "time", "Christmas Eve": "time"}),
    ("deadline is 2026-04-30", {"2026-04-30": "time"}),
    ("it broke yesterday", {"yesterday": "time"}),
]

NOTHING = [
    "Mine is the blue one.",
    "Will it rain? May I come in?",
    "Palace search is great. Search again.",
    "Add milk to the list. Call the plumber. Buy bread.",
    "this is SO ANNOYING, NEVER AGAIN",
    "- Title: the thing\n- Status: open\n- Notes: none",
    "# Getting Started\n\nRun the tests first.",
    "```python\nclass Anna(Base):\n    Paris = 1\n```",
    "see https://Example.com/Anna/Paris and mail bob.Jones@Example.com",
    "I speak English and a little French.",
    "ok lol thx, gonna grab a coffee",
    "Thanks! That's perfect. Sounds good.",
    "we paid 1,650 for 20 kg",
    "my dog barks, my cat sleeps, my dog food is gone",
    "Yes. No. Maybe. Great idea!",
    "the project is late, the server crashed, the project manager is out",
    "we live on the main road, on this street, in a quiet street",
    "I switched from coffee to tea.",
]


def found(content: str, language: str | None = "en", *, model: bool = True) -> dict[str, str]:
    spans = read_names([Said(content, Role.USER, language=language)], bundled_tagger() if model else None)[0]
    return {span.text: span.type.value for span in spans}


@pytest.mark.parametrize(("content", "names"), SAID)
def test_names_are_found_with_their_types(content: str, names: dict[str, str]) -> None:
    assert {name: kind for name, kind in found(content).items() if name not in ("this week",)} == names


@pytest.mark.parametrize("content", NOTHING)
def test_what_names_nothing_is_left_alone(content: str) -> None:
    assert found(content) == {}


@pytest.mark.parametrize("content", NOTHING)
def test_what_names_nothing_is_left_alone_by_rules_too(content: str) -> None:
    assert found(content, model=False) == {}
