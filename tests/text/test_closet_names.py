"""Topics have names that people would know them by: on twenty conversations labelled before the rules were written."""

from __future__ import annotations

import re

import pytest

from palace.mining.topics import name_topics
from palace.text.words import fold
from tests.text.named_talks import TALKS, NamedTalk

_NO_EDGES_WRITTEN = """
a an the my your our his her its their i you we they he she it is are was were be been do does did has have had will
would can could should to of in on for with from about by at and or but not so then when if this that which what
give gave keep kept check checked add added use used let go went come take took make made hurts skips pulls buzz
rubs smells walk walking running fed feed potted planted turn harden rest stop change measure replace get got
quarter half full three six ten daily slowly probably very too again der die das den dem ein eine einen ich du er
sie wir ihr ist sind hat habe haben wird werden und oder aber nicht mit für auf prüfe lege nimm gieße entferne
tausche teste mische wärme frage neue alte ganz noch kaum wieder jetzt
"""
NO_EDGES = frozenset(_NO_EDGES_WRITTEN.split())


def words_of(name: str) -> list[list[str]]:
    return [re.findall(r"[\w'-]+", part.lower()) for part in name.split(",")]


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.title)
def test_a_name_holds_a_noun_of_what_is_said_most(talk: NamedTalk) -> None:
    (name,) = name_topics([talk.texts])
    nouns = {fold(noun) for noun in talk.nouns}
    assert any(fold(word) in nouns for part in words_of(name) for word in part), name


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.title)
def test_a_name_neither_begins_nor_ends_with_what_names_nothing(talk: NamedTalk) -> None:
    (name,) = name_topics([talk.texts])
    edges = {word for part in words_of(name) for word in (part[0], part[-1])}
    assert not edges & NO_EDGES, name
    assert not any(word.isdigit() for word in edges), name


def test_a_garden_log_is_not_called_after_how_strong_its_feed_was() -> None:
    (name,) = name_topics([TALKS[0].texts])
    assert name == "Tomatoes, seedlings"


@pytest.mark.parametrize("talks", [TALKS[:4], TALKS[4:9], TALKS[14:18]])
def test_parts_of_one_conversation_are_told_apart(talks: tuple[NamedTalk, ...]) -> None:
    names = name_topics([talk.texts for talk in talks])
    assert len({fold(word) for name in names for part in words_of(name) for word in part}) >= 2 * len(names) - 1
    for name, talk in zip(names, talks, strict=True):
        assert any(fold(word) in map(fold, talk.nouns) for part in words_of(name) for word in part), name


def test_who_speaks_names_no_topic() -> None:
    texts = ("Wow, Caroline! Caroline, the pottery class was great.", "Thanks, Mel! See you at the pottery class, Mel.")
    assert name_topics([texts], ["Caroline Hill", "Mel"]) == ["Pottery class"]
    talked = ("I saw Caroline at the pottery. Caroline and Mel paint.", "Ask Caroline about the kiln, Caroline knows.")
    assert "Caroline" in name_topics([talked])[0]
    assert "Caroline" not in name_topics([talked], ["Caroline Hill"])[0]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("I planted tomatoes. My tomatoes are red.", "Tomatoes"),
        ("Replace the filter, then clean the filter.", "Filter"),
        ("We need to order raised beds. The raised beds cost 90.", "Raised beds"),
        ("The challenges facing expats are many. Challenges facing expats.", "Challenges, expats"),
        ("J'ai un jardin. Le jardin est petit, mais les tomates du jardin sont bonnes, et l'arrosage va bien.",
         "Jardin, arrosage"),
        ("Mi perro está enfermo. El veterinario dice que el perro debe comer poco.", "Perro, veterinario"),
        ("12 30 45. The 12 rabbits, the 30 rabbits.", "Rabbits"),
        ("Ich habe einen Garten. Der Garten ist groß, ich habe viel zu tun.", "Garten"),
        ("Gestern war der Zahnarzt teuer. Die Zahnarztrechnung liegt bei der Krankenkasse, der Krankenkasse!",
         "Krankenkasse, Zahnarzt"),
    ],
)  # fmt: skip
def test_verbs_numbers_and_what_is_said_of_a_thing_are_left_out(said: str, name: str) -> None:
    assert name_topics([[said]]) == [name]
