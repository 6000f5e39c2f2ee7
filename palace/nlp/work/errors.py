"""Finds errors in what programs print, and what of them is the same on another day and another machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from palace.nlp.rules import late, rules

MOST_ERRORS = 8
"""The most errors of one output."""
LONGEST_LINE = 600
"""Characters of a line that are read; the rest is data."""
MOST_TELLING, FIRST_READ, LAST_READ = 24, 60, 140
"""The most telling lines of one output, and the lines among which they are looked for."""
LEAST_WORDS, SERIES, SAME_SHARE = 3, 3, 0.5
"""Words of a telling line, at least; lines of one output that begin alike and so report
progress; the share of the words of a failure that must be printed again, and more, for another to be the same."""
LEAST_WHOLE, LEAST_SHARED, SAME_NAMES = 6, 10, 0.8
"""Words that two messages share at least to be the same: where one has all of the other's, and where names differ; then
also the share of the shorter one's."""
LONGEST_SIGNATURE = 240
MOST_LINES = 600
"""Lines that are read at the beginning of an output, and as many at its end."""

_RULES = rules("work", "errors")
_COLOURS = late(r"\x1b\[[0-9;]*[A-Za-z]")
_PROGRAM = late(r"^[a-z][\w.-]*: (?=(?:\S+ ){4})")
"""The name of the program, which differs where another one meets the same error."""
_PATH = late(r"[^\s'\"(]*/[^\s'\"),:]*")
_WORD = late(r"[^\W\d_]{2,}")
_QUOTES = str.maketrans("‘’“”`", "''\"\"'")
_VARYING = (
    (late(r"\b[\w+.-]+://[^\s'\"<>)]*?([^\s'\"<>)/]*)(?=[\s'\"<>)]|$)"), r"\1"),
    (late(r"\b[\w.+-]+@(?=[\w-]+\.\w)"), "@"),
    (late(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"), "#"),
    (late(r"\b0x[0-9a-fA-F]+\b"), "#"),
    (late(r"(?:\b|(?<=_))(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b(?:::\w+)?"), "#"),
    (late(r"\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"), "#"),
    (late(r"(?:\b(?:\d{1,3}\.){3}\d{1,3}|\[?::1?\]?|\blocalhost)(?::\d+)\b|\b(?:\d{1,3}\.){3}\d{1,3}\b"), "#"),
    (late(r"\btmp\w{6,}|(?<=/)cc\w{6}(?=\.)"), "#"),
    (late(r"(?<![\w.@/%-])(?:[A-Za-z]:)?[/\\~](?:[^\s'\":,;<>()\[\]/\\]+[/\\])*(?=[^\s'\":,;<>()\[\]/\\])"), ""),
    (late(r"(?<![A-Za-z_\d])\d+(?:[.,:]\d+)*(?:\s?(?:ms|s|m|h|µs|ns|[KMG]i?B))?(?![A-Za-z_\d])"), "#"),
    (late(r'\\(?=")|(?<=["\w)])"?[}\]]+$'), ""),
    (late(r"\s+"), " "),
)
"""What differs between days and machines: of addresses and paths the last part stays, numbers and hashes go."""


class FoundError(NamedTuple):
    """An error in an output."""

    signature: str
    """Its message, without what differs between days and machines."""
    start: int
    end: int
    """Where its line stands in the output."""


def find_errors(output: str, *, has_failed: bool = True) -> list[FoundError]:
    """Return the errors of an output, each signature once; those that only follow from others where there are none.

    Unless the command is known to have failed, a linter's code counts only beside the place of a file.
    """
    found: dict[str, FoundError] = {}
    later: dict[str, FoundError] = {}
    lines = list(_lines(output))
    for number, (line, start, end) in enumerate(lines):
        following = lines[number + 1][0] if number + 1 < len(lines) else ""
        is_code = _RULES.finds("code", line) and (
            has_failed or _RULES.finds("place", f"{output[start:end]}\n{following}")
        )
        if not line or not (is_code or _RULES.finds("says", line)) or _RULES.finds("silent", line):
            continue
        said = f"{line} {following}" if line.endswith(":") else line
        for part in (said, *_RULES["behind"].findall(said)):
            if part is said or _RULES.finds("says", part):
                error = FoundError(normalised(part), start, end)
                (later if _RULES.finds("follows", part) else found).setdefault(error.signature, error)
        if len(found) >= MOST_ERRORS:
            break
    return list((found or later).values())[:MOST_ERRORS]


def telling_lines(output: str, usual: Collection[str] = ()) -> list[FoundError]:
    """Return the lines by which a failed output is known again, whatever their form and language.

    A line of few words, one of a series ("Compiling …"), or one that is ``usual`` where nothing fails tells nothing.
    """
    lines = [each for each in _lines(output) if each[0]]
    lines = lines if len(lines) <= FIRST_READ + LAST_READ else lines[:FIRST_READ] + lines[-LAST_READ:]
    begins = Counter(_beginning(line) for line, _, _ in lines)
    found: dict[str, FoundError] = {}
    is_frame = False
    for line, start, end in lines:
        is_code, is_frame = is_frame and output[start : start + 3].isspace(), _RULES.finds("frame", line)
        if is_frame or is_code:
            continue
        if begins[_beginning(line)] < SERIES and not _RULES.finds("follows", line):
            error = FoundError(normalised(_PROGRAM.sub("", line)), start, end)
            if error.signature not in usual and _word_count(error.signature) >= LEAST_WORDS:
                found.setdefault(error.signature, error)
    return list(found.values())[-MOST_TELLING:]


def _beginning(line: str) -> str:
    """Return a line's first word; the whole line where that is a sign, as of a list."""
    first = line.partition(" ")[0]
    return first if any(map(str.isalnum, first)) else line


def share_of_words(earlier: Collection[str], again: Collection[str]) -> float:
    """Return the share of the words of a failure's telling lines that is in those of them that another one has."""
    return sum(map(_word_count, {*earlier} & {*again})) / max(1, sum(map(_word_count, {*earlier})))


def is_same_message(one: str, other: str) -> bool:
    """Check whether two messages differ in a name or two, or one goes on longer; with their paths, or without."""
    pairs = ((one, other), (_PATH.sub(" ", one), _PATH.sub(" ", other)))
    return any(_has_same_words({*words_of(first)}, {*words_of(second)}) for first, second in pairs)


def _has_same_words(words: set[str], others: set[str]) -> bool:
    fewer, more = sorted((len(words), len(others)))
    shared = len(words & others)
    is_whole = shared == fewer and shared >= LEAST_WHOLE
    return (is_whole or (shared >= LEAST_SHARED and shared >= SAME_NAMES * fewer)) and 3 * shared >= more


def words_of(line: str) -> tuple[str, ...]:
    """Return the words of an error, each once and in lower case."""
    return tuple(dict.fromkeys(_WORD.findall(line.lower())))


def _word_count(line: str) -> int:
    return len(_WORD.findall(line))


def normalised(message: str) -> str:
    """Return an error's message without paths, numbers, hashes, times and addresses."""
    part = _RULES["part"].search(message)
    text = next((each for each in part.groups() if each), message) if part else message
    for pattern, instead in _VARYING:
        text = pattern.sub(instead, text)
    return text.strip(" .:")[:LONGEST_SIGNATURE]


def _lines(output: str) -> Iterator[tuple[str, int, int]]:
    """Yield lines without what stands in front of a message, each with where it stands."""
    start = 0
    lines = output.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if MOST_LINES <= number < len(lines) - MOST_LINES:
            start += len(line)
            continue
        shown = line.rstrip()
        plain = _COLOURS.sub("", shown[:LONGEST_LINE]).translate(_QUOTES).strip()
        front = _RULES["front"].match(plain)
        yield plain[front.end() :] if front else plain, start, start + len(shown)
        start += len(line)
