"""Which English words are medicines, and which only say how much of one. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.text.claims.tokens import listed
from palace.text.entities.lists.heads import is_medicine

_DOSE = re.compile(r"^\d[\d.,]*(?:mg|mcg|g|ml|iu|µg)$|^(?:mg|mcg|ml|iu)$")
_MEASURES = listed(
    """
mg mcg ug µg g ml iu of milligrams milligram micrograms microgram tablet tablets pill pills puff puffs dose doses unit
units half total per day twice daily more less now
"""
)
"""What a dose is told with: no medicine is named by these alone."""
_MEDICINE = re.compile(
    r"^(?:\w{2,}(?:pril|sartan|statin|olol|dipine|formin|prazole|profen|cillin|mycin|oxetine|alopram|setron|xaban|profen|cetirizine|loratadine|triptan|thyroxine|zepam"
    r"|zolam|pirin|cetamol|codone|phene|barbital|gliptin|gliflozin|tidine|ridine|parin|farin|azole|cycline)|ibuprofen|aspirin"
    r"|insulin|melatonin|metformin|paracetamol|magnesium|iron|vitamins?|antihistamines?|antibiotics|probiotics"
    r"|antidepressants|lithium|ozempic|sertraline|supplements?|statins|zinc|creatine|omega-3|steroids|painkillers)$"
)


def is_medicine_word(text: str) -> bool:
    """Whether a folded word is the name of a medicine."""
    return _MEDICINE.match(text) is not None or is_medicine(text)


def names_medicine(texts: Sequence[str]) -> bool:
    """Whether folded words name a medicine, with its dose or without; a dose alone names none."""
    if any(is_medicine_word(text) for text in texts):
        return True
    is_more = any(text[0].isalpha() and not text.endswith("ing") and text not in _MEASURES for text in texts)
    return is_more and any(_DOSE.match(text) for text in texts)
