"""Secrets found by patterns: providers' keys, and values in URLs, headers, command options and statements. Pure.

``palace/data/secrets/detectors.toml`` has a row for each pattern, with the check that its match must pass.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from palace.nlp.rules import rules
from palace.nlp.secrets.findings import PASSWORD, TOKEN, Finding, Page, led_by, occurrences
from palace.nlp.secrets.numbers import is_card
from palace.nlp.secrets.values import (
    core,
    entropy,
    has_digit,
    has_sign,
    is_code,
    is_made,
    is_password,
    is_placeholder,
    is_plain,
    is_strong,
)

_RULES = rules("secrets", "detectors")
_ESCAPED = re.compile(r"(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\x1b\[[0-9;]*m)$")
_PORT = re.compile(r"\d{2,5}/")
_SHORTEST = 16
"""Characters of the shortest provider key."""
_QUOTES = ("'", '"')


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match of a detector's pattern that may be a secret."""

    page: Page
    found: re.Match[str]
    start: int
    value: str

    @property
    def end(self) -> int:
        """Return the offset behind the value."""
        return self.start + len(self.value)

    @property
    def is_quoted(self) -> bool:
        """Check whether a quotation mark stands before the value."""
        return self.page.text[self.start - 1 : self.start] in _QUOTES

    @property
    def ends_line(self) -> bool:
        """Check whether the value ends its line."""
        return _RULES["line_ended"].match(self.page.text, self.end) is not None

    def follows(self, name: str, reach: int) -> bool:
        """Check whether the named pattern matches within ``reach`` characters before the match."""
        return _RULES[name].search(self.page.lower, max(0, self.found.start() - reach), self.start) is not None


@dataclass(frozen=True, slots=True)
class _Detector:
    rule: str
    kind: str
    pattern: re.Pattern[str]
    check: Callable[[Candidate], bool]
    at: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    hint: re.Pattern[str] | None = None
    trim: bool = False
    group: int = 0

    def candidates(self, page: Page) -> Iterator[Candidate]:
        """Yield the matches of the pattern, before the check."""
        if self.needs and not any(each in page.lower for each in self.needs):
            return
        if self.hint and not self.hint.search(page.text):
            return
        places = led_by(page, self.pattern, self.at) if self.at else self.pattern.finditer(page.text)
        for found in places:
            group = self.group or found.lastindex or 0
            value, start = found[group], found.start(group)
            if self.trim:
                value, start = core(value, start)
            if value:
                yield Candidate(page, found, start, value)


@cache
def _detectors(name: str) -> tuple[_Detector, ...]:
    return tuple(
        _Detector(
            each["rule"],
            each["kind"],
            re.compile(_RULES.filled(each["pattern"])),
            _CHECKS[each["check"]],
            tuple(each.get("at", ())),
            tuple(each.get("needs", ())),
            re.compile(each["hint"]) if "hint" in each else None,
            each.get("trim", False),
            each.get("group", 0),
        )
        for each in _RULES.table(name)
    )


@cache
def known_rules() -> frozenset[str]:
    """Return the names of all rules."""
    by_row = {each["rule"] for name in ("shaped", "placed", "detectors") for each in _RULES.table(name)}
    return _RULES.words("by_place") | by_row | {rule for rule, *_ in _shapes()}


def find_placed(page: Page) -> Iterator[Finding]:
    """Find secrets by their position: in URLs, headers and cookies, behind options and in statements."""
    yield from _by_rows(page, "placed")
    if _RULES.finds("short_option", page.text):
        yield from _short_options(page)
    if "cookie" in page.lower:
        yield from _cookies(page.text)


def find_detected(page: Page) -> Iterator[Finding]:
    """Find keys in files, card numbers, and secrets that the text beside them reveals."""
    yield from _by_rows(page, "detectors")


def _by_rows(page: Page, name: str) -> Iterator[Finding]:
    for detector in _detectors(name):
        for each in detector.candidates(page):
            if detector.check(each):
                yield Finding(each.start, each.end, detector.kind, detector.rule)


@cache
def _shapes() -> tuple[tuple[str, str, str, re.Pattern[str]], ...]:
    """Load ``palace/data/secrets/shapes.txt``: rule, kind, fixed prefix, and the pattern behind it."""
    lines = files("palace").joinpath("data", "secrets", "shapes.txt").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if line and not line.startswith("#"):
            rule, kind, beginnings, rest = line.split(" ", 3)
            compiled = re.compile(rest, re.ASCII)
            found += [(rule, kind.replace("_", " "), each, compiled) for each in beginnings.split("|")]
    return tuple(found)


def find_provided(page: Page) -> Iterator[Finding]:
    """Find keys and tokens of providers by a fixed prefix or infix."""
    text = page.text
    dense = " ".join(word for word in text.split() if len(word) >= _SHORTEST)
    for rule, kind, beginning, rest in _shapes() if dense else ():
        done = 0
        for place in occurrences(text, beginning) if beginning in dense else ():
            after = place + len(beginning)
            found = rest.match(text, after) if place >= done and _begins(text, place) else None
            if found and found.end() > after and _is_random(found.group()):
                done = found.end()
                # A long prefix that ends with "/" or "=" locates the secret and is no part of it.
                yield Finding(after if beginning[-1] in "/=" and len(beginning) > 4 else place, done, kind, rule)
    yield from _by_rows(page, "shaped")


