"""What of a message the person says themselves: no code, no quotation, no log, nothing that is passed on. Pure."""

from __future__ import annotations

import re

from palace.patterns import late

LONGEST = 6000
"""Characters beyond which a message is a document."""
PASTED = 3
"""Lines of a program or of a log beside each other, from which on the lines between them are taken for some as well."""

_FENCED = late(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARKED = late(r"(?m)^(?:[ \t]*>|\|| {4,}(?![-*•\d])|\t(?![-*•\d])|[ \t]*[$%#] ).*$")
_QUOTED = late(
    r"`[^`\n]*[ \t][^`\n]*`|(?<![\w\"])\"(?=\S)[^\"\n]*[ \t][^\"\n]*(?<=\S)\"|“[^“”\n]*[ \t][^“”\n]*”"
    r"|„[^„“”\n]*[ \t][^„“”\n]*[“”]|«[^«»\n]*[ \t][^«»\n]*»|(?<![\w'])'(?=\S)[^'\n]*[ \t][^'\n]*(?<=\S)'(?!\w)"
    r"|‘[^‘’\n]*[ \t][^‘’\n]*’"
)
_TAGGED = late(r"<(\w[\w-]{0,40})>.{0,4000}?</\1>", re.DOTALL)
_PRINTED = late(
    r"\s*(?:\d{4}-\d\d-\d\d[ T]|\d\d:\d\d:\d\d\b|\[[^\]\n]*\]|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|E"
    r"|W)\b[:\s]|npm (?:ERR!|WARN)"
    r"|at [\w.$<>]+[ (]|File \"|Traceback|[+-]{1,3}(?=\w|\s{2,})|@@|(?:error|warning|note|fatal|remote|hint)"
    r"(?:\[\w+\])?:"
    r"|\w+(?:Error|Exception)\b|[✓✗✔✖●×→❯]|PASS\b|FAIL\b|\d+ (?:passing|failing|passed|failed))|.*(?:[{};]|=>"
    r"|\)\s*:)\s*$"
)


def own_words(text: str) -> str:
    """Give a message with blanks for what the person does not say themselves; every character stays in its place.

    Left out are code, quotations of more than a word, what stands behind ``>``, ``|`` or ``$``, what is indented, and
    lines that programs print, with what stands among them. Of more than 6,000 characters nothing is left.
    """
    if len(text) > LONGEST:
        return _blank(text)
    for pattern in (_FENCED, _TAGGED, _MARKED):
        text = pattern.sub(lambda found: _blank(found[0]), text)
    text = _without_printed(text)
    return _QUOTED.sub(lambda found: _blank(found[0]), text)


def _without_printed(text: str) -> str:
    lines = text.split("\n")
    printed = [number for number, line in enumerate(lines) if line.strip() and _PRINTED.match(line)]
    if len(printed) >= PASTED:
        printed = list(range(printed[0], printed[-1] + 1))
    for number in printed:
        lines[number] = _blank(lines[number])
    return "\n".join(lines)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
