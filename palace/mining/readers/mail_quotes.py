"""Split a mail into its own text and the mails that it quotes or forwards below. Pure.

Quotations between the lines of a reply are kept, because the reply makes no sense without them; a quotation below the
whole reply is the previous mail again. The split depends on the mail alone, so it is the same wherever the mail is
found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from palace.mining.drafts.written_times import MARKS
from palace.nlp.rules import Rules

_DEEPEST = 12
"""Most nested mails that are looked for in one mail; anything deeper stays with the last one."""
_RULES = Rules("readers", "mail.toml")
_SEPARATOR = re.compile(
    r"[ \t]{0,4}(?:-{2,}|_{2,}|={3,})[ \t]{0,4}[^\W\d_][^\n-]{4,50}?[ \t]{0,4}(?:-{2,}|_{2,}|={3,})[ \t]{0,4}"
)
_RULE = re.compile(r"[ \t]{0,4}[_-]{10,}[ \t]{0,4}")
_ADDRESS = re.compile(r"<?[\w.+-]{1,64}@[\w.-]{1,100}>?")
_TIMED = re.compile(r"\d{1,2}[:.h]\d\d")
_STEERING = re.compile(f"[{MARKS}]")
_LONGEST_ATTRIBUTION = 400
_MOST_ATTRIBUTION_LINES = 3
_MOST_HEADER_LINES = 12
_MOST_FOOTER_LINES = 10
_FEWEST_QUOTED = 4
"""Fewest quoted lines at the end that are taken for the previous mail without a line that says so."""
_COLONS = (":", "：")
_AROUND_NAME = " \"'<([:,"


class Carried(NamedTuple):
    """A mail that is quoted or forwarded in another one."""

    text: str
    """Without quote marks."""
    who: str | None
    """The author, if the line above names one."""
    is_passed_on: bool
    """Whether it was forwarded rather than quoted in a reply."""


class SplitMail(NamedTuple):
    """A mail split into its own text and the mails below it."""

    own: str
    carried: tuple[Carried, ...] = ()
    """Nearest first."""


class _Cut(NamedTuple):
    """The lines of a mail that the previous mail takes up."""

    begin: int
    body: int
    """First line after those that name its author."""
    end: int
    who: str
    is_passed_on: bool


def split_mail(text: str, *, is_answer: bool = False) -> SplitMail:
    """Split a mail into its own text and the mails below it; without own text it stays whole unless it forwards one.

    ``is_answer`` is whether the headers mark a reply: then even a short quotation at its end is the mail it answers.
    """
    own, below = _cut(text, is_answer=is_answer)
    if below is None or not (own.strip() or below.is_passed_on):
        return SplitMail(text)
    carried: list[Carried] = []
    for _ in range(_DEEPEST):
        inner, further = _cut(below.text)
        said = (inner if further is not None else below.text).strip("\n")
        if said.strip():
            carried.append(below._replace(text=said))
        elif further is not None:
            # The attribution line was quoted together with the mail.
            further = further._replace(who=further.who or below.who, is_passed_on=below.is_passed_on)
        if further is None:
            break
        below = further
    else:
        carried.append(below)
    return SplitMail(own.rstrip(), tuple(carried))


def _cut(text: str, *, is_answer: bool = False) -> tuple[str, Carried | None]:
    lines = text.split("\n")
    bare = _STEERING.sub("", text).split("\n")
    found = [cut for cut in (_below_headers(lines), _below_attribution(bare, is_answer=is_answer)) if cut]
    if not found:
        return text, None
    cut = min(found)
    pieces = ("\n".join(each).strip("\n") for each in (lines[: cut.begin], lines[cut.end :]))
    body = _unquoted(lines[cut.body : cut.end])
    return "\n\n".join(piece for piece in pieces if piece), Carried(body, cut.who or None, cut.is_passed_on)


def _below_headers(lines: list[str]) -> _Cut | None:
    """Find the first mail below a line of dashes that announces it, or below sender, date and subject lines."""
    for number, line in enumerate(lines):
        bare = line.lstrip(" \t")
        if not bare or bare[0] == ">":
            continue
        is_forward = _RULES["begin_passed_on"].fullmatch(bare) is not None
        is_set_off = is_forward or (bare[0] in "-_=" and len(bare) < 90 and _SEPARATOR.fullmatch(bare) is not None)
        behind = range(number + 1, min(number + 4, len(lines))) if is_set_off else range(number, number + 1)
        first = next((at for at in behind if lines[at].strip("> ")), -1)
        sender = _RULES["from_line"].match(lines[first].lstrip("> ")) if first >= 0 else None
        end = _behind_headers(lines, first) if sender else 0
        if sender is None or end - first < 3 - is_set_off:
            continue
        begin = _above(lines, number, lambda line: not line.strip() or _RULE.fullmatch(line) is not None)
        is_passed_on = is_forward or (is_set_off and _RULES["passed_on"].search(bare) is not None)
        return _Cut(begin, end, len(lines), _name_in(sender["who"], is_alone=True), is_passed_on)
    return None


def _above(lines: list[str], at: int, is_passed: Callable[[str], bool]) -> int:
    """Return the first of the lines directly above ``at`` that satisfy ``is_passed``, or ``at``."""
    while at > 0 and is_passed(lines[at - 1]):
        at -= 1
    return at


def _is_blank(line: str) -> bool:
    return not line.strip()


def _behind_headers(lines: list[str], first: int) -> int:
    """Return the end of a block of header lines that begins with its sender."""
    heads = _RULES["other_line"], _RULES["from_line"]
    for at in range(first + 1, min(len(lines), first + _MOST_HEADER_LINES)):
        bare = lines[at].lstrip("> ")
        if _is_blank(bare) or not (":" in bare[:12] or any(head.match(bare) for head in heads)):
            return at
    return max(min(len(lines), first + _MOST_HEADER_LINES), first + 1)


def _below_attribution(lines: list[str], *, is_answer: bool) -> _Cut | None:
    """Find the quotation at the end of a mail and the line above it that names its author."""
    end = _without_footer(lines)
    last = _above(lines, end, _is_blank)
    begin = _above(lines, last, lambda line: line.startswith(">") or _is_blank(line))
    begin = next((at for at in range(begin, last) if not _is_blank(lines[at])), last)
    if begin == last:
        return _unmarked(lines, end)
    if above := _attribution(lines, begin):
        return _Cut(above[0], begin, end, above[1], False)
    # Apple Mail quotes the attribution line together with the mail.
    inner = [line[1:].removeprefix(" ") for line in lines[begin : begin + _MOST_ATTRIBUTION_LINES]]
    for at in range(1, len(inner) + 1):
        within = _attribution(inner[:at], at)
        if within is not None and within[0] == 0:
            return _Cut(begin, begin + at, end, _name_in(" ".join(inner[:at])), False)
    # A single quotation that no text leads up to is not part of the reply above it.
    said = next((line.rstrip() for line in reversed(lines[:begin]) if not _is_blank(line)), "")
    is_set_off = bool(said) and not said.endswith(_COLONS) and not any(line.startswith(">") for line in lines[:begin])
    quoted = sum(line.startswith(">") for line in lines[begin:last])
    return _Cut(begin, begin, end, "", False) if quoted >= _FEWEST_QUOTED or (is_answer and is_set_off) else None


def _without_footer(lines: list[str]) -> int:
    """Return where a mailing list's footer begins below a quotation, or the number of lines if there is none."""
    for at in range(len(lines) - 1, max(len(lines) - _MOST_FOOTER_LINES, 0) - 1, -1):
        if _RULE.fullmatch(lines[at]) or lines[at].rstrip() == "--":
            above = next((line for line in reversed(lines[:at]) if not _is_blank(line)), "")
            return at if above.startswith(">") else len(lines)
        if lines[at].startswith(">"):
            break
    return len(lines)


