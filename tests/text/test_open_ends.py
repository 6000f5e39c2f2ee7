"""What leaves something open, and what says that it is done: English and German."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.open_ends import Intent, closes, closing_of, intent_of, is_ticked, is_unticked, looks_ahead, says_done
from palace.text.standing import gives_instruction
from palace.text.statements import is_request, leans_back, telling_words

SURE = """
I still need to order the shaft seal.
Remind me to water the ferns.
Please don't forget to feed the carp.
TODO: file the receipts
Note to self, bring the charger.
The gutter still needs to be cleaned.
I'm still waiting for the visa.
Ich muss noch die Reifen wechseln.
Morgen muss ich noch zur Post.
Erinnere mich an den Elternabend.
Bitte die Fahrräder nicht vergessen.
Die Rechnung steht noch aus.
"""
LIKELY = """
I need to ring the plumber.
We should prune the hedge.
Tomorrow I have to return the books.
I'll paint the fence next week.
I am going to see the notary on Monday.
I want to repot the fig this weekend.
We're planning to insulate the loft.
I promised Ada a kite.
Ich muss zum Friseur.
Wir sollten die Hecke schneiden.
Ich werde nächste Woche das Dach streichen.
Ich habe mir vorgenommen, den Keller zu räumen.
"""
NEITHER = """
I have to say that the paint looks fine.
I had to call the plumber.
You should prune the hedge.
If I need to leave, I will tell you.
I don't need to order anything.
I'll be fine.
I want to know why it hums.
Should I prune the hedge?
Do I need to order the seal?
I need to understand closures.
They should have asked.
The todos were done.
Ich muss sagen, das gefällt mir.
Ich muss nicht zur Post.
Musst du noch zur Post?
He is still a baker.
"""


def is_closed(later: str, still_open: str) -> bool:
    closing = closing_of(later, lambda: telling_words(later))
    return closing is not None and closes(closing, telling_words(still_open))


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("sentence", lines(SURE))
def test_some_sentences_leave_something_open_whatever_else_is_said(sentence: str) -> None:
    assert intent_of(sentence) is Intent.SURE


@pytest.mark.parametrize("sentence", lines(LIKELY))
def test_others_leave_something_open_unless_they_lead_to_a_question(sentence: str) -> None:
    assert intent_of(sentence) is Intent.LIKELY


@pytest.mark.parametrize("sentence", lines(NEITHER))
def test_what_only_sounds_like_it_leaves_nothing_open(sentence: str) -> None:
    assert intent_of(sentence) is None


@pytest.mark.parametrize("line", ["- [ ] rye flour", "* [] rye", "  1. [ ] rye", "☐ rye"])
def test_a_box_is_not_ticked(line: str) -> None:
    assert is_unticked(line)
    assert not is_ticked(line)


@pytest.mark.parametrize("line", ["- [x] rye flour", "+ [X] rye", "✅ rye", "- ☑ rye"])
def test_a_box_is_ticked(line: str) -> None:
    assert is_ticked(line)
    assert not is_unticked(line)


@pytest.mark.parametrize("line", ["[link](there)", "- [1] a footnote", "- rye", "array[ ] is empty", "- [ ]"])
def test_what_is_no_box_is_neither(line: str) -> None:
    assert not is_ticked(line)
    assert not is_unticked(line)


@pytest.mark.parametrize(
    ("later", "still_open"),
    [
        ("I called the plumber.", "I need to call the plumber."),
        ("The plumber was called off, no longer needed.", "I need to call the plumber."),
        ("- [x] rye flour", "- [ ] rye flour"),
        ("Die Steuererklärung habe ich abgegeben.", "Ich muss noch die Steuererklärung abgeben."),
        ("I pruned the hedge yesterday.", "We should prune the hedge."),
    ],
)
def test_a_later_statement_plainly_closes(later: str, still_open: str) -> None:
    assert is_closed(later, still_open)


@pytest.mark.parametrize(
    ("later", "still_open"),
    [
        ("I have not called the plumber.", "I need to call the plumber."),
        ("I still need to call the plumber.", "I need to call the plumber."),
        ("Have you called the plumber?", "I need to call the plumber."),
        ("I called Ada.", "I need to call the plumber."),
        ("- [x] oat flour", "- [ ] rye flour"),
        ("Die Steuererklärung ist noch nicht abgegeben.", "Ich muss noch die Steuererklärung abgeben."),
    ],
)
def test_what_is_not_done_or_something_else_closes_nothing(later: str, still_open: str) -> None:
    assert not is_closed(later, still_open)


def test_done_alone_is_told_from_done_with_something() -> None:
    assert [says_done(text) for text in ("Done!", "ok, it's fixed", "Erledigt.", "never mind")] == [True] * 4
    assert [says_done(text) for text in ("I'm done with the frame.", "It is not done", "Thanks!", "")] == [False] * 4


def test_engagements_look_ahead_and_what_happened_does_not() -> None:
    assert looks_ahead("The exam is on the 3rd of May.")
    assert looks_ahead("I will see her on Friday.")
    assert not looks_ahead("The exam was on the 3rd of May.")
    assert not looks_ahead("It rained on Friday.")


def test_instructions_requests_and_what_leans_back_are_told_apart() -> None:
    assert gives_instruction("Always answer in Danish.")
    assert gives_instruction("Bitte immer mit Quellen antworten.")
    assert not gives_instruction("I always take the tram.")
    assert is_request("Can you translate this?")
    assert is_request("Ok, write a poem about rain.")
    assert not is_request("Writing poems about rain calms me.")
    assert leans_back("That is why the fuse blew.")
    assert not leans_back("The fuse blew.")


@given(st.text(max_size=300))
def test_any_text_is_taken(text: str) -> None:
    for rule in (intent_of, is_ticked, is_unticked, says_done, gives_instruction, is_request, leans_back, looks_ahead):
        rule(text)
    assert not is_closed(text, "")


def test_rules_take_time_linear_in_the_text() -> None:
    for piece in ("I ", "still really also ", "- [ ", "ich muss ", "noch ", ", and ", "(((", "need to "):
        assert intent_of(piece * 50_000) is None
        assert not gives_instruction(piece * 20_000)
        assert not is_request(piece * 20_000)
