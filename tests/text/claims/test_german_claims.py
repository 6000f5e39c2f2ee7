"""What is read as a claim in German, and what is not."""

from __future__ import annotations

import pytest

from tests.text.claims.told import told

CLAIMED = """
Ich wohne seit 2019 in Wien. -> I | lives_in | Wien | holds from 2019-01-01 year
Wir ziehen im Juni nach Porto. -> I | lives_in | Porto | begins from 2025-06-01 month
Ich bin im März von Gent nach Utrecht gezogen. -> I | lives_in | Gent | ends until 2025-03-01 month \
; I | lives_in | Utrecht | begins from 2025-03-01 month
Ich arbeite nicht mehr bei Siemens. -> I | works_at | Siemens | ends
Ich arbeite ab Juni bei Bosch. -> I | works_at | Bosch | begins from 2025-06-01 month
Ich habe das Boot im Mai verkauft. -> I | owns | Boot | ends until 2025-05-01 month
hab mir gestern ein Fahrrad gekauft -> I | owns | Fahrrad | begins from 2025-05-13 day
Meine Schwester heißt Anna. -> my sister | called | Anna | holds ; I | sibling_of | Anna | holds
Mein Bruder Kunle wohnt in Toronto. -> my brother | called | Kunle | holds ; I | sibling_of | Kunle | holds \
; Kunle | lives_in | Toronto | holds
Mein Zahnarzt heißt Dr. Sato. -> I | has_dentist | Dr. Sato | holds
Ich bin gegen Nüsse allergisch. -> I | allergic_to | Nüsse | holds
Ich spreche Deutsch und Englisch. -> I | speaks | Deutsch | holds ; I | speaks | Englisch | holds
Ich trinke lieber Tee als Kaffee. -> I | prefers | Tee | holds
Meine Frau ist Hebamme. -> my wife | works_as | Hebamme | holds
Wir haben zwei Kinder, Jule und Tom. -> I | parent_of | Jule | holds \
; I | parent_of | Tom | holds
Die Miete beträgt 1.200 Euro. -> I | has_rent | 1.200 Euro | holds
Ich bin Lehrerin an der GIBS. -> I | works_as | Lehrerin | holds ; I | works_at | GIBS | holds
Ich habe Lena 2015 geheiratet. -> I | married_to | Lena | begins from 2015-01-01 year
Ich habe bis 2021 in Gent gewohnt. -> I | lives_in | Gent | was until 2021-01-01 year
Ich mag keine Oliven. -> I | dislikes | Oliven | holds
Mein Geburtstag ist am 3. März. -> I | has_birthday | 3. März | holds
Ich bin Mitglied im Alpenverein. -> I | member_of | Alpenverein | holds
Anna ist meine Schwester. -> my sister | called | Anna | holds ; I | sibling_of | Anna | holds
Ich habe das Auto verkauft und mir ein Fahrrad gekauft. -> I | owns | Auto | ends ; I | owns | Fahrrad | begins
Wir fliegen am 3. Juni nach Lissabon. -> I | planned | Lissabon trip | happens from 2025-06-03 day
"""

NOT_CLAIMED = """
Ich habe kein Auto.
Wenn ich im Lotto gewinne, kaufe ich ein Boot.
Ich hätte gerne einen Hund.
Vielleicht verkaufe ich das Boot.
Wohnst du in Wien?
Mein Bruder meint, ich soll das Boot verkaufen.
„Ich wohne in Bali und arbeite bei Google" hat er gepostet.
Ich möchte in Graz wohnen.
Wir ziehen nicht nach Kiel.
"""


@pytest.mark.parametrize("line", [line for line in CLAIMED.strip().splitlines() if line])
def test_a_plain_statement_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message) == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("message", NOT_CLAIMED.strip().splitlines())
def test_what_is_not_meant_so_is_no_claim(message: str) -> None:
    assert told(message) == []


def test_a_correction_is_of_what_was_claimed_last() -> None:
    assert (
        told("Unsere Miete ist 1.200 Euro.", "Nein, es sind 1.250 Euro.")[-1] == "I | has_rent | 1.250 Euro | corrects"
    )
