"""Questions about the world, which anybody may ask and nobody's memory answers: English, German, French. Pure.

Only what is plainly asked of the world is told here; the patterns are of folded text.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from palace.patterns import late
from palace.text.entities.lists.lexicon import places


class _World(NamedTuple):
    of_all: re.Pattern[str]
    """What there is one of for everybody, and what is asked of a thing: the sky, its speed; in German and French."""
    questions: tuple[re.Pattern[str], ...]


@cache
def _world() -> _World:
    text = files("palace").joinpath("data", "asked", "world.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    parts: dict[str, str] = {}

    def filled(pattern: str) -> str:
        return _PART.sub(lambda found: parts[found[1]], pattern)

    for name, pattern in read["parts"].items():
        parts[name] = filled(pattern)
    asked = (filled(each).strip("\n").replace("\n", "|") for each in read["questions"].values())
    of_all = "|".join(parts[name] for name in ("welt", "monde", "ding", "chose", "attribut", "attribut_fr"))
    return _World(late(of_all), tuple(late(f"(?:{patterns})") for patterns in asked))


def is_of_all(noun: str) -> bool:
    """Tell whether a folded noun is of what everybody knows, in German or French: the sky, a speed."""
    return bool(_world().of_all.fullmatch(noun))


_PART = re.compile(r"<<(\w+)>>")
_WHERE = late(r"where(?:'s| is| are)? (?P<place>[\w' -]+)")


_FOR_SOMEBODY = late(r"\b(?:ok|okay|safe|allowed|enough) (?:for|to|with|in)\b")


def asks_of_the_world(sentence: str) -> bool:
    """Tell whether a folded sentence asks what anybody can look up, by how it asks.

    It may be about somebody's life nevertheless ("how old is the car"): `personal` says so.
    """
    where = _WHERE.fullmatch(sentence)
    if where:
        return where["place"].removeprefix("the ") in places()
    if _FOR_SOMEBODY.search(sentence):
        return False
    return any(_is_of_world(pattern.fullmatch(sentence)) for pattern in _world().questions)


def _is_of_world(found: re.Match[str] | None) -> bool:
    if found is None:
        return False
    place = found.groupdict().get("place")
    return place is None or place.strip() in places()
