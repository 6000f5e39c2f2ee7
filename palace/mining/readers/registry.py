"""Picks the reader for a source by its content."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, TypeVar

from palace.mining.readers import captions, locomo, longmemeval, openai, telegram
from palace.mining.readers.alone import EMPTY_CONVERSATIONS
from palace.mining.readers.assistants import claude_code, copilot_cli, gemini_cli
from palace.mining.readers.assistants.codex import rollouts as codex
from palace.mining.readers.assistants.cursor import transcripts as cursor
from palace.mining.readers.assistants.opencode import sessions as opencode
from palace.mining.readers.assistants.others import is_opencode_file, name_of
from palace.mining.readers.chatgpt import canvas as chatgpt_canvas
from palace.mining.readers.chatgpt import conversations as chatgpt
from palace.mining.readers.claude import conversations as claude
from palace.mining.readers.claude import design as claude_design
from palace.mining.readers.claude import projects as claude_projects
from palace.mining.readers.discord import channels as discord
from palace.mining.readers.fields import as_list, as_object
from palace.mining.readers.files.companions import note_companions
from palace.mining.readers.files.encoding import (
    HEAD_BYTES,
    Utf8Stream,
    as_utf_8,
    encoding_of,
    foreign_encoding,
    is_utf_8,
)
from palace.mining.readers.files.export_folders import NO_FORMAT
from palace.mining.readers.files.source import Source, StoredFile
from palace.mining.readers.files.whereabouts import Whereabouts
from palace.mining.readers.json_faults import TOO_DEEP
from palace.mining.readers.json_records import Record, iter_records
from palace.mining.readers.mail import mails as mail
from palace.mining.readers.reader import ByteReader, JsonReader, Readers, TextReader
from palace.mining.readers.reading import Reading
from palace.mining.readers.refusals import TABLE_NAMES, known_bytes, known_text
from palace.mining.readers.tables import headers, table
from palace.mining.readers.transcripts import transcript
from palace.mining.readers.transcripts.lines import with_line_feeds
from palace.records import Conversation

Reader = TypeVar("Reader", JsonReader, TextReader)

_LOOKAHEAD = 50
"""How many records are looked at for one that a reader knows: transcripts may begin with bookkeeping."""
_JSON_ARRAY = re.compile(
    r'(\[\s*)+(\{\s*(["}]|$)|"|(\]\s*)+$|(-?(0|[1-9]\d*+)(\.\d*+)?([eE][+-]?\d*+)?|true|false|null)\s*(,|(\]\s*)+$)|$)'
)
_JSON_OBJECT = re.compile(r'\{\s*(["}]|$)')
_EXPORT_FORMAT = "palace-export"
EMPTY_FILES = "empty files"
EMPTY_LISTS = "empty lists of conversations"
_LEFT_OUT = (EMPTY_FILES, EMPTY_LISTS)
"""As what files with nothing in them for a reader are counted."""
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
_WRAPPERS = ("conversations", "chats", "sessions", "threads", "items", "data", "results")
"""Keys under which one document may hold a list of conversations."""


READERS = Readers(
    json=(
        JsonReader("ChatGPT", chatgpt.recognises, chatgpt.read),
        JsonReader("ChatGPT", chatgpt_canvas.recognises, chatgpt_canvas.read),
        JsonReader("Claude", claude.recognises, claude.read),
        JsonReader("Claude", claude_projects.recognises, claude_projects.read),
        JsonReader("Claude", claude_design.recognises, claude_design.read),
        JsonReader("Claude Code", claude_code.recognises, claude_code.read),
        JsonReader("Codex", codex.recognises, codex.read),
        JsonReader("Gemini CLI", gemini_cli.recognises, gemini_cli.read),
        JsonReader("Cursor", cursor.recognises, cursor.read),
        JsonReader("opencode", opencode.recognises, opencode.read),
        JsonReader("GitHub Copilot CLI", copilot_cli.recognises, copilot_cli.read),
        JsonReader("GitHub Copilot CLI", copilot_cli.recognises_document, copilot_cli.read_documents),
        JsonReader("LongMemEval", longmemeval.recognises, longmemeval.read),
        JsonReader("Discord", discord.recognises, discord.read),
        JsonReader("Telegram", telegram.recognises, telegram.read),
        JsonReader("LoCoMo", locomo.recognises, locomo.read),
        JsonReader("OpenAI-style messages", openai.recognises, openai.read),
    ),
    text=(
        TextReader("captions", captions.recognises, captions.read),
        TextReader("Cursor", cursor.recognises_text, cursor.read_text),
        TextReader("tables of messages", headers.recognises, table.read),
        # Any text is a transcript or a note: the last one to be asked.
        TextReader("text", lambda _: True, transcript.read),
    ),
    bytes=(ByteReader("mail", mail.recognises, mail.read),),
)
"""Every reader that Palace has: a file beside this one, and a row here."""


def read_conversations(source: Source, reading: Reading | None = None) -> Iterator[Conversation]:
    """Stream the conversations of a source, in the order it has them; none for an empty file.

    Reading again gives the same. Only one conversation is in memory at a time, except for formats that keep a
    file's sessions interleaved (Claude Code) and plain text. ``reading`` says how to read, and takes up what is
    reported beside the conversations.

    Raises:
        UnreadableSource: while iterating, at the first thing that cannot be read; what came before may be
        used.
    """
    reading = reading or Reading(source.file)
    try:
        yield from source.read(reading)
    except RecursionError as problem:
        raise reading.problem(TOO_DEEP) from problem


class FileSource(StoredFile):
    """One file, whose reader is picked by its content."""

    __slots__ = ()

    def under(self, origin: str) -> FileSource:
        """Give the same, found in what the person named so."""
        return replace(self, origin=origin)

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Stream its conversations; none for an empty file."""
        return _read(self, reading)


