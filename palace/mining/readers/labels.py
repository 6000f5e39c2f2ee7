"""Labels at the beginning of lines that name the speaker and maybe the time, recognised by their form alone.

``User: …``, ``**User:** …``, ``### User``, ``Derek (10:32): …``, ``Derek, 1 May 2024 10:32: …``, ``[10:32] Derek: …``,
``05/01/2024, 10:32 - Derek: …``, ``10:32 <derek> …``, or a line with only a name and a time. ``speakers`` decides
whether labels make a conversation. Only the beginning of a line is examined, so cost does not depend on its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from palace.mining.drafts.written_times import LONGEST, MARKS, beginning_pattern, leading_time, parse_time, plain_blanks
from palace.mining.readers.lines import Line
from palace.nlp.rules import Rules

LONGEST_LABEL = 180
"""Most characters of a line that a label may take."""
BULLET = "bullet "
"""Prefix of the styles of labels that are list items."""
ZOOM = "zoom"
"""The style of labels that only Zoom's chat has."""
OWN_LINE = "own line"
"""The style of a name and time on a line of their own, with the message below."""
BELOW_TIME = "below a time"
"""The style of a name on its own line below a line with date and time (``May 01, 2024 10:32:15 AM``)."""
EMPHATIC = "bold line in italics"
"""The style of labels in logs of coding assistants (``_**Agent (model 2026-01-02 03:04:05Z)**_``)."""
WHOLE_LINES = ("heading", "bold line")
"""Prefixes of the styles that any heading has as well, not only labels."""

_LONGEST_NAME = 80
_MOST_COLONS = 4
_MOST_TRIES = 6
_FEWEST_DIGITS = 3
_SYMBOL = r"[\u2190-\u2bff\U0001f1e6-\U0001faff]"
_SYMBOLS = rf"(?:{_SYMBOL}[\ufe0f\u200d]{{0,2}}){{1,8}}"
_ICON = re.compile(rf"{_SYMBOL}\ufe0f?[ ]?")
_WORDS = rf"@?[^\W\d_][\w.'’`\-]{{0,30}}(?: [\w.'’`\-&|]{{1,30}}){{0,4}}(?: \([^()\d][^()]{{0,60}}\))?(?: ?{_SYMBOLS})?"
_PHONE = r"\+\d[\d ()\-./]{5,20}\d"
_ADDRESS = r"[\w.+\-]{1,40}@[\w\-]{1,40}(?:\.[\w\-]{1,20}){1,4}"
_NAME = re.compile(rf"~? ?(?:{_WORDS}|{_PHONE}|{_ADDRESS})")
_TURNED = re.compile(rf"[^\W\d_][\w'’\-]{{1,30}}, {_WORDS}")
"""``Example, Ann``: taken for a name only on a line of its own with a time in brackets."""
_READ = re.compile(r" ?\([^()]{0,80}\)$")
_AFTER_STAMP = re.compile(r"(?:(?: ?[-–—|:>,] ?)| )[ ]{0,4}")
_TIME_LIKE = re.compile(r"(?=.{0,30}(?:\d:\d\d|\d{4}-\d\d))[\d:./,\- T+]{3,64}(?:[AaPp]\.? ?[Mm]\.?|Z)?")
_EDITED = re.compile(r" \| Edited [^|\]]{1,40}$")
_ELAPSED = re.compile(r"\d{1,3}:\d\d")
_NICK = re.compile(r"<[@+% ]?([^<>\s]{1,40})> ")
_FROM = re.compile(r"From {1,3}(.{1,60}?)(?: {1,3}to {1,3}.{1,60})?")
_ZOOM = re.compile(
    r"From {1,3}(.{1,60}?) {1,3}to {1,3}(?:Everyone|.{1,60}? ?\((?:Direct Message|Privately)\)) {0,3}:(?= |$)"
)
_KAKAO = re.compile(r"\[([^\[\]]{1,60})\] \[([^\[\]]{1,40})\](?= |$)")
_COLON = re.compile("[:：]")
_BULLET = re.compile(r"[-*+•] {1,4}(?=[^\s])")
_HEADING = re.compile(r"(#{1,6}) {1,8}(.*)")
_ALONE = re.compile(r"(.{1,60}?)(?: {2,12}| [—–|] )(?=\d)")
_STEERING = re.compile(f"[{MARKS}]+")
_NOTICES = Rules("readers", "whatsapp.toml")
_BEFORE_NAME = re.compile(f"[{MARKS}]*(?:\\*\\*)?")


@cache
def _before_stamp() -> re.Pattern[str]:
    return re.compile(rf"(?:, ?| [-–—@|] |  ?)(?={beginning_pattern()})", re.IGNORECASE)


class Label(NamedTuple):
    """A speaker's label at the beginning of a line."""

    style: str
    name: str
    time: str | None
    start: int
    """Offset of its line in the whole text."""
    content: int
    """Offset of the message in the whole text."""
    has_text: bool
    """Whether the message begins on the same line."""
    line: int
    """Line number, from 1."""


