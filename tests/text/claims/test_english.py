"""What is read as a claim in English, and what is not: in a message, and with the message before it."""

from __future__ import annotations

from palace.records import Role
from tests.text.claims.told import SAID_AT, claims_of, named, read, told, told_last, written
from tests.text.reading import Said
from tests.text.tables import each, misread, rows

NAMES = named(
    person="Ilse ilse Joren Karim Ruth Tunde Okoro Agathe knut Pip Mr_Baptiste",
    place="Ghent ghent Turin Lake_Iseo linz Lagos",
    organisation="Dunhill Wet_Slate Norwich_Academy ostrava Ostrava",
    item="Rufus Evernote Telegram Flixonase Corolla",
)
CLAIMED = """
I've lived in Lisbon since 2019. -> I | lives_in | Lisbon | holds from 2019-01-01 year
moved to austin last week -> I | lives_in | austin | begins from 2025-05-05 vague
I'm a nurse. -> I | works_as | nurse | holds
I'm Tunde Bakare. -> I | called | Tunde Bakare | holds
I have two cats. -> I | owns | cats | holds
I have asthma. -> I | has | asthma | holds
I take 20mg of sertraline. -> I | takes | sertraline | holds ; sertraline | has_dose | 20mg | holds
I've taken up bouldering. -> I | does | bouldering | begins
I hate mushrooms. -> I | dislikes | mushrooms | holds
I joined a rowing club in 2023. -> I | member_of | rowing club | begins from 2023-01-01 year
I married Lena in 2015. -> I | married_to | Lena | begins from 2015-01-01 year
My sister Anna lives in Porto. -> my sister | called | Anna | holds ; I | sibling_of | Anna | holds \
; Anna | lives_in | Porto | holds
Our dog Biscuit is 4. -> my dog | called | Biscuit | holds ; I | owns | Biscuit | holds ; Biscuit | has_age | 4 | holds
The wifi password is hunter22. -> wifi password | is | hunter22 | holds
Flying to Lisbon on 3 June. -> I | planned | Lisbon trip | happens from 2025-06-03 day
We're going to Japan in November. -> I | planned | Japan trip | happens from 2025-11-01 month
I live in Ghent, do you know a good baker? -> I | lives_in | Ghent | holds
My mum lives in Porto, not in Lisbon anymore. -> my mum | lives_in | Porto | holds ; my mum | lives_in | Lisbon | ends
Lukas and I broke up in March. -> I | partner_of | Lukas | ends until 2025-03-01 month
I got my stand mixer back from the repair shop. -> I | owns | stand mixer | holds
Tom Hanks lives in LA. -> Tom Hanks | lives_in | LA | holds
I quit my job at Siemens in April. -> I | works_at | Siemens | ends until 2025-04-01 month
I got a job at Google. -> I | works_at | Google | begins
I gave my old guitar to Tom. -> I | owns | guitar | ends
My car is a 2014 Skoda Octavia. -> I | owns | 2014 Skoda Octavia | holds
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
I grew up in Turin. -> I | comes_from | Turin | holds
Swapped the piano for a cello. -> I | owns | piano | ends ; I | owns | cello | begins
I'm off the ibuprofen. -> I | takes | ibuprofen | ends
My last day at Dunhill is friday. -> I | works_at | Dunhill | ends until 2025-05-16 day
I start at Dunhill on the 20th btw -> I | works_at | Dunhill | begins from 2025-05-20 day
I'm seventy-one. -> I | has_age | seventy-one | holds
"""
CLAIMED_OF_NAMES = """
I take levothyroxine every morning. -> I | takes | levothyroxine | holds
I've been taking ramipril twice a day. -> I | takes | ramipril | holds
levothyroxine every morning, before breakfast -> I | takes | levothyroxine | holds
on 50 mg of sertraline now -> I | takes | sertraline | holds ; sertraline | has_dose | 50 mg | holds
doctor switched me from citalopram to sertraline -> I | takes | citalopram | ends ; I | takes | sertraline | begins
Ilse isn't moving to Turin after all. -> Ilse | lives_in | Turin | denies
We decided not to move to Ghent. -> I | lives_in | Ghent | denies
I turned down the job at Dunhill. -> I | works_at | Dunhill | denies
I stayed at Dunhill in the end. -> I | works_at | Dunhill | holds
Ilse dumped me. -> I | partner_of | Ilse | ends
we're not together any more -> I | partner_of | - | ends
Ilse and I got back together. -> I | partner_of | Ilse | begins
got hired at Dunhill -> I | works_at | Dunhill | begins
got let go by Dunhill last month -> I | works_at | Dunhill | ends until 2025-04-01 month
Dunhill let me go. -> I | works_at | Dunhill | ends
My contract at Dunhill ended in March. -> I | works_at | Dunhill | ends until 2025-03-01 month
I got made redundant in March. -> I | works_at | - | ends until 2025-03-01 month
freelancing now -> I | works_as | freelancer | holds
moved in w my cousin in Ghent, wait no linz -> I | lives_in | linz | begins
our rent went up from 895 to 940 -> I | has_rent | 940 | begins
mom remarried, his name is Karim -> my mom's husband | called | Karim | holds ; my mom | married_to | Karim | holds
I've been to Turin and Ghent. -> I | visited | Turin | was ; I | visited | Ghent | was
spent a week at Lake Iseo -> I | visited | Lake Iseo | happens
I take ramipril, 5 mg -> I | takes | ramipril | holds ; ramipril | has_dose | 5 mg | holds
citalopram is now 30 mg -> citalopram | has_dose | 30 mg | holds
dr put the sertraline up to 100 mg -> sertraline | has_dose | 100 mg | begins
anyway, we got a cat called Pip -> I | owns | Pip | begins
my pixel 6 died, replaced it with a nokia 5 -> I | owns | pixel 6 | ends ; I | owns | nokia 5 | begins
we had a girl, she's called Pip -> my daughter | called | Pip | holds ; I | parent_of | Pip | holds
my sister had a girl called Pip -> my sister's daughter | called | Pip | holds ; my sister | parent_of | Pip | holds
Ilse gave birth to a boy! His name is Pip -> Ilse's son | called | Pip | holds ; Ilse | parent_of | Pip | holds
"""
BY_THE_WAY = """
Ilse's at Dunhill now. -> Ilse | works_at | Dunhill | holds
my husband's from Turin -> my husband | comes_from | Turin | holds
My wife and I live in Ghent. -> I | lives_in | Ghent | holds ; my wife | lives_in | Ghent | holds
I have two kids, Ilse (7) and Tunde (4). -> I | parent_of | Ilse | holds ; Ilse | has_age | 7 | holds \
; I | parent_of | Tunde | holds ; Tunde | has_age | 4 | holds
My piano tuner Agathe is ill. -> I | has_piano_tuner | Agathe | holds
Our cleaner Agathe has left. -> I | has_cleaner | Agathe | holds ; I | has_cleaner | Agathe | ends
my landlord is useless. he's called Joren -> I | has_landlord | Joren | holds
Okoro is our 9 year old beagle. -> I | owns | Okoro | holds ; Okoro | has_age | 9 | holds
Our hens are called Ilse and Agathe. -> I | owns | Ilse | holds ; I | owns | Agathe | holds
Replaced the van with a Corolla. -> I | owns | van | ends ; I | owns | Corolla | begins
The piano went to a new home. -> I | owns | piano | ends
We no longer have the van. -> I | owns | van | ends
the van got stolen last night -> I | owns | van | ends until 2025-05-13 day
Moved my notes from Evernote to Telegram. -> I | uses | Evernote | ends ; I | uses | Telegram | begins
Tunde and I got married. -> I | married_to | Tunde | begins
They put Ilse on ibuprofen. -> Ilse | takes | ibuprofen | begins
I'm on Flixonase, two puffs a day. -> I | takes | Flixonase | holds
Ilse is doing nursing at Norwich Academy. -> Ilse | studies | nursing | holds \
; Ilse | studies_at | Norwich Academy | holds
My pension is with Dunhill. -> I | has_pension | Dunhill | holds
We were in Turin in March. -> I | visited | Turin | happens from 2025-03-01 month
Ilse next door sings. -> I | has_neighbour | Ilse | holds
the flat is cold and we pay 1150 -> I | has_rent | 1150 | holds
"""
NOT_CLAIMED = """
I'd love to live in Oslo. | "I quit Deloitte and moved to Bali" is all I read there.
Imagine you own a house in Rome. | I bought my sister a lamp. | I started making oat milk with honey.
I was going to buy a boat. | In my novel, Anna lives in Paris and works at Dior. | I'll be happy when I have a dog.
I'm moving to Berlin in June if they approve it. | People who own dogs live longer. | Dunhill went bankrupt.
Ilse told me she split up with Joren. | I might get laid off from Dunhill. | I'm scared Dunhill will let me go.
It's 5 not 6. | I left Joren at the station. | ilse's bike got stolen | sold ilse's bike | started taking 50 mg
might go up to 100 mg of it | my kettle broke, replaced it with a new one | joined Ghent call
Ilse's sertraline went up to 100 mg | Write a poem for my sister: I moved to Turin. | I prefer short answers.
Any tips on how to create and manage a Facebook Group? | I've heard of Evernote and Telegram.
Moving to Ghent is off, and I was at home. | Maybe I'll be done with Dunhill.
"""
BEHIND = """
I'm dating Joren. || I left him. -> I | partner_of | Joren | ends
I'm married to Ilse. || She and I separated in March. -> I | married_to | Ilse | ends until 2025-03-01 month
I'm dating Joren. || We broke up. -> I | partner_of | Joren | ends
I work at Dunhill. || Dunhill went bankrupt. -> I | works_at | Dunhill | ends
I play in a band called Wet Slate. || quit Wet Slate -> I | member_of | Wet Slate | ends
We move to Ghent in June. || didn't get the flat -> I | lives_in | Ghent | denies
I started sertraline. || i stopped taking sertraline -> I | takes | sertraline | ends
levothyroxine went up to 75 mcg || sorry not 75, its 50 mcg -> levothyroxine | has_dose | 50 mcg | corrects
joined ostrava harmonics || quit ostrava harmonics -> I | member_of | ostrava harmonics | ends
I take levothyroxine. || my dose is 75 mcg now -> levothyroxine | has_dose | 75 mcg | holds
joined ostrava harriers || i quit the harriers -> I | member_of | ostrava harriers | ends
I'm studying portuguese. || gave up portuguese -> I | studies | portuguese | ends
Ilse has a hamster called knut. || ilse's hamster knut died -> Ilse | owns | knut | ends
The rent is 1,450. || Correction: the rent is 1,540, not 1,450. -> I | has_rent | 1,540 | corrects
The efoil's battery is 12V. || no, it's 24 volts -> efoil | has_battery | 24 volts | corrects
We fly to Lisbon on 3 June. || sorry, I meant 4 June -> I | planned | Lisbon trip | corrects from 2025-06-04 day
My sister Ana called. || actually it's Anna with two n's -> I | sibling_of | Anna | corrects \
; my sister | called | Anna | corrects
The rent is 1,450. || Fine. || Thanks. || Well. || no, it's 24 volts ->
We fly to Turin on 3 June. || The trip to Turin is cancelled. -> I | planned | Turin trip | denies
"""
REPLIES = """
What's your dentist's name? || Dr Okoro -> I | has_dentist | Okoro | holds
And what is your cat called? || Pixie. -> my cat | called | Pixie | holds ; I | owns | Pixie | holds
Where do you live? || In Ghent -> I | lives_in | Ghent | holds
What's your dentist's name? || why do you ask -> -
What's your dentist's name? || I live in Ghent. -> I | lives_in | Ghent | holds
"""


