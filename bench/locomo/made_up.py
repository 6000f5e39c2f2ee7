"""A small file of the layout, made up: what can be scored without anybody's data."""

from __future__ import annotations

import random

PEOPLE = (("Ada", "Bo"), ("Cleo", "Dag"))
TRIPS = ("Porto", "Tromsø", "Cork", "Ghent", "Split", "Turku", "Bern", "Lviv", "Faro", "Graz")
SESSIONS = 6
TALK = ("rain", "buses", "the choir", "a leaking tap", "exams", "cheese")


def made_up(conversations: int) -> list[dict[str, object]]:
    """Make up so many conversations of six sessions, each with a question of one session and one of two."""
    return [_sample(number, random.Random(number)) for number in range(conversations)]


def _sample(number: int, chance: random.Random) -> dict[str, object]:
    first, second = PEOPLE[number % len(PEOPLE)]
    conversation: dict[str, object] = {"speaker_a": first, "speaker_b": second}
    places = chance.sample(TRIPS, k=SESSIONS)
    for place, town in enumerate(places, 1):
        conversation[f"session_{place}_date_time"] = f"{place}:15 pm on {place} May, 2023"
        conversation[f"session_{place}"] = [
            _turn(first, f"D{place}:1", f"Last week I took the train to {town}."),
            _turn(second, f"D{place}:2", f"And here it was all about {chance.choice(TALK)}."),
        ]
    both = {"question": f"Did {first} go to {places[0]} before {places[1]}?", "evidence": ["D1:1", "D2:1"]}
    one = {"question": f"How did {first} travel to {places[2]}?", "evidence": ["D3:1"]}
    return {
        "sample_id": f"made-{number}",
        "conversation": conversation,
        "qa": [both | {"answer": "yes", "category": 1}, one | {"answer": "by train", "category": 4}],
    }


def _turn(speaker: str, dia_id: str, text: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text}
