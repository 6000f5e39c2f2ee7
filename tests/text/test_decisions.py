"""What says that something was decided, and what leaves it open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.statements import says_decision


@pytest.mark.parametrize(
    "text",
    [
        "We decided to drop the GraphQL layer and use plain REST.",
        "We agreed that Jonas takes over the on-call rota.",
        "Decision: we keep raw events for 30 days.",
        "Agreed: 8 November, 02:00 to 04:00.",
        "Ok, let's go with Postgres then.",
        "I've decided to sell the car.",
        "It was decided that the office closes on Fridays.",
        "In the meeting they settled on Lisbon.",
        "We're going with Hetzner.",
        "The decision is to postpone.",
        "My wife and I agreed to name her Ada.",
        "Wir haben beschlossen, die API in Go zu schreiben.",
        "Beschluss: Die Kirche bekommt neue Fenster.",
        "Wir haben uns auf Dienstag geeinigt.",
        "Abgemacht, Freitag um acht.",
        "Es wurde festgelegt, dass nur noch getestet wird.",
        "Am Montag entschieden wir uns für Rot.",
        "Wir bleiben bei Sentry.",
        "Final decision: tabs.",
        "After a long talk we finally chose the blue tiles.",
        "Decided against a monorepo.",
        "Settled on Redis for the queue.",
        "From now on raw events are kept for 90 days.",
        "I opted for the cheaper plan.",
        "Team vote: we're switching to Bun for the scripts.",
        "So it's settled, we fly on the 4th.",
        "Mum and I decided on the beech table.",
        "Okay, decision made: no kubernetes this year.",
        "We will go ahead with option B.",
        "The board approved the budget.",
        "Outcome of the meeting: logging moves to Loki.",
        "Final call: the launch moves to March.",
        "We concluded that the cache has to go.",
        "I made up my mind, I am taking the job.",
        "Wir nehmen jetzt doch Postgres.",
        "Ergebnis der Sitzung: Lena übernimmt die Kasse.",
        "Der Vorstand hat den Haushalt genehmigt.",
        "Wir haben uns gegen den Umbau entschieden.",
        "Es ist beschlossene Sache, wir ziehen um.",
        "Also gut, es bleibt bei Donnerstag.",
        "Ich habe mich für das rote Rad entschieden.",
        "The meeting was long. We agreed on Lisbon. Nobody has decided who flies.",
    ],
)
def test_these_say_a_decision(text: str) -> None:
    assert says_decision(text)


@pytest.mark.parametrize(
    "text",
    [
        "We have not decided on GraphQL yet.",
        "We still have to decide between Redis and RabbitMQ.",
        "What did we decide last week?",
        "Should we decide this now?",
        "Once we have decided, I will write the ADR.",
        "The board has yet to agree on a date.",
        "I can't decide which one to buy.",
        "If we agreed on this, it would be cheaper.",
        "The lunch place near the office closed.",
        "Wir haben noch nicht entschieden, ob wir umziehen.",
        "Wir müssen uns bis Freitag entscheiden.",
        "Sobald das beschlossen ist, fange ich an.",
        "The dust settled after an hour.",
        "Noted: staging runs at Hetzner.",
        "Please decide for me.",
        "We haven't agreed on a price.",
        "Das ist noch nicht festgelegt.",
        "The settled snow melted.",
        "He resolved the ticket.",
        "The bug is resolved: the cache was stale.",
        "I wonder which one we will choose.",
        "The committee decides next Tuesday.",
        "You have to decide by Friday.",
        "I disagree with the decision process.",
        "My daughter settled in well at school.",
        "The agreement has to be signed by the landlord.",
        "They are still deciding.",
        "I agree.",
        "Agreed!",
        "Die Entscheidung fällt am Montag.",
        "Kannst du das entscheiden?",
        "Er einigte sich mit niemandem.",
        "We picked apples all afternoon.",
        "Let me know what you decide.",
        "That was not what we agreed on.",
        "It's not decided.",
        "The choice of colours is nice.",
        "Das Ergebnis war knapp.",
    ],
)
def test_these_say_none(text: str) -> None:
    assert not says_decision(text)


ENDS = str.maketrans("", "", ".!?？؟。！\n")


@given(st.text())
def test_a_question_is_none_whatever_it_holds(text: str) -> None:
    assert isinstance(says_decision(text), bool)
    assert not says_decision(f"{text.translate(ENDS)}, so we decided?")