def _read(source: StoredFile, reading: Reading) -> Iterator[Conversation]:
    # What is counted and missed is shared with the reading that was given.
    reading = replace(reading, where=Whereabouts(source.container, source.member))
    note_companions(source, reading)
    with source.open() as stream:
        head = stream.read(HEAD_BYTES)
    reader_of_bytes = _byte_reader(source, head, reading)
    if reader_of_bytes is not None:
        with source.open() as raw:
            yield from reader_of_bytes.read(raw, reading)
        return
    encoding = encoding_of(head, reading)
    fault = known_bytes(head) or (foreign_encoding(head) if encoding == "utf-8" else None)
    if fault:
        raise reading.problem(fault)
    encoding = _table_encoding(source, encoding, reading)
    beginning = _decoded(head, encoding, reading).lstrip("\ufeff").lstrip()
    if not beginning and len(head) < HEAD_BYTES:
        reading.leave_out(EMPTY_FILES)
        return
    is_array = _JSON_ARRAY.match(beginning) is not None
    with source.open() as raw:
        stream = as_utf_8(raw, encoding, reading)
        reader = _first(reading.readers.text, beginning)
        if reader is None and (is_array or _JSON_OBJECT.match(beginning)):
            yield from _read_json(iter_records(stream, reading, is_array=is_array), source, reading)
            return
        if reader is None:
            beginning = with_line_feeds(beginning)
            reader = _text_reader(source, beginning, reading)
        assert reader is not None
        yield from reader.read(Utf8Stream(stream, reading).read(), reading)


def _byte_reader(source: StoredFile, head: bytes, reading: Reading) -> ByteReader | None:
    """Give the reader of a format that is told before its text is decoded, unless the caller has one for that text."""
    ending = _ending_of(source)
    readers = (*reading.readers.bytes, *READERS.bytes)
    found = next((reader for reader in readers if reader.recognises(head, ending)), None) if head.strip() else None
    if found is None or found in reading.readers.bytes:
        return found
    text = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    return None if _first(reading.readers.text, text) else found


def _ending_of(source: StoredFile) -> str:
    return PurePosixPath(source.member.lower().removesuffix(".gz")).suffix


def _decoded(head: bytes, encoding: str, reading: Reading) -> str:
    try:
        return codecs.getincrementaldecoder(encoding)("replace").decode(head)
    except (UnicodeError, OverflowError) as problem:
        # A mark that lacks, or an encoding that has no way to replace what it does not know.
        raise reading.problem(f"is not {encoding} text: {problem}") from problem


