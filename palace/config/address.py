"""Addresses of shared servers: checked, and shown without their secrets.

The form is libpq's connection URI (PostgreSQL documentation, "Connection URIs") for one host. Error messages quote
nothing of a malformed address: any part of it may be a misplaced password.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv6Address
from urllib.parse import unquote

EXAMPLE = "postgresql://USER:PASSWORD@HOST:5432/DATABASE"
SECRETS = frozenset({"password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"})
"""Options whose value is never shown."""
HIDDEN = "***"
CONNECT_SECONDS = 10
"""Seconds that connecting may take, unless the address says ``connect_timeout``."""

_KNOWN = """
    application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssdelegation
    gssencmode gsslib host hostaddr keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname
    load_balance_hosts max_protocol_version min_protocol_version oauth_client_id oauth_issuer oauth_scope options
    passfile port require_auth requirepeer service ssl_max_protocol_version ssl_min_protocol_version sslcert
    sslcertmode sslcompression sslcrl sslcrldir sslkey sslkeylogfile sslmode sslnegotiation sslrootcert sslsni
    target_session_attrs tcp_user_timeout user
"""
OPTIONS = SECRETS | set(_KNOWN.split())
"""The options of libpq 18, without ``replication``, whose sessions run no ordinary SQL."""

_DIALECT = re.compile(r"([a-z][a-z0-9]{0,20}(?:\+[a-z0-9_]{1,20})?)://")
_OURS = ("postgresql", "postgres", "postgresql+psycopg")
_KEYWORDS = re.compile(r"\s*[a-z_]+\s*=")
_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?")


def check_address(text: str) -> str:
    """Check an address and return it unchanged.

    Raises:
        ValueError: it is unusable; the message says what to write instead and quotes nothing that may be secret.
    """
    if not text:
        raise ValueError(f"is empty: unset it, or write {EXAMPLE}")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("holds bytes that are not UTF-8")
    if re.search(r"[\x00-\x20\x7f-\xa0\u2028\u2029]", text) and not _KEYWORDS.match(text):
        raise ValueError("holds a space or a control character: write it as %20, or take it out")
    rest = _without_dialect(text)
    authority, path, query = _parts(rest)
    login, at, place = authority.rpartition("@")
    if "@" in login or "@" in path or "@" in query:
        raise ValueError("holds an @ too many: in a password, @ / ? and % are written %40 %2F %3F and %25")
    if at:
        _check_text(login)
    _check_place(place)
    _check_text(path)
    options = _checked_options(query)
    if not unquote(path) and not options.get("dbname") and "service" not in options:
        raise ValueError(f"names no database: write {EXAMPLE}")
    return text


def secrets_in(text: str) -> tuple[str, ...]:
    """Return every secret value in a checked address, as written and decoded, longest first."""
    authority, _, query = _parts(_without_dialect(text))
    login = authority.rpartition("@")[0]
    found = [login.partition(":")[2], *(value for name, value in _raw_options(query) if name in SECRETS)]
    return tuple(sorted({*found, *map(unquote, found)} - {""}, key=len, reverse=True))


def shown_address(text: str) -> str:
    """Return a checked address for display: secrets hidden, the scheme libpq's."""
    authority, path, query = _parts(_without_dialect(text))
    login, at, place = authority.rpartition("@")
    user, colon, _ = login.partition(":")
    login = f"{user}:{HIDDEN}" if colon else user
    options = "&".join(f"{name}={HIDDEN if name in SECRETS else value}" for name, value in _raw_options(query))
    slash = "/" if path else ""
    return f"postgresql://{login}{at}{place}{slash}{path}{'?' if options else ''}{options}"


def driver_address(text: str) -> str:
    """Return a checked address for SQLAlchemy, with a limit on the time to connect."""
    rest = _without_dialect(text)
    query = _parts(rest)[2]
    limit = (
        ""
        if any(name == "connect_timeout" for name, _ in _raw_options(query))
        else f"connect_timeout={CONNECT_SECONDS}"
    )
    return f"postgresql+psycopg://{rest}" + (f"{'&' if '?' in rest else '?'}{limit}" if limit else "")


