"""The gate skips what plainly needs no memory, and searches everything else."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bench.gate import figures, judge, read_messages
from palace import Role, Turn, turns
from palace.turns import Decision, FoldedNames, Rules

gate = turns.gate
SETS = Path(__file__).parents[2] / "bench" / "gate" / "sets"


def user(*said: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": each} for each in said]


def wrong(rows: dict[str, str], *, searched: bool | None = None) -> list[tuple[str, str, Decision]]:
    """List the messages that are decided otherwise than their rule says."""
    found = [(message, rule, gate(message)) for message, rule in rows.items()]
    is_due = {rule: (rule == "undecided" if searched is None else searched) for rule in rows.values()}
    return [each for each in found if (each[2].rule, each[2].searched) != (each[1], is_due[each[1]])]


def test_what_needs_no_memory_is_skipped() -> None:
    rows = {
        "vielen dank, das hilft": "undecided",
        "Vielen Dank!": "greeting",
        "Salut, ça va ?": "greeting",
        "👍": "greeting",
        "What is the capital of Peru?": "knowledge",
        "Warum ist der Himmel blau?": "knowledge",
        "Qui a inventé le téléphone ?": "knowledge",
        "Write a Python function that sorts a list": "tool",
        "Übersetze „guten Abend“ ins Dänische": "tool",
        "combien font 3 fois 17": "tool",
        "set a timer for 5 minutes": "tool",
        "hey, can you please tell me what the boiling point of ethanol is?": "knowledge",
    }
    assert wrong(rows) == []
    # Whom a request is made to is not about the person.
    for message in ("tell me what entropy is", "Erklär mir Photosynthese", "explique-moi la photosynthèse"):
        assert not gate(message).searched
    assert not gate("what is the US population of wolves").searched


def test_what_may_need_memory_is_searched() -> None:
    rows = {
        "What is the capital of my home country?": "pronoun",
        "what is ym sisters name": "pronoun",
        "what did ive order": "pronoun",
        "Was ist meine Schuhgröße": "pronoun",
        "Wo wohnen wir im Sommer?": "pronoun",
        "quelle est ma pointure": "pronoun",
        "j'ai combien de vis": "pronoun",
        "write a python script for our server": "pronoun",
        "Explain the plan as I said": "pronoun",
        "what is the capital you mentioned": "reference",
        "remember the hotel in Lisbon?": "reference",
        "was ist das Gleiche wie letztes Mal": "reference",
        "explique comme la dernière fois": "reference",
        "How old is the car?": "undecided",
        "Wie hoch ist die Miete?": "undecided",
        "How old is Mia?": "undecided",
        "hi, anything due today?": "undecided",
        "": "empty",
        "   ": "empty",
    }
    assert wrong(rows, searched=True) == []
    assert all(gate(message).reason for message in rows)


def test_known_names_are_searched_by_a_set_or_a_function_in_any_spelling() -> None:
    asked = "What is a Zephyrion?"
    assert not gate(asked).searched
    assert gate(asked, known={"zephyrion"}).rule == "known"
    assert gate(asked, known=FoldedNames(["ZÉPHYRION"])).rule == "known"
    assert gate(asked, known=lambda name: name == "zephyrion").rule == "known"
    assert gate("what is zephyrion's density", known=["Zephyrion"]).rule == "known"
    assert gate("write a python client for the payment service", known=["Payment Service"]).rule == "known"
    assert not gate("What is a quark?", known=["Zephyrion", "what"]).searched


def test_a_follow_up_needs_memory_where_what_it_follows_does() -> None:
    for message in ("why?", "and for her?", "wie viel?", "et pour elle ?", "go on", "which colour", "?"):
        assert gate(message, user("What is the capital of France?")).searched is False, message
        assert gate(message, user("What did I pay for the boat?")).searched is True, message
        assert gate(message).searched is True, message
        assert gate(message, user("What did I pay for the boat?", "thanks!")).rule == "follow-up", message
    assert gate("why?", user("What is the capital of France?"), rules=Rules(follow_ups=False)).rule == "undecided"
    # What stands for what was said is judged by it.
    assert not gate("When did he die?", user("Who was the first president of France?")).searched
    assert gate("When did he die?").searched


def test_a_yes_is_as_needy_as_what_it_answers() -> None:
    asked = [*user("What did I pay for the boat?"), {"role": "assistant", "content": "Shall I look it up?"}]
    assert gate("yes please", asked).searched
    assert not gate("yes please").searched
    assert not gate("ok, great", [*user("What did I pay?"), {"role": "assistant", "content": "400 euros."}]).searched


def test_each_rule_can_be_switched_off() -> None:
    for message, rules in (
        ("Good morning!", Rules(greeting=False)),
        ("write a python function that sorts a list", Rules(tool=False)),
        ("What is the capital of Peru?", Rules(knowledge=False)),
    ):
        assert not gate(message).searched
        assert gate(message, rules=rules) == Decision(True, "nothing says that it needs no memory", "undecided")
    for message, rules in (
        ("What is the capital of France, we wonder", Rules(pronouns=False)),
        ("What is the capital of France again, remember?", Rules(references=False)),
        ("What is the capital of France", Rules(known=False)),
    ):
        assert gate(message, known={"france"}).searched
        assert gate(message, known=() if rules.known else {"france"}, rules=rules).rule == "knowledge"


def test_what_a_classifier_says_holds_and_what_it_leaves_is_left_to_the_rules() -> None:
    answers: dict[str, bool | None] = {"hello": True, "my boat": False, "thanks": None}
    rules = Rules(classifier=lambda message, _: answers[message])
    assert gate("hello", rules=rules).searched
    assert not gate("my boat", rules=rules).searched
    assert gate("my boat", rules=rules).rule == "classifier"
    assert gate("thanks", rules=rules).rule == "greeting"


def test_what_is_passed_on_says_nothing_about_the_person() -> None:
    assert gate('translate "I love my dog" to French').rule == "tool"
    assert gate("Korrigiere: Ich habe mein Auto verkauft.").rule == "tool"
    assert gate("fix this:\n```\nmy = i\n```").rule == "tool"
    assert gate("translate my letter to French").rule == "pronoun"


def test_of_a_huge_message_only_the_beginning_and_the_end_are_looked_at() -> None:
    text = "The mitochondrion is an organelle. " * 20_000
    assert gate(f"Summarize the following text:\n{text}").rule == "tool"
    assert gate(f"{text}\nWhat did I say about it?").rule == "pronoun"
    assert gate(f"What is entropy? {text}").searched
    begun = time.perf_counter()
    gate(text * 10)
    assert time.perf_counter() - begun < 0.25


def test_any_history_is_read_and_what_is_no_message_is_passed_over() -> None:
    parts = [{"type": "image_url", "image_url": {}}, {"type": "text", "text": "What did I pay for the boat?"}]
    for history in (
        ["What did I pay for the boat?"],
        [Turn(Role.USER, "What did I pay for the boat?")],
        [{"role": "user", "content": parts}],
        [{"role": "user", "content": "What did I pay?"}, {"role": "tool", "content": "x"}, {"role": "?"}, 7],
    ):
        assert gate("how much?", history).rule == "follow-up"
        assert gate("how much?", history).searched
    assert gate("how much?", "no list").searched


WORDS = [
    *("what", "is", "the", "capital", "of", "my", "i'm", "im", "ich", "je", "'ai", "write", "translate:", "why", "und"),
    *("et", "pour", "how", "many", "km", "hi", "%", "100", *'"`([{\\?!.,*^🙂İßﬁ', "```", "\n", "\u200b", "\u202e"),
    *("\x00", "\ud800"),
]
TEXTS = st.text(max_size=300) | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)


@given(message=TEXTS, history=st.lists(TEXTS, max_size=4), known=st.lists(st.text(max_size=12), max_size=3))
def test_no_text_makes_it_fail_and_the_same_is_decided_again(
    message: str, history: list[str], known: list[str]
) -> None:
    decision = gate(message, history, known=known)
    assert decision == gate(message, history, known=known)
    assert decision.reason
    assert gate(message, history, rules=Rules(greeting=False, tool=False, knowledge=False, follow_ups=False)).searched


def test_hardly_a_need_is_skipped_and_most_else_is() -> None:
    found = figures(judge(read_messages(SETS / "many.jsonl")))
    assert found["needed_skipped_share"] <= 0.01
    assert found["others_skipped_share"] >= 0.8
