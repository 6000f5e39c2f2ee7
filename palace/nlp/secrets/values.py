"""Decide whether a value is a secret and not a placeholder, a variable's name or a word. Pure."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

from palace.nlp.rules import late, rules

_RULES = rules("secrets", "values")

_LOOKED_AT = 80
"""Most characters of a value that patterns read, which bounds the cost of a long one."""
_SIGN_INSIDE = late(r"(?<=.)(?:_|[^\w'’.,/-])")
_HUMP = late(r"^(?!Mc).*[a-zäöüßà-ÿ][A-ZÄÖÜ]")
_DIGIT = late(r"\d")
_LETTER = late(r"[^\W\d_]")
_HASHES = frozenset({32, 40, 56, 64, 96, 128})


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value in bits per character; 0 for an empty one."""
    return -sum(count / len(value) * log2(count / len(value)) for count in Counter(value).values()) if value else 0.0


def is_placeholder(value: str) -> bool:
    """Check whether a value is a placeholder: to be filled in, blotted out, or a well-known default."""
    return value.lower() in _RULES.words("common") or _RULES["placeholder"].search(value[:_LOOKED_AT]) is not None


def is_code(value: str) -> bool:
    """Check whether an unquoted value is an expression of program code."""
    return _RULES["code"].search(value[:_LOOKED_AT]) is not None


def has_digit(value: str) -> bool:
    """Check whether a value contains a digit."""
    return _DIGIT.search(value) is not None


def is_random(value: str) -> bool:
    """Check whether a value looks random: 12 characters or more, with letters, digits and high entropy."""
    if len(value) < 12 or not has_digit(value) or _LETTER.search(value) is None:
        return False
    return entropy(value) > 2.8 and not is_placeholder(value)


def is_password(value: str, least: int = 4) -> bool:
    """Check whether a value may be a password that a person chose, and no word, amount or version."""
    if len(value) < least or _LETTER.search(value) is None:
        return False
    chosen = has_digit(value) or _SIGN_INSIDE.search(value) is not None or _HUMP.search(value) is not None
    return chosen and not (_RULES["measure"].match(value) or _RULES["algorithm"].match(value) or is_placeholder(value))


def is_state(word: str) -> bool:
    """Check whether a word may describe a password: "required", "abgelaufen", "oublié"."""
    return word.lower() in _RULES.words("states") or word.lower().endswith(tuple(_RULES.table("state_endings")))


def is_hash(value: str) -> bool:
    """Check whether a value is hexadecimal and as long as a digest."""
    return len(value) in _HASHES and not value.lower().strip("0123456789abcdef")


ENDS = ".,;:?)]}\"'’”“»*…"
_OPEN = "\"'`“„«‚‘("
_QUOTES = frozenset("'\"`")
_SIGN = re.compile(r"(?<=.)[^\w'’.,/:|<>=-](?=.)")
_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+){2,}")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:T\S*)?")


def core(value: str, start: int) -> tuple[str, int]:
    """Strip quotation marks and punctuation around a word; return it and its new start."""
    inner = value.lstrip(_OPEN)
    return inner.rstrip(ENDS + "`"), start + len(value) - len(inner)


def is_strong(value: str, least: int = 6) -> bool:
    """Check whether a value looks like a password without any label: it has a digit or a sign inside."""
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
    """Check whether a value has a sign inside that names do not have there."""
    return _SIGN.search(value) is not None


def is_other(value: str) -> bool:
    """Check whether a value is a digest, a UUID, a date or a URL."""
    return bool(is_hash(value) or _UUID.fullmatch(value) or _DATE.fullmatch(value) or "://" in value)


def is_plain(value: str) -> bool:
    """Check whether a plain word may be a password beside a user name."""
    fits = 6 <= len(value) <= 40 and value.isalnum() and not is_placeholder(value)
    return fits and not is_state(value) and not is_other(value)


def is_made(value: str, least: int = 20) -> bool:
    """Check whether a value looks machine-made: long, random, and no UUID, date or URL. A digest passes too."""
    if len(value) < least or not has_digit(value) or is_placeholder(value) or is_code(value) or _NAME.fullmatch(value):
        return False
    return entropy(value) > 3 and not (_UUID.fullmatch(value) or _DATE.fullmatch(value) or "://" in value)
