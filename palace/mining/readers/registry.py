"""Picks the reader of a source by its content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, TypeVar

from palace.mining.drafts.names import keys
from palace.mining.files.encoding import (
    HEAD_BYTES,
    Utf8Stream,
    as_utf_8,
    decoded_head,
    encoding_of,
    foreign_encoding,
    is_utf_8,
)
from palace.mining.files.exports import NO_FORMAT, note_companions
from palace.mining.files.fields import as_list, as_object
from palace.mining.files.json_records import EMPTY_CONVERSATIONS, TOO_DEEP, each, iter_records
from palace.mining.files.reading import ByteReader, JsonReader, Readers, Reading, Record, TextReader, Whereabouts
from palace.mining.files.source import Source, StoredFile
from palace.mining.readers import (
    amp,
    captions,
    chatgpt,
    claude,
    claude_code,
    cline,
    codex,
    continue_dev,
    copilot_chat,
    copilot_cli,
    cursor,
    discord,
    documents,
    gemini_cli,
    goose,
    kimi,
    locomo,
    longmemeval,
    mail,
    openai,
    opencode,
    pi,
    qwen,
    tables,
    telegram,
    transcript,
)
from palace.mining.readers.document_pages import NO_WORD_FILE
from palace.mining.readers.lines import with_line_feeds
from palace.mining.readers.refusals import TABLE_NAMES, known_bytes, known_json, known_text
from palace.mining.readers.tables import find_header
from palace.models import Conversation

Reader = TypeVar("Reader", JsonReader, TextReader)

EMPTY_FILES = "empty files"
EMPTY_LISTS = "empty lists of conversations"

_LOOKAHEAD = 50
"""How many records are checked for a known format, because transcripts may begin with bookkeeping."""
_JSON_ARRAY = re.compile(
    r'(\[\s*)+(\{\s*(["}]|$)|"|(\]\s*)+$|(-?(0|[1-9]\d*+)(\.\d*+)?([eE][+-]?\d*+)?|true|false|null)\s*(,|(\]\s*)+$)|$)'
)
_JSON_OBJECT = re.compile(r'\{\s*(["}]|$)')
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
_WRAPPERS = ("conversations", "chats", "sessions", "threads", "items", "data", "results")
"""Keys under which a document may hold a list of conversations."""


READERS = Readers(
    json=(
        JsonReader("ChatGPT", chatgpt.recognises, chatgpt.read),
        JsonReader("ChatGPT", chatgpt.recognises_document, each(chatgpt.read_document, "empty canvas documents")),
        JsonReader("Claude", claude.recognises, each(claude.read_conversation)),
        JsonReader("Claude", claude.recognises_notes, each(claude.read_notes, claude.EMPTY_NOTES)),
        JsonReader("Claude", claude.recognises_design, each(claude.read_design)),
        JsonReader("Qwen Code", qwen.recognises, qwen.read),
        JsonReader("Claude Code", claude_code.recognises, claude_code.read),
        JsonReader("Codex", codex.recognises, codex.read),
        JsonReader("Gemini CLI", gemini_cli.recognises, gemini_cli.read),
        JsonReader("Cursor", cursor.recognises, cursor.read),
        JsonReader("opencode", opencode.recognises, each(opencode.read_exported)),
        JsonReader("GitHub Copilot CLI", copilot_cli.recognises, copilot_cli.read),
        JsonReader("GitHub Copilot CLI", copilot_cli.recognises_document, each(copilot_cli.read_document)),
        JsonReader("GitHub Copilot in an editor", copilot_chat.recognises, copilot_chat.read),
        JsonReader("GitHub Copilot in an editor", copilot_chat.recognises_document, each(copilot_chat.read_document)),
        JsonReader("Kimi CLI", kimi.recognises, kimi.read),
        JsonReader("OpenClaw", pi.recognises, pi.read),
        JsonReader("Goose", goose.recognises, goose.read),
        JsonReader("Continue", continue_dev.recognises, each(continue_dev.read)),
        JsonReader("Amp", amp.recognises, each(amp.read)),
        JsonReader("Cline", cline.recognises, cline.read),
        JsonReader("Cline", cline.recognises_document, each(cline.read_document)),
        JsonReader("LongMemEval", longmemeval.recognises, longmemeval.read),
        JsonReader("Discord", discord.recognises, each(discord.read_channel)),
        JsonReader("Telegram", telegram.recognises, telegram.read),
        JsonReader("LoCoMo", locomo.recognises, each(locomo.read_sample)),
        JsonReader("OpenAI-style messages", openai.recognises, openai.read),
    ),
    text=(
        TextReader("captions", captions.recognises, captions.read),
        TextReader("Cursor", cursor.recognises_text, cursor.read_text),
        TextReader("tables of messages", tables.recognises, tables.read),
        # Accepts any text, so it must come last.
        TextReader("text", lambda _: True, transcript.read),
    ),
    bytes=(
        ByteReader("mail", mail.recognises, mail.read),
        ByteReader("documents", documents.recognises, documents.read),
    ),
)
"""All built-in readers: each is a module of this package and a row here."""


def read_conversations(source: Source, reading: Reading | None = None) -> Iterator[Conversation]:
    """Stream the conversations of a source in its order; an empty file has none.

    Reading again yields the same. Only one conversation is in memory at a time, except for formats with interleaved
    sessions (Claude Code) and plain text. ``reading`` holds the options and collects problems and counts.

    Raises:
        UnreadableSource: while iterating, at the first thing that cannot be read; what came before may be
        used.
    """
    reading = reading or Reading(source.file)
    try:
        yield from source.read(reading)
    except RecursionError as problem:
        raise reading.problem(TOO_DEEP) from problem


@dataclass(frozen=True, slots=True)
class FileSource(StoredFile):
    """One file, whose reader is picked by its content."""

    def read(self, reading: Reading, /) -> Iterator[Conversation]:
        """Stream the file's conversations; an empty file has none."""
        # Counters and failures are shared with the caller's reading.
        reading = replace(reading, where=Whereabouts(self.container, self.member))
        note_companions(self, reading)
        with self.container.open(self.member) as stream:
            head = stream.read(HEAD_BYTES)
        byte_reader = self._byte_reader(head, reading)
        if byte_reader is not None:
            with self.container.open(self.member) as raw:
                yield from byte_reader.read(raw, reading)
            return
        encoding = encoding_of(head, reading)
        fault = known_bytes(head) or (foreign_encoding(head) if encoding == "utf-8" else None)
        fault = fault or (NO_WORD_FILE if self._ending == ".docx" and head.strip() else None)
        if fault:
            raise reading.problem(fault)
        encoding = self._table_encoding(encoding, reading)
        beginning = decoded_head(head, encoding, reading).lstrip("\ufeff").lstrip()
        if not beginning and len(head) < HEAD_BYTES:
            reading.leave_out(EMPTY_FILES)
            return
        is_array = _JSON_ARRAY.match(beginning) is not None
        with self.container.open(self.member) as raw:
            stream = as_utf_8(raw, encoding, reading)
            reader = _first(reading.readers.text, beginning)
            if reader is None and (is_array or _JSON_OBJECT.match(beginning)):
                records = iter_records(stream, reading, is_array=is_array)
                yield from _read_json(records, reading, is_companion=self.is_companion)
                return
            reader = reader or self._text_reader(with_line_feeds(beginning), reading)
            yield from reader.read(Utf8Stream(stream, reading).read(), reading)

    @property
    def _ending(self) -> str:
        return PurePosixPath(self.member.lower().removesuffix(".gz")).suffix

    def _byte_reader(self, head: bytes, reading: Reading) -> ByteReader | None:
        """Find the reader for undecoded bytes, unless one of the caller's own text readers accepts the file."""
        readers = (*reading.readers.bytes, *READERS.bytes)
        found = next((reader for reader in readers if head.strip() and reader.recognises(head, self._ending)), None)
        if found is None or found in reading.readers.bytes:
            return found
        text = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
        return None if _first(reading.readers.text, text) else found

    def _text_reader(self, beginning: str, reading: Reading) -> TextReader:
        fault = known_text(beginning, self._ending)
        if fault:
            raise reading.problem(fault)
        if self._ending in _JSON_SUFFIXES:
            raise reading.problem("is named as JSON but does not begin as JSON does")
        is_table = self._ending in TABLE_NAMES and find_header(beginning, is_named=True) is not None
        return next(
            reader
            for reader in READERS.text
            if (reader.read is tables.read if is_table else reader.recognises(beginning))
        )

    def _table_encoding(self, encoding: str, reading: Reading) -> str:
        """Return the encoding of a table: spreadsheets save in Windows-1252 unless told otherwise."""
        if encoding != "utf-8" or reading.encoding is not None or self._ending not in TABLE_NAMES:
            return encoding
        with self.container.open(self.member) as stream:
            if is_utf_8(stream):
                return encoding
        reading.notices.append(f"{self.file} is not UTF-8 and is read as Windows-1252; --encoding says otherwise")
        return "cp1252"


