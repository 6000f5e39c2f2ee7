"""Names as people write them: what is found, and what it is; in English, German and some other languages."""

from __future__ import annotations

import pytest

from palace.records import Role
from tests.text.entities.named import names_in, said, written
from tests.text.reading import bundled_tagger, read_names
from tests.text.tables import lines, misread, rows

ENGLISH = """
My sister Anna moved to Porto in June. -> Anna: person, Porto: place, in June: time
my brother oskar got a job at siemens -> oskar: person, siemens: organisation
aunt Rose sends her love -> Rose: person
my boss is now henrike de boer -> henrike de boer: person
ask @mira_k about the keys -> mira_k: person
I had dinner with Yusuf and Amelie -> Yusuf: person, Amelie: person
we got a kitten called waffles -> waffles: item
our cat is ill, her name is Tilly -> Tilly: item
I sold the boat called Albatross -> Albatross: item
the server hydra is down -> hydra: item
We own a boat, the Kittiwake. -> Kittiwake: item
Her engine is a Gamma 27. -> Gamma 27: item
Paris is my sister. -> Paris: person
we moved from slack to signal in feb -> slack: item, signal: item, in feb: time
the garage on mill lane -> mill lane: place
we live in reading since march -> reading: place, since march: time
I'm from Ljubljana but live in Graz now -> Ljubljana: place, Graz: place
Our flat is on Harrow Road near Queens Park -> Harrow Road: place, Queens Park: place
I work at Northvolt as a chemist -> Northvolt: organisation
Leo goes to Riverside Primary School -> Leo: person, Riverside Primary School: organisation
got an offer from Kestrel Labs on Friday -> Kestrel Labs: organisation, on Friday: time
she studies at the University of Tartu -> University of Tartu: organisation
we migrated from MySQL to PostgreSQL 16 -> MySQL: item, PostgreSQL 16: item
I switched from Notion to Obsidian -> Notion: item, Obsidian: item
using neovim with docker all day -> neovim: item, docker: item
I ran the Lisbon Half Marathon -> Lisbon Half Marathon: event
we are going to Oktoberfest -> Oktoberfest: event
see you at 7:30 pm -> at 7:30 pm: time
we met in 2014, on Christmas Eve -> in 2014: time, Christmas Eve: time
deadline is 2026-04-30 -> 2026-04-30: time
"""
NOTHING = """
Mine is the blue one. | Will it rain? May I come in? | Palace search is great. Search again. | Yes. No. Great idea!
Add milk to the list. Call the plumber. Buy bread. | this is SO ANNOYING, NEVER AGAIN
I speak English and a little French. | see https://Example.com/Anna/Paris and mail bob.Jones@Example.com
ok lol thx, gonna grab a coffee | Thanks! That's perfect. Sounds good. | we paid 1,650 for 20 kg
my dog barks, my cat sleeps, my dog food is gone
the project is late, the server crashed, the project manager is out | I switched from coffee to tea.
we live on the main road, on this street, in a quiet street
"""
NO_PROSE = [
    "- Title: the thing\n- Status: open\n- Notes: none",
    "# Getting Started\n\nRun the tests first.",
    "```python\nclass Anna(Base):\n    Paris = 1\n```",
]
LANGUAGES = """
de: Meine Schwester Anna wohnt in Hamburg. -> Anna: person, Hamburg: place
de: Ich arbeite seit 2019 bei Siemens. -> seit 2019: time, Siemens: organisation
de: Herr Dr. Brinkmann hat am Dienstag Zeit. -> Brinkmann: person, am Dienstag: time
de: Unser Hund heißt Bello und mag die Nachbarin. -> Bello: item
de: Wir treffen uns am 4. April in der Lindenstraße. -> 4. April: time, Lindenstraße: place
fr: Ma sœur Camille habite à Lyon depuis 2019. -> Camille: person, Lyon: place, depuis 2019: time
es: Mi hermano Javier trabaja en Sevilla. -> Javier: person, Sevilla: place
it: Vado a Torino con Chiara. -> Torino: place, Chiara: person
nl: Morgen fiets ik met Sanne naar Utrecht. -> Sanne: person, Utrecht: place
ru: Вчера мы были в Казани. -> Вчера: time, Казани: place
zh: 昨天我在家里做饭。 -> 昨天: time
"""
NO_NAMES = """
de: Das Haus ist groß. Der Garten und die Küche gefallen mir. Dann kam die Post.
de: Ich hab die Tage viel Arbeit, aber das Wetter ist gut. Sie meint, das geht.
fr: J'ai mangé. C'est l'heure. Aujourd'hui, c'est bien. | es: La casa es grande. Mi trabajo es aburrido. Alla vamos.
it: L'ufficio è chiuso. Dell'acqua, per favore. | ru: Дом большой. Мне нравится работа.
zh: 我的手机坏了，明年再买一个新的。 | ja: 今日はいい天気ですね。 | ar: البيت كبير والطقس جميل.
"""
GERMAN = """
Ich bin Restauratorin beim Landesamt für Denkmalpflege. -> Landesamt für Denkmalpflege: organisation
Sie arbeitet jetzt bei Blohm+Voss. -> Blohm+Voss: organisation
Ich arbeite für eine Firma namens Datev. -> Datev: organisation
Ich bin bei der TK versichert. -> TK: organisation
Wir treffen uns in der Magdeburger Allee. -> Magdeburger Allee: place
Nach dem Abitur will sie nach Neuseeland. -> Neuseeland: place
Unsere Tochter liebt ihr Pony. Das Pony heißt Schneeflocke. -> Schneeflocke: item
Ich habe Angst, Professor Wolff ist streng. -> Wolff: person
schreib mir bitte ein gedicht über den herbst in berlin -> berlin: place
Ich habe einen Kater, der heißt Mogli. -> Mogli: item
Wir haben eine Katze, Bruno. -> Bruno: item
Bruno mussten wir gestern einschläfern lassen. -> Bruno: item
unser hund bruno frisst wieder -> bruno: item
Die Tierärztin, Frau Doktor Lamprecht, war ratlos. -> Lamprecht: person
Peter war gestern hier. -> Peter: person
"""
NOUNS = """
Mir ist der Schlüssel abgebrochen. Dir auch schon mal?
Der Kühlschrank ist kaputt und der Vermieter meldet sich nicht.
Für die Steuererklärung brauche ich die Belege von der Kita und vom Hort.
Bei Regen bleiben wir zu Hause. Bei Sonne geht es in den Biergarten.
habe ich nach essen gefragt oder nur in ruhe gearbeitet | weil unser hund taub ist gehen wir selten raus
Yoga ist nichts für mich. | Einkauf: Milch, Brot, Gouda, Tomaten, Paprika, Hafermilch, Olivenöl
"""
PEOPLE = ("John Smith", "Tom Becker", "James Cook", "Peter Young", "Mark Carpenter", "Jack Hunter")
THINGS = ("Grace Period", "Rose Garden", "May Day", "Amber Alert", "Crystal Palace", "Chase Bank", "Urban Arrow")
PLAN = "Hi Tom,\n\nJonas will be on call.\n\n"
SIGNED = {
    "Best regards\nKatrin Vogel\nHead of Operations\nNordwind Operations": {"Katrin Vogel"},
    "-- \nKatrin Vogel\nNordwind Operations\nHafenstraße 12, 20457 Hamburg": {"Katrin Vogel"},
    "Thanks,\nLena\n\nLena Hoff\nGlobex Benelux\nAssistant: Paul Berg": {"Lena", "Lena Hoff"},
    "Viele Grüße\nKatrin Vogel\nGeschäftsführer: Dr. Olaf Brandt": {"Katrin Vogel"},
    "Love,\nAnna\nPriya": {"Anna", "Priya"},
}


