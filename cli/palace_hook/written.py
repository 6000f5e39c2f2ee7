"""What goes over the socket as JSON, by the part of ``json`` that is compiled: the rest of it takes 6 ms to import."""

from __future__ import annotations

try:
    import _json
except ImportError:  # another Python than CPython
    _json = None  # type: ignore[assignment]

BLANK = " \t\n\r"


def write(told: object) -> str:
    """Write texts, numbers, None, and mappings of them by texts."""
    if _json is None:
        import json

        return json.dumps(told, ensure_ascii=False)
    if isinstance(told, dict):
        return "{" + ",".join(f"{write(str(name))}:{write(value)}" for name, value in told.items()) + "}"
    if isinstance(told, str):
        return _json.encode_basestring(told)
    if told is None or isinstance(told, bool):
        return {None: "null", True: "true", False: "false"}[told]
    return repr(told)


def write_ascii(text: str) -> bytes:
    """Write a text in ASCII alone, whatever signs a path or a name is made of."""
    if _json is None:
        import json

        return json.dumps(text).encode()
    return _json.encode_basestring_ascii(text).encode()


def read(body: bytes | str) -> object:
    """Read a value.

    Raises:
        ValueError: it is none. RecursionError: it is nested too deep.
    """
    if _json is None:
        import json

        return json.loads(body)
    text = (body if isinstance(body, str) else body.decode()).lstrip(BLANK)
    try:
        told, end = _json.make_scanner(_Plain)(text, 0)  # type: ignore[arg-type]
    except StopIteration as problem:
        raise ValueError("no JSON") from problem
    if text[end:].strip(BLANK):
        raise ValueError("more than JSON")
    return told


class _Plain:
    """How the scanner reads: as ``json.loads`` has it."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