def _begins(text: str, place: int) -> bool:
    before = text[place - 1] if place else " "
    if not (before.isascii() and (before.isalnum() or before == "_")):
        return True
    return before == "_" or _ESCAPED.search(text, max(0, place - 8), place) is not None


def _cookies(text: str) -> Iterator[Finding]:
    done = 0
    for header in _RULES["cookie"].finditer(text):
        if header.start() < done:
            continue
        end = text.find("\n", header.end())
        done = min(header.end() + 8000, len(text) if end < 0 else end)
        for crumb in _RULES["crumb"].finditer(text, header.end(), done):
            if _is_machine_made(crumb.group(2)):
                yield Finding(*crumb.span(2), TOKEN, "cookie")


def _short_options(page: Page) -> Iterator[Finding]:
    text, done = page.text, 0
    for command in _RULES["p_of"].finditer(text):
        if command.start() < done:
            continue
        end = text.find("\n", command.end(), command.end() + 400)
        done = min(command.end() + 400, len(text)) if end < 0 else end
        for found in _RULES["short_value"].finditer(text, command.end(), done):
            group = found.lastindex or 0
            each = Candidate(page, found, found.start(group), found[group])
            if command["glued"] and _is_database(command["glued"], each):
                continue
            if found.group()[1] == "w" and not (command.group().startswith("ldap") or has_sign(each.value)):
                continue
            if _is_given(each) and not each.value.isdecimal():
                yield Finding(each.start, each.end, PASSWORD, "option")
                break


def _is_database(command: str, option: Candidate) -> bool:
    """Check whether the value behind ``-p`` and a space is a database's name, as for mysql, and no quoted password."""
    if option.found.group()[2:3] not in " \t" or command == "sshpass":
        return False
    return not option.is_quoted or not (is_strong(option.value) and has_sign(option.value))


def _is_random(value: str) -> bool:
    return entropy(value) >= 2.5 and not is_placeholder(value)


def _is_mixed(value: str) -> bool:
    return has_digit(value) or (value != value.lower() and value != value.upper())


def _is_machine_made(value: str) -> bool:
    return len(value) >= 16 and entropy(value) > 3 and _is_mixed(value) and not is_placeholder(value)


def _is_shown(each: Candidate) -> bool:
    """Check whether a value is the secret itself, not a placeholder, another option or a reference to a file."""
    value = each.value
    return not (len(value) < 4 or is_placeholder(value) or value.startswith(("-", "file:", "env:", "pass:")))


def _is_given(each: Candidate) -> bool:
    return _is_shown(each) and (each.is_quoted or (not is_code(each.value) and is_password(each.value)))


def _is_password_of_user(each: Candidate) -> bool:
    """Check whether the value behind the user in a URL is a password, not a port or placeholder."""
    value, user = each.value, each.found[1]
    if _PORT.match(value) or "{" in value + user or value == user:
        return False
    return not is_placeholder(value) and not is_placeholder(value.lower())


def _is_of_command(each: Candidate) -> bool:
    is_open = is_placeholder(each.value) or each.value.isdecimal()
    return not is_open and _RULES.finds("commands", each.page.lower)


def _is_beside_user(each: Candidate) -> bool:
    found = each.found
    is_said = found["is"].strip() and (found["said"].strip() or found["by"] in "/|")
    return is_strong(each.value) or bool(is_said and is_plain(each.value) and each.ends_line)


def _is_behind_login(each: Candidate) -> bool:
    value = each.value
    if not (is_strong(value) and has_digit(value) and each.ends_line):
        return False
    is_mixed = len(value) >= 8 and value != value.lower() and value != value.upper() and value.isalnum()
    return has_sign(value) or is_mixed


def _is_encoded_key(each: Candidate) -> bool:
    flat = "".join(each.value.split())[:80]
    try:
        return b"PRIVATE KEY" in binascii.a2b_base64(flat[: len(flat) // 4 * 4].encode())
    except binascii.Error:
        return False


def _is_card(each: Candidate) -> bool:
    """Check whether digits are a card number; ungrouped ones are not behind a word for another kind of number."""
    digits = re.sub(r"\D", "", each.value)
    return is_card(digits) and (len(digits) < len(each.value) or not each.follows("other_number", 40))


def _is_assigned_card(each: Candidate) -> bool:
    place = each.found.start()
    return is_card(each.value) and bool(_RULES["assigned"].search(each.page.text, max(0, place - 30), each.start))


_CHECKS: Mapping[str, Callable[[Candidate], bool]] = {
    "any": lambda each: True,  # noqa: ARG005
    "password": lambda each: is_password(each.value),
    "given": _is_given,
    "shown": _is_shown,
    "password_of_user": _is_password_of_user,
    "of_command": _is_of_command,
    "mixed": lambda each: _is_mixed(each.value) and not is_placeholder(each.value),
    "made": lambda each: _is_machine_made(each.value),
    "made_with_digit": lambda each: has_digit(each.value) and _is_machine_made(each.value),
    "made_for_api": lambda each: is_made(each.value) and each.follows("of_api", 30),
    "random_letters": lambda each: _is_random(each.value),
    "uneven": lambda each: entropy(each.value) > 3 and not is_placeholder(each.value),
    "base32": lambda each: has_digit(each.value) and entropy(each.value) > 2.5 and not is_placeholder(each.value),
    "beside_user": _is_beside_user,
    "behind_login": _is_behind_login,
    "encoded_key": _is_encoded_key,
    "card": _is_card,
    "card_assigned": _is_assigned_card,
}