def test_names_are_found_with_their_types() -> None:
    assert misread(lambda content: names_in(content, model=True), rows(ENGLISH)) == []


@pytest.mark.parametrize("model", [True, False], ids=["with the model", "by rules"])
def test_what_names_nothing_is_left_alone(model: bool) -> None:
    assert (
        misread(
            lambda content: names_in(content, model=model), [(content, "") for content in (*lines(NOTHING), *NO_PROSE)]
        )
        == []
    )


def test_names_are_found_in_other_languages_where_a_wrong_one_is_worse_than_none() -> None:
    def found(row: str) -> str:
        return names_in(row[4:], row[:2])

    assert misread(found, rows(LANGUAGES)) == []
    times = [name for row in lines(NO_NAMES) for name in found(row).split(", ") if name and not name.endswith(": time")]
    assert times == []


def test_words_of_german_point_to_a_name_and_nouns_are_none() -> None:
    found = [(content, name, names_in(content, "de").split(", ")) for content, name in rows(GERMAN)]
    assert [row for row in found if row[1] not in row[2]] == []
    assert misread(lambda content: names_in(content, "de"), [(content, "") for content in lines(NOUNS)]) == []


def test_somebody_is_a_person_whatever_words_the_name_is_made_of_and_a_thing_is_none() -> None:
    frames = [
        ("I had a long call with {} about the invoices.", "en"),
        ("{} from Halden Logistics asked for a report.", "en"),
        ("Ich habe lange mit {} über die Rechnungen gesprochen.", None),
    ]
    for name in PEOPLE:
        for frame, language in frames:
            assert f"{name}: person" in names_in(frame.format(name), language, model=True), frame.format(name)
    for name in THINGS:
        assert f"{name}: person" not in names_in(f"We talked about the {name} again.", model=True), name
    for content in ("JOHN SMITH called.", "We met at the John Smith Memorial Hall."):
        assert "Smith: person" not in names_in(content, model=True)


def test_one_of_a_make_is_a_thing_and_a_particle_stands_before_a_last_name() -> None:
    assert "Vauxhall Vivaro: item" in names_in("Our van is a Vauxhall Vivaro and it rattles.", model=True)
    assert "Bernina: item" in names_in("I have a Bernina and a Singer, the Singer is older", model=True)
    assert "Marloes van Dijk: person" in names_in("My boss is Marloes van Dijk.", model=True)
    assert "Jeroen van Leeuwen: person" in names_in("I work with Jeroen van Leeuwen at the bank.", model=True)
    assert names_in("She is a Buddhist.", model=True) == ""


def test_below_the_closing_words_of_a_letter_stands_who_signs_and_nobody_else() -> None:
    for signed, people in SIGNED.items():
        (names,) = read_names([said(PLAN + signed)], bundled_tagger())
        assert {each.text for each in names if each.type == "person"} == people | {"Tom", "Jonas"}, signed
    listed = "Attendees\n---\nAnna Weber\nTom Berg\nNordwind Operations"
    assert "Anna Weber: person" in names_in(listed, model=True), "where more is said there is no signature"


def test_speakers_that_the_source_names_are_people() -> None:
    turns = [said("hello", speaker="Zephyrine Quill"), said("zephyrine said so")]
    turns.append(said("You can ask the user. Zephyrine Quill knows.", Role.ASSISTANT, speaker="user"))
    assert [written(spans) for spans in read_names(turns)] == ["", "zephyrine: person", "Zephyrine Quill: person"]
