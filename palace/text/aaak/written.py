"""The written form of a pointer with its tags, ``§ W-042/R-11/D-007 @p Anna, Derek Hughes @l Ghent @t 2026-07-03``.

A name stands as it is where it cannot be taken for anything else, and in quotation marks otherwise, with JSON's
escapes: a comma, ``@``, a quotation mark, a line end or a sign of the blocks in it means nothing. So a name can begin
no tag, no pointer and no field of a line, and each list of tags has one form that is read back as it was.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

from palace.errors import BadRequest
from palace.records import Citation, Tag, TagKind
from palace.text.inert import is_inert
from palace.text.pointers import parse_pointer

_KIND = re.compile(r"\s*+@(\w++)(?=\s|$)")
_QUOTED = re.compile(r'\s*+"((?:[^"\\]|\\.)*+)"\s*+', re.DOTALL)
_BARE = re.compile(r'\s*+((?:[^",@]|(?<!\s)@)++)')
_PLAIN = re.compile(r"[A-Za-z0-9./:_'-]+(?: [A-Za-z0-9./:_'-]+)*")
"""Most names: no sign of it is taken for anything else, or hidden."""
_KINDS = tuple(TagKind)
LONGEST = 60
"""Characters of a name that is shown beside a text; a longer one is left out, as a part of it names nobody."""
_EXAMPLE = "tags look like @p Anna, Derek Hughes @l Ghent"


def write_tags(tags: Iterable[Tag]) -> str:
    """Write tags on one line, in the order of the kinds, each once; "" for none."""
    ordered = list(in_order(tags))
    lists = {kind: [_name(tag.name) for tag in ordered if tag.kind is kind] for kind in TagKind}
    return " ".join(f"@{kind} {', '.join(names)}" for kind, names in lists.items() if names)


def parse_citation(text: str) -> Citation:
    """Read a pointer with its tags, or without; spaces, and the order of the kinds, do not matter.

    Raises:
        BadRequest: it has another shape.
    """
    pointer, sign, _ = text.partition("@")
    return Citation(parse_pointer(pointer), tuple(in_order(_tags(text, len(pointer)))) if sign else ())


def in_order(tags: Iterable[Tag]) -> Iterator[Tag]:
    """Put tags in the order of the kinds, each once; those of a kind stay in theirs."""
    yield from sorted(dict.fromkeys(tags), key=lambda tag: _KINDS.index(tag.kind))


def most_telling(tags: Collection[Tag], text: str, most: int) -> tuple[Tag, ...]:
    """Choose tags to show beside a text, in their order: first those whose names it does not have."""
    said = " ".join(text.casefold().split())
    short = [tag for tag in tags if len(tag.name) <= LONGEST]
    chosen = sorted(short, key=lambda tag: " ".join(tag.name.casefold().split()) in said)[:most]
    return tuple(tag for tag in short if tag in chosen)


def _name(name: str) -> str:
    """Write a name as it is, or in quotation marks."""
    if _PLAIN.fullmatch(name):
        return name
    is_bare = name and " ".join(name.split()) == name and not set(name) & set(',@"\\')
    written = "".join(map(_written, name))
    if name and unicodedata.category(name[0]).startswith("M"):
        # It would be drawn upon what stands in front of it.
        written = _escaped(name[0]) + written[len(_written(name[0])) :]
    return written if is_bare and written == name else f'"{written}"'


def _written(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() and is_inert(character) else _escaped(character)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if character > "\x7f" or character < " " else f"\\u{ord(character):04x}"


def _tags(text: str, place: int) -> Iterator[Tag]:
    while place < len(text):
        found = _KIND.match(text, place)
        if found is None or found[1].lower() not in set(TagKind):
            raise BadRequest(
                f"{text[place : place + 20].strip()!r} is no tag: one of {', '.join(f'@{k}' for k in TagKind)}"
            )
        kind, place = TagKind(found[1].lower()), found.end()
        is_followed = True
        while is_followed:
            name, place = _read_name(text, place)
            yield Tag(kind, name)
            is_followed = text.startswith(",", place)
            place += is_followed


def _read_name(text: str, place: int) -> tuple[str, int]:
    """Read a name; give where it, with the spaces behind it, ends: at a comma, at the next tag, or with the text."""
    quoted = _QUOTED.match(text, place)
    found = quoted or _BARE.match(text, place)
    name = _unescaped(quoted[1]) if quoted else " ".join(found[1].split()) if found else None
    if found is None or name is None or not (quoted or name) or not _ends(text, found.end()):
        raise BadRequest(f"there is no name at {text[place : place + 20].strip()!r}: {_EXAMPLE}")
    return name, found.end()


def _ends(text: str, place: int) -> bool:
    return place >= len(text) or text[place] in ",@"


def _unescaped(quoted: str) -> str | None:
    try:
        return str(json.loads(f'"{quoted}"', strict=False))
    except ValueError:
        return None
