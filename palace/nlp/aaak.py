"""The written form of a pointer with its tags, ``§ W-042/R-11/D-007 @p Anna, Derek Hughes @l Ghent @t 2026-07-03``.

A name is written bare where it cannot be misread, otherwise in quotation marks with the entities of
``palace.nlp.inert``, so that a comma, ``@``, a quotation mark, a line end or a bracket of a block in it has no
effect. A name can therefore begin no tag, pointer or field of a line, and each list of tags has one written form,
which parses back to the same tags.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from palace.errors import BadRequest
from palace.models import Citation, Tag, TagKind
from palace.nlp.inert import inert_letters, quoted_letters
from palace.nlp.pointers import parse_pointer

_KIND = re.compile(r"\s*+@(\w++)(?=\s|$)")
_QUOTED = re.compile(r'\s*+"((?:[^"\\]|\\.)*+)"\s*+', re.DOTALL)
_BARE = re.compile(r'\s*+((?:[^",@]|(?<!\s)@)++)')
_PLAIN = re.compile(r"[A-Za-z0-9./:_'-]+(?: [A-Za-z0-9./:_'-]+)*")
"""Names, most of them, whose characters are all visible and never misread, so that they need no further check."""
_KINDS = tuple(TagKind)
LONGEST = 60
"""Most characters of a name shown beside a text; a tag with a longer one is left out, as half a name names nobody."""
_EXAMPLE = "tags look like @p Anna, Derek Hughes @l Ghent"


def write_tags(tags: Iterable[Tag]) -> str:
    """Format tags on one line, grouped by kind, without duplicates; "" for none."""
    ordered = list(in_order(tags))
    lists = {kind: [_name(tag.name) for tag in ordered if tag.kind is kind] for kind in TagKind}
    return " ".join(f"@{kind} {', '.join(names)}" for kind, names in lists.items() if names)


def parse_citation(text: str) -> Citation:
    """Parse a pointer with or without tags; spaces and the order of the kinds do not matter.

    Raises:
        BadRequest: the text is not a pointer with tags.
    """
    pointer, sign, _ = text.partition("@")
    return Citation(parse_pointer(pointer), tuple(in_order(_tags(text, len(pointer)))) if sign else ())


def in_order(tags: Iterable[Tag]) -> Iterator[Tag]:
    """Sort tags by kind and drop duplicates; tags of one kind keep their order."""
    yield from sorted(dict.fromkeys(tags), key=lambda tag: _KINDS.index(tag.kind))


def most_telling(tags: Collection[Tag], text: str, most: int) -> tuple[Tag, ...]:
    """Choose at most ``most`` tags to show beside a text, preferring names that it lacks; they keep their order."""
    said = " ".join(text.casefold().split())
    short = [tag for tag in tags if len(tag.name) <= LONGEST]
    chosen = sorted(short, key=lambda tag: " ".join(tag.name.casefold().split()) in said)[:most]
    return tuple(tag for tag in short if tag in chosen)


def _name(name: str) -> str:
    """Write a name as it is, or in quotation marks."""
    if _PLAIN.fullmatch(name):
        return name
    written = inert_letters(name)
    is_bare = written == name and name and " ".join(name.split()) == name and not set(name) & set(",@")
    return written if is_bare else f'"{written}"'


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
    """Parse a name up to a comma, the next tag or the end of the text; return it and the index where it ends."""
    quoted = _QUOTED.match(text, place)
    found = quoted or _BARE.match(text, place)
    name = _unquoted(quoted[1]) if quoted else " ".join(found[1].split()) if found else None
    if found is None or name is None or not (quoted or name) or not _ends(text, found.end()):
        raise BadRequest(f"there is no name at {text[place : place + 20].strip()!r}: {_EXAMPLE}")
    return name, found.end()


def _ends(text: str, place: int) -> bool:
    return place >= len(text) or text[place] in ",@"


def _unquoted(written: str) -> str | None:
    """Read what stands within quotation marks; with a backslash, as older versions wrote it, by JSON's escapes."""
    if "\\" not in written:
        return quoted_letters(written)
    try:
        return str(json.loads(f'"{written}"', strict=False))
    except ValueError:
        return None


LONGEST_WISHES = 5
"""Most words of a name in a query."""
MOST = 16
"""Most tags that are read from a query, and most names behind one tag."""

_SIGN = re.compile(rf"(?<![^\s(])@([{''.join(TagKind)}])\s+(?=\S)", re.IGNORECASE)
_QUOTED_WISHES = re.compile(r'"(?:[^"\\]|\\.)*+"')


class Wish(NamedTuple):
    """A tag that a query asks for."""

    kind: TagKind
    names: tuple[str, ...]
    """Candidates for its name: the first words behind the sign, the longest candidate first."""


class Asked(NamedTuple):
    """A query with its tag signs removed, and the tags that it asks for."""

    query: str
    wishes: tuple[Wish, ...]


def read_wishes(query: str) -> Asked:
    """Remove the signs of tags (``@p``) from a query, and return what each may ask for.

    A name ends at a comma, the next sign, the end of the query, or wherever the palace knows a name; names in a list
    are separated by commas. Quotation marks around a name are removed as well.
    """
    signs = list(_SIGN.finditer(query))[:MOST]
    if not signs:
        return Asked(query, ())
    plain, wishes = query[: signs[0].start()], []
    for place, sign in enumerate(signs):
        end = signs[place + 1].start() if place + 1 < len(signs) else len(query)
        behind = query[sign.end() : end]
        kind = TagKind(sign[1].lower())
        wishes += [Wish(kind, names) for part in list(_parts(behind))[:MOST] if (names := tuple(_beginnings(part)))]
        plain += _QUOTED_WISHES.sub(lambda found: _wished(found[0]), behind)
    return Asked(plain, tuple(wishes))


def _parts(behind: str) -> Iterator[str]:
    """Split a list of names at its commas, except within quotation marks."""
    start = place = 0
    while place < len(behind):
        quoted = _QUOTED_WISHES.match(behind, place)
        if quoted is None and behind[place] == ",":
            yield behind[start:place]
            start = place + 1
        place = quoted.end() if quoted else place + 1
    yield behind[start:]


def _beginnings(part: str) -> Iterator[str]:
    part = part.strip()
    if quoted := _QUOTED_WISHES.match(part):
        yield _wished(quoted[0])
        return
    words = part.split()
    for length in range(min(len(words), LONGEST_WISHES), 0, -1):
        yield " ".join(words[:length])


def _wished(quoted: str) -> str:
    name = _unquoted(quoted[1:-1])
    return quoted[1:-1] if name is None else name
