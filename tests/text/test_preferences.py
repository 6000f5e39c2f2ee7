"""Statements of choice and questions for advice, with what looks like them and is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.preferences import asks_advice, states_preference

PREFERENCES = """
I prefer window seats on long flights.
I really like hiking in the fog.
We love board games with a short rulebook.
I hate coriander with a passion.
I can't stand open-plan offices.
I\u2019m allergic to shellfish.
I have a peanut allergy, so nothing with nuts.
I'm a huge fan of slow thrillers.
I've always been fond of old maps.
My favourite colour is teal.
My go-to breakfast is porridge.
That little bakery is a favorite of mine.
I usually take the night train.
I never eat breakfast before ten.
I use a Fujifilm camera for street shots.
I own two kayaks.
I have a greyhound called Miso.
I've got three bonsai trees.
I'm vegetarian, by the way.
I don't drink coffee after noon.
I'd rather walk than take the bus.
I've been using Obsidian for my notes.
I just bought a standing desk.
I'm more of a morning person, so I'm a morning person.
We avoid palm oil wherever we can.
Crowded beaches are not my thing.
Short sessions work best for me.
I collect enamel pins from museums.
I am passionate about fermentation.
I'm interested in medieval architecture.
I tend to pack light.
I'm lactose intolerant.
I listen to podcasts on the way to work.
""".strip().splitlines()

NO_PREFERENCES = """
I'd like to know more about tides.
I like your idea, let's do it.
I love that! Thank you.
Can I use butter instead of oil?
How do I use this lens?
Should I own or rent a boat?
I have a question about the invoice.
I have a meeting at four.
I never thought of that.
I always thought it was closed on Mondays.
What is the best way to store basil?
The tower was built in 1889.
Do you like jazz?
Would I like the second season?
I went to Porto in May.
She has a dog.
If I use yeast, how long does it rise?
Thanks, that helps a lot.
I have a few ideas for the party.
Please rewrite this paragraph.
I would like to hear both sides.
The function returns a list.
""".strip().splitlines()

QUESTIONS = """
Can you recommend a museum for a rainy day?
Any tips for keeping my desk tidy?
Do you have any suggestions for dinner tonight?
What should I cook this weekend?
Should we drive or take the train?
Help me choose a gift for my sister.
I need some advice on training for a marathon.
I'm not sure which lens to take along.
Could you suggest a few podcasts?
Any ideas?
What would you pick for a long flight?
What can I bake with three eggs?
Is it worth buying a second monitor?
You told me about Lisbon once. What should I see there?
I was wondering if you could recommend a hotel in Graz.
I had pasta yesterday, what should I eat today?
Where's a good place for me to read outdoors?
""".strip().splitlines()

NO_QUESTIONS = """
What did you recommend for my back pain?
Which hotel did you suggest in Graz?
What was the advice about my visa?
Who recommended the dentist to me?
Remind me of the tips you gave me on sleep.
What did Ana suggest for the menu?
Did I take any advice from my brother?
How many ideas did we collect?
When did I buy the standing desk?
What is the name of my sister's dog?
How much did I spend on tips in June?
In our last conversation, which podcasts were the suggestions for?
What is the capital of Norway?
""".strip().splitlines()


@pytest.mark.parametrize("text", PREFERENCES)
def test_a_choice_is_known_by_what_the_person_says_of_themselves(text: str) -> None:
    assert states_preference(text)


@pytest.mark.parametrize("text", NO_PREFERENCES)
def test_a_wish_a_question_or_a_reply_is_no_choice(text: str) -> None:
    assert not states_preference(text)


@pytest.mark.parametrize("query", QUESTIONS)
def test_advice_is_asked_for(query: str) -> None:
    assert asks_advice(query)


@pytest.mark.parametrize("query", NO_QUESTIONS)
def test_what_was_said_before_is_not_asked_for_as_advice(query: str) -> None:
    assert not asks_advice(query)


@given(st.text(max_size=400))
def test_any_text_is_judged(text: str) -> None:
    assert states_preference(text) in (True, False)
    assert asks_advice(text) in (True, False)
