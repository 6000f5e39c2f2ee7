"""What is read as a claim in German, and what is not: in any order of words, and with the message before it."""

from __future__ import annotations

from tests.text.claims.told import named, told, told_last
from tests.text.tables import each, misread, rows

NAMES = named(
    place="Rom Kiel Graz Linz Bremen Ulm Bonn",
    person="Jonas Katja Sabine Nils Jan Lena Ben",
    organisation="Audi BMW Siemens Fluxbyte Caritas Sparkasse",
    item="Minka Rex",
)
CLAIMED = """
Ich wohne seit 2019 in Wien. -> I | lives_in | Wien | holds from 2019-01-01 year
Ich arbeite ab Juni bei Bosch. -> I | works_at | Bosch | begins from 2025-06-01 month
Ich habe das Boot im Mai verkauft. -> I | owns | Boot | ends until 2025-05-01 month
Meine Schwester heißt Anna. -> my sister | called | Anna | holds ; I | sibling_of | Anna | holds
Ich bin gegen Nüsse allergisch. -> I | allergic_to | Nüsse | holds
Ich spreche Deutsch und Englisch. -> I | speaks | Deutsch | holds ; I | speaks | Englisch | holds
Meine Frau ist Hebamme. -> my wife | works_as | Hebamme | holds
Wir haben zwei Kinder, Jule und Tom. -> I | parent_of | Jule | holds \
; I | parent_of | Tom | holds
Die Miete beträgt 1.200 Euro. -> I | has_rent | 1.200 Euro | holds
Ich bin Lehrerin an der GIBS. -> I | works_as | Lehrerin | holds ; I | works_at | GIBS | holds
Ich habe Lena 2015 geheiratet. -> I | married_to | Lena | begins from 2015-01-01 year
Ich habe bis 2021 in Gent gewohnt. -> I | lives_in | Gent | was until 2021-01-01 year
Ich mag keine Oliven. -> I | dislikes | Oliven | holds
Mein Geburtstag ist am 3. März. -> I | has_birthday | 3. März | holds
Ich habe das Auto verkauft und mir ein Fahrrad gekauft. -> I | owns | Auto | ends ; I | owns | Fahrrad | begins
hab mir gestern nen gebrauchten vw polo geholt -> I | owns | vw polo | begins from 2025-05-13 day
Ich ziehe zum 1. August nach Freiburg um. -> I | lives_in | Freiburg | begins from 2025-08-01 day
Mein Bruder Matthias, der bei Airbus arbeitet, kommt am Wochenende. -> my brother | called | Matthias | holds \
; I | sibling_of | Matthias | holds ; Matthias | works_at | Airbus | holds
ich wohne jetzt in Köln meine frau heißt Sabine -> I | lives_in | Köln | holds ; my wife | called | Sabine | holds \
; I | married_to | Sabine | holds
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
Ich bin in Izmir geboren, lebe aber seit 1998 in Duisburg. -> I | comes_from | Izmir | holds \
; I | lives_in | Duisburg | holds from 1998-01-01 year
Mein Kumpel Ali hat sich ein Motorrad gekauft, eine Kawasaki Z650. -> my friend | called | Ali | holds \
; I | friend_of | Ali | holds ; Ali | owns | Kawasaki Z650 | begins
Ich zahle 980 Euro Miete. -> I | has_rent | 980 Euro | holds
Bin von Spotify zu Tidal gewechselt. -> I | uses | Spotify | ends ; I | uses | Tidal | begins
Dr. Kessler hat mir Ramipril verschrieben. -> I | takes | Ramipril | begins
Mein Arbeitgeber ist die Allianz. -> I | works_at | Allianz | holds
Wir haben im April eine Tochter bekommen, sie heißt Frieda. -> my daughter | called | Frieda | holds \
; I | parent_of | Frieda | holds
"""
CLAIMED_OF_NAMES = """
Mein Bruder hat sich von seiner Frau Katja getrennt. -> my brother's wife | called | Katja | holds \
; my brother | married_to | Katja | holds ; my brother | married_to | Katja | ends
Jan hat mit mir Schluss gemacht. -> I | partner_of | Jan | ends
Hab mit Ben Schluss gemacht. -> I | partner_of | Ben | ends
Jan und ich sind nicht mehr zusammen. -> I | partner_of | Jan | ends
Lena und ich sind wieder zusammen. -> I | partner_of | Lena | holds
Ich bin seit Februar geschieden. -> I | married_to | - | ends until 2025-02-01 month
ich ziehe am 6. september nach Graz um -> I | lives_in | Graz | begins from 2025-09-06 day
mein bruder hat bei airbus gekündigt, er fängt im august bei siemens an -> my brother | works_at | airbus | ends \
; my brother | works_at | siemens | begins from 2025-08-01 month
mein zahnarzt ist jetzt dr lindqvist -> I | has_dentist | dr lindqvist | holds
hab ne neue hausärztin, dr mbeki heißt die -> I | has_gp | dr mbeki | holds
Ich habe einen neuen Chef, Jan heißt der. -> I | has_boss | Jan | holds
Ich habe meine Ausbildung bei Audi abgebrochen. -> I | works_at | Audi | ends
Ich wurde bei BMW genommen. -> I | works_at | BMW | begins
Mein Arbeitsvertrag bei Siemens läuft Ende Juni aus. -> I | works_at | Siemens | ends until 2025-06-30 day
Heute war mein letzter Tag bei der Sparkasse. -> I | works_at | Sparkasse | ends until 2025-05-14 day
Ich kündige meine Mitgliedschaft im Alpenverein zum 31. Dezember. -> \
I | member_of | Alpenverein | ends until 2025-12-31 day
Minka mussten wir einschläfern lassen. -> I | owns | Minka | ends
jeden Abend 20 mg Atorvastatin -> I | takes | Atorvastatin | holds
Ibu hab ich abgesetzt. -> I | takes | Ibu | ends
Ich wohne nicht seit 2018, sondern seit 2020 in Bonn. -> I | lives_in | Bonn | holds from 2020-01-01 year
Liebe Sabine, ich wohne jetzt in Ulm. -> I | lives_in | Ulm | holds
Jonas hat erzählt, dass seine Freundin Lena umzieht. -> Jonas's girlfriend | called | Lena | holds \
; Jonas | partner_of | Lena | holds
Sabine sagt, sein Bruder Jan kommt. ->
Mein Chef meint, seine neue Frau heißt Lena. ->
Ich war in Rom. -> I | visited | Rom | happens
Ich war in Rom beim Zahnarzt. ->
Wir sind im Oktober umgezogen und wohnen jetzt in Ulm. -> I | lives_in | Ulm | begins from 2024-10-01 month
Ich nehme jetzt Metformin, davor Candesartan. -> I | takes | Metformin | holds
Ich arbeite bei der Caritas, sorry, bei der Sparkasse. -> I | works_at | Sparkasse | holds
Das Gerät kostet jetzt 189 statt 164 Euro. -> Gerät | costs | 189 Euro | holds
Ich wurde im Mai bei Siemens entlassen. -> I | works_at | Siemens | ends until 2025-05-01 month
"""
NOT_CLAIMED = """
Ich hätte gerne einen Hund. | Wohnst du in Wien? | „Ich wohne in Bali und arbeite bei Google" hat er gepostet.
Wir ziehen nicht nach Kiel. | Kannst du mir sagen, ob ich bei Bosch arbeite?
Was kostet es, wenn ich nach Kiel ziehe? | Wir überlegen, nach Portugal auszuwandern. | Du wohnst doch in Kiel.
Wir haben uns vom alten Sofa getrennt. | Jan und ich sind nicht mehr zusammen im Urlaub gewesen.
Mein Chef hat mich verlassen. | Wir haben den Müll getrennt. | Die Firma gegenüber ist pleite.
Mein Vertrag bei Siemens läuft nicht aus. | Lena hat ihre Reise nach Rom storniert. | Das Essen in Rom wird nichts.
Ich mache Schluss für heute. | Wir nehmen jeden Morgen den Bus. | Nein, das stimmt nicht.
mein zahnarzt ist dr sehr nett
"""
BEHIND = """
Ich wohne seit 2019 in Bremen. || Nicht seit 2019, sondern seit 2021. \
-> I | lives_in | Bremen | corrects from 2021-01-01 year
Ich fange im Juni bei Audi an. || ne, doch erst im Juli -> I | works_at | Audi | corrects from 2025-07-01 month
Die Miete beträgt 895 Euro. || nicht 895, sondern 925 -> I | has_rent | 925 Euro | corrects
Wir fliegen am 3. Juli nach Rom. || Die Reise nach Rom ist storniert. -> I | planned | Rom trip | denies
Wir fliegen am 3. Juli nach Rom. || Rom haben wir abgesagt. -> I | planned | Rom trip | denies
Wir ziehen im August nach Kiel. || Wir ziehen doch nicht um. -> I | lives_in | Kiel | denies
Wir ziehen im August nach Kiel. || Aus Kiel wird nichts. -> I | lives_in | Kiel | denies
Ich arbeite bei Fluxbyte. || Die Firma ist pleite. -> I | works_at | Fluxbyte | ends
Ich studiere Jura. || Hab das Studium geschmissen. -> I | studies | Jura | ends ; I | studies_at | - | ends
Ich bin seit 2019 im Kirchenchor. || Bin aus dem Chor ausgetreten. -> I | member_of | Kirchenchor | ends
Mein Freund heißt Nils. || Wir sind seit gestern nicht mehr zusammen. \
-> I | partner_of | Nils | ends until 2025-05-13 day
"""


def test_a_plain_statement_is_claimed_in_any_order_of_words() -> None:
    assert misread(told, rows(CLAIMED)) == []


def test_what_is_said_of_known_names_is_claimed_of_whom_it_is_said() -> None:
    assert misread(lambda message: told(message, names=NAMES), rows(CLAIMED_OF_NAMES)) == []


def test_what_is_asked_wished_supposed_or_only_looks_so_is_no_claim() -> None:
    assert misread(told, each(NOT_CLAIMED, "")) == []
    assert misread(lambda message: told(message, names=NAMES), each(NOT_CLAIMED, "")) == []


def test_what_was_told_before_is_put_right_or_over() -> None:
    assert misread(lambda talk: told_last(talk, NAMES), rows(BEHIND)) == []
