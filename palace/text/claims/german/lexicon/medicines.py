"""What German calls medicines: the endings of their names, short names, what they are for, and doses. Pure."""

from __future__ import annotations

import re

from palace.text.claims.tokens import listed
from palace.text.entities.lists.heads import is_medicine

_NAMED = re.compile(
    r"[\w-]{1,}(?:oxetin|tiapin|zapin|afaxin|thyroxin|thyrox|prazol|nisolon|kortison|cortison|dipin|tidin|semid|thiazid"
    r"|cyclin|tralin|gliflozin|glutid|triptylin|dogrel|piprazol|fenac|phyllin|talopram|alprazolam|zepam|valproat|dronat"
    r"|tabletten|tropfen|hemmer|blocker|verdünner|pille|präparat|spray|salbe|antibiotikum|antibiotika|mittel|senker)"
)
_SHORT = listed(
    "ibu ass pille antibiotika antibiotikum insulin magnesium novalgin tilidin marcumar xarelto eliquis lithium"
    " ritalin elvanse methadon heparin levodopa estradiol testosteron progesteron folsäure eisen zink omega-3"
)
_NO_MEDICINE = listed("lebensmittel verkehrsmittel waschmittel hilfsmittel nahrungsmittel putzmittel geldmittel mittel")
UNITS = listed("mg mcg µg μg mikrogramm milligramm ml iu ie i.e tropfen hub hübe einheiten")
_DOSED = re.compile(r"\d[\d.,]*(?:mg|mcg|µg|μg|ml|ie)?")


def is_german_medicine(word: str) -> bool:
    """Whether a folded word is a medicine, by its end or by what people call it for short."""
    return is_medicine(word) or word in _SHORT or (word not in _NO_MEDICINE and _NAMED.fullmatch(word) is not None)


def is_dose(texts: list[str]) -> bool:
    """Whether some words of a phrase tell a medicine and how much of it: "75 mikrogramm l-thyroxin"."""
    figures = [text for text in texts if _DOSED.fullmatch(text)]
    names = [text for text in texts if not text[0].isdigit() and text not in UNITS]
    is_much = bool(set(texts) & UNITS) or any(not text[-1].isdigit() for text in figures)
    return bool(figures) and is_much and len(names) == 1
