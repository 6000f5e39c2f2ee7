"""Codes and phrases that open what is locked: backup codes, seeds of wallets and second factors, safes. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import KEY, PASSWORD, Finding, Page, led_by
from palace.nlp.secrets.values import entropy, has_digit, is_other, is_placeholder

_RULES = rules("secrets", "beside")

_NEXT = late(r"\s{0,3}(?:[,;/|]|\band\b|\bund\b|\bor\b|\bet\b|\by\b|\n)?\s{0,4}")
_MOST_CODES = 24
_SEED_WORD = late(r"(?:\d{1,2}[.):]?\s{1,2})?([a-z]{3,8})(?![\w'’])([,;]?)\s{0,3}")
_SEED_WORDS = frozenset({12, 15, 18, 21, 24})
_BASE32 = late(r"[\"'`]?([A-Z2-7]{16,64}|[A-Za-z2-7]{4}(?: [A-Za-z2-7]{4}){3,15})={0,6}(?!\w)")


def find_codes(page: Page) -> Iterator[Finding]:
    """Find codes and phrases behind what says so."""
    lower = page.lower
    if "code" in lower:
        yield from _backups(page)
    yield from _seeds(page)
    for found in led_by(lower, _RULES["code_factor"], _RULES.table("code_factors")):
        if (secret := _BASE32.match(page.text, found.end())) and _is_base32(secret.group(1)):
            yield Finding(*secret.span(1), KEY, "code")
    for found in led_by(lower, _RULES["code_safe"], _RULES.table("code_safes")):
        yield Finding(*found.span(1), PASSWORD, "code")


def _is_base32(value: str) -> bool:
    return has_digit(value) and entropy(value) > 2.5 and not is_placeholder(value)


def _backups(page: Page) -> Iterator[Finding]:
    for label in led_by(page.lower, _RULES["code_backup"], _RULES.table("code_backups")):
        place = label.end()
        for _ in range(_MOST_CODES):
            code = _RULES["code_code"].match(page.text, place)
            if code is None or not _is_code(code["code"], is_said=bool(label["link"])):
                break
            yield Finding(*code.span("code"), PASSWORD, "code")
            place = gap.end() if (gap := _NEXT.match(page.text, code.end())) else code.end()


def _is_code(value: str, *, is_said: bool) -> bool:
    digits = sum(letter.isdigit() for letter in value)
    letters = sum(letter.isalpha() for letter in value)
    if is_other(value) or is_placeholder(value) or not digits:
        return False
    return digits + letters >= 6 and (letters > 0 or is_said) if is_said else digits > 1 and digits + letters >= 8


def _seeds(page: Page) -> Iterator[Finding]:
    for label in led_by(page.lower, _RULES["code_seed"], _RULES.table("code_seeds")):
        words, by = list[str](), ""
        place = end = label.end()
        while len(words) < 25 and (word := _SEED_WORD.match(page.text, place)):
            words.append(word.group(1))
            place, end = word.end(), word.end(1)
            by = by if len(words) > 1 else word.group(2)
            if word.group(2) != by:
                break
        if (
            len(words) in _SEED_WORDS
            and _RULES.words("code_in_no_seed").isdisjoint(words)
            and len(set(words)) > len(words) // 2
        ):
            yield Finding(label.end(), end, PASSWORD, "phrase")
