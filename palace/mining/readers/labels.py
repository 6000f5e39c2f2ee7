"""The labels at the beginning of lines that say who speaks, and when: found by their shape alone.

``User: …``, ``**User:** …``, ``### User``, ``Derek (10:32): …``, ``Derek, 1 May 2024 10:32: …``, ``[10:32] Derek:
…``, ``05/01/2024, 10:32 - Derek: …``, ``10:32 <derek> …``, or a line with a name and a time alone. Whether they make a
conversation is decided by ``speakers``. Only the beginning of a line is looked at, so a line costs the same however
long it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from palace.mining.drafts.written import LONGEST, MARKS, beginning_pattern, leading_time, plain_blanks, read_written
from palace.mining.readers.lines import Line

LONGEST_LABEL = 180
"""Characters of a line that a label may take."""
BULLET = "bullet "
"""What the style of a label begins with that is an item of a list."""
ZOOM = "zoom"
"""The style of labels that only a meeting's chat has."""
OWN_LINE = "own line"
"""The style of a name with a time, and what is said below."""
BELOW_TIME = "below a time"
"""The style of a name on a line of its own below one with a date and a time (``May 01, 2024 10:32:15 AM``)."""
EMPHATIC = "bold line in italics"
"""The style of labels of logs of coding assistants (``_**Agent (model 2026-01-02 03:04:05Z)**_``)."""
WHOLE_LINES = ("heading", "bold line")
"""What the styles of labels begin with that headings of every kind look like."""

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
"""``Example, Ann``, which only a line of its own with a time in brackets makes a name."""
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
_BEFORE_NAME = re.compile(f"[{MARKS}]*(?:\\*\\*)?")


@cache
def _before_stamp() -> re.Pattern[str]:
    return re.compile(rf"(?:, ?| [-–—@|] |  ?)(?={beginning_pattern()})", re.IGNORECASE)


class Label(NamedTuple):
    """A place in a text where somebody begins to speak."""

    style: str
    name: str
    time: str | None
    start: int
    """Where its line begins in the whole text."""
    content: int
    """Where what is said begins."""
    has_text: bool
    """Whether that is on the same line."""
    line: int
    """The number of its line, counted from 1."""


class _Shape(NamedTuple):
    style: str
    name: str
    time: str | None
    end: int | None
    """Where in the line the label ends; None where it is all of the line."""


def find_label(line: Line, number: int) -> Label | None:
    """Find the label that a line begins with; ``number`` is the line's, from 1."""
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
    """Find the label that a line with nothing but a date and a time makes with a name on the line below it."""
    time = " ".join(_READ.sub("", line.text[:LONGEST_LABEL].strip()).split())
    written, name = read_written(time), below.text.strip()
    is_timed = written and written.date and written.clock and _NAME.fullmatch(name)
    return Label(BELOW_TIME, name, time, line.start, below.end, False, number) if is_timed else None


def is_notice(line: Line, label: Label) -> bool:
    """Tell a line with a time as those beside it have, but without a name: what the program says itself.

    Without brackets it has a date as well, for people begin lines with a time of day.
    """
    head = plain_blanks(_STEERING.sub("", line.text[:LONGEST_LABEL]))
    written, other = read_written(time_at(head)[0] or ""), read_written(label.time or "")
    if not (written and other) or label.style != ("stamped" if head.startswith("[") else "stamped by line"):
        return False
    return bool(written.date) == bool(other.date) and (head.startswith("[") or written.date is not None)


def time_at(head: str) -> tuple[str | None, int]:
    """Return the time that a line begins with, and where it ends; None and 0 where it begins with none."""
    if head.startswith("["):
        end = head.find("]", 1, LONGEST + 2)
        return (head[1:end], end + 1) if end > 0 and is_time_like(head[1:end]) else (None, 0)
    found = leading_time(head)
    written = read_written(found) if found else None
    return (found, len(found)) if found and written and written.clock else (None, 0)


def split_time(text: str) -> tuple[str, str | None]:
    """Split a label into what it names and the time behind that, with or without brackets; None for no time."""
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
        if found.start() and read_written(text[found.end() :]):
            return text[: found.start()], text[found.end() :]
    return text, None


def is_time_like(text: str) -> bool:
    """Tell a time, or what somebody meant as one."""
    return _TIME_LIKE.fullmatch(plain_blanks(text)) is not None or read_written(text) is not None


def _shapes(head: str, begin: int) -> Iterator[_Shape]:
    """Try the shapes of labels on the beginning of a line, the ones that others could be taken for first."""
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
    """Read ``**Ann:** …``, ``**Ann**: …``, ``**Ann** (10:32): …`` and a line that is no more than ``**Ann**``."""
    close = head.find(head[begin : begin + 2], begin + 3)
    if close < 0:
        return
    inner, after = head[begin + 2 : close].strip(), close + 2
    inner = inner[_past(_ICON, inner, 0) :]
    if inner.endswith(":") and _ends_label(head, after):
        inner = inner.removesuffix(":")
        # The time may stand in front as well.
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
    """Return the style, text and end of the time that stands at a place; no text where none does."""
    if closing := {"[": "]", "(": ")"}.get(head[begin]):
        end = head.find(closing, begin + 1, begin + LONGEST + 2)
        inner = _EDITED.sub("", head[begin + 1 : end])
        return ("stamped", inner, end + 1) if end > 0 and is_time_like(inner) else ("", None, begin)
    found = leading_time(head, begin)
    written = read_written(found) if found else None
    if found is None or not {":", "：", ">"}.intersection(head[begin + len(found) :]):
        return "", None, begin
    if written and written.date is None:
        return ("clock", found, begin + len(found)) if ":" in found else ("", None, begin)
    return "stamped by line", found, begin + len(found)


def _plain(head: str, begin: int) -> Iterator[_Shape]:
    shapes = (_named("plain", *split_time(head[begin:at].rstrip()), at + 1) for at in _colons(head, begin))
    yield from islice(chain.from_iterable(shapes), 1)


def _alone(text: str) -> Iterator[_Shape]:
    """Read a line that is a name and a time of day, in either order."""
    found = _ALONE.match(text)
    time = text[found.end() :] if found else ""
    written = read_written(time)
    if found and (_ELAPSED.fullmatch(time) or (written and written.clock)):
        yield from _named("line", found[1], time, None)
        return
    name, stamp = split_time(text)
    if stamp is None:
        # It may stand in front as well.
        stamp, end = time_at(text)
        name = text[end:].strip(" -–—|>")
    written = read_written(stamp) if stamp else None
    if written and written.clock:
        is_turned = text.startswith("[") and _TURNED.fullmatch(name)
        yield from [_Shape(OWN_LINE, name, stamp, None)] if is_turned else _named(OWN_LINE, name, stamp, None)


def _named(style: str, name: str, time: str | None, end: int | None) -> Iterator[_Shape]:
    if _NAME.fullmatch(name):
        yield _Shape(style, name.lstrip("~ "), time, end)


def _colons(head: str, begin: int) -> Iterator[int]:
    """Find the first colons that may end a label: with a blank or nothing behind them."""
    for found in islice(_COLON.finditer(head, begin), _MOST_COLONS):
        at = found.start()
        if _ends_label(head, at + 1) or head[at] == "：" or head.startswith("**", at + 1):
            yield at


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _ends_label(head: str, at: int) -> bool:
    return at >= len(head) or head[at] == " "
