"""The sets, as their files have them: one folder for a part (tune or apart) and a language, one file for a set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "sets"
PARTS = ("tune", "apart")
NAMES = ("profile", "diary", "then", "pairs", "standing", "broad", "names")
CALIBRATED = NAMES
"""What confidence and floor were fitted on."""


BROAD = "broad"
"""The set, and the kind of questions, of which every answer is wanted."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a talk."""

    id: str
    role: str
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation."""

    id: str
    title: str | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what answers it; no answers where nothing does."""

    id: str
    kind: str
    text: str
    at: datetime
    answers: frozenset[str] = frozenset()
    """Ids of turns, each of which answers by itself; of a broad question all that belong to the answer."""
    others: frozenset[str] = field(default=frozenset())
    """Ids of turns that say the same kind of thing of another time."""
    is_broad: bool = False
    """Whether it wants all of its answers, rather than one of them."""


@dataclass(frozen=True, slots=True)
class Load:
    """One palace to file, and what it is asked."""

    name: str
    talks: tuple[Talk, ...]
    questions: tuple[Asked, ...]
    person: str = ""
    """The full name of the person whose palace it is, where the set says so."""


def read(part: str, language: str, name: str) -> dict[str, Any] | None:
    """Read a set; None where there is none of this name in the language."""
    file = FOLDER / part / language / f"{name}.json"
    if not file.exists():
        return None
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def talks_load(name: str, found: dict[str, Any]) -> Load:
    """Make one palace of a set that is made of talks."""
    talks = tuple(
        Talk(each["id"], each.get("title"), tuple(_turn(turn) for turn in each["turns"]))
        for each in found["conversations"]
    )
    questions = tuple(
        Asked(
            each["id"],
            each.get("kind", name),
            each["question"],
            datetime.fromisoformat(each["asked_at"]),
            frozenset(each["answers"]),
            frozenset(each.get("others", [])) | frozenset([each["asking"]] if "asking" in each else []),
            is_broad=BROAD in (name, each.get("kind")),
        )
        for each in found["questions"]
    )
    return Load(name, talks, questions, found.get("person", {}).get("name", ""))


SIZES = (1, 10, 40, 400)
"""Drawers of the palaces that the profile is asked in."""

_ASKED_AT = datetime.fromisoformat("2026-09-01T12:00:00+00:00")


def profile_loads(found: dict[str, Any], size: int) -> Iterator[Load]:
    """Make palaces of so many drawers, each fact in one of them: facts, and remarks where those are too few."""
    facts, fillers, unanswerable = found["facts"], found["fillers"], found["unanswerable"]
    questions = {each["fact"]: each for each in found["questions"]}
    held = min(size, 30 if size == 40 else len(facts))
    for number, start in enumerate(range(0, len(facts), held)):
        here = facts[start : start + held]
        others = fillers[: size - held] if size > held else []
        talks = tuple(Talk(each["id"], None, (_turn(each),)) for each in [*here, *others])
        asked = [
            Asked(
                questions[each["id"]]["id"], person, questions[each["id"]][person], _ASKED_AT, frozenset([each["id"]])
            )
            for each in here
            for person in ("first", "third")
        ]
        asked += [
            Asked(each["id"], person, each[person], _ASKED_AT)
            for each in unanswerable[start : start + held]
            for person in ("first", "third")
        ]
        yield Load(f"profile-{size}-{number}", talks, tuple(asked), found["person"]["name"])


def read_loads(
    part: str, language: str, names: Iterable[str] = NAMES, sizes: Sequence[int] = SIZES
) -> Iterator[tuple[str, Load]]:
    """Read the palaces of some sets, each with the name of the group that its questions are counted in."""
    for name in names:
        found = read(part, language, name)
        if found is not None and name == "profile":
            yield from ((f"profile of {size}", load) for size in sizes for load in profile_loads(found, size))
        elif found is not None:
            yield name, talks_load(name, found)


def _turn(found: dict[str, Any]) -> Turn:
    said_at = datetime.fromisoformat(found["said_at"])
    return Turn(found["id"], found.get("role", "user"), found["text"], said_at)
