"""What a value must be where little leads to it: more than a word, and nothing that programs print. Pure."""

from __future__ import annotations

import re

from palace.text.secrets.values import entropy, has_digit, is_code, is_hash, is_password, is_placeholder, is_state

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
