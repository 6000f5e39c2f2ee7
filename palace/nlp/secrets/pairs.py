"""Secrets beside what they belong to: the key they are the second half of, a user's name, a name a line above. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import KEY, PASSWORD, TOKEN, Finding, Page, led_by, occurrences
from palace.nlp.secrets.named import kind_of
from palace.nlp.secrets.values import (
    core,
    entropy,
    has_digit,
    has_sign,
    is_code,
    is_made,
    is_other,
    is_password,
    is_placeholder,
    is_plain,
    is_random,
    is_strong,
)

_RULES = rules("secrets", "beside")

_OF_AWS = late(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])")
_AWS_SECRET = late(r"(?<![A-Za-z0-9/+=_.-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+_-])")
_AWS_REACH = 60
_SAS = late(r"sharedaccesssignature[ \t:=\"']{1,4}(?:s[a-z]{1,3}=[^&\s]{0,200}&){0,6}sig=")
_SAS_VALUE = late(r"[\w%+/-]{20,130}={0,2}", re.A)
_NAME = late(r"([\w.-]{1,60})[\"']?$")
_BLOCK = late(r":[ \t]{0,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,40}(?=\S)")
_WORD = late(r"\S{1,200}")
_NEXT_SETTING = late(r"[;&,](?=[\w. -]+=)")
_LINE_ENDED = late(r"[ \t\r.!)]{0,4}(?:\n|$)")


def find_pairs(page: Page) -> Iterator[Finding]:
    """Find secrets beside what they belong to."""
    yield from _aws(page.text)
    yield from _of_users(page)
    yield from _of_logins(page)
    yield from _signatures(page)
    yield from _keys(page)
    yield from _blocks(page.text)


def _aws(text: str) -> Iterator[Finding]:
    for beginning in ("AKIA", "ASIA", "ABIA", "ACCA"):
        for place in occurrences(text, beginning):
            if not (key := _OF_AWS.match(text, place)) or is_placeholder(key.group()):
                continue
            # The pattern says what may follow the last letter, so the window ends behind it.
            window = text[key.end() : key.end() + _AWS_REACH + 41]
            found = _AWS_SECRET.search(window)
            if found and found.start() <= _AWS_REACH and _is_second_half(found.group()):
                yield Finding(key.end() + found.start(), key.end() + found.end(), KEY, "pair")


def _is_second_half(value: str) -> bool:
    mixed = value != value.lower() and value != value.upper() and has_digit(value)
    return mixed and entropy(value) > 3.8 and not is_placeholder(value)


def _of_users(page: Page) -> Iterator[Finding]:
    for found in led_by(page.lower, _RULES["pair_user_and"], _RULES.table("pair_users")):
        value, start = _word(page.text, found.end())
        value = _NEXT_SETTING.split(value, maxsplit=1)[0]
        is_said = found["is"].strip() and (found["said"].strip() or found["by"] in "/|")
        is_word = is_said and is_plain(value) and _LINE_ENDED.match(page.text, start + len(value))
        if is_word or is_strong(value):
            yield Finding(start, start + len(value), PASSWORD, "login")


def _of_logins(page: Page) -> Iterator[Finding]:
    for found in led_by(page.lower, _RULES["pair_login"], _RULES.table("pair_logins")):
        value, start = _word(page.text, found.end())
        if not (is_strong(value) and has_digit(value) and _LINE_ENDED.match(page.text, start + len(value))):
            continue
        mixed = len(value) >= 8 and value != value.lower() and value != value.upper() and value.isalnum()
        if has_sign(value) or mixed:
            yield Finding(start, start + len(value), PASSWORD, "login")


def _signatures(page: Page) -> Iterator[Finding]:
    for found in led_by(page.lower, _SAS, ("sharedaccesssignature",)):
        value = _SAS_VALUE.match(page.text, found.end())
        if value and entropy(value.group()) > 3 and not is_placeholder(value.group()):
            yield Finding(*value.span(), TOKEN, "pair")


def _keys(page: Page) -> Iterator[Finding]:
    for found in led_by(page.lower, _RULES["pair_key_is"], _RULES.table("pair_keys")):
        value, start = _word(page.text, found.end())
        if is_made(value) and _RULES["pair_of_api"].search(page.lower, max(0, found.start() - 30), found.end()):
            yield Finding(start, start + len(value), TOKEN if found.group().startswith("token") else KEY, "prose")


def _blocks(text: str) -> Iterator[Finding]:
    """Find what YAML gives a name in a block of one line below it."""
    for found in led_by(text, _BLOCK, (": |", ": >")):
        name = _NAME.search(text, max(0, found.start() - 60), found.start())
        kind = kind_of(name.group(1)) if name else None
        value = _WORD.match(text, found.end())
        if not kind or not value or not _LINE_ENDED.match(text, value.end()) or is_other(value.group()):
            continue
        word = value.group()
        fits = is_password(word) and not is_code(word) if kind == PASSWORD else is_random(word) and not is_code(word)
        if fits:
            yield Finding(*value.span(), kind, "assignment")


def _word(text: str, place: int) -> tuple[str, int]:
    word = _WORD.match(text, place)
    return core(word.group(), place) if word else ("", place)