def _attribution(lines: list[str], below: int) -> tuple[int, str] | None:
    """Parse the attribution right above a quotation; return its first line and the author's name, or None."""
    last = _above(lines, below, _is_blank) - 1
    if last < 0 or below - last > 3 or not lines[last].rstrip().endswith(_COLONS):
        return None
    wrote, joined = _RULES["wrote"], ""
    for begin in range(last, max(last - _MOST_ATTRIBUTION_LINES, -1), -1):
        if not lines[begin].strip():
            break
        joined = f"{lines[begin].strip()} {joined}".strip()
        if len(joined) > _LONGEST_ATTRIBUTION:
            return None
        says_who = wrote.search(joined) or (_ADDRESS.search(joined) and any(map(str.isdigit, joined)))
        is_wrapped = begin > 0 and _RULES["begins_with_date"].match(lines[begin - 1].strip()) is not None
        if says_who and not is_wrapped and _RULES["begins"].match(joined):
            return begin, _name_in(joined)
    # "Ann wrote:" is enough.
    alone = lines[last].strip()
    return (last, _name_in(alone)) if len(alone) < 100 and wrote.search(alone) else None


def _unmarked(lines: list[str], end: int) -> _Cut | None:
    """Find a mail below its author and time that has no quote marks."""
    if any(line.startswith(">") for line in lines):
        return None
    for number, line in enumerate(lines[1:], 1):
        is_likely = line.rstrip().endswith(":") and len(line) <= _LONGEST_ATTRIBUTION
        found = _attribution(lines, number + 1) if is_likely and _RULES["wrote"].search(line) else None
        if found is None or any(each.strip() for each in lines[found[0] - 1 : found[0]]):
            continue
        joined = " ".join(lines[found[0] : number + 1])
        if _ADDRESS.search(joined) and _TIMED.search(joined) and any(each.strip() for each in lines[number + 1 :]):
            return _Cut(found[0], number + 1, end, found[1], False)
    return None


def _unquoted(lines: list[str]) -> str:
    said = [line for line in lines if line.strip()]
    if sum(line.startswith(">") for line in said) * 2 >= len(said):
        lines = [line[1:].removeprefix(" ") if line.startswith(">") else line for line in lines]
    return "\n".join(lines).strip("\n")


def _name_in(line: str, *, is_alone: bool = False) -> str:
    """Return the name, else the address, in an attribution line; ``is_alone`` means that no date precedes it."""
    line = _RULES["quoting"].sub("", line.replace("*", "").strip())
    address, found = _ADDRESS.search(line), _RULES["wrote"].search(line)
    if address:
        before = line[: address.start()].replace("mailto:", "")
    elif found and found.group().lower() == "schrieb" and line[found.end() :].strip(" :"):
        before = line[found.end() :].strip(" :")
    else:
        before = line[: found.start()] if found else line
    before = before.strip(_AROUND_NAME)
    name = before if is_alone else _RULES["leading"].sub("", before, count=1).strip(_AROUND_NAME)
    if len(name) > 80 or not any(sign.isalpha() for sign in name):
        name = ""
    return name or (address.group().strip("<>") if address else "")
