"""Names in languages other than English, where a wrong one is worse than none."""

from __future__ import annotations

import pytest

from palace.records import Role
from palace.records.graph import Said
from palace.text.entities import read_names

SAID = [
    ("de", "Meine Schwester Anna wohnt in Hamburg.", {"Anna": "person", "Hamburg": "place"}),
    ("de", "Ich arbeite seit 2019 bei Siemens.", {"seit 2019": "time", "Siemens": "organisation"}),
    ("de", "Herr Dr. Brinkmann hat am Dienstag Zeit.", {"Brinkmann": "person", "am Dienstag": "time"}),
    ("de", "Unser Hund heißt Bello und mag die Nachbarin.", {"Bello": "item"}),
    ("de", "Wir treffen uns am 4. April in der Lindenstraße.", {"4. April": "time", "Lindenstraße": "place"}),
    ("fr", "Ma sœur Camille habite à Lyon depuis 2019.", {"Camille": "person", "Lyon": "place", "depuis 2019": "time"}),
    ("es", "Mi hermano Javier trabaja en Sevilla.", {"Javier": "person", "Sevilla": "place"}),
    ("it", "Vado a Torino con Chiara.", {"Torino": "place", "Chiara": "person"}),
    ("nl", "Morgen fiets ik met Sanne naar Utrecht.", {"Sanne": "person", "Utrecht": "place"}),
    ("ru", "Вчера мы были в Казани.", {"Вчера": "time", "Казани": "place"}),
    ("zh", "昨天我在家里做饭。", {"昨天": "time"}),
]
NOTHING = [
    ("de", "Das Haus ist groß. Der Garten und die Küche gefallen mir. Dann kam die Post."),
    ("de", "Ich hab die Tage viel Arbeit, aber das Wetter ist gut. Sie meint, das geht."),
    ("fr", "J'ai mangé. C'est l'heure. Aujourd'hui, c'est bien."),
    ("es", "La casa es grande. Mi trabajo es aburrido. Alla vamos."),
    ("it", "L'ufficio è chiuso. Dell'acqua, per favore."),
    ("ru", "Дом большой. Мне нравится работа."),
    ("zh", "我的手机坏了，明年再买一个新的。"),
    ("ja", "今日はいい天気ですね。"),
    ("ar", "البيت كبير والطقس جميل."),
]


def found(content: str, language: str) -> dict[str, str]:
    return {span.text: span.type.value for span in read_names([Said(content, Role.USER, language=language)])[0]}


@pytest.mark.parametrize(("language", "content", "names"), SAID)
def test_names_are_found(language: str, content: str, names: dict[str, str]) -> None:
    assert found(content, language) == names


@pytest.mark.parametrize(("language", "content"), NOTHING)
def test_nouns_and_verbs_are_no_names(language: str, content: str) -> None:
    assert {name for name, kind in found(content, language).items() if kind != "time"} == set()
