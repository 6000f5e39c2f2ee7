"""Read and write JSON with the C part of ``json`` alone: importing the rest takes longer than all else in a hook."""

from __future__ import annotations

import _json

BLANK = " \t\n\r"


class _ScannerOptions:
    """Options of the C scanner, the defaults of ``json.loads``."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def write_json(value: object) -> str:
    """Write strings, numbers, booleans, None, and mappings of these with string keys."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{write_json(str(name))}:{write_json(each)}" for name, each in value.items()) + "}"
    if isinstance(value, str):
        return _json.encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


def write_ascii(text: str) -> bytes:
    """Write a string as JSON in ASCII alone, whatever characters it has."""
    return _json.encode_basestring_ascii(text).encode()


def read_json(body: bytes | str) -> object:
    """Parse a JSON value.

    Raises:
        ValueError: it is invalid. RecursionError: it is nested too deep.
    """
    text = (body if isinstance(body, str) else body.decode()).lstrip(BLANK)
    try:
        value, end = _json.make_scanner(_ScannerOptions)(text, 0)  # type: ignore[arg-type]
    except StopIteration as problem:
        raise ValueError("no JSON") from problem
    if text[end:].strip(BLANK):
        raise ValueError("more than JSON")
    return value
