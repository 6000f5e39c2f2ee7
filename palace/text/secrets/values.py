"""Whether what stands where a secret could stand is one: placeholders, names of variables and words are none. Pure."""

from __future__ import annotations

from collections import Counter
from math import log2

from palace.patterns import late, rules

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
