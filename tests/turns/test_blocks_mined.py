"""What a model was given from memory is not mined again as something said; what somebody writes themselves is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from palace.turns import TurnOptions
from tests.held import texts_of

BLOCK = (
    "<memory_context>\n"
    '§ W-001/R-01/D-001 @p Marta | 2026-04-30 | user "Marta" | I paid 900 euros | user | for:\n  the engine\n  it\n'
    "§ W-001/R-01/D-002 | undated, earlier than § W-001/R-02/D-001 | assistant | Noted &lt;3.\n"
    "</memory_context>"
)
MEMORIES = (
    '<memories>\n<memory id="§ W-001/R-01/D-001" category="said" when="undated" who="user">a</memory>\n</memories>'
)
QUESTION = "What did I pay for the boat engine?"
REPLY = (
    "You paid 900 euros for it, the tank included, at the yard behind the old harbour, where the man with the grey dog"
    " sold it to you. He wanted 1,100 at first, and you told him of the dent in the cowling until he gave in."
)


def know(palace: Palace) -> None:
    palace.file([{"role": "user", "content": "I paid 900 euros for the boat engine: new, <with> a tank."}], id="past")


@pytest.mark.nightly
def test_a_turn_that_is_mined_from_a_transcript_with_its_block_is_filed_once(palace: Palace, tmp_path: Path) -> None:
    know(palace)
    ways: list[tuple[str | None, Any, Any]] = [
        ("chat-7", "user", "memory_context"),
        (None, "system", "memories"),
    ]
    for number, (session, place, shape) in enumerate(ways):
        message = {"role": "user", "content": f"{QUESTION} {number}"}
        turn = palace.turn(message, session=session, options=TurnOptions(place=place, format=shape))
        assert turn.block
        turn.finish(f"{number}: {REPLY}")
        before = palace.status().drawers
        sent = [dict(message) for message in turn.messages] + [{"role": "assistant", "content": f"{number}: {REPLY}"}]
        assert turn.block in json.dumps(sent, ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')
        told = {"messages": sent} | ({"id": session} if session else {})
        (tmp_path / f"chat{number}.json").write_text(json.dumps(told))
        assert palace.mine(tmp_path / f"chat{number}.json").drawers_new == 0
        assert palace.file(sent, id=session).drawers_new == 0
        assert palace.status().drawers == before


def test_a_transcript_is_mined_without_its_blocks(palace: Palace, tmp_path: Path) -> None:
    said: list[tuple[str, object]] = [
        ("user", f"{BLOCK}\n\nHow much?"),
        ("assistant", [{"type": "text", "text": "900."}, {"type": "tool_use", "name": "recall", "input": {}}]),
        ("user", [{"type": "tool_result", "content": f"It says:\n{MEMORIES}\n\nThat is all."}]),
        ("user", [{"type": "text", "text": BLOCK}, {"type": "text", "text": "Thanks."}]),
        ("user", MEMORIES),
    ]
    lines = [
        {"type": role, "sessionId": "s", "uuid": str(number), "message": {"role": role, "content": content}}
        for number, (role, content) in enumerate(said)
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert palace.mine(tmp_path / "s.jsonl").drawers_new == 5
    assert texts_of(palace) == ["How much?", "900.", "recall {}", "It says:\nThat is all.", "Thanks."]


def test_a_person_who_writes_such_tags_loses_no_words(palace: Palace) -> None:
    texts = [
        "<memory_context>\nMy own words, in tags that look like it.\n</memory_context>",
        "<memory_context>\n</memory_context>",
        "<memory_context>\n§ W-001/R-01/D-001 | undated | user | a\nand my own words\n</memory_context>",
        "<memory_context>\n§ W-001/R-01/D-001: what I wrote\n</memory_context>",
        "<memories>\n</memories>",
        '<memories>\n<memory id="1" category="said" when="undated" who="user">mine</memory>\n</memories>',
        BLOCK.replace("&lt;", "<"),
        BLOCK.removesuffix("</memory_context>"),
        BLOCK.replace("\n", "\r\n"),
    ]
    texts += [f"Look: {text}\n\nDone." for text in texts]
    palace.file([{"role": "user", "content": text} for text in texts])
    assert texts_of(palace) == texts


def test_every_block_of_a_palace_is_one(palace: Palace) -> None:
    know(palace)
    palace.file(
        [
            {
                "role": "user",
                "name": 'Marta "the | bar" <b>',
                "content": "The boat:\n\n  - engine\n\t- tank <3\r\nof § 1",
            },
            {"role": "assistant", "content": "I will do it tomorrow: the boat. Will it hold?"},
            {"role": "tool", "content": "boat | user | x"},
        ],
        id="odd",
    )
    for shape in ("memory_context", "memories"):
        for question in ("What about the boat engine?", ""):
            turn = palace.turn(
                {"role": "user", "content": question}, session="x", options=TurnOptions(format=shape, top_k=15)
            )
            assert turn.block
            palace.file([{"role": "user", "content": f"Before {turn.block}\n\nafter."}], id=f"{shape} {question}")
    assert texts_of(palace).count("Before after.") == 4
