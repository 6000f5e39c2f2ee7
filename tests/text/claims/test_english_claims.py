"""What is read as a claim in English, and what is not."""

from __future__ import annotations

import pytest

from palace.records.graph import Action, EntityType
from tests.text.claims.told import claims_of, told

CLAIMED = """
I live in Ghent. -> I | lives_in | Ghent | holds
I've lived in Lisbon since 2019. -> I | lives_in | Lisbon | holds from 2019-01-01 year
moved to austin last week -> I | lives_in | austin | begins from 2025-05-05 vague
We move to Porto in June. -> I | lives_in | Porto | begins from 2025-06-01 month
I moved from Ghent to Utrecht in May -> I | lives_in | Ghent | ends until 2025-05-01 month \
; I | lives_in | Utrecht | begins from 2025-05-01 month
I no longer live in Paris. -> I | lives_in | Paris | ends
i dont live in Paris anymore -> I | lives_in | Paris | ends
I used to work at Siemens until 2021. -> I | works_at | Siemens | was until 2021-01-01 year
I work at Arup as a structural engineer. -> I | works_at | Arup | holds ; I | works_as | structural engineer | holds
I'm a nurse. -> I | works_as | nurse | holds
I'm Tunde Bakare. -> I | called | Tunde Bakare | holds
I'm from Arcadia. -> I | comes_from | Arcadia | holds
sold teh boat -> I | owns | boat | ends
We bought a piano in March. -> I | owns | piano | begins from 2025-03-01 month
I have two cats. -> I | owns | cats | holds
I have asthma. -> I | has | asthma | holds
I'm allergic to peanuts and shellfish. -> I | allergic_to | peanuts | holds ; I | allergic_to | shellfish | holds
I take 20mg of sertraline. -> I | takes | sertraline | holds; sertraline | has_dose | 20mg | holds
I stopped taking sertraline in April. -> I | takes | sertraline | ends until 2025-04-01 month
I've taken up bouldering. -> I | does | bouldering | begins
I speak Dutch and French. -> I | speaks | Dutch | holds ; I | speaks | French | holds
I prefer tea to coffee. -> I | prefers | tea | holds
I hate mushrooms. -> I | dislikes | mushrooms | holds
I switched from Evernote to Obsidian last month. -> I | uses | Evernote | ends until 2025-04-01 month \
; I | uses | Obsidian | begins from 2025-04-01 month
I joined a rowing club in 2023. -> I | member_of | rowing club | begins from 2023-01-01 year
I married Lena in 2015. -> I | married_to | Lena | begins from 2015-01-01 year
My sister Anna lives in Porto. -> my sister | called | Anna | holds ; I | sibling_of | Anna | holds \
; Anna | lives_in | Porto | holds
Our dog Biscuit is 4. -> my dog | called | Biscuit | holds ; I | owns | Biscuit | holds ; Biscuit | has_age | 4 | holds
We have two kids, Simi and Dapo. -> I | parent_of | Simi | holds \
; I | parent_of | Dapo | holds
My mum lives in Boston. -> my mum | lives_in | Boston | holds
My dentist is Dr. Sato. -> I | has_dentist | Dr. Sato | holds
The rent is £1,650 a month. -> I | has_rent | £1,650 | holds
The efoil's battery is 24V20Ah. -> efoil | has_battery | 24V20Ah | holds
The wifi password is hunter22. -> wifi password | is | hunter22 | holds
I visited Kyoto last year. -> I | visited | Kyoto | happens from 2024-01-01 year
Flying to Lisbon on 3 June. -> I | planned | Lisbon trip | happens from 2025-06-03 day
We're going to Japan in November. -> I | planned | Japan trip | happens from 2025-11-01 month
I live in Ghent, do you know a good baker? -> I | lives_in | Ghent | holds
My mum lives in Porto, not in Lisbon anymore. -> my mum | lives_in | Porto | holds ; my mum | lives_in | Lisbon | ends
Lukas and I broke up in March. -> I | partner_of | Lukas | ends until 2025-03-01 month
I got my stand mixer back from the repair shop. -> I | owns | stand mixer | holds
Tom Hanks lives in LA. -> Tom Hanks | lives_in | LA | holds
Me and my wife bought a house in 2020. -> I | owns | house | begins from 2020-01-01 year
I quit my job at Siemens in April. -> I | works_at | Siemens | ends until 2025-04-01 month
I got a job at Google. -> I | works_at | Google | begins
I gave my old guitar to Tom. -> I | owns | guitar | ends
My car is a 2014 Skoda Octavia. -> I | owns | 2014 Skoda Octavia | holds
i have a dog called rex -> my dog | called | rex | holds ; I | owns | rex | holds
we got a cat her name is Momo -> I | owns | Momo | begins
The rent went up to 1,450 in January. -> I | has_rent | 1,450 | begins from 2025-01-01 month
My birthday is on 3 March. -> I | has_birthday | 3 March | holds
I don't like olives. -> I | dislikes | olives | holds
I can't stand olives. -> I | dislikes | olives | holds
Our wedding is on 3 June. -> I | planned | wedding | happens from 2025-06-03 day
We cancelled the trip to Lisbon. -> I | planned | Lisbon trip | denies
I bought proper boots, the Hanwag Tatra, for €280. -> I | owns | Hanwag Tatra | begins \
; Hanwag Tatra | costs | €280 | holds
I really enjoy my mountain bike. -> I | owns | mountain bike | holds
the vet is doctor Leitner no wait that's my dentist the vet is doctor Kovacs -> \
I | has_dentist | doctor Leitner | holds ; I | has_vet | doctor Kovacs | holds
"""

