"""Who and what nouns and names are said to stand for."""

from __future__ import annotations

import pytest

from palace.records import Role
from palace.records.graph import EntityType, NamedSpan, Said
from palace.text.claims.called import read_called, typed_by_nouns, types_of_nouns, with_titles

TYPES = {"p": EntityType.PERSON, "l": EntityType.PLACE, "o": EntityType.ORGANISATION, "i": EntityType.ITEM,
         "j": EntityType.PROJECT}  # fmt: skip


def called(content: str, *, speaker: str | None = None, language: str | None = None) -> set[tuple[str, str]]:
    """Read a message in which names are written [p Rose]: what is called by which name."""
    return conversation(content, speaker=speaker, language=language)[0]


def conversation(*marked: str, speaker: str | None = None, language: str | None = None) -> list[set[tuple[str, str]]]:
    """Read messages of one speaker."""
    turns, names = [], []
    for each in marked:
        text, spans = "", []
        for place, piece in enumerate(each.replace("]", "[").split("[")):
            if place % 2:
                spans.append(NamedSpan(len(text), len(text) + len(piece) - 2, piece[2:], TYPES[piece[0]]))
            text += piece[2:] if place % 2 else piece
        turns.append(Said(text, Role.USER, speaker, language=language, is_self=speaker is None))
        names.append(with_titles(text, spans))
    return [{(claim.subject, claim.object) for claim in found} for found in read_called(turns, names)]


@pytest.mark.parametrize(
    ("content", "noun", "name"),
    [
        ("Dinner with my sister [p Rose] tonight.", "my sister", "Rose"),
        ("our cleaner Mrs [p Okafor] has the key", "my cleaner", "Mrs Okafor"),
        ("my best friend [p Tom] is here", "my best friend", "Tom"),
        ("my best friend [p Tom] is here", "my friend", "Tom"),
        ("I saw [p Rose], my sister, yesterday.", "my sister", "Rose"),
        ("its me and [p yusra], shes my flatmate", "my flatmate", "yusra"),
        ("[p Wendell] that's my husband we're married forty one years", "my husband", "Wendell"),
        ("going w/ [p joost] my bf n im on a streak", "my bf", "joost"),
        ("[p Rose] is my sister.", "my sister", "Rose"),
        ("[p Tom]'s my brother.", "my brother", "Tom"),
        ("My dentist is Dr. [p Sato].", "my dentist", "Sato"),
        ("my mentor is called [p oluwaseun]", "my mentor", "oluwaseun"),
        ("My sister's name is [p Rose].", "my sister", "Rose"),
        ("write to my landlord, the boiler is dead. hes mr [p okafor].", "my landlord", "mr okafor"),
        ("railway street, 1100 a month, landlady is mrs [p parry]", "landlady", "mrs parry"),
        ("now the doctor Dr. [p Chisholm] says it is type two", "doctor", "Chisholm"),
        ("Landlord: Mr [p Hoekstra]. Bank: [o ING].", "landlord", "Mr Hoekstra"),
        ("my roomie [p Femke] is LOUD", "my roomie", "Femke"),
        ("[p Anna]'s brother [p Tom] came along.", "Anna's brother", "Tom"),
        ("We own a narrowboat, the [i Merganser], which lies at home.", "narrowboat", "Merganser"),
        ("he wants to sell the boat the [i Second Wind] and I say no", "boat", "Second Wind"),
        ("our boat [p Anna] needs paint", "boat", "Anna"),
        ("mum sent pics of [i pickle] my rabbit, hes 6 now!!", "rabbit", "pickle"),
        ("a greyhound from the trust, whom she calls [i Hettie].", "greyhound", "Hettie"),
        ("I work at [o söderberg] (the cafe in the quarter)", "cafe", "söderberg"),
        ("Starting log. Me: bike shop [o Kettingwerk], Haarlem.", "bike shop", "Kettingwerk"),
        ("Swapped it for a cargo e-bike, an [i Urban Arrow].", "cargo e-bike", "Urban Arrow"),
        ("[p Caleb]'s on [i Clenil] the brown inhaler.", "inhaler", "Clenil"),
        ("you've never met my machine it's a [i Singer] from 1974", "machine", "Singer"),
        ("my car is a [i Skoda Octavia].", "car", "Skoda Octavia"),
        ("[p Seun] is short for [p Oluwaseun].", "Seun", "Oluwaseun"),
        ("He is [p Robert] but everyone calls him [p Bob].", "Robert", "Bob"),
        ("[p Derek] ([p @derekh]) wrote", "Derek", "@derekh"),
        ("It was splendid, and [p Fiona] is now Mrs [p Menon].", "Fiona", "Mrs Menon"),
        ("van is dead. [i bertha], the [i vivaro]. head gasket", "bertha", "vivaro"),
        ("curling at the [o Mayflower] the [o Mayflower Curling Club] so", "Mayflower", "Mayflower Curling Club"),
        ("maybe [o clwb]. [o clwb ifor bach]. if they say yes", "clwb", "clwb ifor bach"),
        ("btw im [p kofi], [p kofi mensah]", "kofi", "kofi mensah"),
        ("hi, im [p kofi], need a packing list", "I", "kofi"),
        ("My name is [p Walter Ashdown], I am seventy-four.", "I", "Walter Ashdown"),
    ],
)
def test_what_a_noun_or_a_name_stands_for(content: str, noun: str, name: str) -> None:
    assert (noun, name) in called(content)


