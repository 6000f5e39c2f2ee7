"""Who and what nouns and names are said to stand for."""

from __future__ import annotations

from palace.models import EntityType, Role
from palace.models.claims import NamedSpan, Said
from palace.nlp.aliases import read_called, typed_by_nouns, types_of_nouns, with_titles
from tests.text.tables import tables

TABLES = tables("called")

TYPES = {"p": "person", "l": "place", "o": "organisation", "i": "item"}


def called(*marked: str, speaker: str | None = None, language: str | None = None) -> list[set[str]]:
    """Read messages of one speaker, in which names are written [p Rose]: "noun -> name" in each."""
    turns, names = [], []
    for message in marked:
        text, spans = "", []
        for place, piece in enumerate(message.replace("]", "[").split("[")):
            name = piece[2:] if place % 2 else piece
            if place % 2:
                spans.append(NamedSpan(len(text), len(text) + len(name), name, EntityType(TYPES[piece[0]])))
            text += name
        turns.append(Said(text, Role.USER, speaker, language=language, is_self=speaker is None))
        names.append(with_titles(text, spans))
    return [{f"{claim.subject} -> {claim.object}" for claim in found} for found in read_called(turns, names)]


def test_what_a_noun_or_a_name_stands_for() -> None:
    for table, language in ((TABLES["called"], None), (TABLES["called_in_german"], "de")):
        read = [(content, meant, called(content, language=language)[0]) for content, meant in table.items()]
        assert [row for row in read if row[1] not in row[2]] == []


def test_what_stands_for_nobody_in_particular() -> None:
    assert [content for content in TABLES["nobody"] if called(content) != [set()]] == []
    assert called("my sister [p Rose] is here", speaker="Tom") == [{"Tom's sister -> Rose"}]


def test_a_part_of_the_one_name_of_its_kind_stands_for_it() -> None:
    first, second = called("I play in the [o Matlock Wind Band].", "The band has a new treasurer.")
    assert (first, second) == (set(), {"band -> Matlock Wind Band"})
    assert called("the [o Wind Band] and the [o Brass Band]", "The band is good.")[1] == set()
    told = called("I drive a [i Volvo V60], bought in 2019.", "The [i Volvo] failed its MOT.")[1]
    assert told == {"Volvo -> Volvo V60"}


def test_a_courtesy_belongs_to_a_name() -> None:
    for title in ("Mrs", "mrs.", "Frau Dr.", "Herr"):
        content = f"Ask {title} Okafor about it."
        start = content.index("Okafor")
        (name,) = with_titles(content, [NamedSpan(start, start + 6, "Okafor", EntityType.PERSON)])
        assert (name.text, name.start) == (f"{title.split(maxsplit=1)[0]} Okafor", start)


def test_a_name_is_what_its_noun_is() -> None:
    content = "our boat Anna needs paint, Anna leaks"
    names = [NamedSpan(at, at + 4, "Anna", EntityType.PERSON) for at in (9, 27)]
    found = read_called([Said(content, Role.USER, is_self=True)], [names])
    assert {name.type for name in typed_by_nouns(names, types_of_nouns(found))} == {EntityType.ITEM}
