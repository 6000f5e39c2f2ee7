"""Plain-text and Markdown transcripts, and plain notes.

Text is kept verbatim except for labels and the line breaks between a message and the next label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

from palace.mining.drafts.dating import Mark, base_moment, date_marks
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import role_of, speaker_of
from palace.mining.drafts.written_times import parse_time
from palace.mining.files.fields import as_title
from palace.mining.files.reading import LeftOut, Reading
from palace.mining.readers import aider, irc, journal, whatsapp
from palace.mining.readers.file_dates import day_mark, file_base, heading_mark, own_moment, title_base
from palace.mining.readers.labels import EMPHATIC, WHOLE_LINES, ZOOM, Label, is_notice
from palace.mining.readers.lines import Line, find_title, front_matter_end, split_lines, without_outer_breaks
from palace.mining.readers.speakers import find_labels, hint_at_transcript
from palace.models import Conversation, Role
from palace.nlp.rules import Rules

NAME = "transcript"
NOTE = "note"
RECIPIENTS = "names of those to whom direct messages went"
_TITLE_LENGTH = 60
_WORDS = Rules("readers", "transcripts.toml")
_KEPT_AS = {NOTE: "one note", journal.NAME: "dated notes"}
_DIRECT = re.compile(r"\bto {1,3}(?!everyone\b|all\b)\S", re.IGNORECASE)


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a text as the first format that fits: a known program's, labelled, dated, quoted, else as a note."""
    lines = split_lines(text)
    readers: tuple[Callable[[str, list[Line], Reading], list[Conversation]], ...]
    readers = (aider.read, whatsapp.read, irc.read, _read_labelled, journal.read, _read_quoted, _read_note)
    conversations = next(found for reader in readers if (found := reader(text, lines, reading)))
    kept_as = _KEPT_AS.get(conversations[0].reader)
    if kept_as:
        hint_at_transcript(text, lines, reading, kept_as)
    for conversation in conversations:
        yield replace(conversation, whole_text=text) if len(conversation.turns) > 1 else conversation


