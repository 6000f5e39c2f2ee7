"""What German says of partings, posts, plans dropped, medicines and slips put right."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType
from palace.text.languages import languages_of
from tests.text.claims.told import told

NAMES = {
    **dict.fromkeys(("Rom", "Kiel", "Graz", "Linz", "Bremen", "Ulm", "Bonn"), EntityType.PLACE),
    **dict.fromkeys(("Jonas", "Katja", "Sabine", "Nils", "Jan", "Lena", "Ben"), EntityType.PERSON),
    **dict.fromkeys(("Audi", "BMW", "Siemens", "Fluxbyte", "Caritas", "Sparkasse"), EntityType.ORGANISATION),
    **dict.fromkeys(("Minka", "Rex"), EntityType.ITEM),
}

TOLD = """
Ich habe mich im März von Jonas getrennt. -> I | partner_of | Jonas | ends until 2025-03-01 month
Mein Bruder hat sich von seiner Frau Katja getrennt. -> my brother's wife | called | Katja | holds \
; my brother | married_to | Katja | holds ; my brother | married_to | Katja | ends
Jan hat mit mir Schluss gemacht. -> I | partner_of | Jan | ends
Hab mit Ben Schluss gemacht. -> I | partner_of | Ben | ends
Jan und ich sind nicht mehr zusammen. -> I | partner_of | Jan | ends
Lena und ich sind wieder zusammen. -> I | partner_of | Lena | holds
Ich bin seit Februar geschieden. -> I | married_to | - | ends until 2025-02-01 month
ich ziehe am 6. september nach Graz um -> I | lives_in | Graz | begins from 2025-09-06 day
das abo kostet 29 pfund -> abo | costs | 29 pfund | holds
Mein Abo im Fitnessstudio kostet 29 Dollar. -> Abo | costs | 29 Dollar | holds
hab das cello verkauft -> I | owns | cello | ends
mein bruder hat bei airbus gekündigt, er fängt im august bei siemens an -> my brother | works_at | airbus | ends \
; my brother | works_at | siemens | begins from 2025-08-01 month
ich arbeite jetzt bei bosch -> I | works_at | bosch | holds
mein zahnarzt ist jetzt dr lindqvist -> I | has_dentist | dr lindqvist | holds
hab ne neue hausärztin, dr mbeki heißt die -> I | has_gp | dr mbeki | holds
Ich habe einen neuen Chef, Jan heißt der. -> I | has_boss | Jan | holds
Ich habe meine Ausbildung bei Audi abgebrochen. -> I | works_at | Audi | ends
Ich bin aus dem Chor ausgetreten. -> I | member_of | Chor | ends
Ich wurde bei BMW genommen. -> I | works_at | BMW | begins
Mein Arbeitsvertrag bei Siemens läuft Ende Juni aus. -> I | works_at | Siemens | ends until 2025-06-30 day
Heute war mein letzter Tag bei der Sparkasse. -> I | works_at | Sparkasse | ends until 2025-05-14 day
Ich kündige meine Mitgliedschaft im Alpenverein zum 31. Dezember. -> \
I | member_of | Alpenverein | ends until 2025-12-31 day
Minka mussten wir einschläfern lassen. -> I | owns | Minka | ends
Ich nehme jeden Morgen 75 Mikrogramm L-Thyroxin. -> I | takes | L-Thyroxin | holds
Ich nehme morgens Metformin und abends Magnesium. -> I | takes | Metformin | holds ; I | takes | Magnesium | holds
jeden Abend 20 mg Atorvastatin -> I | takes | Atorvastatin | holds
Ibu hab ich abgesetzt. -> I | takes | Ibu | ends
Ich wohne jetzt in Graz, äh Linz. -> I | lives_in | Linz | holds
Ich wohne jetzt in Graz, nein, in Linz. -> I | lives_in | Linz | holds
Wir wohnen nicht mehr in Ulm, sondern in Bonn. -> I | lives_in | Ulm | ends ; I | lives_in | Bonn | holds
Ich wohne nicht seit 2018, sondern seit 2020 in Bonn. -> I | lives_in | Bonn | holds from 2020-01-01 year
Liebe Sabine, ich wohne jetzt in Ulm. -> I | lives_in | Ulm | holds
"""

BEHIND = """
Ich wohne seit 2019 in Bremen. || Nicht seit 2019, sondern seit 2021. \
-> I | lives_in | Bremen | corrects from 2021-01-01 year
Ich fange im Juni bei Audi an. || ne, doch erst im Juli -> I | works_at | Audi | corrects from 2025-07-01 month
Die Miete beträgt 895 Euro. || nicht 895, sondern 925 -> I | has_rent | 925 Euro | corrects
Wir fliegen am 3. Juli nach Rom. || Die Reise nach Rom ist storniert. -> I | planned | Rom trip | denies
Wir fliegen am 3. Juli nach Rom. || Rom haben wir abgesagt. -> I | planned | Rom trip | denies
Wir ziehen im August nach Kiel. || Der Umzug fällt ins Wasser. -> I | lives_in | Kiel | denies
Wir ziehen im August nach Kiel. || Wir ziehen doch nicht um. -> I | lives_in | Kiel | denies
Wir ziehen im August nach Kiel. || Aus Kiel wird nichts. -> I | lives_in | Kiel | denies
Ich arbeite bei Fluxbyte. || Die Firma ist pleite. -> I | works_at | Fluxbyte | ends
Ich arbeite bei Fluxbyte. || Fluxbyte ist leider pleite gegangen. -> I | works_at | Fluxbyte | ends
Ich studiere Jura. || Hab das Studium geschmissen. -> I | studies | Jura | ends ; I | studies_at | - | ends
Ich bin seit 2019 im Kirchenchor. || Bin aus dem Chor ausgetreten. -> I | member_of | Kirchenchor | ends
Mein Freund heißt Nils. || Wir sind seit gestern nicht mehr zusammen. \
-> I | partner_of | Nils | ends until 2025-05-13 day
"""

NOT_TOLD = """
Wir haben uns vom alten Sofa getrennt.
Jan und ich sind nicht mehr zusammen im Urlaub gewesen.
Mein Chef hat mich verlassen.
Wir haben den Müll getrennt.
Die Firma gegenüber ist pleite.
Mein Vertrag bei Siemens läuft nicht aus.
Lena hat ihre Reise nach Rom storniert.
Das Essen in Rom wird nichts.
Ich mache Schluss für heute.
Wir nehmen jeden Morgen den Bus.
Nein, das stimmt nicht.
Fast hätten wir die Reise nach Rom storniert.
Er ist jetzt bei BMW.
mein zahnarzt ist dr sehr nett
"""


@pytest.mark.parametrize("line", TOLD.replace("\\\n", "").strip().splitlines())
def test_a_turn_of_life_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message, names=NAMES) == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("line", BEHIND.replace("\\\n", "").strip().splitlines())
def test_what_was_told_before_is_put_right_or_over(line: str) -> None:
    messages, expected = line.split(" -> ")
    first, second = messages.split(" || ")
    before = told(first, names=NAMES)
    assert told(first, second, names=NAMES)[len(before) :] == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("message", NOT_TOLD.strip().splitlines())
def test_what_only_looks_so_is_no_claim(message: str) -> None:
    assert told(message, names=NAMES) == []


def test_a_short_message_is_of_the_language_of_the_one_before() -> None:

    turns = [
        ("Wir ziehen im August nach Kiel, endlich!", "de"),
        ("Kiel wird leider teuer.", None),
        ("ok that is it", None),
    ]
    assert languages_of(turns) == ["de", "de", None]
    assert languages_of([("Mein Freund heißt Nils.", None), ("War in Ukraine", None)]) == ["de", None]


WHOSE = """
Mein Bruder kam mit seiner Freundin Lena vorbei. -> my brother's girlfriend | called | Lena | holds \
; my brother | partner_of | Lena | holds
Jonas hat erzählt, dass seine Freundin Lena umzieht. -> Jonas's girlfriend | called | Lena | holds \
; Jonas | partner_of | Lena | holds
Sabine sagt, sein Bruder Jan kommt. ->
Mein Chef meint, seine neue Frau heißt Lena. ->
Ich war in Rom. -> I | visited | Rom | happens
Ich war in Rom beim Zahnarzt. ->
Ich war noch nie in Rom. ->
Wir sind im Oktober umgezogen und wohnen jetzt in Ulm. -> I | lives_in | Ulm | begins from 2024-10-01 month
Ich nehme jetzt Metformin, davor Candesartan. -> I | takes | Metformin | holds
Ich arbeite bei der Caritas, sorry, bei der Sparkasse. -> I | works_at | Sparkasse | holds
Das Gerät kostet jetzt 189 statt 164 Euro. -> Gerät | costs | 189 Euro | holds
Unsere Katze Minka wurde überfahren. -> my cat | called | Minka | holds ; I | owns | Minka | holds \
; I | owns | Minka | ends
Ich wurde im Mai bei Siemens entlassen. -> I | works_at | Siemens | ends until 2025-05-01 month
Ich wurde aus dem Krankenhaus entlassen. ->
"""


@pytest.mark.parametrize("line", WHOSE.replace("\\\n", "").strip().splitlines())
def test_what_is_said_is_of_whom_it_is_said(line: str) -> None:
    message, _, expected = line.partition(" ->")
    assert told(message, names=NAMES) == [each.strip() for each in expected.split(";") if each.strip()]
