"""What English says offhand, in lower case and in passing: doses, ends, whose a thing is, who is called so."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType
from tests.text.claims.told import told

PERSON, PLACE, FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION

NAMES = {
    "Ilse": PERSON, "ilse": PERSON, "knut": PERSON, "Pip": PERSON, "ghent": PLACE, "Ghent": PLACE, "Dunhill": FIRM,
    "ostrava": FIRM,
}  # fmt: skip

CLAIMED = """
started sertraline, 50 mg -> I | takes | sertraline | begins ; sertraline | has_dose | 50 mg | holds
I take ramipril, 5 mg -> I | takes | ramipril | holds ; ramipril | has_dose | 5 mg | holds
levothyroxine went up to 75 mcg -> levothyroxine | has_dose | 75 mcg | begins
citalopram is now 30 mg -> citalopram | has_dose | 30 mg | holds
my galaxy s9 died -> I | owns | galaxy s9 | ends
dr put the sertraline up to 100 mg -> sertraline | has_dose | 100 mg | begins
my metformin was reduced from 1000 to 500 mg -> metformin | has_dose | 500 mg | begins
so, moved to ghent yesterday!! -> I | lives_in | ghent | begins from 2025-05-13 day
well, started at Dunhill -> I | works_at | Dunhill | begins
right, so, sold the car -> I | owns | car | ends
anyway, we got a cat called Pip -> I | owns | Pip | begins
started at ostrava energy today -> I | works_at | ostrava energy | begins from 2025-05-14 day
joined the bouldering barn -> I | member_of | bouldering barn | begins
my pixel 6 died, replaced it with a nokia 5 -> I | owns | pixel 6 | ends ; I | owns | nokia 5 | begins
im allergic to penicillin, pls remember that -> I | allergic_to | penicillin | holds
I'm allergic to latex plz note -> I | allergic_to | latex | holds
sold the canoe for 1,250 -> I | owns | canoe | ends ; canoe | costs | 1,250 | holds
we had a girl, she's called Pip -> my daughter | called | Pip | holds ; I | parent_of | Pip | holds
my sister had a girl called Pip -> my sister's daughter | called | Pip | holds ; my sister | parent_of | Pip | holds
Ilse gave birth to a boy! His name is Pip -> Ilse's son | called | Pip | holds ; Ilse | parent_of | Pip | holds
"""

SAID_BEFORE = """
I started sertraline.|i stopped taking sertraline -> I | takes | sertraline | ends
I take levothyroxine.|it went up to 75 mcg -> levothyroxine | has_dose | 75 mcg | begins
levothyroxine went up to 75 mcg|sorry not 75, its 50 mcg -> levothyroxine | has_dose | 50 mcg | corrects
i joined the ostrava rowing club|i left the rowing club -> I | member_of | ostrava rowing club | ends
joined ostrava harmonics|quit ostrava harmonics -> I | member_of | ostrava harmonics | ends
I take levothyroxine.|my dose is 75 mcg now -> levothyroxine | has_dose | 75 mcg | holds
joined ostrava harriers|i quit the harriers -> I | member_of | ostrava harriers | ends
I'm studying portuguese.|gave up portuguese -> I | studies | portuguese | ends
I play the cello.|i sold the cello -> I | owns | cello | ends
My rent is 850.|sorry, i meant 875 incl council tax -> I | has_rent | 875 | corrects
sold the polo for 4,500|no wait, it was 4,350 -> polo | costs | 4,350 | corrects
sold the polo for 4,500|correction: 2,950 -> polo | costs | 2,950 | corrects
Ilse has a hamster called knut.|ilse's hamster knut died -> Ilse | owns | knut | ends
"""

NOT_CLAIMED = """
ilse's hamster knut died
her dog died
ilse's bike got stolen
sold ilse's bike
started taking 50 mg
might go up to 100 mg of it
joined a meeting
my kettle broke, replaced it with a new one
joined Ghent call
Ilse's sertraline went up to 100 mg
"""


@pytest.mark.parametrize("line", CLAIMED.strip().splitlines())
def test_what_is_said_offhand_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message, names=NAMES) == expected.split(" ; ")


@pytest.mark.parametrize("line", SAID_BEFORE.strip().splitlines())
def test_it_is_of_what_was_said_before(line: str) -> None:
    messages, expected = line.split(" -> ")
    before, after = messages.split("|", 1)
    assert told(before, after, names=NAMES)[len(told(before, names=NAMES)) :] == [expected]


@pytest.mark.parametrize("message", NOT_CLAIMED.strip().splitlines())
def test_what_is_anothers_or_no_statement_claims_nothing(message: str) -> None:
    assert told(message, names=NAMES) == []


def test_a_dose_is_how_much_is_taken_and_not_what() -> None:
    assert told("started taking sertraline on Monday, 50 mg") == [
        "I | takes | sertraline | begins from 2025-05-12 day",
        "sertraline | has_dose | 50 mg | holds",
    ]
    assert told("on 20 mg of citalopram, 5 mg of ramipril") == [
        "I | takes | citalopram | holds",
        "citalopram | has_dose | 20 mg | holds",
        "ramipril | has_dose | 5 mg | holds",
    ]
