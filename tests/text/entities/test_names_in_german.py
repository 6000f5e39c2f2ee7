"""Names in German: offices, firms and houses, towns, and messages without capitals; and nouns that are none."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType, Said
from palace.records.source import Role
from palace.text.entities import read_names

PERSON, PLACE, FIRM, ITEM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION, EntityType.ITEM


@pytest.mark.parametrize(
    ("message", "name", "kind"),
    [
        ("Ich bin Restauratorin beim Landesamt für Denkmalpflege.", "Landesamt für Denkmalpflege", FIRM),
        ("Sie arbeitet jetzt bei Blohm+Voss.", "Blohm+Voss", FIRM),
        ("Ich arbeite für eine Firma namens Datev.", "Datev", FIRM),
        ("Meine Mutter zieht ins St. Carolus-Heim.", "St. Carolus-Heim", FIRM),
        ("Ich bin bei der TK versichert.", "TK", FIRM),
        ("Wir treffen uns in der Magdeburger Allee.", "Magdeburger Allee", PLACE),
        ("Nach dem Abitur will sie nach Neuseeland.", "Neuseeland", PLACE),
        ("Meine Freundin, die in Kiel Pastorin ist, kommt.", "Kiel", PLACE),
        ("Unsere Tochter liebt ihr Pony. Das Pony heißt Schneeflocke.", "Schneeflocke", ITEM),
        ("Ich habe Angst, Professor Wolff ist streng.", "Wolff", PERSON),
        ("schreib mir bitte ein gedicht über den herbst in berlin", "berlin", PLACE),
        ("meine schwester julia kommt am wochenende zu uns", "julia", PERSON),
        ("Ich habe einen Kater, der heißt Mogli.", "Mogli", ITEM),
        ("Wir haben eine Katze, Bruno.", "Bruno", ITEM),
        ("Bruno mussten wir gestern einschläfern lassen.", "Bruno", ITEM),
        ("unser hund balou ist letzten samstag gestorben", "balou", ITEM),
        ("unser hund bruno frisst wieder", "bruno", ITEM),
        ("Die Tierärztin, Frau Doktor Lamprecht, war ratlos.", "Lamprecht", PERSON),
        ("Peter war gestern hier.", "Peter", PERSON),
    ],
)
def test_words_of_german_point_to_a_name(message: str, name: str, kind: EntityType) -> None:
    found = read_names([Said(message, Role.USER, language="de")])[0]
    assert (name, kind) in [(each.text, each.type) for each in found]


@pytest.mark.parametrize(
    "message",
    [
        "Mir ist der Schlüssel abgebrochen. Dir auch schon mal?",
        "Der Kühlschrank ist kaputt und der Vermieter meldet sich nicht.",
        "Für die Steuererklärung brauche ich die Belege von der Kita und vom Hort.",
        "Bei Regen bleiben wir zu Hause. Bei Sonne geht es in den Biergarten.",
        "habe ich nach essen gefragt oder nur in ruhe gearbeitet",
        "weil unser hund taub ist gehen wir selten raus",
        "Yoga ist nichts für mich.",
        "Einkauf: Milch, Brot, Gouda, Tomaten, Paprika, Hafermilch, Olivenöl",
    ],
)
def test_nouns_are_no_names(message: str) -> None:
    assert read_names([Said(message, Role.USER, language="de")])[0] == ()