def libpq_address(text: str) -> str:
    """Return a checked address for libpq, secrets included."""
    return f"postgresql://{_without_dialect(text)}"


def named_place(text: str) -> str:
    """Return host, port and database of a checked address, for messages."""
    authority, path, query = _parts(_without_dialect(text))
    options = dict(_options(query))
    host, _, port = _place(authority.rpartition("@")[2])
    host = options.get("host") or options.get("hostaddr") or host or "localhost"
    database = unquote(path) or options.get("dbname") or "palace"
    return f"{host}:{options.get('port') or port or 5432}/{database}"


def _without_dialect(text: str) -> str:
    found = _DIALECT.match(text.lower())
    if found is None:
        if _KEYWORDS.match(text):
            raise ValueError(f"is written as keywords: write it as an address, {EXAMPLE}")
        raise ValueError(f"is not an address: write {EXAMPLE}")
    if found[1] not in _OURS:
        named = "a driver that Palace does not use" if found[1].startswith("postgres") else "another database"
        raise ValueError(f"names {named} ({found[1]}): Palace needs Postgres, {EXAMPLE}")
    return text[found.end() :]


def _parts(rest: str) -> tuple[str, str, str]:
    """Split what follows the scheme into authority, path without its slash, and query."""
    rest, _, query = rest.partition("?")
    authority, _, path = rest.partition("/")
    return authority, path, query


def _place(place: str) -> tuple[str, str, str]:
    if place.startswith("["):
        host, closed, rest = place.partition("]")
        return host + closed, rest[:1], rest[1:]
    return place.partition(":")


def _check_place(place: str) -> None:
    if "," in place:
        raise ValueError(
            "names several hosts: give one, a name or a pooler that always leads to the server that can be written to"
        )
    host, colon, port = _place(place)
    if host.startswith("["):
        _check_ipv6(host)
        if colon not in {"", ":"}:
            raise ValueError("has something between ] and the port")
    elif host and not host.isascii():
        raise ValueError("has a host that is not ASCII: write the name as the network knows it, xn--…")
    elif host and not _HOST.fullmatch(host):
        raise ValueError("has no proper host: a name or an address; the folder of a socket goes into ?host=/FOLDER")
    if colon:
        _check_port(port)


def _check_ipv6(host: str) -> None:
    if not host.endswith("]"):
        raise ValueError("has a bracket that is not closed: write [::1]")
    try:
        IPv6Address(host[1:-1])
    except ValueError:
        raise ValueError("has no proper IPv6 address between the brackets") from None


def _check_port(port: str) -> None:
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 1 <= int(port) <= 65535:
        raise ValueError("has no proper port, 1 to 65535 (in a password, @ / ? and % are written %40 %2F %3F and %25)")


def _check_text(text: str) -> None:
    if _PERCENT.search(text):
        raise ValueError("has a % that two hexadecimal digits do not follow: a % itself is written %25")
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise ValueError("has %-escapes that are not UTF-8") from None
    if "\0" in decoded or "\n" in decoded:
        raise ValueError("has %-escapes of control characters")


def _raw_options(query: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        yield name, value


def _options(query: str) -> Iterator[tuple[str, str]]:
    for name, value in _raw_options(query):
        _check_text(value)
        yield name, unquote(value.replace("+", " "))


def _checked_options(query: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for name, value in _options(query):
        if name not in OPTIONS:
            raise ValueError("has an option behind its question mark that libpq does not know")
        if name in options:
            raise ValueError(f"gives {name} twice")
        options[name] = value
        _check_option(name, value)
    return options


def _check_option(name: str, value: str) -> None:
    if name in {"host", "hostaddr", "port"} and "," in value:
        _check_place(",")
    if name in {"host", "hostaddr"} and not value.isascii() and not value.startswith("/"):
        _check_place(value)
    if name == "port":
        _check_port(value)
    if name == "client_encoding" and value.lower().replace("-", "") != "utf8":
        raise ValueError("asks for another encoding than UTF8: leave client_encoding out")
    if name == "connect_timeout" and not re.fullmatch("[0-9]{1,7}", value):
        raise ValueError("has a connect_timeout that is no number of seconds")