@pytest.mark.parametrize(
    ("content", "noun", "name"),
    [
        ("Ich wohne mit meiner Freundin [p Sanja] hier.", "meine Freundin", "Sanja"),
        ("Mein Mann [p Konrad] arbeitet noch.", "mein Mann", "Konrad"),
        ("mini schwester [p Flurina] hat geheult", "meine Schwester", "Flurina"),
        ("Meine Schwester heißt [p Anna].", "meine Schwester", "Anna"),
        ("Wir haben noch den Kater [i Moritz].", "Kater", "Moritz"),
        ("Unser Boot, die [i Kittiwake], liegt in Kiel.", "Boot", "Kittiwake"),
        ("Dr. [p Seidel], meine Hausärztin, vermutet es.", "meine Hausärztin", "Seidel"),
        ("Der Hausarzt Dr. [p Rehberg] hat mir das verschrieben.", "Hausarzt", "Rehberg"),
        ("Ich heiße [p Friederike Amberg], bin neu hier.", "I", "Friederike Amberg"),
        ("Das ist [p Robert], alle nennen ihn [p Bob].", "Robert", "Bob"),
    ],
)
def test_what_a_noun_stands_for_in_german(content: str, noun: str, name: str) -> None:
    assert (noun, name) in called(content, language="de")


@pytest.mark.parametrize(
    "content",
    [
        "my sister, [p Tom] and I went home",
        "with [p Tom], my sister and me",
        "I told [p Tom] my sister is ill.",
        "[p Tom] is not my brother.",
        "Is [p Tom] my brother?",
        "If [p Tom] is my brother, then so be it.",
        "my boss is [p Tom]'s brother",
        "my ex husband [p Bob] called",
        "my next boss [p Bob] called",
        "my phone [p Anna] has the same",
        'she said "my sister [p Rose] is here"',
        "I gave [p Tom] my car.",
        "a friend [p Tom] came",
        "the nurse [p Tom] came",
        "his sister [p Rose] came",
        "my house in [l Ghent]",
        "my trip to [l Ghent]",
        "my brother moved to [l Ghent].",
        "Pretend to be me. my sister [p Rose] is here.",
        "Translate this: my sister [p Rose] is here.",
        "[p Rose] says hello. He is my brother.",
        "[p Rose] and [p Anna], my sister and my friend",
        "my favourite band [o Blur]",
        "we met [p Tom] or [p Robert]",
        "im [p Tom]'s brother",
    ],
)
def test_what_stands_for_nobody_in_particular(content: str) -> None:
    assert called(content) == set()


def test_what_another_speaker_calls_theirs_is_theirs() -> None:
    assert called("my sister [p Rose] is here", speaker="Tom") == {("Tom's sister", "Rose")}


def test_the_last_word_of_one_name_stands_for_it() -> None:
    first, second = conversation("I play in the [o Matlock Wind Band].", "The band has a new treasurer.")
    assert (first, second) == (set(), {("band", "Matlock Wind Band")})
    assert conversation("the [o Wind Band] and the [o Brass Band]", "The band is good.")[1] == set()


def test_the_maker_of_one_vehicle_stands_for_it() -> None:
    told = conversation("I drive a [i Volvo V60], bought in 2019.", "The [i Volvo] failed its MOT.")[1]
    assert told == {("Volvo", "Volvo V60")}


@pytest.mark.parametrize("title", ["Mrs", "mrs.", "Frau Dr.", "Herr"])
def test_a_courtesy_belongs_to_a_name(title: str) -> None:
    content = f"Ask {title} Okafor about it."
    start = content.index("Okafor")
    (name,) = with_titles(content, [NamedSpan(start, start + 6, "Okafor", EntityType.PERSON)])
    assert (name.text, name.start) == (f"{title.split(maxsplit=1)[0]} Okafor", start)


def test_a_name_is_what_its_noun_is() -> None:
    content = "our boat Anna needs paint, Anna leaks"
    names = [NamedSpan(at, at + 4, "Anna", EntityType.PERSON) for at in (9, 27)]
    called = read_called([Said(content, Role.USER, is_self=True)], [names])
    assert {name.type for name in typed_by_nouns(names, types_of_nouns(called))} == {EntityType.ITEM}


def test_an_assistant_is_not_heard() -> None:
    said = Said("my sister Rose", Role.ASSISTANT)
    assert read_called([said], [[NamedSpan(10, 14, "Rose", EntityType.PERSON)]]) == [()]


def test_a_long_conversation_is_read_in_time() -> None:
    content = "my sister Rose said " * 200
    spans = [NamedSpan(at, at + 4, "Rose", EntityType.PERSON) for at in range(10, len(content), 20)]
    turns = [Said(content, Role.USER, is_self=True)] * 200
    assert len(read_called(turns, [spans] * 200)) == 200
