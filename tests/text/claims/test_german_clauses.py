"""German clauses of many orders: verbs at the end, verbs in two parts, subjects behind, no marks, no capitals."""

from __future__ import annotations

import pytest

from tests.text.claims.told import told

READ = """
hab mir gestern nen gebrauchten vw polo geholt -> I | owns | vw polo | begins from 2025-05-13 day
Ich ziehe zum 1. August nach Freiburg um. -> I | lives_in | Freiburg | begins from 2025-08-01 day
Weil ich seit Januar bei Zalando arbeite, pendle ich. -> I | works_at | Zalando | holds from 2025-01-01 month
Mein Bruder Matthias, der bei Airbus arbeitet, kommt am Wochenende. -> my brother | called | Matthias | holds \
; I | sibling_of | Matthias | holds ; Matthias | works_at | Airbus | holds
Meine Schwester heißt Julia und wohnt in Kassel. -> my sister | called | Julia | holds \
; I | sibling_of | Julia | holds ; my sister | lives_in | Kassel | holds
ich wohne jetzt in Köln meine frau heißt Sabine -> I | lives_in | Köln | holds ; my wife | called | Sabine | holds \
; I | married_to | Sabine | holds
Den alten Golf haben wir im Februar verkauft. -> I | owns | Golf | ends until 2025-02-01 month
Ich habe im April mit Klettern angefangen und Joggen aufgehört. -> I | does | Klettern | begins from 2025-04-01 month
Lisa und ich haben uns getrennt. -> I | partner_of | Lisa | ends
Mein Fahrrad wurde gestern geklaut! -> I | owns | Fahrrad | ends until 2025-05-13 day
Meine Zahnärztin ist Frau Dr. Lindner. -> I | has_dentist | Dr. Lindner | holds
Unser Kater Findus ist gestorben. -> I | owns | Findus | holds ; I | owns | Findus | ends
Donnerstags gehe ich zum Yoga. -> I | does | Yoga | holds
Ich vertrage keine Laktose. -> I | allergic_to | Laktose | holds
Meine Eltern, Renate und Klaus, leben in Soltau. -> I | child_of | Renate | holds ; I | child_of | Klaus | holds \
; Renate | lives_in | Soltau | holds ; Klaus | lives_in | Soltau | holds
Wir haben einen Hund, er heißt Balu. -> I | owns | Balu | holds
Die Mutter von Jonas ist Richterin. -> Jonas's mother | works_as | Richterin | holds
Kannst du mir helfen, ich hab mir eine Nähmaschine gekauft? -> I | owns | Nähmaschine | begins
Meine beste Freundin Aylin arbeitet als Grafikerin. -> my friend | called | Aylin | holds \
; I | friend_of | Aylin | holds ; Aylin | works_as | Grafikerin | holds
Ich bin in Izmir geboren, lebe aber seit 1998 in Duisburg. -> I | comes_from | Izmir | holds \
; I | lives_in | Duisburg | holds from 1998-01-01 year
Mein Kumpel Ali hat sich ein Motorrad gekauft, eine Kawasaki Z650. -> my friend | called | Ali | holds \
; I | friend_of | Ali | holds ; Ali | owns | Kawasaki Z650 | begins
Die alte Säge hat jetzt mein Schwager Ole. -> my brother-in-law | called | Ole | holds \
; I | related_to | Ole | holds ; Ole | owns | Säge | holds
Ich zahle 980 Euro Miete. -> I | has_rent | 980 Euro | holds
Bin von Spotify zu Tidal gewechselt. -> I | uses | Spotify | ends ; I | uses | Tidal | begins
Dr. Kessler hat mir Ramipril verschrieben. -> I | takes | Ramipril | begins
Mein Arbeitgeber ist die Allianz. -> I | works_at | Allianz | holds
"""

NOT_READ = """
Ich hab dir doch gesagt, dass er meint, ich arbeite bei Opel.
Kannst du mir sagen, ob ich bei Bosch arbeite?
Arbeitet mein Bruder eigentlich noch bei Opel?
Was kostet es, wenn ich nach Kiel ziehe?
Wir überlegen, nach Portugal auszuwandern.
Ich habe noch keinen Hund.
Ich würde gern bei Siemens arbeiten.
Mein Mann will unbedingt einen Hund.
Falls ich den Job bekomme, ziehe ich im Juni nach Ulm.
Bald soll ich bei Bosch anfangen.
Wir suchen eine Wohnung in Potsdam.
Du wohnst doch in Kiel.
"""


@pytest.mark.parametrize("line", [line for line in READ.strip().splitlines() if line])
def test_a_clause_is_read_in_any_order(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message) == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("message", NOT_READ.strip().splitlines())
def test_what_is_asked_wished_or_supposed_is_no_claim(message: str) -> None:
    assert told(message) == []


def test_a_pronoun_means_who_was_spoken_of() -> None:
    assert told("Wir haben im April eine Tochter bekommen, sie heißt Frieda.") == [
        "my daughter | called | Frieda | holds",
        "I | parent_of | Frieda | holds",
    ]


def test_umlauts_may_be_written_without() -> None:
    assert told("Meine Schwester heisst Anna.") == told("Meine Schwester heißt Anna.")
