"""What a sentence does: decides, leaves open, closes, asks for something once or for good, states a choice."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from bench.hooks.instructions import measure_instructions
from palace.text.standing import (
    aspects_of_statement,
    aspects_of_task,
    gives_instruction,
    is_against,
    is_standing,
    own_words,
    revokes,
    topic_of,
)
from palace.text.statements import is_request, leans_back, says_decision, telling_words
from tests.text.reading import closes, closing_of, index, intent_of, is_ticked, is_unticked, looks_ahead, says_done
from tests.text.tables import each, lines, misread, rows

DECIDED = """
We decided to drop the GraphQL layer and use plain REST. | Wir haben uns auf Dienstag geeinigt.
Abgemacht, Freitag um acht. | We will go ahead with option B. | We concluded that the cache has to go.
Der Vorstand hat den Haushalt genehmigt.
"""
UNDECIDED = """
We have not decided on GraphQL yet. | I can't decide which one to buy. | Sobald das beschlossen ist, fange ich an.
The committee decides next Tuesday. | Agreed! | Kannst du das entscheiden?
"""
SURE = """
I still need to order the shaft seal. | Remind me to water the ferns. | TODO: file the receipts
Note to self, bring the charger. | The gutter still needs to be cleaned. | Bitte die Fahrräder nicht vergessen.
"""
LIKELY = """
I need to ring the plumber. | We should prune the hedge. | I'll paint the fence next week.
I want to repot the fig this weekend. | Ich muss zum Friseur. | Wir sollten die Hecke schneiden.
"""
NOT_OPEN = """
You should prune the hedge. | I don't need to order anything. | I want to know why it hums.
Should I prune the hedge? | Do I need to order the seal? | He is still a baker.
"""
CLOSED = """
I called the plumber. -> I need to call the plumber.
The plumber was called off, no longer needed. -> I need to call the plumber.
- [x] rye flour -> - [ ] rye flour
Die Steuererklärung habe ich abgegeben. -> Ich muss noch die Steuererklärung abgeben.
I pruned the hedge yesterday. -> We should prune the hedge.
"""
STILL_OPEN = """
I have not called the plumber. -> I need to call the plumber.
I still need to call the plumber. -> I need to call the plumber.
Have you called the plumber? -> I need to call the plumber.
I called Ada. -> I need to call the plumber.
- [x] oat flour -> - [ ] rye flour
Die Steuererklärung ist noch nicht abgegeben. -> Ich muss noch die Steuererklärung abgeben.
"""
FOR_GOOD = """
Always format the code before you show it. | Never suggest olives. | Please don't use footnotes.
From now on answer in two lines, please. | Keep in mind that I work nights. | A rule for all recipes: no deep frying.
When you write to my landlord, stay polite and use my full name.
Whatever you plan for us, leave the afternoons free. | No garlic for me, ever. | I want your answers in plain English.
Remember that I have a hearing aid. | That goes for the garden as well. | Immer mit vier Leerzeichen einrücken.
Bitte nie Oliven vorschlagen. | Ab jetzt bitte nur noch kurz antworten. | Merk dir, dass ich nachts arbeite.
use pnpm, not npm | no deploys on fridays | nie freitags deployen, das hat Ole verlangt
we don't do default exports here | always run the linter before you commit | please write commit messages in English
keine neuen Abhängigkeiten ohne Rücksprache | bitte immer Sie statt du in den Texten
no new dependencies without asking me | ok, merged. btw no inline styles | Rule: no default exports
- use single quotes in javascript | hier wird gesiezt | generierte Dateien werden nicht angefasst
"""
OF_THE_MOMENT = """
no deploy today | always fails with the same message | the linter says: no unused variables
ask me before you delete the branch | nimm den anderen Branch | jetzt nicht deployen
"""
OF_ONESELF = """
I prefer simple dependencies. | I never eat before noon. | I'm allergic to pollen. | I'd rather walk than drive.
I eat eggs again. | Ich esse kein Fleisch.
"""
IN_PASSING = """
The lamp is always on. | He never came back. | Never mind, it works now. | It rained for good measure.
Please write a letter to the landlord. | Ich weiß immer noch nicht, was ich koche.
"""
TAKEN_BACK = """
you can use npm again | default exports are ok now | deploys on fridays are allowed again
du darfst wieder npm nehmen | freitags darf wieder deployt werden | Default-Exports sind jetzt okay
"""
PASSED_ON = [
    "> no deploys on fridays", "`use pnpm, not npm`", 'the readme has "use pnpm, not npm" in it',
    "```\nnever use eval\n```", "$ echo never use npm", "\t    use pnpm, not npm", "npm ERR! never use npm here",
    "<note>use pnpm, not npm</note>", "„nie freitags deployen“",
    "12:04:11 checking\nuse pnpm, not npm\nINFO done\nWARN slow",
]  # fmt: skip
ASPECTS = """
Always indent with tabs. -> Write me a function that adds two numbers. -> code
Never end a letter with regards. -> Draft a reply to my landlord. -> wording
Only metric for me, please. -> How far is it to the lighthouse? -> measures
Never plan anything before nine o'clock. -> When could I meet the plumber? -> hours
Answer in short sentences, please. -> Explain how a sundial works. -> manner
"""
PREFERRED = """
I\u2019m allergic to shellfish. | I'd rather walk than take the bus. | We avoid palm oil wherever we can.
Crowded beaches are not my thing. | I collect enamel pins from museums. | I'm interested in medieval architecture.
"""
NOT_PREFERRED = """
I'd like to know more about tides. | I have a question about the invoice. | I always thought it was closed on Mondays.
The tower was built in 1889. | If I use yeast, how long does it rise? | Please rewrite this paragraph.
"""


def test_a_decision_is_told_from_what_is_left_open() -> None:
    assert misread(says_decision, [*each(DECIDED, True), *each(UNDECIDED, False)]) == []


def test_what_is_left_open_surely_or_likely_or_not_at_all() -> None:
    def left_open(sentence: str) -> str:
        found = intent_of(sentence)
        return found.name.lower() if found else "not at all"

    table = [*each(SURE, "sure"), *each(LIKELY, "likely"), *each(NOT_OPEN, "not at all")]
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
    assert [row for row in rows(CLOSED) if not is_closed(*row)] == []
    assert [row for row in rows(STILL_OPEN) if is_closed(*row)] == []
    assert misread(says_done, each("Done!\nok, it's fixed\nErledigt.\nnever mind", True)) == []
    assert misread(says_done, each("I'm done with the frame.\nIt is not done\nThanks!", False)) == []


def test_engagements_requests_and_what_leans_back_are_told_apart() -> None:
    assert misread(looks_ahead, each("The exam is on the 3rd of May.\nI will see her on Friday.", True)) == []
    assert misread(looks_ahead, each("The exam was on the 3rd of May.\nIt rained on Friday.", False)) == []
    assert misread(is_request, each("Can you translate this?\nOk, write a poem about rain.", True)) == []
    assert not is_request("Writing poems about rain calms me.")
    assert leans_back("That is why the fuse blew.")
    assert not leans_back("The fuse blew.")


def test_an_instruction_for_good_is_told_from_what_is_said_for_now_or_in_passing() -> None:
    spoken = [text[0].upper() + text[1:] + "." for text in lines(FOR_GOOD)]
    assert [text for text in (*lines(FOR_GOOD), *spoken) if not (gives_instruction(text) and is_standing(text))] == []
    assert misread(gives_instruction, each(OF_THE_MOMENT, False)) == []
    assert misread(is_standing, [*each(OF_ONESELF, True), *each(IN_PASSING, False)]) == []
    assert not gives_instruction("Should I always use tabs?")
    assert not gives_instruction("I always take the tram.")
    assert gives_instruction("One rule for good, please: no peanuts. What can I bake?")


def test_what_is_allowed_again_takes_back_and_a_rule_is_for_or_against() -> None:
    assert [text for text in lines(TAKEN_BACK) if not (gives_instruction(text) and revokes(text))] == []
    assert misread(revokes, each("I eat olives again.\nVergiss die Regel mit den Oliven.", True)) == []
    assert not revokes("Never suggest olives.")
    assert is_against("Never suggest olives.")
    assert misread(is_against, each("I eat olives again.\nI don't avoid olives.", False)) == []


def test_what_is_passed_on_are_not_the_persons_words() -> None:
    assert [text for text in PASSED_ON if gives_instruction(own_words(text))] == []
    said = 'we say "segments", not "legs"\n```\nnever\n```\n- use pnpm, not npm'
    assert own_words(said) == 'we say "segments", not "legs"\n   \n     \n   \n- use pnpm, not npm'


def test_statements_and_tasks_are_about_aspects_and_topics() -> None:
    for statement, told in rows(ASPECTS):
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
    def marked(text: str) -> bool:
        return any(passage.is_preference for passage in index(text).passages)

    assert misread(marked, [*each(PREFERRED, True), *each(NOT_PREFERRED, False)]) == []


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
