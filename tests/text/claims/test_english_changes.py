"""What English says of things that change: medicines, plans taken back, couples, jobs, figures put right, visits."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType
from tests.text.claims.told import told

PERSON, PLACE, FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION

NAMES = {
    "Ilse": PERSON, "Joren": PERSON, "Karim": PERSON, "Ruth": PERSON, "Ghent": PLACE, "Turin": PLACE,
    "Lake Iseo": PLACE, "linz": PLACE, "Dunhill": FIRM, "Wet Slate": FIRM, "Rufus": EntityType.ITEM,
}  # fmt: skip

CLAIMED = """
I take levothyroxine every morning. -> I | takes | levothyroxine | holds
I've been taking ramipril twice a day. -> I | takes | ramipril | holds
levothyroxine every morning, before breakfast -> I | takes | levothyroxine | holds
Mum takes warfarin each night. -> my mum | takes | warfarin | holds
on 50 mg of sertraline now -> I | takes | sertraline | holds ; sertraline | has_dose | 50 mg | holds
doctor switched me from citalopram to sertraline -> I | takes | citalopram | ends ; I | takes | sertraline | begins
Ilse isn't moving to Turin after all. -> Ilse | lives_in | Turin | denies
We're not getting the dog after all. -> I | owns | dog | denies
We decided not to move to Ghent. -> I | lives_in | Ghent | denies
I turned down the job at Dunhill. -> I | works_at | Dunhill | denies
I stayed at Dunhill in the end. -> I | works_at | Dunhill | holds
Ilse and Joren broke up. -> Ilse | partner_of | Joren | ends
Ilse dumped me. -> I | partner_of | Ilse | ends
I split up with Joren in March. -> I | partner_of | Joren | ends until 2025-03-01 month
we're not together any more -> I | partner_of | - | ends
Ilse and I got back together. -> I | partner_of | Ilse | begins
got hired at Dunhill -> I | works_at | Dunhill | begins
got let go by Dunhill last month -> I | works_at | Dunhill | ends until 2025-04-01 month
Dunhill let me go. -> I | works_at | Dunhill | ends
My contract at Dunhill ended in March. -> I | works_at | Dunhill | ends until 2025-03-01 month
I got made redundant in March. -> I | works_at | - | ends until 2025-03-01 month
I retired in March. -> I | works_at | - | ends until 2025-03-01 month
freelancing now -> I | works_as | freelancer | holds
moved in w my cousin in Ghent, wait no linz -> I | lives_in | linz | begins
I moved to Ghent, I mean Turin. -> I | lives_in | Turin | begins
My rent is 895, no, 925 -> I | has_rent | 925 | holds
our rent went up from 895 to 940 -> I | has_rent | 940 | begins
mom remarried, his name is Karim -> my mom's husband | called | Karim | holds ; my mom | married_to | Karim | holds
been to Turin twice -> I | visited | Turin | was
I've been to Turin and Ghent. -> I | visited | Turin | was ; I | visited | Ghent | was
spent a week at Lake Iseo -> I | visited | Lake Iseo | happens
"""

SAID_BEFORE = """
I'm dating Joren.|I left him. -> I | partner_of | Joren | ends
I'm married to Ilse.|She and I separated in March. -> I | married_to | Ilse | ends until 2025-03-01 month
I'm dating Joren.|We broke up. -> I | partner_of | Joren | ends
I work at Dunhill.|Dunhill went bankrupt. -> I | works_at | Dunhill | ends
I play in a band called Wet Slate.|quit Wet Slate -> I | member_of | Wet Slate | ends
I start at Dunhill in June.|I turned the job down. -> I | works_at | Dunhill | denies
We move to Ghent in June.|didn't get the flat -> I | lives_in | Ghent | denies
My rent is 895.|it's 925 now not 895 -> I | has_rent | 925 | holds
My rent is 895.|it's 925, not 895 -> I | has_rent | 925 | corrects
My rent is 895.|make that 925 -> I | has_rent | 925 | corrects
"""

NOT_CLAIMED = """
Dunhill went bankrupt.
Ilse told me she split up with Joren.
I might get laid off from Dunhill.
Ilse left me a note.
the band broke up in March
We split the bill.
I'm scared Dunhill will let me go.
It's 5 not 6.
did you break up with Joren?
I left Joren at the station.
"""


@pytest.mark.parametrize("line", CLAIMED.strip().splitlines())
def test_a_change_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message, names=NAMES) == expected.split(" ; ")


@pytest.mark.parametrize("line", SAID_BEFORE.strip().splitlines())
def test_a_change_is_of_what_was_said_before(line: str) -> None:
    messages, expected = line.split(" -> ")
    before, after = messages.split("|", 1)
    assert told(before, after, names=NAMES)[len(told(before, names=NAMES)) :] == [expected]


@pytest.mark.parametrize("message", NOT_CLAIMED.strip().splitlines())
def test_what_is_no_change_claims_nothing(message: str) -> None:
    assert told(message, names=NAMES) == []


def test_the_mother_of_a_dog_is_nobodys_parent() -> None:
    claims = told("My sister has a dog called Rufus. His mum Fiona is lovely.", names=NAMES)
    assert not [claim for claim in claims if "child_of" in claim]
