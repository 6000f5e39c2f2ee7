"""Numbers of payment cards: by issuer, length, grouping and check digit. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import rules
from palace.nlp.secrets.findings import CARD, Finding, Page

_RULES = rules("secrets", "values")

_LONG = re.compile(r"[0-9][0-9 .\u00a0\u202f-]{11}")
"""What every card number begins like; looked for first, because it is quick."""
_LENGTHS = {"4": (13, 16, 19), "5": (16,), "2": (16,), "3": (14, 15, 16), "6": (16, 17, 18, 19)}


def find_cards(page: Page) -> Iterator[Finding]:
    """Find card numbers; a number without groups is none beside a word for another kind of number."""
    text = page.text
    if not _LONG.search(text):
        return
    for found in _RULES["number"].finditer(text):
        digits = re.sub(r"\D", "", found.group())
        if not is_card(digits):
            continue
        if len(digits) == len(found.group()) and _is_other(page, found.start()):
            continue
        yield Finding(found.start(), found.end(), CARD, "card")
    for found in re.finditer(r"[=:\"'](\d{13,19})(?!\w)", text):
        if is_card(found.group(1)) and _RULES["assigned"].search(text, max(0, found.start() - 30), found.start(1)):
            yield Finding(found.start(1), found.end(1), CARD, "card")


def _is_other(page: Page, place: int) -> bool:
    return _RULES["other"].search(page.lower, max(0, place - 40), place) is not None


def is_card(digits: str) -> bool:
    """Tell whether digits are a card's: an issuer's range, a length that it has, and Luhn's check digit."""
    if len(digits) not in _LENGTHS.get(digits[0], ()) or not _is_issued(digits):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_issued(digits: str) -> bool:
    two, three, four = int(digits[:2]), int(digits[:3]), int(digits[:4])
    ranges = (
        digits[0] == "4",
        len(digits) == 16 and (51 <= two <= 55 or 2221 <= four <= 2720),
        len(digits) == 15 and two in (34, 37),
        len(digits) == 14 and (two in (36, 38) or 300 <= three <= 305),
        len(digits) == 16 and 3528 <= four <= 3589,
        digits[0] == "6" and (four == 6011 or two in (62, 65) or 644 <= three <= 649),
    )
    return any(ranges)
