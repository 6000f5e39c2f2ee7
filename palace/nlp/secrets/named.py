"""Secrets assigned to a telling name: in assignments, settings, JSON, YAML, markup and query strings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import KEY, PASSWORD, PRIVATE_KEY, TOKEN, Finding, Page, occurrences
from palace.nlp.secrets.values import has_digit, is_code, is_hash, is_password, is_placeholder, is_random, is_state

_RULES = rules("secrets", "named")

_NAME_BEFORE = late(r"[\w.-]*$")
_QUOTED = late(r"\\?\"([^\"\n\\]{1,600})\\?\"|\\?'([^'\n\\]{1,600})\\?'|`([^`\n]{1,600})`")
_BARE = late(r"[^\s\"'`<>,;]{1,600}")
_SAYS_SO = late(r"(?i)^[a-z]*(?:[-_.][a-z]+)*[-_.]?(?:password|passwd|secret|token|pass|key)(?:[-_.][a-z]+)*$")
"""A value that only names the secret it stands for: "profile-username-password"."""
_WORDS = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-zñ]+|\d+")


def find_named(page: Page) -> Iterator[Finding]:
    """Find values assigned to a name such as ``DB_PASSWORD``."""
    for stem in _RULES.table("stems"):
        done = 0
        for place in occurrences(page.lower, stem):
            if place < done:
                continue
            assigned = _RULES["assigns"].match(page.text, place + len(stem))
            if assigned is None:
                continue
            done = assigned.end()
            before = _NAME_BEFORE.search(page.text, max(0, place - 40), place)
            name = page.text[before.start() if before else place : place + len(stem)]
            # The pattern always matches, if only an empty string, which the type of `match` does not say.
            name += re.match(r"[\w-]*", page.text[place + len(stem) : assigned.end()])[0]  # type: ignore[index]
            kind = kind_of(name)
            listed = assigned.group().rstrip().endswith(",")
            default = _RULES["default"].match(page.text, done)
            if kind and (found := _value(page, done, kind, name) or (default and default.span(1))):
                if listed and not has_digit(page.text[slice(*found)]):
                    continue
                yield Finding(*found, kind, "assignment")


def kind_of(name: str) -> str | None:
    """Return the kind of secret that a name stands for ("DB_PASSWORD", "X-Api-Key"); None for "password_hash"."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words or not _RULES.words("no_secrets").isdisjoint(words):
        return None
    last = words[-1]
    if last in _RULES.words("passwords") or last.endswith(tuple(_RULES.table("endings"))):
        return PASSWORD
    if last in _RULES.words("secrets") or words[-3:] == ["secret", "key", "base"]:
        return KEY
    if last == "key" and len(words) > 1:
        return _kind_of_key(words, name)
    return TOKEN if last in _RULES.words("tokens") else None


def _kind_of_key(words: list[str], name: str) -> str | None:
    if words[-2] == "private":
        return PRIVATE_KEY
    return KEY if words[-2] in _RULES.words("of_keys") or words[0] == "x" or name.isupper() else None


def _value(page: Page, place: int, kind: str, name: str) -> tuple[int, int] | None:
    """Return start and end of the assigned value; None where it is no secret."""
    if quoted := _QUOTED.match(page.text, place):
        span = quoted.span(quoted.lastindex or 0)
        value = page.text[slice(*span)]
        return span if _is_secret_quoted(value, kind) else None
    bare = _BARE.match(page.text, place)
    if bare is None:
        return None
    value = _trimmed(bare.group())
    if kind == PASSWORD and _is_beside_user(page, place, value):
        return place, place + len(value)
    if name.lower() in value.lower() or not _is_secret_bare(value, kind, name, page.text[place - 1 : place]):
        return None
    return place, place + len(value)


def _is_beside_user(page: Page, place: int, value: str) -> bool:
    """Check whether a plain word at the end of its line is a password, by a user name just before it."""
    if not (6 <= len(value) <= 40 and value.isalnum()) or is_placeholder(value) or is_state(value):
        return False
    if page.text[place + len(value) : place + len(value) + 1] not in ("", "\n", "\r"):
        return False
    return _RULES["user"].search(page.lower, max(0, place - 100), place) is not None


def _trimmed(value: str) -> str:
    """Strip from an unquoted value what is no part of it: the next parameter, a full stop, a bracket."""
    value = re.split(r"&(?=[\w.-]+=)|\\[nrt](?=\W|\w|$)", value, maxsplit=1)[0]
    if value.endswith((")", "]", "}")) and not any(opening in value for opening in "([{"):
        value = value.rstrip(")]}")
    return value.rstrip(".:?*")


def _is_secret_quoted(value: str, kind: str) -> bool:
    if (
        is_placeholder(value)
        or _SAYS_SO.search(value)
        or " " in value
        or "required" in value
        or value.endswith((":", "?"))
        or "${" in value
    ):
        return False
    if kind == PASSWORD:
        return is_password(value) or (
            len(value) >= 6 and (value.islower() or value.isdecimal()) and not _is_path(value)
        )
    if kind == PRIVATE_KEY:
        return is_random(value) and len(value) >= 40
    return is_random(value) or (kind == KEY and len(value) >= 8 and is_password(value) and not is_code(value))


def _is_secret_bare(value: str, kind: str, name: str, before: str) -> bool:
    if kind == PRIVATE_KEY:
        return is_random(value) and len(value) >= 40 and not is_hash(value[:-1])
    if kind != PASSWORD:
        return is_random(value) and not is_code(value)
    if is_password(value):
        return not is_code(value)
    set_in_shell = before == "=" and name.isupper() and len(value) >= 6 and value.isalnum()
    digits = value.isdecimal() and 6 <= len(value) <= 16 and name.lower() not in ("pass", "psk")
    return (set_in_shell or digits) and not is_placeholder(value) and not is_code(value)


def _is_path(value: str) -> bool:
    return "/" in value or "." in value