def _read_labelled(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    speaking = find_labels(lines, front_matter_end(lines))
    if not speaking:
        return []
    labels = list(_with_notices(speaking, lines))
    days, ends = _days_between(lines, labels)
    base = file_base(lines, reading)
    is_timed = any(label.time for label in labels)
    base_above = base if is_timed or (base and base.line) else None
    marks = sorted([*(Mark(label.line, label.time) for label in labels), *days])
    dated = date_marks(marks, base_above, reading)
    own = None if any(dated.moments) else own_moment(base, reading)
    draft = Draft(NAME, reading, dated=False)
    draft.leave_out(LeftOut.NOTICES, len(labels) - len(speaking))
    above = None if is_timed else own_moment(base_above, reading)
    is_exported = any(role_of(label.name) is Role.ASSISTANT for label in labels)
    draft.say(Role.SYSTEM, _preamble(text[: ends[0]], lines), Stamp(above))
    bounds = list(zip(labels, [*ends[1:], len(text)], strict=True))
    # Rules between turns: a turn ends with one only once the next turn is written.
    is_ruled = labels[0].style == EMPHATIC or (
        labels[0].style.startswith(WHOLE_LINES)
        and len(labels) > 1
        and all(text[label.content : end].rstrip().endswith("\n---") for label, end in bounds[:-1])
    )
    for (label, end), moment in zip(bounds, dated.moments, strict=True):
        if label.style == ZOOM and _DIRECT.search(text, label.start, label.content):
            draft.leave_out(RECIPIENTS)
        said = text[label.content : end]
        content = said.rstrip("\r\n") if label.has_text else without_outer_breaks(said)
        if is_ruled:
            content = without_outer_breaks(content.removesuffix("---"))
        role, stamp = role_of(label.name) or Role.USER, Stamp(moment, None, speaker_of(label.name))
        (_say_parts if is_exported else Draft.say)(draft, role, content, stamp)
    draft.warn(*dated.faults)
    return list(draft.finish(title=find_title(lines[: labels[0].line - 1]), started_at=own))


def _with_notices(labels: list[Label], lines: list[Line]) -> Iterator[Label]:
    """Yield the labels and, between them, notices of the program; the previous speaker continues after a notice."""
    known, last = {label.line: label for label in labels}, labels[0]
    names = tuple({label.name for label in labels})
    for number, line in enumerate(lines[last.line - 1 :], last.line):
        label = known.get(number)
        if label is None and not line.is_code and is_notice(line, last, names):
            label = last._replace(start=line.start, content=line.end, has_text=False, line=number)
        if label:
            yield label
            last = label


def _days_between(lines: list[Line], labels: list[Label]) -> tuple[list[Mark], list[int]]:
    """Return the lines that hold the day of what follows, if labels have only times of day.

    The second value is, for each label, the offset where the text before it ends: above any such lines directly over
    it.
    """
    days: list[Mark] = []
    ends = [label.start for label in labels]
    written = [parse_time(label.time) for label in labels if label.time is not None]
    if not all(each and each.date is None for each in written):
        return days, ends
    for index, label in enumerate(labels):
        is_above = True
        for number in range(label.line - 1, labels[index - 1].line if index else front_matter_end(lines), -1):
            line = lines[number - 1]
            if not line.text.strip():
                continue
            if _WORDS["exported"].match(line.text):
                is_above = False
                continue
            day = day_mark(line, number) if is_above or line.text.startswith("#") else None
            mark = day or (heading_mark(line, number) if index == 0 else None)
            is_above = is_above and day is not None
            if mark:
                days.append(mark)
            if is_above:
                ends[index] = line.start
    return days, ends


def _preamble(before: str, lines: list[Line]) -> str:
    """Return the text before the first label, or "" if it is only front matter, headings and rules."""
    front = front_matter_end(lines)
    begin = lines[front].start if front < len(lines) else len(before)
    inner = [line.text.strip() for line in lines[front:] if line.start < len(before)]
    is_said = any(line and not line.startswith("#") and set(line) - set("-*_= ") for line in inner)
    return without_outer_breaks(before[begin:]) if is_said else ""


def _say_parts(draft: Draft, role: Role, content: str, stamp: Stamp) -> None:
    """Add a turn's words and the tool calls between them as turns; reasoning is left out."""
    for call, lines in _parts(content):
        said = without_outer_breaks("".join(content[line.start : line.end] for line in lines))
        if call is None:
            draft.say(role, said, stamp)
        elif call[0] == "thinking":
            draft.leave_out(LeftOut.HIDDEN_REASONING)
            draft.say(role, content[lines[-1].start : lines[-1].end].partition(_THOUGHT)[2].strip(), stamp)
        else:
            draft.say(Role.TOOL, said, stamp._replace(speaker=call[1]))


_Call = tuple[str, str | None]
"""The program that writes tool calls in this form, and the tool's name."""
_THOUGHT = "</think>"


def _parts(content: str) -> list[tuple[_Call | None, list[Line]]]:
    """Group the lines of a turn by the tool call, or reasoning with its end, that they belong to; None for words."""
    groups: list[tuple[_Call | None, list[Line]]] = []
    call, above, all_lines = None, "", split_lines(content)
    last = max((line.start for line in all_lines if _THOUGHT in line.text and not line.is_code), default=-1)
    for line in all_lines:
        shown = "```" if line.is_code else line.text
        if call is None or not _WORDS[f"goes_on.{call[0]}"].fullmatch(f"{above}\n{shown}"):
            end = line.start if line.is_code else line.start + len(shown)
            begun = (
                (program, begin.match(content, line.start, end))
                for program, begin in _WORDS.meanings("calls")
                if program != "thinking" or line.start <= last
            )
            call = next(((program, found.groupdict().get("name")) for program, found in begun if found), None)
        if not groups or groups[-1][0] is not call:
            groups.append((call, []))
        groups[-1][1].append(line)
        above = shown
    return groups


def _read_note(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    draft, title = Draft(NOTE, reading, dated=False), find_title(lines)
    draft.say(Role.USER, text, Stamp(base_moment(file_base(lines, reading) or title_base(title), reading)))
    said = lines[front_matter_end(lines) :]
    title = title or next((line.text for line in said if line.text.strip()), None)
    return list(draft.finish(title=as_title(title, _TITLE_LENGTH)))


_QUOTE = re.compile(r"> ?")
_ATTRIBUTION = re.compile(r"(>[ \t]*+)?(—|–|--)[ \t]*+\w")


def _read_quoted(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read a text that alternates between quoted blocks (``> …``), which are the user's, and answers.

    It must begin with a quoted block and have at least two; quotations that name their author do not count.
    """
    below = (at for at in range(front_matter_end(lines), len(lines)) if lines[at].text.strip())
    first = next((at for at in below if not lines[at].text.startswith("#")), len(lines))
    said = lines[first:]
    blocks = [(quoted, list(block)) for quoted, block in groupby(said, key=_is_quoted)]
    is_attributed = any(_ATTRIBUTION.match(line.text) for line in said if not line.is_code)
    are_said = all(any(line.text.strip() for line in block) for quoted, block in blocks if not quoted)
    if not blocks or not blocks[0][0] or sum(quoted for quoted, _ in blocks) < 2 or is_attributed or not are_said:
        return []
    draft = Draft(NAME, reading, dated=False)
    for quoted, block in blocks:
        content = text[block[0].start : block[-1].end]
        if quoted:
            content = "".join(_QUOTE.sub("", text[line.start : line.end], count=1) for line in block)
        draft.say(Role.USER if quoted else Role.ASSISTANT, without_outer_breaks(content), Stamp())
    return list(draft.finish(title=find_title(lines[:first])))


def _is_quoted(line: Line) -> bool:
    return line.text.startswith(">") and not line.is_code