def test_a_plain_statement_is_claimed_and_what_is_not_meant_so_is_not() -> None:
    assert misread(told, rows(CLAIMED)) == []


def test_what_is_said_of_known_names_is_claimed() -> None:
    assert misread(lambda message: told(message, names=NAMES), rows(CLAIMED_OF_NAMES)) == []
    assert misread(lambda message: told(message, names=NAMES, but="called"), rows(BY_THE_WAY)) == []


def test_what_is_not_meant_so_or_is_somebody_elses_is_no_claim() -> None:
    def but_denied(message: str) -> str:
        claims = told(message, names=NAMES).split(" ; ")
        return " ; ".join(claim for claim in claims if "denies" not in claim)

    assert misread(but_denied, each(NOT_CLAIMED, "")) == []


def test_a_message_changes_or_corrects_what_was_claimed_before_it() -> None:
    assert misread(lambda talk: told_last(talk, NAMES), rows(BEHIND)) == []


def test_a_short_reply_is_about_what_was_asked() -> None:
    def replied(talk: str) -> str:
        question, reply = talk.split(" || ")
        turns = [Said(question, Role.ASSISTANT, None, SAID_AT), Said(reply, Role.USER, None, SAID_AT)]
        claims = [written(claim).replace("self", "I") for found in read(turns) for claim in found]
        return " ; ".join(claims) or "-"

    assert misread(replied, rows(REPLIES)) == []


def test_spans_are_of_the_clause() -> None:
    content = "Well, hello! I live in Ghent and I bought a boat."
    claims = claims_of(content)
    assert [content[each.start : each.end].strip() for each in claims] == ["I live in Ghent and", "I bought a boat."]
    assert [each.action for each in claims] == ["holds", "begins"]


def test_names_tell_what_is_written_small_and_what_was_quit() -> None:
    names = named(item="momo", person="kunle", organisation="Vivantes")
    assert "I | owns | momo | holds" in told("my cat momo sleeps", names=names)
    assert "kunle | lives_in | toronto" in told("my brother kunle moved to toronto last month", names=names)
    assert told_last("I work at Vivantes. || I quit Vivantes!", names) == "I | works_at | Vivantes | ends"
    assert told_last("I use Vivantes. || I quit Vivantes!", names) == "I | uses | Vivantes | ends"


def test_what_somebody_says_of_themselves_is_theirs_and_a_dogs_mother_is_nobodys() -> None:
    assert told("My friend Rachel said she sold her car.").endswith("Rachel | owns | car | ends")
    assert "child_of" not in told("My sister has a dog called Rufus. His mum Fiona is lovely.", names=NAMES)
    assert told("He lives in Porto.") == told("no, it's 24 volts") == ""
