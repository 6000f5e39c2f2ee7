"""What a sentence does: decides, leaves open, closes, asks for something once or for good, states a choice."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from bench.hooks.measure import measure_instructions
from palace.nlp.direction import looks_ahead
from palace.nlp.instructions import (
    aspects_of_statement,
    aspects_of_task,
    gives_instruction,
    is_against,
    is_standing,
    revokes,
    topic_of,
)
from palace.nlp.own import own_words
from palace.nlp.statements import is_request, leans_back, says_decision, states_preference, telling_words
from palace.nlp.todos import closes, closing_of, intent_of, is_ticked, is_unticked, says_done
from tests.text.tables import each, misread, tables

TABLES = tables("statements")

PASSED_ON = [
    "> no deploys on fridays", "`use pnpm, not npm`", 'the readme has "use pnpm, not npm" in it',
    "```\nnever use eval\n```", "$ echo never use npm", "\t    use pnpm, not npm", "npm ERR! never use npm here",
    "<note>use pnpm, not npm</note>", "„nie freitags deployen“",
    "12:04:11 checking\nuse pnpm, not npm\nINFO done\nWARN slow",
]  # fmt: skip


def test_a_decision_is_told_from_what_is_left_open() -> None:
    assert misread(says_decision, [*each(TABLES["decided"], True), *each(TABLES["undecided"], False)]) == []


def test_what_is_left_open_surely_or_likely_or_not_at_all() -> None:
    def left_open(sentence: str) -> str:
        found = intent_of(sentence)
        return found.name.lower() if found else "not at all"

    table = [*each(TABLES["sure"], "sure"), *each(TABLES["likely"], "likely"), *each(TABLES["not_open"], "not at all")]
    assert misread(left_open, table) == []


def test_boxes_are_ticked_or_not_or_none() -> None:
    boxes = {
        (False, True): ["- [ ] rye flour", "* [] rye", "  1. [ ] rye", "☐ rye"],
        (True, False): ["- [x] rye flour", "+ [X] rye", "✅ rye", "- ☑ rye"],
        (False, False): ["[link](there)", "- [1] a footnote", "- rye", "array[ ] is empty", "- [ ]"],
    }
    table = [(line, meant) for meant, written in boxes.items() for line in written]
    assert misread(lambda line: (is_ticked(line), is_unticked(line)), table) == []


def is_closed(later: str, still_open: str) -> bool:
    closing = closing_of(later, lambda: telling_words(later))
    return closing is not None and closes(closing, telling_words(still_open))


def test_a_later_statement_closes_what_it_plainly_says_is_done() -> None:
    assert [row for row in TABLES["closed"].items() if not is_closed(*row)] == []
    assert [row for row in TABLES["still_open"].items() if is_closed(*row)] == []
    assert misread(says_done, each(["Done!", "ok, it's fixed", "Erledigt.", "never mind"], True)) == []
    assert misread(says_done, each(["I'm done with the frame.", "It is not done", "Thanks!"], False)) == []


def test_engagements_requests_and_what_leans_back_are_told_apart() -> None:
    assert misread(looks_ahead, each(["The exam is on the 3rd of May.", "I will see her on Friday."], True)) == []
    assert misread(looks_ahead, each(["The exam was on the 3rd of May.", "It rained on Friday."], False)) == []
    assert misread(is_request, each(["Can you translate this?", "Ok, write a poem about rain."], True)) == []
    assert not is_request("Writing poems about rain calms me.")
    assert leans_back("That is why the fuse blew.")
    assert not leans_back("The fuse blew.")


def test_an_instruction_for_good_is_told_from_what_is_said_for_now_or_in_passing() -> None:
    spoken = [text[0].upper() + text[1:] + "." for text in TABLES["for_good"]]
    for text in (*TABLES["for_good"], *spoken):
        assert gives_instruction(text), text
        assert is_standing(text), text
    assert misread(gives_instruction, each(TABLES["of_the_moment"], False)) == []
    assert misread(is_standing, [*each(TABLES["of_oneself"], True), *each(TABLES["in_passing"], False)]) == []
    assert not gives_instruction("Should I always use tabs?")
    assert not gives_instruction("Always use tabs, ok?")
    assert not gives_instruction("I always take the tram.")
    assert gives_instruction("One rule for good, please: no peanuts. What can I bake?")


def test_what_is_allowed_again_takes_back_and_a_rule_is_for_or_against() -> None:
    assert [text for text in TABLES["taken_back"] if not (gives_instruction(text) and revokes(text))] == []
    assert misread(revokes, each(["I eat olives again.", "Vergiss die Regel mit den Oliven."], True)) == []
    assert not revokes("Never suggest olives.")
    assert is_against("Never suggest olives.")
    assert misread(is_against, each(["I eat olives again.", "I don't avoid olives."], False)) == []


def test_what_is_passed_on_are_not_the_persons_words() -> None:
    assert [text for text in PASSED_ON if gives_instruction(own_words(text))] == []
    said = 'we say "segments", not "legs"\n```\nnever\n```\n- use pnpm, not npm'
    assert own_words(said) == 'we say "segments", not "legs"\n   \n     \n   \n- use pnpm, not npm'


def test_statements_and_tasks_are_about_aspects_and_topics() -> None:
    for statement, told in TABLES["aspects"].items():
        task, aspect = told.split(" -> ")
        shared = aspects_of_statement(statement) & aspects_of_task(task)
        assert aspect in {each.name.lower() for each in shared}, statement
    assert topic_of("Never suggest olives.") & topic_of("I eat olives again.")
    assert not topic_of("Always use tabs in the code you write.") & topic_of("Never use globals in the code you write.")
    confined = aspects_of_statement("When you write to my landlord, keep the sentences short.")
    assert {each.name for each in aspects_of_statement("Keep your answers short.") - confined} == {"MANNER"}


def test_most_instructions_are_found_and_what_is_taken_for_one_is_one() -> None:
    told = measure_instructions()["develop"]
    assert told["all"]["precision"] >= 0.95
    assert told["all"]["recall"] >= 0.9
    assert told["near"]["taken"] <= 0.06 * told["near"]["sentences"]


def test_a_choice_is_told_from_a_wish_a_question_or_a_reply() -> None:
    assert misread(states_preference, [*each(TABLES["preferred"], True), *each(TABLES["not_preferred"], False)]) == []


@given(st.text(alphabet=st.sampled_from("ab \n\t\"'`>|$<>/„“-:{};é"), max_size=200) | st.text(max_size=200))
def test_any_text_is_judged_and_every_word_stays_in_its_place(text: str) -> None:
    own = own_words(text)
    assert len(own) == len(text)
    assert all(kept in (said, " ") for kept, said in zip(own, text, strict=True))
    for rule in (intent_of, is_ticked, is_unticked, says_done, is_request, leans_back, looks_ahead, is_standing):
        rule(text)
    assert not is_closed(text, "")
    ended = text.translate(str.maketrans("", "", ".!?？؟。！\n"))
    assert not says_decision(f"{ended}, so we decided?")


def test_rules_take_time_linear_in_the_text() -> None:
    begun = time.process_time()
    for piece in ("I ", "still really also ", "- [ ", "ich muss ", "noch ", ", and ", "(((", "need to "):
        assert intent_of(piece * 50_000) is None
        assert not gives_instruction(piece * 20_000)
        assert not is_request(piece * 20_000)
    for piece in ("for me ", "never ", "no a ", "we use a, ", "use a not ", "keine a in ", "don't add a in ", "a-b "):
        is_standing((piece * 200)[:599])
    for piece in ("'a ", "<a>", '"x ', "`a b", "|\n", "{", "„a "):
        own_words((piece * 6000)[:6000])
    assert time.process_time() - begun < 5
