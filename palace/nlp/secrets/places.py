"""Secrets by where they stand: in addresses, in headers, behind options of commands and in statements. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import PASSWORD, TOKEN, Finding, Page, occurrences
from palace.nlp.secrets.values import entropy, has_digit, has_sign, is_code, is_password, is_placeholder, is_strong

_RULES = rules("secrets", "places")

_WITH_USER = late(r"://([^\s/:@\"'<>`?#]{0,80}):([^\s\"'<>`]{1,160})@(?=[\w.\-\[*$%{])")
_TOKEN_AS_USER = late(r"://([A-Za-z0-9_-]{20,255})(?::(?:x-oauth-basic)?)?@(?=[\w\-])")
_PORT = late(r"\d{2,5}/")
_HEADER = late(r"(?i)authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"'`]?")
_COOKIE = late(r"(?i)\b(?:set-)?cookie[\"']?: ?[\"']?")
_CRUMB = late(r"(?i)(?<![\w.-])([\w.-]{0,40}(?:sess|sid|auth|token|jwt)[\w.-]{0,40})=([\w%.+/=~|:-]{12,4000})")
_VALUE = r"(?:\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|([^\s\"'|<>;&]{1,200}))"
_OPTION = late(
    r"-(?<![\w-]-)-?(?:(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd|token|secret|api-?key|access-key|auth-token|"
    r"storepass|keypass))(?:[ \t]+|=|:)" + _VALUE,
    re.IGNORECASE,
)
_WINDOWS = late(r"(?i)(?<![/\w])/user:\S{1,80}[ \t]+(?!/)" + _VALUE + r"|(?<![/\w])/(?:pass|password|pwd):" + _VALUE)
_SHORT = late(r"\s-(?:p|P|a|pw|w)[^\s-]|\s-(?:p|P|a|pw|w) ")
_USER_OF = late(r"\b(?:curl|wget|http|https|xh|httpie|ab|siege)\b")
_P = late(r"(?<![\w-])-(?:p|P|a|pw|w)[ \t]?" + _VALUE)
_GIVEN_LAST = (
    (
        "convertto-securestring",
        late(r"(?i)convertto-securestring[ \t]{1,4}(?:-string[ \t]{1,4})?[\"']([^\"'\n]{4,200})[\"']"),
    ),
    ("htpasswd", late(r"\bhtpasswd[ \t]+(?:-\w+[ \t]+){1,4}(?:[\w./-]{1,200}[ \t]+){1,2}([^\s\"']{4,200})")),
)
_SQL = late(r"(?i)(?:identified[ \t]+(?:with[ \t]+\w+[ \t]+)?by|password|passwd)[ \t]*\(?[ \t]*'([^'\n]{1,200})'")


def find_placed(page: Page) -> Iterator[Finding]:
    """Find what stands where a secret does."""
    text, lower = page.text, page.lower
    if "://" in text:
        yield from _addresses(text)
    if "authorization" in lower or "bearer" in lower:
        yield from _headers(page)
    if "cookie" in lower:
        yield from _cookies(text)
    if "-" in text:
        yield from _options(page)
    if "/user:" in lower or "/pass" in lower or "/pwd:" in lower:
        yield from _of_windows(text)
    yield from _statements(page)
    yield from _calls(page)


def _of_windows(text: str) -> Iterator[Finding]:
    for found in _WINDOWS.finditer(text):
        group = found.lastindex or 0
        if _is_given(found.group(group), quoted=group % 3 != 0):
            yield Finding(*found.span(group), PASSWORD, "option")


def _statements(page: Page) -> Iterator[Finding]:
    for word in ("identified", "password", "passwd"):
        for place in occurrences(page.lower, word):
            if (
                (found := _SQL.match(page.text, place))
                and _is_given(found.group(1), quoted=True)
                and " " not in found.group(1)
            ):
                yield Finding(*found.span(1), PASSWORD, "statement")
    for word, command in _GIVEN_LAST:
        if word in page.lower:
            for found in command.finditer(page.text):
                if _is_given(found.group(1), quoted=True):
                    yield Finding(*found.span(1), PASSWORD, "statement")


def _calls(page: Page) -> Iterator[Finding]:
    if '("' in page.text or "('" in page.text:
        for found in _RULES["call"].finditer(page.text):
            if is_password(found.group(1)) and " " not in found.group(1):
                yield Finding(*found.span(1), PASSWORD, "call")


def _addresses(text: str) -> Iterator[Finding]:
    for place in occurrences(text, "://"):
        if found := _WITH_USER.match(text, place):
            value = found.group(2)
            if _is_password_of(value, found.group(1)):
                yield Finding(*found.span(2), PASSWORD, "address")
            if _is_made(found.group(1)) and len(found.group(1)) >= 20 and "{" not in found.group(1):
                yield Finding(*found.span(1), TOKEN, "address")
        elif (found := _TOKEN_AS_USER.match(text, place)) and _is_made(found.group(1)):
            yield Finding(*found.span(1), TOKEN, "address")


def _is_password_of(value: str, user: str) -> bool:
    """Tell whether what stands behind a user in an address is a password, no port and nothing left open."""
    if _PORT.match(value) or "{" in value + user or value == user:
        return False
    return not is_placeholder(value) and not is_placeholder(value.lower())


def _headers(page: Page) -> Iterator[Finding]:
    for word in ("authorization", "bearer"):
        for place in occurrences(page.lower, word):
            header = _HEADER.match(page.text, place)
            found = _RULES["bearer"].match(page.text, header.end() if header else place)
            if found and word == "bearer" and not (has_digit(found.group(1)) and _is_made(found.group(1))):
                continue
            if found and not is_placeholder(found.group(1)) and _has_digit_or_both(found.group(1)):
                yield Finding(found.start(1), found.start(1) + len(found.group(1).rstrip(".:")), TOKEN, "header")


def _cookies(text: str) -> Iterator[Finding]:
    done = 0
    for header in _COOKIE.finditer(text):
        if header.start() < done:
            continue
        end = text.find("\n", header.end())
        done = min(header.end() + 8000, len(text) if end < 0 else end)
        for crumb in _CRUMB.finditer(text, header.end(), done):
            if _is_made(crumb.group(2)):
                yield Finding(*crumb.span(2), TOKEN, "cookie")


def _options(page: Page) -> Iterator[Finding]:
    lower = page.lower
    if any(word in lower for word in _RULES.table("option_words")):
        yield from _long_options(page.text)
    if " -u" in lower or "-user" in lower or " -a" in lower:
        yield from _users(page)
    if _SHORT.search(page.text):
        yield from _short_options(page.text)


def _long_options(text: str) -> Iterator[Finding]:
    for found in _OPTION.finditer(text):
        group = found.lastindex or 0
        if _is_given(found.group(group), quoted=group < 3):
            kind = TOKEN if _RULES["token_option"].match(found.group()) else PASSWORD
            yield Finding(*found.span(group), kind, "option")


def _users(page: Page) -> Iterator[Finding]:
    if not _USER_OF.search(page.lower):
        return
    for found in _RULES["user"].finditer(page.text):
        group = found.lastindex or 0
        if not is_placeholder(found.group(group)) and not found.group(group).isdecimal():
            yield Finding(*found.span(group), PASSWORD, "option")


def _short_options(text: str) -> Iterator[Finding]:
    done = 0
    for command in _RULES["p_of"].finditer(text):
        if command.start() < done:
            continue
        end = text.find("\n", command.end(), command.end() + 400)
        done = min(command.end() + 400, len(text)) if end < 0 else end
        for found in _P.finditer(text, command.end(), done):
            group = found.lastindex or 0
            if command["glued"] and _is_database(command["glued"], found, group):
                continue
            if found.group()[1] == "w" and not (command.group().startswith("ldap") or has_sign(found.group(group))):
                continue
            if _is_given(found.group(group), quoted=group < 3) and not found.group(group).isdecimal():
                yield Finding(*found.span(group), PASSWORD, "option")
                break


def _is_database(command: str, option: re.Match[str], group: int) -> bool:
    """Tell whether what stands apart from -p is a database's name, as it is there; in quotes with a sign it is none."""
    if option.group()[2:3] not in " \t" or command == "sshpass":
        return False
    value = option.group(group)
    return group == 3 or not (is_strong(value) and has_sign(value))


def _is_given(value: str, *, quoted: bool) -> bool:
    """Tell whether a value of an option is a secret itself, and no path, variable, port or further option."""
    if len(value) < 4 or is_placeholder(value) or value.startswith("-") or value.startswith(("file:", "env:", "pass:")):
        return False
    return quoted or (not is_code(value) and is_password(value))


def _is_made(value: str) -> bool:
    return len(value) >= 16 and entropy(value) > 3 and _has_digit_or_both(value) and not is_placeholder(value)


def _has_digit_or_both(value: str) -> bool:
    return has_digit(value) or (value != value.lower() and value != value.upper())