class _Shape(NamedTuple):
    style: str
    name: str
    time: str | None
    end: int | None
    """Offset in the line of the label's end; None if it takes the whole line."""


def find_label(line: Line, number: int) -> Label | None:
    """Return the label at the beginning of a line, or None; ``number`` is the line number, from 1."""
    head = plain_blanks(line.text[: LONGEST_LABEL + 1])
    bullet = _BULLET.match(head)
    shape = next(_shapes(head, bullet.end() if bullet else 0), None)
    if shape is None or (bullet and shape.end is None):
        return None
    rest = shape.end + 1 if shape.end is not None and head[shape.end : shape.end + 1] == " " else shape.end
    has_text = rest is not None and rest < len(line.text)
    content = line.start + rest if has_text and rest is not None else line.end
    style = f"{BULLET}{shape.style}" if bullet else shape.style
    return Label(style, shape.name, shape.time, line.start, content, has_text, number)


def find_label_below(line: Line, below: Line, number: int) -> Label | None:
    """Return the label formed by a line with only date and time and a name on the line below, or None."""
    time = " ".join(_READ.sub("", line.text[:LONGEST_LABEL].strip()).split())
    written, name = parse_time(time), below.text.strip()
    is_timed = written and written.date and written.clock and _NAME.fullmatch(name)
    return Label(BELOW_TIME, name, time, line.start, below.end, False, number) if is_timed else None


def is_notice(line: Line, label: Label, names: tuple[str, ...]) -> bool:
    """Check whether a line is a notice of the program: a time like that of the labels around it and what a speaker did.

    Without brackets it also needs a date, because people begin lines with a time of day.
    """
    head = plain_blanks(_STEERING.sub("", line.text[:LONGEST_LABEL]))
    time, end = time_at(head)
    written, other = parse_time(time or ""), parse_time(label.time or "")
    if not (written and other) or label.style != ("stamped" if head.startswith("[") else "stamped by line"):
        return False
    if bool(written.date) != bool(other.date) or not (head.startswith("[") or written.date):
        return False
    return head[end:].lstrip(" *-–>").startswith(names) and _NOTICES["notice"].search(head, end) is not None


def time_at(head: str) -> tuple[str | None, int]:
    """Return the time at the beginning of a line and its end offset, or None and 0."""
    if head.startswith("["):
        end = head.find("]", 1, LONGEST + 2)
        return (head[1:end], end + 1) if end > 0 and is_time_like(head[1:end]) else (None, 0)
    found = leading_time(head)
    written = parse_time(found) if found else None
    return (found, len(found)) if found and written and written.clock else (None, 0)


def split_time(text: str) -> tuple[str, str | None]:
    """Split a label into name and trailing time, with or without brackets; the time is None if there is none."""
    if text.endswith((")", "]")):
        begin = text.rfind("(" if text[-1] == ")" else "[")
        inner = text[begin + 1 : -1]
        if begin > 0 and len(inner) <= LONGEST:
            if is_time_like(inner):
                return text[:begin].rstrip(" ,"), inner
            name, time = split_time(inner) if inner[-1:] not in ")]" else ("", None)
            if time is not None:
                return f"{text[: begin + 1]}{name}{text[-1]}", time
    if sum(character.isdigit() for character in text) < _FEWEST_DIGITS:
        return text, None
    for found in islice(_before_stamp().finditer(text), _MOST_TRIES):
        if found.start() and parse_time(text[found.end() :]):
            return text[: found.start()], text[found.end() :]
    return text, None


def is_time_like(text: str) -> bool:
    """Check whether a text is a time or resembles one."""
    return _TIME_LIKE.fullmatch(plain_blanks(text)) is not None or parse_time(text) is not None


def _shapes(head: str, begin: int) -> Iterator[_Shape]:
    """Yield possible labels at the beginning of a line, the more specific forms first."""
    begin = _past(_STEERING, head, begin)
    if not head[begin:].strip():
        return
    if head[begin] == "#":
        yield from _heading(head[begin:])
        return
    kakao = _KAKAO.match(head, begin)
    if kakao and is_time_like(kakao[2]):
        yield _Shape("brackets", kakao[1], kakao[2], kakao.end())
    yield from _stamped(head, begin)
    zoom = _ZOOM.match(head, begin)
    if zoom:
        yield _Shape(ZOOM, zoom[1], None, zoom.end())
    begin = _past(_ICON, head, begin)
    if head.startswith("_**", begin) and head.endswith("**_"):
        yield from _alone_with_marks(EMPHATIC, head[begin + 1 : -1])
    elif head.startswith(("**", "__"), begin):
        yield from _bold(head, begin)
    else:
        yield from _plain(head, begin)
        if len(head) <= LONGEST_LABEL:
            yield from _alone(head[begin:].rstrip())


def _heading(head: str) -> Iterator[_Shape]:
    found = _HEADING.fullmatch(head.rstrip()) if len(head) <= LONGEST_LABEL else None
    if found:
        yield from _alone_with_marks(f"heading {len(found[1])}", found[2].rstrip("# ").removesuffix(":").strip())


