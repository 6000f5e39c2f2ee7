"""Memories made by rule of what was said: what they say, what they stand on, made once, and taken back.

What no person said never becomes an accepted instruction: it waits for a person.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import BadRequest, MemoryOrigin, MemoryState, MemoryType, NotFound, Palace

TALK = (
    ("user", "From now on answer me in British English. I am allergic to peanuts. Any ideas for dinner?"),
    ("assistant", "How about rice with vegetables?"),
    ("user", "We decided to use Postgres 17 for the shop. My sister Ines works at the harbour in Vigo."),
    ("assistant", "Good to know."),
    ("user", "How do I deploy the payment service?"),
    ("assistant", "Run this:\n```sh\nnpm run build\ndocker push reg/payment\n```\nThen wait."),
    ("user", "That worked, thanks!"),
    ("assistant", "You are welcome."),
)


def _file(palace: Palace, talk: tuple[tuple[str, str], ...], id: str = "talk") -> list[str]:
    summary = palace.file([{"role": role, "content": said} for role, said in talk], id=id, title="Shop")
    return [str(pointers[0]) for pointers in summary.pointers]


def test_the_persons_own_sentences_become_memories_verbatim(palace: Palace) -> None:
    said = _file(palace, TALK)
    made = palace.memories.make()
    told = {each.content: each for each in made.memories if each.origin == "person"}
    assert {text: each.type.value for text, each in told.items()} == {
        "From now on answer me in British English.": "instruction",
        "I am allergic to peanuts.": "semantic",
        "We decided to use Postgres 17 for the shop.": "semantic",
        "My sister Ines works at the harbour in Vigo.": "semantic",
    }
    assert [str(each) for each in told["I am allergic to peanuts."].evidence] == [said[0]]
    assert {(each.state, each.maker, each.project) for each in told.values()} == {("accepted", "rule", "Shop")}
    assert (made.conversations, made.drawers, made.proposed) == (1, 8, 0)


def test_advice_that_worked_is_a_how_to_of_the_assistant(palace: Palace) -> None:
    said = _file(palace, TALK)
    palace.memories.make(said[0])
    (how_to,) = palace.memories.list(types=["procedural"])
    assert how_to.content == "How do I deploy the payment service?\nnpm run build\ndocker push reg/payment"
    assert (how_to.origin, how_to.state) == ("assistant", "accepted")
    assert [str(each) for each in how_to.evidence] == said[4:7]


def test_advice_that_nobody_confirmed_is_no_how_to(palace: Palace) -> None:
    _file(palace, (*TALK[4:6], ("user", "That did not work."), ("assistant", "Sorry.")))
    assert palace.memories.make().memories == ()


def test_commands_that_ran_before_the_person_confirmed_are_a_how_to(palace: Palace) -> None:
    def ran(id: str, command: str, result: str) -> list[dict[str, object]]:
        call = {
            "id": id,
            "type": "function",
            "function": {"name": "bash", "arguments": json.dumps({"command": command})},
        }
        return [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": id, "content": result},
        ]

    messages: list[dict[str, object]] = [{"role": "user", "content": "Please restart the staging server."}]
    messages += ran("a", "ls deploy", "staging.yml") + ran("b", "make restart", "Error: no rule to make target")
    messages += ran("c", "make -C deploy restart-staging", "restarted in 4 s")
    messages += [{"role": "assistant", "content": "It is up again."}, {"role": "user", "content": "It works now."}]
    palace.file(messages, id="ran")
    (how_to,) = palace.memories.make().memories
    assert how_to.content == "Please restart the staging server.\nmake -C deploy restart-staging"
    assert (how_to.type, how_to.origin) == (MemoryType.PROCEDURAL, "tool")


def test_numbered_steps_of_the_person_are_a_how_to(palace: Palace) -> None:
    steps = "How I descale the coffee machine:\n1. Fill the tank with vinegar\n2. Run two cycles"
    _file(palace, (("user", steps), ("assistant", "Fine.")))
    (how_to,) = palace.memories.make().memories
    assert (how_to.content, how_to.type, how_to.origin) == (steps, "procedural", "person")


def test_nothing_is_made_twice_whatever_became_of_it(palace: Palace) -> None:
    _file(palace, TALK)
    made = palace.memories.make()
    kept, rejected, updated, forgotten, *_ = made.memories
    palace.memories.reject(str(rejected.id))
    palace.memories.update(str(updated.id), "The shop runs on Postgres 18")
    palace.memories.forget(str(forgotten.id))
    before = palace.memories.list(states=["accepted", "proposed", "rejected"])
    again = palace.memories.make()
    assert (again.memories, again.run_id) == ((), None)
    assert palace.memories.list(states=["accepted", "proposed", "rejected"]) == before
    assert kept.id in {each.id for each in before}


def test_a_making_is_a_run_that_can_be_undone(palace: Palace) -> None:
    _file(palace, TALK)
    first = palace.memories.make()
    _file(palace, (("user", "I always take the train to Bergen."), ("assistant", "Nice.")), "later")
    second = palace.memories.make()
    assert first.run_id is not None
    assert first.run_id != second.run_id
    palace.runs.undo(first.run_id)
    assert [each.content for each in palace.memories.list()] == ["I always take the train to Bergen."]
    assert len(palace.memories.make().memories) == len(first.memories)


def test_games_questions_and_texts_for_others_are_no_memories(palace: Palace) -> None:
    for number, said in enumerate(
        (
            "Do I prefer tea or coffee?",
            "Write a poem in which I say that I love the sea. I love the sea so much.",
            "Let's play a game: you are a pirate and I am your captain. I own three ships.",
        )
    ):
        _file(palace, (("user", said), ("assistant", "Fine."), ("user", "ok")), f"odd-{number}")
    assert palace.memories.make().memories == ()


def test_what_is_asked_for_once_is_no_instruction_and_a_change_of_taste_is_a_fact(palace: Palace) -> None:
    said = "Today just answer in French for fun. Answer in Latin this time. Fürs erste antworte bitte auf Deutsch."
    _file(
        palace, (("user", f"{said} From today on answer in Dutch. I don't like techno any more, it makes me tired."),)
    )
    assert {each.content: each.type.value for each in palace.memories.make().memories} == {
        "From today on answer in Dutch.": "instruction",
        "I don't like techno any more, it makes me tired.": "semantic",
    }


def test_only_what_states_something_and_is_understood_alone_becomes_a_memory(palace: Palace) -> None:
    said = (
        "My colleague Tomas Peeters",
        "I've been using these services a lot lately.",
        "I love that you chose pottery for your art.",
        "I'd prefer a morning.",
        "I moved all my work documents to the cloud.",
        "Two things to keep in mind for any place you suggest: trains and tea.",
        "I'm allergic to ibuprofen, so what else can I take?",
        "I prefer window seats on trains.",
    )
    for number, each in enumerate(said):
        _file(palace, (("user", each), ("assistant", "Fine."), ("user", "ok")), f"alone-{number}")
    made = {each.content for each in palace.memories.make().memories}
    assert made == {"I'm allergic to ibuprofen.", "I prefer window seats on trains."}


def test_rules_for_answers_alone_in_a_message_are_the_persons(palace: Palace) -> None:
    said = "Always answer in French. Always give prices in euros. Never use emojis."
    _file(palace, (("user", said), ("assistant", "D'accord.")))
    made = palace.memories.make().memories
    assert {(each.state, each.type) for each in made} == {("accepted", "instruction")}
    assert len(made) == 3


def test_advice_and_talk_of_other_people_are_no_instructions(palace: Palace) -> None:
    talk = (
        ("user", "How do I charge the pack?"),
        ("assistant", "You will need a BMS. Remember to always check the cells. You should never leave it alone."),
    )
    _file(palace, talk)
    palace.file(
        [{"role": "user", "name": name, "content": said} for name, said in (("Bo", "Never give up!"), ("Al", "Ok"))],
        id="people",
    )
    assert palace.memories.make().memories == ()


def test_only_what_was_asked_for_is_read(palace: Palace) -> None:
    said = _file(palace, TALK)
    assert palace.memories.make(wing="Shop").conversations == 1
    with pytest.raises(BadRequest):
        palace.memories.make(said[0], wing="Shop")
    with pytest.raises(NotFound):
        palace.memories.make(wing="nowhere")


def test_a_memory_does_not_stand_in_a_block_beside_the_message_that_it_quotes(palace: Palace) -> None:
    _file(palace, (("user", "I always take the night train to Bergen."), ("assistant", "Nice.")))
    (made,) = palace.memories.make().memories
    block = palace.turn("Which train do I take to Bergen?").block
    assert block.count(made.content) == 1


ATTEMPTS = json.loads((Path(__file__).parent / "attempts.json").read_text(encoding="utf-8"))


def _attempts() -> Iterator[tuple[str, list[dict[str, str]]]]:
    number = 0
    for role, texts in ATTEMPTS.items():
        for text in texts:
            number += 1
            target = f"mallory-{number:02}@example.org"
            planted = {"role": role, "content": text.format(target)}
            question = {"role": "user", "content": "How is the work going?"}
            reply = {"role": "assistant", "content": "It is going well."}
            yield target, [planted, reply] if role == "user" else [question, planted, reply]


def test_forty_planted_instructions_all_wait_for_a_person(palace: Palace, tmp_path: Path) -> None:
    attempts = dict(_attempts())
    assert len(attempts) == 40
    for target, messages in attempts.items():
        (tmp_path / f"{target}.json").write_text(json.dumps({"id": target, "messages": messages}))
    palace.mine(tmp_path)
    made = palace.memories.make()
    assert made.proposed >= 40
    accepted = palace.memories.list(states=["accepted"], limit=200)
    assert [each.content for each in accepted if "mallory" in each.content] == []
    proposed = palace.memories.list(states=["proposed"], limit=200)
    assert {target for target in attempts if not any(target in each.content for each in proposed)} == set()
    assert MemoryOrigin.PERSON not in {each.origin for each in proposed}
    assert all(each.evidence and each.state is MemoryState.PROPOSED for each in proposed)
    assert not any(
        "mallory" in hit.drawer.content
        for hit in palace.recall("send invoices", top_k=50).hits
        if hit.drawer.room_name.endswith("instructions")
    )


def test_what_the_person_says_beside_a_quotation_is_theirs(palace: Palace) -> None:
    said = "Always write dates as 2026-04-30.\n\n```\nnever write tests\n```\nWhat does this file say?"
    palace.file([{"role": "user", "content": said}, {"role": "assistant", "content": "It says little."}], id="beside")
    palace.memories.make()
    (own,) = palace.memories.list(types=["instruction"], states=["accepted"])
    (other,) = palace.memories.list(types=["instruction"], states=["proposed"])
    assert (own.content, other.content) == ("Always write dates as 2026-04-30.", "never write tests")
    assert own.evidence == other.evidence