NOT_CLAIMED = """
I don't have a car.
I never lived in Paris.
If I win the lottery I'll buy a boat.
I wish I had a dog.
I'd love to live in Oslo.
I might sell the boat.
We almost bought a house.
Should I buy a second cat?
Do you think I work at Bosch?
Can I use Notion for that?
My brother says I should buy a Kia.
just kidding, I bought a Ferrari
I bought a yacht, in my dreams
"I quit Deloitte and moved to Bali" is all I read there.
> I live in Berlin
Write a poem: I live in Berlin and I own a boat.
Imagine you own a house in Rome.
She sold her car.
I bought my sister a lamp.
I love the idea of podcasts and games.
Lamps like Philips Hue help.
I started making oat milk with honey.
Which one do I like better?
Maybe I bought the wrong boat.
I was going to buy a boat.
I practically live at the gym.
My friend thinks I live in Rome.
The ad said: I quit my job and moved to Bali.
In my novel, Anna lives in Paris and works at Dior.
Once I have a dog I'll be happy.
I'll be happy when I have a dog.
I'm moving to Berlin in June if they approve it.
People who own dogs live longer.
I took the train to Berlin yesterday.
"""


@pytest.mark.parametrize("line", [line for line in CLAIMED.strip().splitlines() if line])
def test_a_plain_statement_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message) == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("message", NOT_CLAIMED.strip().splitlines())
def test_what_is_not_meant_so_is_no_claim(message: str) -> None:
    assert told(message) == []


def test_names_tell_what_is_written_small() -> None:
    names = {"momo": EntityType.ITEM, "kunle": EntityType.PERSON}
    assert "I | owns | momo | holds" in told("my cat momo sleeps", names=names)
    assert told("my brother kunle moved to toronto last month", names=names)[-1].startswith(
        "kunle | lives_in | toronto"
    )


def test_a_pronoun_means_the_only_one_it_can_mean() -> None:
    assert told("My sister Anna called.", "She lives in Porto.")[-1] == "Anna | lives_in | Porto | holds"
    assert told("My sisters Anna and Eva called.", "She lives in Porto.")[-1] != "Anna | lives_in | Porto | holds"
    assert told("He lives in Porto.") == []


def test_what_somebody_says_of_themselves_is_theirs() -> None:
    assert told("My friend Rachel said she sold her car.")[-1].startswith("Rachel | owns | car | ends")


CORRECTED = """
The rent is 1,450. || sorry, I meant 1,540 -> I | has_rent | 1,540 | corrects
The rent is 1,450. || Correction: the rent is 1,540, not 1,450. -> I | has_rent | 1,540 | corrects
The efoil's battery is 12V. || no, it's 24 volts -> efoil | has_battery | 24 volts | corrects
We fly to Lisbon on 3 June. || sorry, I meant 4 June -> I | planned | Lisbon trip | corrects from 2025-06-04 day
My sister Ana called. || actually it's Anna with two n's -> my sister | called | Anna | corrects
"""


@pytest.mark.parametrize("line", CORRECTED.strip().splitlines())
def test_a_correction_is_of_what_was_claimed_last(line: str) -> None:
    messages, expected = line.split(" -> ")
    assert told(*messages.split(" || "))[-1] == expected


def test_nothing_is_corrected_that_was_not_claimed() -> None:
    assert told("no, it's 24 volts") == []
    assert told("The rent is 1,450.", "Fine.", "Thanks.", "Well.", "no, it's 24 volts")[1:] == []


def test_spans_are_of_the_clause() -> None:
    content = "Well, hello! I live in Ghent and I bought a boat."
    claims = claims_of(content)
    assert [content[each.start : each.end].strip() for each in claims] == ["I live in Ghent and", "I bought a boat."]
    assert [each.action for each in claims] == [Action.HOLDS, Action.BEGINS]


def test_what_was_quit_is_what_it_was_known_to_be() -> None:
    names = {"Vivantes": EntityType.ORGANISATION}
    assert told("I work at Vivantes.", "I quit Vivantes!", names=names)[1:] == ["I | works_at | Vivantes | ends"]
    assert told("I use Vivantes.", "I quit Vivantes!", names=names)[1:] == ["I | uses | Vivantes | ends"]