def _alone_with_marks(style: str, text: str) -> Iterator[_Shape]:
    bare = text[_past(_ICON, text, 0) :].strip().removeprefix("**")
    name, time = split_time(bare.removesuffix("**").removesuffix(":").removesuffix("**").strip())
    if _NAME.fullmatch(name):
        yield _Shape(style, name, time, None)


def _bold(head: str, begin: int) -> Iterator[_Shape]:
    """Parse ``**Ann:** …``, ``**Ann**: …``, ``**Ann** (10:32): …`` and a line with only ``**Ann**``."""
    close = head.find(head[begin : begin + 2], begin + 3)
    if close < 0:
        return
    inner, after = head[begin + 2 : close].strip(), close + 2
    inner = inner[_past(_ICON, inner, 0) :]
    if inner.endswith(":") and _ends_label(head, after):
        inner = inner.removesuffix(":")
        # The time may also come first.
        style, time, end = _stamp_at(f"{inner}:", 0) if inner else ("", None, 0)
        name, time = (inner[end:].lstrip(" -"), time) if time and style else split_time(inner)
        yield from _named("bold", name, time, after)
        return
    colon = next(_colons(head, after), None)
    if colon is not None:
        between = head[after:colon].rstrip()
        name, time = split_time(f"{inner}{between}")
        if time is not None or not between:
            yield from _named("bold", name, time, colon + 1)
    elif len(head) <= LONGEST_LABEL:
        yield from _named("bold line", *split_time(f"{inner} {head[after:].strip()}".strip()), None)


def _stamped(head: str, begin: int) -> Iterator[_Shape]:
    style, time, after = _stamp_at(head, begin)
    begin = _past(_AFTER_STAMP, head, after)
    if time is None or (begin == after and style != "stamped"):
        return
    begin = _past(_BEFORE_NAME, head, begin)
    if nick := _NICK.match(head, begin):
        yield _Shape(style, nick[1], time, nick.end() - 1)
    colon = next(_colons(head, begin), begin)
    name = head[begin:colon].strip().removesuffix("**")
    if 0 < len(name) <= _LONGEST_NAME:
        sender, end = _FROM.fullmatch(name), colon + 3 if head.startswith(":**", colon) else colon + 1
        yield _Shape(ZOOM, sender[1], time, end) if sender else _Shape(style, name, time, end)


def _stamp_at(head: str, begin: int) -> tuple[str, str | None, int]:
    """Return style, text and end offset of the time at an offset; the text is None if there is no time."""
    if closing := {"[": "]", "(": ")"}.get(head[begin]):
        end = head.find(closing, begin + 1, begin + LONGEST + 2)
        inner = _EDITED.sub("", head[begin + 1 : end])
        return ("stamped", inner, end + 1) if end > 0 and is_time_like(inner) else ("", None, begin)
    found = leading_time(head, begin)
    written = parse_time(found) if found else None
    if found is None or not {":", "：", ">"}.intersection(head[begin + len(found) :]):
        return "", None, begin
    if written and written.date is None:
        return ("clock", found, begin + len(found)) if ":" in found else ("", None, begin)
    return "stamped by line", found, begin + len(found)


def _plain(head: str, begin: int) -> Iterator[_Shape]:
    shapes = (_named("plain", *split_time(head[begin:at].rstrip()), at + 1) for at in _colons(head, begin))
    yield from islice(chain.from_iterable(shapes), 1)


def _alone(text: str) -> Iterator[_Shape]:
    """Parse a line that consists of a name and a time of day, in either order."""
    found = _ALONE.match(text)
    time = text[found.end() :] if found else ""
    written = parse_time(time)
    if found and (_ELAPSED.fullmatch(time) or (written and written.clock)):
        yield from _named("line", found[1], time, None)
        return
    name, stamp = split_time(text)
    if stamp is None:
        # The time may also come first.
        stamp, end = time_at(text)
        name = text[end:].strip(" -–—|>")
    written = parse_time(stamp) if stamp else None
    if written and written.clock:
        is_turned = text.startswith("[") and _TURNED.fullmatch(name)
        yield from [_Shape(OWN_LINE, name, stamp, None)] if is_turned else _named(OWN_LINE, name, stamp, None)


def _named(style: str, name: str, time: str | None, end: int | None) -> Iterator[_Shape]:
    if _NAME.fullmatch(name):
        yield _Shape(style, name.lstrip("~ "), time, end)


def _colons(head: str, begin: int) -> Iterator[int]:
    """Yield the offsets of the first colons that can end a label: followed by a space or the end of the line."""
    for found in islice(_COLON.finditer(head, begin), _MOST_COLONS):
        at = found.start()
        if _ends_label(head, at + 1) or head[at] == "：" or head.startswith("**", at + 1):
            yield at


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _ends_label(head: str, at: int) -> bool:
    return at >= len(head) or head[at] == " "
