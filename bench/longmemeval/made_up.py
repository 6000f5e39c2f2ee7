"""A small file of the layout, made up: what can be scored without anybody's data."""

from __future__ import annotations

import random

THINGS = (
    ("kayak", "the boathouse by the weir", "a red one with a patched hull"),
    ("accordion", "a flea market in Ghent", "it has eighty basses"),
    ("greenhouse", "the north wall", "tomatoes and one stubborn fig"),
    ("telescope", "the roof of the library", "an eight-inch mirror"),
    ("sourdough", "a jar from my aunt", "fed every second morning"),
    ("motorbike", "a barn in Wales", "the clutch still slips"),
    ("loom", "the spare room", "linen for a tablecloth"),
    ("beehive", "the orchard", "two supers of lime honey"),
    ("canoe", "a cedar log", "steam-bent ribs"),
    ("harpsichord", "a kit from Boston", "the jacks need voicing"),
)
TALK = ("weather", "train tickets", "a film about lighthouses", "how to fold maps", "a recipe for lentils", "tax forms")
SESSIONS = 8


def made_up(questions: int) -> list[dict[str, object]]:
    """Make up so many questions, each with eight sessions, of which one or two hold the answer."""
    return [_question(number, random.Random(number)) for number in range(questions)]


def _question(number: int, chance: random.Random) -> dict[str, object]:
    thing, place, detail = THINGS[number % len(THINGS)]
    gold = [f"made_{number}_0"] + ([f"made_{number}_1"] if number % 2 else [])
    sessions = {gold[0]: _evidence(f"I found my {thing} at {place}.", thing)}
    if number % 2:
        sessions[gold[1]] = _evidence(f"About the {thing}: {detail}.", thing)
    while len(sessions) < SESSIONS:
        sessions[f"made_{number}_{len(sessions)}"] = _small_talk(chance)
    order = chance.sample(list(sessions), k=SESSIONS)
    days = {name: f"2024/03/{place + 1:02} (Fri) 10:{number:02}" for place, name in enumerate(order)}
    return {
        "question_id": f"made_{number}" + ("_abs" if number % 10 == 9 else ""),
        "question_type": "multi-session" if number % 2 else "single-session-user",
        "question": f"Where did I find my {thing}, and what did I say about it?",
        "answer": f"{place}; {detail}",
        "question_date": "2024/04/01 (Mon) 09:00",
        "answer_session_ids": gold,
        "haystack_session_ids": order,
        "haystack_dates": [days[name] for name in order],
        "haystack_sessions": [sessions[name] for name in order],
    }


def _evidence(said: str, thing: str) -> list[dict[str, object]]:
    return [
        {"role": "user", "content": said, "has_answer": True},
        {"role": "assistant", "content": f"That sounds like a fine {thing}. What comes next?", "has_answer": False},
    ]


def _small_talk(chance: random.Random) -> list[dict[str, object]]:
    first, second = chance.sample(TALK, k=2)
    return [
        {"role": "user", "content": f"Tell me about {first}, number {chance.randrange(1000)}."},
        {"role": "assistant", "content": f"Gladly: {first} is a wide subject, much like {second}."},
    ]
