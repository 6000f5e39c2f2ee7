"""What English says by the way: in requests, in notes without capitals, dictated, of others than the speaker."""

from __future__ import annotations

from datetime import datetime

import pytest

from palace.records.graph import EntityType, Said
from palace.records.source import Role
from palace.text.claims.reading import read_claims
from tests.text.claims.told import SAID_AT, ZONE, told, written

PERSON, PLACE, FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION
ITEM = EntityType.ITEM

NAMES = {
    "Ilse": PERSON, "Tunde": PERSON, "Mr Baptiste": PERSON, "Okoro": PERSON, "Agathe": PERSON, "Joren": PERSON,
    "Ghent": PLACE, "Turin": PLACE, "Lagos": PLACE, "Dunhill": FIRM, "Norwich Academy": FIRM, "Ostrava": FIRM,
    "Evernote": ITEM, "Telegram": ITEM, "Flixonase": ITEM, "Corolla": ITEM,
}  # fmt: skip

CLAIMED = """
Ilse's at Dunhill now. -> Ilse | works_at | Dunhill | holds
my husband's from Turin -> my husband | comes_from | Turin | holds
Ilse and Tunde moved to Ghent. -> Ilse | lives_in | Ghent | begins ; Tunde | lives_in | Ghent | begins
My wife and I live in Ghent. -> I | lives_in | Ghent | holds ; my wife | lives_in | Ghent | holds
I have two kids, Ilse (7) and Tunde (4). -> I | parent_of | Ilse | holds ; Ilse | has_age | 7 | holds \
; I | parent_of | Tunde | holds ; Tunde | has_age | 4 | holds
Our cleaner Agathe is ill. -> I | has_cleaner | Agathe | holds
My piano tuner Agathe is ill. -> I | has_piano_tuner | Agathe | holds
Our cleaner Agathe has left. -> I | has_cleaner | Agathe | holds ; I | has_cleaner | Agathe | ends
Draft a mail to my landlord, Mr Okoro. -> I | has_landlord | Okoro | holds
my landlord is useless. he's called Joren -> I | has_landlord | Joren | holds
Okoro is my dentist. -> I | has_dentist | Okoro | holds
Okoro is our 9 year old beagle. -> I | owns | Okoro | holds ; Okoro | has_age | 9 | holds
Our hens are called Ilse and Agathe. -> I | owns | Ilse | holds ; I | owns | Agathe | holds
Replaced the van with a Corolla. -> I | owns | van | ends ; I | owns | Corolla | begins
The piano went to a new home. -> I | owns | piano | ends
We no longer have the van. -> I | owns | van | ends
the van got stolen last night -> I | owns | van | ends until 2025-05-13 day
Moved my notes from Evernote to Telegram. -> I | uses | Evernote | ends ; I | uses | Telegram | begins
Tunde and I are splitting up. -> I | partner_of | Tunde | ends
Tunde and I got married. -> I | married_to | Tunde | begins
Ilse is divorced from Tunde. -> Ilse | married_to | Tunde | ends
They put Ilse on ibuprofen. -> Ilse | takes | ibuprofen | begins
I'm on Flixonase, two puffs a day. -> I | takes | Flixonase | holds
Ilse started at Norwich Academy. -> Ilse | studies_at | Norwich Academy | begins
Ilse is doing nursing at Norwich Academy. -> Ilse | studies | nursing | holds \
; Ilse | studies_at | Norwich Academy | holds
My pension is with Dunhill. -> I | has_pension | Dunhill | holds
The engine of the Okoro is a Beta 43. -> Okoro | has_engine | Beta 43 | holds
We were in Turin in March. -> I | visited | Turin | happens from 2025-03-01 month
Ilse next door sings. -> I | has_neighbour | Ilse | holds
the flat is cold and we pay 1150 -> I | has_rent | 1150 | holds
I'm a retired baker. -> I | works_as | baker | was
"""

NOT_CLAIMED = """
Write a story in which I live in Ghent.
Write a poem for my sister: I moved to Turin.
Translate this: my landlord Mr Okoro lives in Ghent.
I prefer short answers.
Any tips on how to create and manage a Facebook Group?
I've heard of Evernote and Telegram.
Moving to Ghent is off, and I was at home.
Ilse's car broke down.
"""


def _told(line: str) -> list[str]:
    return told(line, names={name: kind for name, kind in NAMES.items() if name in line})


@pytest.mark.parametrize("line", CLAIMED.strip().replace("\\\n", "").splitlines())
def test_what_is_said_by_the_way_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    filled = ("called", "my husband | called", "my wife | called")
    made = [each for each in _told(message) if each.split(" | ")[1] not in filled]
    assert made == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("message", NOT_CLAIMED.strip().splitlines())
def test_what_is_not_the_speakers_or_not_meant_is_no_claim(message: str) -> None:
    assert [each for each in _told(message) if "denies" not in each] == []


def test_who_writes_without_capitals_names_what_english_does_not_know() -> None:
    assert told("moved to gorzow last week, got a berlingo") == [
        "I | lives_in | gorzow | begins from 2025-05-05 vague",
        *told("x")[:0],
    ]


def test_a_plan_called_off_is_denied() -> None:
    names = {"Turin": PLACE}
    made = told("We fly to Turin on 3 June.", "The trip to Turin is cancelled.", names=names)
    assert made[-1] == "I | planned | Turin trip | denies"
    assert told("Moving to Turin is off.", names=names) == ["I | lives_in | Turin | denies"]


REPLIES = """
What's your dentist's name? || Dr Okoro -> I | has_dentist | Okoro | holds
And what is your cat called? || Pixie. -> my cat | called | Pixie | holds ; I | owns | Pixie | holds
Where do you live? || In Ghent -> I | lives_in | Ghent | holds
What's your dentist's name? || why do you ask -> -
What's your dentist's name? || I live in Ghent. -> I | lives_in | Ghent | holds
"""


@pytest.mark.parametrize("line", REPLIES.strip().splitlines())
def test_a_short_reply_is_about_what_was_asked(line: str) -> None:
    talk, expected = line.split(" -> ")
    question, reply = talk.split(" || ")
    turns = [Said(question, Role.ASSISTANT, None, _at()), Said(reply, Role.USER, None, _at())]
    made = [written(claim).replace("self", "I") for claims in read_claims(turns, [(), ()], ZONE) for claim in claims]
    assert made == ([] if expected == "-" else [each.strip() for each in expected.split(";")])


def _at() -> datetime:
    return SAID_AT
