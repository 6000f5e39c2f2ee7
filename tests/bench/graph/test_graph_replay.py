"""A model's part played by the labels of a set."""

from __future__ import annotations

from pathlib import Path

from bench.graph.replay import Replies
from bench.graph.sets import read_set
from tests.bench.graph.test_graph_sets import RELATION, write

SAID = [
    ("2024-11-04", "I live in Leeds & like it.", "user"),
    ("2024-11-04", "Nice!", "assistant"),
    ("2025-04-02", "We moved to Bath yesterday.", "user"),
    ("2025-04-03", "The rent is 1,650.", "user"),
    ("2025-04-09", "No, the rent is 1,560.", "user"),
]


def replies(folder: Path) -> Replies:
    messages = [{"role": role, "content": text, "created_at": f"{day}T10:00:00Z"} for day, text, role in SAID]

    def relation(id: str, object: str, *turns: int, **more: object) -> dict[str, object]:
        evidence = [{"conversation": "c", "turn": turn} for turn in turns]
        return {**RELATION, "id": id, "object": object, "valid_from": None, "evidence": evidence, **more}

    write(
        folder,
        conversations=[
            {"id": "b", "user": "u", "title": None, "messages": messages[1:2]},
            {"id": "c", "user": "u", "title": None, "messages": messages},
        ],
        entities=[{"conversation": "c", "turn": 0, "entities": [{"text": "Leeds", "type": "place", "start": 10}]}],
        relations=[
            relation("r1", "Leeds", 0, 2, valid_to="2025-04-01"),
            relation("r2", "Bath", 2, valid_from="2025-04"),
            relation("r3", "1,650", 3, predicate="has_rent"),
            relation("r4", "1,560", 4, predicate="has_rent", kind="correction"),
            relation("r5", "Mars", 0, must_not=True),
        ],
    )
    return Replies(read_set(folder))


def prompt(*places: int) -> str:
    lines = [
        f"{number} | {SAID[place][0]} Mon | I | {SAID[place][1].replace('&', '&amp;')}"
        for number, place in enumerate(places, start=1)
    ]
    return "\n".join(("number | day | who | text", "<turns>", *lines, "</turns>"))


def test_what_is_labelled_in_the_turns_shown_is_replied(tmp_path: Path) -> None:
    replied = replies(tmp_path).to(prompt(0, 1, 2))
    assert replied["entities"] == [{"text": "Leeds", "type": "place", "turn": 1}]
    told = [(each["object"], each["turn"], each["action"]) for each in replied["assertions"]]
    assert told == [("Leeds", 1, "holds"), ("Leeds", 3, "ends"), ("Bath", 3, "begins")]
    ended, begun = replied["assertions"][1:]
    assert (ended["valid_to"], ended["precision_to"]) == ("2025-04-01", "day")
    assert (begun["valid_from"], begun["precision"]) == ("2025-04", "month")


def test_turns_are_known_by_the_conversation_they_stand_in(tmp_path: Path) -> None:
    replied = replies(tmp_path).to(prompt(3, 4))
    assert [(each["object"], each["turn"], each["action"]) for each in replied["assertions"]] == [
        ("1,650", 1, "holds"),
        ("1,560", 2, "corrects"),
    ]


def test_names_are_replied_as_the_turns_have_them(tmp_path: Path) -> None:
    identity = {"user": "u", "canonical": "Leeds City", "type": "place", "names": ["Leeds City", "Leeds"], "never": []}
    replies(tmp_path)
    write(tmp_path, identities=[identity])
    lines = (tmp_path / "relations.jsonl").read_text(encoding="utf-8").replace('"Leeds"', '"Leeds City"')
    (tmp_path / "relations.jsonl").write_text(lines, encoding="utf-8")
    made = Replies(read_set(tmp_path))
    assert made.to(prompt(0))["assertions"][0]["object"] == "Leeds"


def test_of_what_is_not_in_the_set_nothing_is_replied(tmp_path: Path) -> None:
    assert replies(tmp_path).to("1 | - | I | something else") == {"entities": [], "assertions": [], "topics": []}
