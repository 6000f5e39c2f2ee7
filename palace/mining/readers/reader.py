"""What a reader is: how its format is told, and what reads it. A row of the registry, or a caller's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from palace.mining.readers.json_records import Record
    from palace.mining.readers.reading import Reading
    from palace.records import Conversation


class JsonReader(NamedTuple):
    """Reads a format that is JSON: an array, a document, or a value a line."""

    title: str
    """What a person calls the format."""
    recognises: Callable[[object], bool]
    """Whether a value is one of this format; asked of the first values of a file."""
    read: Callable[[Iterator[Record], Reading], Iterator[Conversation]]
    """Streams the conversations of all values of the file, from the first on. A value that cannot be read is reported
    to the reading; what nobody can go on after is raised as ``reading.problem(…)``.
    """


class TextReader(NamedTuple):
    """Reads a format that is text."""

    title: str
    """What a person calls the format."""
    recognises: Callable[[str], bool]
    """Whether a text is one of this format, by its beginning, without white space in front; it may end in a word."""
    read: Callable[[str, Reading], Iterator[Conversation]]
    """Streams the conversations of the whole text."""


class ByteReader(NamedTuple):
    """Reads a format whose parts say themselves in which encoding they are."""

    title: str
    """What a person calls the format."""
    recognises: Callable[[bytes, str], bool]
    """Whether a file is one of this format, by its beginning and the ending of its name (".eml")."""
    read: Callable[[BinaryIO, Reading], Iterator[Conversation]]
    """Streams the conversations of the file."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Some readers, in the order in which they are asked whether a file is theirs."""

    json: tuple[JsonReader, ...] = ()
    text: tuple[TextReader, ...] = ()
    bytes: tuple[ByteReader, ...] = ()