def _read_json(records: Iterator[Record], source: StoredFile, reading: Reading) -> Iterator[Conversation]:
    seen: list[Record] = []
    nothing: list[str] = []
    for record in records:
        if record.fault is not None:
            seen.append(record)
            continue
        reader = _reader_of(record.value, reading)
        if reader is not None:
            reading.left_out.update(nothing)
            yield from reader.read(chain(seen, [record], records), reading)
            return
        listed = _listed(record.value, reading)
        if listed:
            yield from _read_json(iter(listed), source, reading)
            return
        if kind := _nothing_in(record.value):
            nothing.append(kind)
            continue
        seen.append(record)
        if len(seen) == _LOOKAHEAD:
            break
    reading.left_out.update(nothing)
    _end_unread(seen, source, reading, is_empty=not (seen or nothing))


def _end_unread(seen: list[Record], source: StoredFile, reading: Reading, *, is_empty: bool) -> None:
    """Refuse, or count, what no reader knows."""
    if is_empty:
        reading.leave_out(EMPTY_LISTS)
    elif seen and source.is_companion:
        reading.leave_out(NO_FORMAT)
    elif seen:
        fault = next((record.fault for record in seen if record.fault), None)
        raise fault or reading.problem(_unknown(seen[0], reading))


def _first(readers: Sequence[Reader], given: Any) -> Reader | None:
    return next((reader for reader in readers if reader.recognises(given)), None)


def _reader_of(value: object, reading: Reading) -> JsonReader | None:
    """Give the reader of a value: the caller's own before what Palace reads, or refuses by name."""
    own = _first(reading.readers.json, value)
    if own is not None:
        return own
    if as_object(value).get("format") == _EXPORT_FORMAT:
        raise reading.problem("is an export of a palace: `palace import` takes it up")
    program = name_of(value)
    if program:
        raise reading.problem(f"is a transcript of {program}, which is not read yet")
    if is_opencode_file(value):
        raise reading.problem("is one message of opencode's storage: mine the folder that holds `storage`")
    return _first(READERS.json, value)


def _listed(value: object, reading: Reading) -> list[Record]:
    """Give the conversations that one document lists under a key, nothing where it lists none that are known."""
    for key in _WRAPPERS:
        items = as_list(as_object(value).get(key))
        if any(_first(_json_readers(reading), item) for item in items[:_LOOKAHEAD]):
            return [Record(item, number) for number, item in enumerate(items, 1)]
    return []


def _nothing_in(value: object) -> str | None:
    """Tell a list of conversations or messages that is empty, and as what it is counted; None for anything else."""
    record = as_object(value)
    lists = {key: record[key] for key in (*_WRAPPERS, *openai.LISTS) if isinstance(record.get(key), list)}
    if not lists or any(lists.values()):
        return None
    return EMPTY_CONVERSATIONS if lists.keys().isdisjoint(_WRAPPERS) else EMPTY_LISTS


def _json_readers(reading: Reading) -> tuple[JsonReader, ...]:
    return (*reading.readers.json, *READERS.json)


def _unknown(record: Record, reading: Reading) -> str:
    first = as_object(record.value)
    if "ts" in first and first.get("type") == "message":
        return "is one day of a Slack export; mine the export's folder or zip archive as a whole"
    titles = ", ".join(dict.fromkeys(reader.title for reader in _json_readers(reading)))
    return f"JSON of no known format (looked for {titles})"


def _text_reader(source: StoredFile, beginning: str, reading: Reading) -> TextReader | None:
    """Give the reader of a text, or refuse what is no conversation and no note."""
    ending = _ending_of(source)
    fault = known_text(beginning, ending)
    if fault:
        raise reading.problem(fault)
    if ending in _JSON_SUFFIXES:
        raise reading.problem("is named as JSON but does not begin as JSON does")
    if ending in TABLE_NAMES and headers.find_header(beginning, is_named=True):
        return next(reader for reader in READERS.text if reader.read is table.read)
    return _first(READERS.text, beginning)


def _table_encoding(source: StoredFile, encoding: str, reading: Reading) -> str:
    """Give the encoding of a table: spreadsheets write that of the computer where nobody tells them otherwise."""
    if encoding != "utf-8" or reading.encoding is not None or _ending_of(source) not in TABLE_NAMES:
        return encoding
    with source.open() as stream:
        if is_utf_8(stream):
            return encoding
    reading.notices.append(f"{source.file} is not UTF-8 and is read as Windows-1252; --encoding says otherwise")
    return "cp1252"
