"""Which queries want something done or worked out, and which something remembered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked.tasks import wants_work

WORK = """
Write me a poem about the sea.
Please draft a note to the landlord.
Could you plan a picnic for eight?
I need a shed, could you design it?
What could I cook tonight?
What should I wear to the opera?
How do I get wine out of linen?
Why do leaves turn red?
Is there a museum worth a detour?
Any good novel for the train?
Explain how a sundial works.
Would a canoe be stable enough?
Schreib mir ein Gedicht über das Meer.
Was soll ich heute kochen?
Plane bitte ein Picknick.
Kannst du mir eine Lampe empfehlen?
"""
MEMORY = """
What is the name of my dentist?
When did I write the poem?
Where does my sister live?
Who drew the plan of the shed?
Which museum did you recommend?
What should I have worn, what did you say?
How many picnics were there?
Remind me what Ana suggested.
Why did we sell the canoe?
Wann habe ich das Gedicht geschrieben?
Wie heißt mein Zahnarzt?
"""


@pytest.mark.parametrize("query", WORK.strip().splitlines())
def test_a_task_is_known_by_what_it_wants(query: str) -> None:
    assert wants_work(query)


@pytest.mark.parametrize("query", MEMORY.strip().splitlines())
def test_what_is_to_be_remembered_is_no_task(query: str) -> None:
    assert not wants_work(query)


@given(st.text(max_size=400))
def test_any_text_is_judged(text: str) -> None:
    assert wants_work(text) in (True, False)
