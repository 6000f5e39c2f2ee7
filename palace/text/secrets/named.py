"""Secrets by the name that they are given: assignments, settings, JSON, YAML, markup and query strings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.patterns import late
from palace.text.secrets.findings import KEY, PASSWORD, PRIVATE_KEY, TOKEN, Finding, Page, occurrences
from palace.text.secrets.values import has_digit, is_code, is_hash, is_password, is_placeholder, is_random, is_state

_STEMS = ("pass", "pwd", "pw", "kennwort", "secret", "token", "key", "contrase", "mdp", "psk", "credential")
_NAME_BEFORE = late(r"[\w.-]*$")
_QUOTE = r"\\?[\"']"
_ASSIGNS = late(
    rf"[\w-]{{0,30}}(?:(?:{_QUOTE})?[ \t]{{0,8}}[,\s]\s{{0,40}}(?:{_QUOTE})?value(?:{_QUOTE})?[ \t]{{0,3}}[=:]"
    r"|[\"']?>(?=[^<\n]{1,300}</)"
    rf"|(?:{_QUOTE})?[\]`*]{{0,3}}[ \t]{{0,8}}(?:=>|:=|\?=|\|\|=|=(?!=)|:(?!:|//)|(?<=[\"']),))"
    r"[ \t]{0,8}(?:(?:f|b|r|rb|u|@)(?=[\"']))?"
)
"""What stands between a name and its value, in code, settings and markup: ``=``, ``": ``, ``" value="``."""
_QUOTED = late(r"\\?\"([^\"\n\\]{1,600})\\?\"|\\?'([^'\n\\]{1,600})\\?'|`([^`\n]{1,600})`")
_DEFAULT = late(
    r"[^\n\"']{0,60}(?:[\"'][\w.-]{1,40}[\"'][^\n\"']{0,9})?(?:\|\||\?\?|\bor\b|\bdefault\s?=|,)[ \t]{0,3}[\"']"
    r"((?=[^\"'\n]{0,40}\d)(?=[^\"'\n]{0,40}[^\W\d_])[^\s\"'\n]{8,200})[\"']"
)
"""What a name is given where nothing else is: ``password = env.PW || "…"``."""
_BARE = late(r"[^\s\"'`<>,;]{1,600}")
_USER = late(
    r"(?:^|[\n,;])[ \t>*-]{0,6}(?:user(?:name)?|login|e-?mail|account|benutzer(?:name)?|nutzer|usuario"
    r"|utilisateur|identifiant)"
    r"[ \t]{0,2}[:=][ \t]{0,2}[^\s,;]{1,60}[ \t,;]{0,3}\n?[^\n:=]{0,20}[:=][ \t]{0,3}$"
)
_SAYS_SO = late(r"(?i)^[a-z]*(?:[-_.][a-z]+)*[-_.]?(?:password|passwd|secret|token|pass|key)(?:[-_.][a-z]+)*$")
"""A value of words alone that names what it stands for: "profile-username-password"."""
_WORDS = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-zñ]+|\d+")
_PASSWORDS_WRITTEN = """
password passwd pwd pass passphrase passcode pw passwort kennwort contraseña contrasena mdp psk requirepass rootpw
"""
_PASSWORDS = frozenset(_PASSWORDS_WRITTEN.split())
_ENDINGS = ("password", "passwd", "passwort", "kennwort", "passphrase", "contraseña", "userpw", "dbpass", "rootpass")
_TOKENS_WRITTEN = """
token authtoken accesstoken refreshtoken bottoken apitoken
"""
_TOKENS = frozenset(_TOKENS_WRITTEN.split())
_SECRETS_WRITTEN = """
secret clientsecret appsecret apisecret apikey secretkey accesskey authkey
"""
_SECRETS = frozenset(_SECRETS_WRITTEN.split())
_OF_KEYS_WRITTEN = """
api access secret auth signing encryption service account master app application client shared subscription deploy jwt
session storage consumer cookie hmac crypt admin bot webhook ingest write server live user rest functions
"""
_OF_KEYS = frozenset(_OF_KEYS_WRITTEN.split())
_NO_SECRETS_WRITTEN = """
public page next continuation csrf xsrf sync pad eos bos unk sep mask cls max min stop start end special cancellation
sort cache partition primary foreign row registration input output prompt completion idempotency dedup object index
lookup group routing map translation property dict hash fingerprint publishable anon site
"""
_NO_SECRETS = frozenset(_NO_SECRETS_WRITTEN.split())


def find_named(page: Page) -> Iterator[Finding]:
    """Find what is assigned to a name that says it is a secret."""
    for stem in _STEMS:
        done = 0
        for place in occurrences(page.lower, stem):
            if place < done:
                continue
            assigned = _ASSIGNS.match(page.text, place + len(stem))
            if assigned is None:
                continue
            done = assigned.end()
            before = _NAME_BEFORE.search(page.text, max(0, place - 40), place)
            name = page.text[before.start() if before else place : place + len(stem)]
            # It matches everywhere, if only nothing, which the type of `match` does not know.
            name += re.match(r"[\w-]*", page.text[place + len(stem) : assigned.end()])[0]  # type: ignore[index]
            kind = kind_of(name)
            listed = assigned.group().rstrip().endswith(",")
            default = _DEFAULT.match(page.text, done)
            if kind and (found := _value(page, done, kind, name) or (default and default.span(1))):
                if listed and not has_digit(page.text[slice(*found)]):
                    continue
                yield Finding(*found, kind, "assignment")


def kind_of(name: str) -> str | None:
    """Tell of which kind what bears a name is: "DB_PASSWORD", "clientSecret", "X-Api-Key"; None of "password_hash"."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words or not _NO_SECRETS.isdisjoint(words):
        return None
    last = words[-1]
    if last in _PASSWORDS or last.endswith(_ENDINGS):
        return PASSWORD
    if last in _SECRETS or words[-3:] == ["secret", "key", "base"]:
        return KEY
    if last == "key" and len(words) > 1:
        return _kind_of_key(words, name)
    return TOKEN if last in _TOKENS else None


def _kind_of_key(words: list[str], name: str) -> str | None:
    if words[-2] == "private":
        return PRIVATE_KEY
    return KEY if words[-2] in _OF_KEYS or words[0] == "x" or name.isupper() else None


def _value(page: Page, place: int, kind: str, name: str) -> tuple[int, int] | None:
    """Give start and end of what is assigned, None where it is no secret."""
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
    """Tell whether a plain word, the last of its line, is a password because a user's name stands just before it."""
    if not (6 <= len(value) <= 40 and value.isalnum()) or is_placeholder(value) or is_state(value):
        return False
    if page.text[place + len(value) : place + len(value) + 1] not in ("", "\n", "\r"):
        return False
    return _USER.search(page.lower, max(0, place - 100), place) is not None


def _trimmed(value: str) -> str:
    """Cut off what a bare value ends with and is not part of it: the next parameter, a stop, a bracket."""
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