def _first(readers: Sequence[Reader], given: Any) -> Reader | None:
    return next((reader for reader in readers if reader.recognises(given)), None)


def _read_json(records: Iterator[Record], reading: Reading, *, is_companion: bool) -> Iterator[Conversation]:
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
        if listed := _listed(record.value, reading):
            yield from _read_json(iter(listed), reading, is_companion=is_companion)
            return
        if kind := _nothing_in(record.value):
            nothing.append(kind)
            continue
        seen.append(record)
        if len(seen) == _LOOKAHEAD:
            break
    reading.left_out.update(nothing)
    if not seen and not nothing:
        reading.leave_out(EMPTY_LISTS)
    elif seen and is_companion:
        reading.leave_out(NO_FORMAT)
    elif seen:
        fault = next((record.fault for record in seen if record.fault), None)
        raise fault or reading.problem(_unknown(seen[0], reading))


def _reader_of(value: object, reading: Reading) -> JsonReader | None:
    """Find the reader of a value; the caller's own readers come before refusals and built-in readers."""
    own = _first(reading.readers.json, value)
    if own is None and (reason := known_json(value)):
        raise reading.problem(reason)
    return own or _first(READERS.json, value)


def _listed(value: object, reading: Reading) -> list[Record]:
    readers = (*reading.readers.json, *READERS.json)
    for key in _WRAPPERS:
        items = as_list(as_object(value).get(key))
        if any(_first(readers, item) for item in items[:_LOOKAHEAD]):
            return [Record(item, number) for number, item in enumerate(items, 1)]
    return []


def _nothing_in(value: object) -> str | None:
    """Return the category under which an empty list of conversations or messages is counted; None for anything else."""
    record = as_object(value)
    lists = {key: record[key] for key in (*_WRAPPERS, *keys("lists")) if isinstance(record.get(key), list)}
    if not lists or any(lists.values()):
        return None
    return EMPTY_CONVERSATIONS if lists.keys().isdisjoint(_WRAPPERS) else EMPTY_LISTS


def _unknown(record: Record, reading: Reading) -> str:
    first = as_object(record.value)
    if "ts" in first and first.get("type") == "message":
        return "is one day of a Slack export; mine the export's folder or zip archive as a whole"
    titles = ", ".join(dict.fromkeys(reader.title for reader in (*reading.readers.json, *READERS.json)))
    return f"JSON of no known format (looked for {titles})"
