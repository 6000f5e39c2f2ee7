"""Card numbers, and account numbers (IBANs, sort codes, bank codes), which are filed but masked for models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from palace.nlp.rules import late, rules

_RULES = rules("secrets", "values")

_LENGTHS = {"4": (13, 16, 19), "5": (16,), "2": (16,), "3": (14, 15, 16), "6": (16, 17, 18, 19)}
_IBAN = late(r"(?ai)(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \u00a0-]?[a-z0-9]{4}){2,7}(?:[ \u00a0-]?[a-z0-9]{1,3})?(?![a-z0-9])")


def is_card(digits: str) -> bool:
    """Check whether digits are a card number by the issuer's range, its length and the Luhn check digit."""
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


def with_accounts(text: str, how: str = "mask") -> str:
    """Hide account numbers for a model: "mask" keeps the last four digits, "remove" none, "show" hides nothing."""
    if how == "show":
        return text
    parts, done = [], 0
    for start, end in sorted(_accounts(text)):
        if start >= done:
            number = re.sub(r"\W", "", text[start:end])
            parts += [text[done:start], f"[account …{number[-4:]}]" if how == "mask" else "[account]"]
            done = end
    return "".join([*parts, text[done:]])


def with_accounts_in(data: Any, how: str) -> Any:
    """Hide the account numbers in all strings of a JSON value, as ``with_accounts`` does."""
    if isinstance(data, dict):
        return {name: with_accounts_in(value, how) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [with_accounts_in(value, how) for value in data]
    return with_accounts(data, how) if isinstance(data, str) else data


def _accounts(text: str) -> Iterator[tuple[int, int]]:
    for found in _IBAN.finditer(text):
        end = found.end()
        while end - found.start() >= 15 and not _is_iban(text[found.start() : end]):
            # A word behind the number may look like its last group.
            end = max(text.rfind(mark, found.start(), end) for mark in " \u00a0-")
        if end - found.start() >= 15:
            yield found.start(), end
    for found in _RULES["numbers"].finditer(text):
        yield from (found.span(group) for group in range(1, 11) if found[group])


def _is_iban(text: str) -> bool:
    """Check the length and check digits of an IBAN (ISO 13616)."""
    letters = re.sub(r"\W", "", text).upper()
    digits = "".join(str(int(letter, 36)) for letter in letters[4:] + letters[:4])
    return 15 <= len(letters) <= 34 and int(digits) % 97 == 1
