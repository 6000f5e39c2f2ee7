"""JSON by the part of ``json`` that is compiled: importing the rest takes longer than all else that a hook does."""

from __future__ import annotations

import _json

BLANK = " \t\n\r"


class _Plain:
    """How the scanner reads: as ``json.loads`` has it."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def write_json(value: object) -> str:
    """Write texts, numbers, None, and mappings of them by texts."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{write_json(str(name))}:{write_json(each)}" for name, each in value.items()) + "}"
    if isinstance(value, str):
        return _json.encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


def write_ascii(text: str) -> bytes:
    """Write a text in ASCII alone, whatever signs a path or a name is made of."""
    return _json.encode_basestring_ascii(text).encode()


def read_json(body: bytes | str) -> object:
    """Read a value.

    Raises:
        ValueError: it is none. RecursionError: it is nested too deep.
    """
    text = (body if isinstance(body, str) else body.decode()).lstrip(BLANK)
    try:
        value, end = _json.make_scanner(_Plain)(text, 0)  # type: ignore[arg-type]
    except StopIteration as problem:
        raise ValueError("no JSON") from problem
    if text[end:].strip(BLANK):
        raise ValueError("more than JSON")
    return value
