"""Secrets recognised by their context: the second half of a key pair, lists of codes, old and new passwords."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import KEY, PASSWORD, Finding, Page, led_by, occurrences
from palace.nlp.secrets.named import kind_of
from palace.nlp.secrets.values import (
    core,
    entropy,
    has_digit,
    is_code,
    is_other,
    is_password,
    is_placeholder,
    is_random,
    is_strong,
)

_RULES = rules("secrets", "beside")

_OF_AWS = late(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])")
_AWS_SECRET = late(r"(?<![A-Za-z0-9/+=_.-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+_-])")
_AWS_REACH = 60
_NAME = late(r"([\w.-]{1,60})[\"']?$")
_BLOCK = late(r":[ \t]{0,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,40}(?=\S)")
_WORD = late(r"\S{1,200}")
_LINE_ENDED = late(r"[ \t\r.!)]{0,4}(?:\n|$)")
_NEXT_CODE = late(r"\s{0,3}(?:[,;/|]|\band\b|\bund\b|\bor\b|\bet\b|\by\b|\n)?\s{0,4}")
_MOST_CODES = 24
_SEED_WORD = late(r"(?:\d{1,2}[.):]?\s{1,2})?([a-z]{3,8})(?![\w'’])([,;]?)\s{0,3}")
_SEED_WORDS = frozenset({12, 15, 18, 21, 24})


def find_beside(page: Page) -> Iterator[Finding]:
    """Find secrets that the text beside them reveals."""
    yield from _aws(page.text)
    yield from _blocks(page.text)
    if "code" in page.lower:
        yield from _backups(page)
    yield from _seeds(page)
    yield from _changed(page)


def _aws(text: str) -> Iterator[Finding]:
    for beginning in ("AKIA", "ASIA", "ABIA", "ACCA"):
        for place in occurrences(text, beginning):
            if not (key := _OF_AWS.match(text, place)) or is_placeholder(key.group()):
                continue
            # The pattern looks one character ahead, so the window is one longer.
            found = _AWS_SECRET.search(text[key.end() : key.end() + _AWS_REACH + 41])
            if found and found.start() <= _AWS_REACH and _is_second_half(found.group()):
                yield Finding(key.end() + found.start(), key.end() + found.end(), KEY, "pair")


def _is_second_half(value: str) -> bool:
    mixed = value != value.lower() and value != value.upper() and has_digit(value)
    return mixed and entropy(value) > 3.8 and not is_placeholder(value)


def _blocks(text: str) -> Iterator[Finding]:
    """Find secrets in one-line YAML blocks (``name: |``)."""
    for place in (*occurrences(text, ": |"), *occurrences(text, ": >")):
        begun = _BLOCK.match(text, place)
        name = _NAME.search(text, max(0, place - 60), place) if begun else None
        kind = kind_of(name.group(1)) if name else None
        value = _WORD.match(text, begun.end()) if begun else None
        if not kind or not value or not _LINE_ENDED.match(text, value.end()) or is_other(value.group()):
            continue
        word = value.group()
        if not is_code(word) and (is_password(word) if kind == PASSWORD else is_random(word)):
            yield Finding(*value.span(), kind, "assignment")


def _backups(page: Page) -> Iterator[Finding]:
    for label in _led(page, "code_backup", "code_backups"):
        place = label.end()
        for _ in range(_MOST_CODES):
            code = _RULES["code_code"].match(page.text, place)
            if code is None or not _is_code(code["code"], is_said=bool(label["link"])):
                break
            yield Finding(*code.span("code"), PASSWORD, "code")
            place = gap.end() if (gap := _NEXT_CODE.match(page.text, code.end())) else code.end()


def _is_code(value: str, *, is_said: bool) -> bool:
    digits = sum(letter.isdigit() for letter in value)
    letters = sum(letter.isalpha() for letter in value)
    if is_other(value) or is_placeholder(value) or not digits:
        return False
    return digits + letters >= 6 if is_said else digits > 1 and digits + letters >= 8


def _seeds(page: Page) -> Iterator[Finding]:
    for label in _led(page, "code_seed", "code_seeds"):
        words, by = list[str](), ""
        place = end = label.end()
        while len(words) < 25 and (word := _SEED_WORD.match(page.text, place)):
            words.append(word.group(1))
            place, end = word.end(), word.end(1)
            by = by if len(words) > 1 else word.group(2)
            if word.group(2) != by:
                break
        is_sentence = not _RULES.words("code_in_no_seed").isdisjoint(words) or len(set(words)) <= len(words) // 2
        if len(words) in _SEED_WORDS and not is_sentence:
            yield Finding(label.end(), end, PASSWORD, "phrase")


def _changed(page: Page) -> Iterator[Finding]:
    """Find old passwords beside new ones."""
    for found in _led(page, "change_from", "change_names"):
        if _RULES["changed"].search(page.lower, max(0, found.start() - 60), found.end() + 40):
            yield from _both(page, found)
    for found in _led(page, "change_no_more", "change_names"):
        yield from _both(page, found)


def _both(page: Page, found: re.Match[str]) -> Iterator[Finding]:
    """Find an old and a new password, if both look like passwords."""
    words = [core(page.text[slice(*found.span(group))], found.start(group)) for group in (1, 2)]
    if all(is_strong(value) for value, _ in words):
        for value, start in words:
            yield Finding(start, start + len(value), PASSWORD, "prose")


def _led(page: Page, pattern: str, words: str) -> Iterator[re.Match[str]]:
    return led_by(page, _RULES[pattern], _RULES.table(words), lower=True)
