"""Account numbers: IBANs, sort codes and bank codes with their numbers. They are filed, and masked for models. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from palace.nlp.rules import late, rules

_RULES = rules("secrets", "values")

_IBAN = late(r"(?ai)(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \u00a0-]?[a-z0-9]{4}){2,7}(?:[ \u00a0-]?[a-z0-9]{1,3})?(?![a-z0-9])")


def with_accounts(text: str, how: str = "mask") -> str:
    """Give a text as models are shown it: with "mask" the last four digits stay of a number, with "remove" none do."""
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
    """Return an object of JSON as models are shown it."""
    if isinstance(data, dict):
        return {name: with_accounts_in(value, how) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [with_accounts_in(value, how) for value in data]
    return with_accounts(data, how) if isinstance(data, str) else data


def _accounts(text: str) -> Iterator[tuple[int, int]]:
    for found in _IBAN.finditer(text):
        end = found.end()
        while end - found.start() >= 15 and not _is_iban(text[found.start() : end]):
            # A word behind it looks like a last group.
            end = max(text.rfind(mark, found.start(), end) for mark in " \u00a0-")
        if end - found.start() >= 15:
            yield found.start(), end
    for found in _RULES["numbers"].finditer(text):
        yield from (found.span(group) for group in range(1, 11) if found[group])


def _is_iban(text: str) -> bool:
    """Check length and check digits (ISO 13616)."""
    letters = re.sub(r"\W", "", text).upper()
    digits = "".join(str(int(letter, 36)) for letter in letters[4:] + letters[:4])
    return 15 <= len(letters) <= 34 and int(digits) % 97 == 1
