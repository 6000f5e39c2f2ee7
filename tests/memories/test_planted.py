"""What no person said never becomes an accepted instruction: it waits for a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from palace import MemoryOrigin, MemoryState, Palace

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


def test_forty_planted_instructions_all_wait_for_a_person(palace: Palace) -> None:
    attempts = dict(_attempts())
    assert len(attempts) == 40
    for target, messages in attempts.items():
        palace.file(messages, id=target)
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
