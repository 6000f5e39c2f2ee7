"""Whether what stands where a secret could stand is one: placeholders, names of variables and words are none. Pure."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

from palace.nlp.rules import late, rules

_RULES = rules("secrets", "values")

_LOOKED_AT = 80
"""Letters of a value that tell whether it is one; bounds what a long one costs."""
_SIGN_INSIDE = late(r"(?<=.)(?:_|[^\w'’.,/-])")
_HUMP = late(r"^(?!Mc).*[a-zäöüßà-ÿ][A-ZÄÖÜ]")
_DIGIT = late(r"\d")
_LETTER = late(r"[^\W\d_]")
_HASHES = frozenset({32, 40, 56, 64, 96, 128})


def entropy(value: str) -> float:
    """Measure a value in bits a character; 0 of an empty one."""
    return -sum(count / len(value) * log2(count / len(value)) for count in Counter(value).values()) if value else 0.0


def is_placeholder(value: str) -> bool:
    """Tell whether a value only stands for one: filled in later, blotted out, or the default everybody knows."""
    return value.lower() in _RULES.words("common") or _RULES["placeholder"].search(value[:_LOOKED_AT]) is not None


def is_code(value: str) -> bool:
    """Tell whether a value without quotes is an expression of a program."""
    return _RULES["code"].search(value[:_LOOKED_AT]) is not None


def has_digit(value: str) -> bool:
    """Tell whether there is a digit in a value."""
    return _DIGIT.search(value) is not None


def is_random(value: str) -> bool:
    """Tell whether a value was made by a machine: long enough, of many letters, with digits among them."""
    if len(value) < 12 or not has_digit(value) or _LETTER.search(value) is None:
        return False
    return entropy(value) > 2.8 and not is_placeholder(value)


def is_password(value: str, least: int = 4) -> bool:
    """Tell whether a value can be a password that a person chose, and no word, amount, date or version."""
    if len(value) < least or _LETTER.search(value) is None:
        return False
    chosen = has_digit(value) or _SIGN_INSIDE.search(value) is not None or _HUMP.search(value) is not None
    return chosen and not (_RULES["measure"].match(value) or _RULES["algorithm"].match(value) or is_placeholder(value))


def is_state(word: str) -> bool:
    """Tell whether a word can say how a password is: "required", "abgelaufen", "oublié"."""
    return word.lower() in _RULES.words("states") or word.lower().endswith(tuple(_RULES.table("state_endings")))


def is_hash(value: str) -> bool:
    """Tell whether a value is as long as a digest, in hexadecimal."""
    return len(value) in _HASHES and not value.lower().strip("0123456789abcdef")


ENDS = ".,;:?)]}\"'’”“»*…"
_OPEN = "\"'`“„«‚‘("
_QUOTES = frozenset("'\"`")
_SIGN = re.compile(r"(?<=.)[^\w'’.,/:|<>=-](?=.)")
_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+){2,}")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:T\S*)?")


def core(value: str, start: int) -> tuple[str, int]:
    """Return a word without the quotes and stops around it, and where that begins."""
    inner = value.lstrip(_OPEN)
    return inner.rstrip(ENDS + "`"), start + len(value) - len(inner)


def is_strong(value: str, least: int = 6) -> bool:
    """Tell whether a value has a digit or a sign inside and looks like a password, whoever says what it is."""
    if (
        len(value) < least
        or not is_password(value)
        or is_code(value)
        or is_other(value)
        or not _QUOTES.isdisjoint(value)
    ):
        return False
    return has_digit(value) or _SIGN.search(value) is not None


def has_sign(value: str) -> bool:
    """Tell whether a sign stands inside a value that no name of a thing has there."""
    return _SIGN.search(value) is not None


def is_other(value: str) -> bool:
    """Tell whether a value is a digest, a UUID, a date or an address."""
    return bool(is_hash(value) or _UUID.fullmatch(value) or _DATE.fullmatch(value) or "://" in value)


def is_plain(value: str) -> bool:
    """Tell whether a plain word can be a password where a user's name stands beside it."""
    fits = 6 <= len(value) <= 40 and value.isalnum() and not is_placeholder(value)
    return fits and not is_state(value) and not is_other(value)


def is_made(value: str, least: int = 20) -> bool:
    """Tell whether a machine made a value by chance; a digest looks the same."""
    if len(value) < least or not has_digit(value) or is_placeholder(value) or is_code(value) or _NAME.fullmatch(value):
        return False
    return entropy(value) > 3 and not (_UUID.fullmatch(value) or _DATE.fullmatch(value) or "://" in value)
