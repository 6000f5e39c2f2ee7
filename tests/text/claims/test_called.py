"""Who and what nouns and names are said to stand for."""

from __future__ import annotations

from palace.records import EntityType, Role
from palace.text.claims.called import read_called, typed_by_nouns, types_of_nouns, with_titles
from tests.text.reading import NamedSpan, Said
from tests.text.tables import lines, rows

TYPES = {"p": "person", "l": "place", "o": "organisation", "i": "item"}
CALLED = """
Dinner with my sister [p Rose] tonight. -> my sister -> Rose
my best friend [p Tom] is here -> my best friend -> Tom
my best friend [p Tom] is here -> my friend -> Tom
[p Wendell] that's my husband we're married forty one years -> my husband -> Wendell
going w/ [p joost] my bf n im on a streak -> my bf -> joost
[p Rose] is my sister. -> my sister -> Rose
My dentist is Dr. [p Sato]. -> my dentist -> Sato
My sister's name is [p Rose]. -> my sister -> Rose
write to my landlord, the boiler is dead. hes mr [p okafor]. -> my landlord -> mr okafor
now the doctor Dr. [p Chisholm] says it is type two -> doctor -> Chisholm
[p Anna]'s brother [p Tom] came along. -> Anna's brother -> Tom
We own a narrowboat, the [i Merganser], which lies at home. -> narrowboat -> Merganser
mum sent pics of [i pickle] my rabbit, hes 6 now!! -> rabbit -> pickle
a greyhound from the trust, whom she calls [i Hettie]. -> greyhound -> Hettie
Swapped it for a cargo e-bike, an [i Urban Arrow]. -> cargo e-bike -> Urban Arrow
you've never met my machine it's a [i Singer] from 1974 -> machine -> Singer
my car is a [i Skoda Octavia]. -> car -> Skoda Octavia
[p Seun] is short for [p Oluwaseun]. -> Seun -> Oluwaseun
[p Derek] ([p @derekh]) wrote -> Derek -> @derekh
It was splendid, and [p Fiona] is now Mrs [p Menon]. -> Fiona -> Mrs Menon
van is dead. [i bertha], the [i vivaro]. head gasket -> bertha -> vivaro
maybe [o clwb]. [o clwb ifor bach]. if they say yes -> clwb -> clwb ifor bach
btw im [p kofi], [p kofi mensah] -> kofi -> kofi mensah
hi, im [p kofi], need a packing list -> I -> kofi
"""
CALLED_IN_GERMAN = """
Ich wohne mit meiner Freundin [p Sanja] hier. -> meine Freundin -> Sanja
Mein Mann [p Konrad] arbeitet noch. -> mein Mann -> Konrad
mini schwester [p Flurina] hat geheult -> meine Schwester -> Flurina
Meine Schwester heißt [p Anna]. -> meine Schwester -> Anna
Wir haben noch den Kater [i Moritz]. -> Kater -> Moritz
Unser Boot, die [i Kittiwake], liegt in Kiel. -> Boot -> Kittiwake
Dr. [p Seidel], meine Hausärztin, vermutet es. -> meine Hausärztin -> Seidel
Der Hausarzt Dr. [p Rehberg] hat mir das verschrieben. -> Hausarzt -> Rehberg
Ich heiße [p Friederike Amberg], bin neu hier. -> I -> Friederike Amberg
Das ist [p Robert], alle nennen ihn [p Bob]. -> Robert -> Bob
"""
NOBODY = """
my sister, [p Tom] and I went home | with [p Tom], my sister and me | I told [p Tom] my sister is ill.
Is [p Tom] my brother? | If [p Tom] is my brother, then so be it. | my boss is [p Tom]'s brother
my next boss [p Bob] called | my phone [p Anna] has the same | she said "my sister [p Rose] is here"
a friend [p Tom] came | the nurse [p Tom] came | his sister [p Rose] came | my trip to [l Ghent]
my brother moved to [l Ghent]. | Pretend to be me. my sister [p Rose] is here.
[p Rose] says hello. He is my brother. | [p Rose] and [p Anna], my sister and my friend | my favourite band [o Blur]
im [p Tom]'s brother
"""


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
    for table, language in ((CALLED, None), (CALLED_IN_GERMAN, "de")):
        read = [(content, meant, called(content, language=language)[0]) for content, meant in rows(table)]
        assert [row for row in read if row[1] not in row[2]] == []


def test_what_stands_for_nobody_in_particular() -> None:
    assert [content for content in lines(NOBODY) if called(content) != [set()]] == []


def test_what_another_speaker_calls_theirs_is_theirs() -> None:
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


def test_an_assistant_is_not_heard() -> None:
    said = Said("my sister Rose", Role.ASSISTANT)
    assert read_called([said], [[NamedSpan(10, 14, "Rose", EntityType.PERSON)]]) == [()]
