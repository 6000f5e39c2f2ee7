"""Topics have names that people would know them by: on conversations labelled before the rules were written."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.topics import name_topics
from tests.text.named_talks import TALKS, NamedTalk
from tests.text.tables import misread, tables

TABLES = tables("closet_names")

_NO_EDGES_WRITTEN = """
a an the my your our his her its their i you we they he she it is are was were be been do does did has have had will
would can could should to of in on for with from about by at and or but not so then when if this that which what
give gave keep kept check checked add added use used let go went come took take make made hurts skips pulls buzz
rubs smells walk walking running fed feed potted planted turn harden rest stop change measure replace get got
quarter half full three six ten daily slowly probably very too again der die das den dem ein eine einen ich du er
sie wir ihr ist sind hat habe haben wird werden und oder aber nicht mit für auf prüfe lege nimm gieße entferne
tausche teste mische wärme frage neue alte ganz noch kaum wieder jetzt
"""
NO_EDGES = frozenset(_NO_EDGES_WRITTEN.split())
BATTERY = [
    "I need help with the battery wiring of my efoil. Which battery wiring options are there?",
    "Sure! For battery wiring you can use a 12-AWG silicone wire. Let me know if that helps.",
    "Thanks! The battery wiring overheated yesterday.",
]
HOLIDAY = [
    "We are planning a Hawaii trip in March.",
    "Great, a Hawaii trip needs a budget. Feel free to ask questions about the Hawaii trip.",
]


def words_of(name: str) -> list[list[str]]:
    return [re.findall(r"[\w'-]+", part.lower()) for part in name.split(",")]


def is_known_by(talk: NamedTalk, name: str) -> bool:
    nouns = {noun.rstrip("s") for noun in talk.nouns}
    return any(word.rstrip("s") in nouns for part in words_of(name) for word in part)


def test_a_name_holds_a_noun_of_what_is_said_most_and_no_edge_that_names_nothing() -> None:
    for talk in TALKS:
        (name,) = name_topics([talk.texts])
        assert is_known_by(talk, name), name
        edges = {word for part in words_of(name) for word in (part[0], part[-1])}
        assert not edges & NO_EDGES, name
        assert not any(word.isdigit() for word in edges), name
    assert name_topics([TALKS[0].texts]) == ["Tomatoes, seedlings"], "not called after how strong its feed was"


def test_parts_of_one_conversation_are_told_apart() -> None:
    for talks in (TALKS[:4], TALKS[4:], TALKS[5:8]):
        names = name_topics([talk.texts for talk in talks])
        words = {word.rstrip("s") for name in names for part in words_of(name) for word in part}
        assert len(words) >= 2 * len(names) - 1
        assert [name for name, talk in zip(names, talks, strict=True) if not is_known_by(talk, name)] == []


def test_who_speaks_names_no_topic() -> None:
    texts = ("Wow, Caroline! Caroline, the pottery class was great.", "Thanks, Mel! See you at the pottery class, Mel.")
    assert name_topics([texts], ["Caroline Hill", "Mel"]) == ["Pottery class"]
    talked = ("I saw Caroline at the pottery. Caroline and Mel paint.", "Ask Caroline about the kiln, Caroline knows.")
    assert "Caroline" in name_topics([talked])[0]
    assert "Caroline" not in name_topics([talked], ["Caroline Hill"])[0]


def test_verbs_numbers_and_what_is_said_of_a_thing_are_left_out() -> None:
    assert misread(lambda said: name_topics([[said]])[0], TABLES["said"].items()) == []


def test_a_part_is_named_by_the_phrase_it_keeps_using_and_not_by_those_of_every_part() -> None:
    assert name_topics([BATTERY, HOLIDAY]) == ["Battery wiring", "Hawaii trip"]
    efoils = ["The efoil board and the mast foil. The efoil board again."], ["The efoil board and the propeller blade."]
    assert "efoil" not in name_topics(efoils)[1].lower()
    assert name_topics([["Thruster mounts here", "the thruster mount", "a thruster mount"]]) == ["Thruster mount"]
    (name,) = name_topics([["Change battery. Wiring hurts. Change battery. Wiring hurts."]])
    assert "battery wiring" not in name.lower(), "a phrase does not cross a sentence"
    (name,) = name_topics([["My brother in law Tom needs bread.", "Which bread for my brother in law?"]])
    assert name.startswith("Bread")
    code = "The battery overheats. ```python\nscooter = Scooter(hub)\n``` https://x.com/scooter/hub me@scooter.com"
    assert "scooter" not in name_topics([[code, code]])[0].lower()


@given(st.lists(st.lists(st.text(max_size=80), max_size=4), max_size=5))
def test_any_text_gives_each_part_a_short_name(parts: list[list[str]]) -> None:
    names = name_topics(parts)
    assert len(names) == len(parts)
    assert all(len(name) <= 61 for name in names)
