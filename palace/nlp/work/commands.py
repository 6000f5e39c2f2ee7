"""Command lines: what makes two of them the same command, and which files they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from palace.nlp.rules import late, rules

LONGEST = 300
"""The most characters of a command that are compared."""
LONGEST_READ, LONGEST_BEHIND, MOST_WRAPPERS = 4_000, 200, 20
LIKE = 0.75
"""The ratio of letters above which a word is another one, misspelled."""
VERB = 2
"""Words of a command that names a program and its verb alone."""
LEAST_NAMED = 2
"""Words that a failed command names at least to be known again in another."""
MOST_WRAPPING = 3
"""Words of a wrapper before a command."""
_RULES = rules("work", "tools")
_VARIABLE, _SOURCED = late(r"[A-Za-z_]\w*="), late(r"(?:^|[;&]\s*)(?:source|\.)\s+([^\s;&]+)")
_SPACES, _PATH_ENDS = late(r"[\s=,]+"), late(r"^\./|(?:/|/\.\.\.)$")
_VERSION = late(r"(?<![\w-])v?\d+(?:\.\d+)+\b")


def command_key(command: str) -> str:
    """Return a command without folders, variables, wrappers and filters around it; the same for each of its runs.

    >>> command_key("cd /w/api && FOO=1 timeout 60 .venv/bin/python -m pytest -q tests 2>&1 | tail -5")
    'pytest -q tests'
    """
    text = command.strip()[:LONGEST_READ]
    for _ in range(MOST_WRAPPERS):
        left = _stripped(text)
        if left == text:
            break
        text = left
    return " ".join(text.split())[:LONGEST]


def _stripped(text: str) -> str:
    """Return a command without one thing in front of it, one behind it, and its program's folder."""
    begun = _RULES["commands.front"].sub("", text, count=1).strip() or text
    # Searched from each place: in all of a long command, that would take its length squared.
    rest, end = begun[:-LONGEST_BEHIND], begun[-LONGEST_BEHIND:]
    ended = (rest + _RULES["commands.back"].sub("", end, count=1)).strip() or begun
    return _RULES["commands.folder"].sub("", ended, count=1).strip() or ended


def added_words(tried: str, worked: str) -> set[str]:
    """Return the words of one command line that another lacks, filters behind both left out."""
    kept, first = (
        _RULES["commands.back"].sub("", each[-LONGEST_BEHIND:]).split() for each in (worked[:LONGEST], tried[:LONGEST])
    )
    return set(kept) - set(first)


def has_same_goal(tried: str, worked: str) -> bool:
    """Check whether the key of one command is that of another that failed, run another way.

    That is: with further options, or without some; by another program with the same arguments; behind another command
    or a wrapper; a push to another place. Versions may differ.
    """
    last, failed = (command_key(each.rpartition("&&")[2]) for each in (worked, tried))
    is_aim = f"{last} ".startswith(f"{failed} ") and _RULES["commands.aims"].fullmatch(failed.partition(" ")[2])
    if is_aim or ("&&" in worked and last == failed and " " in last):
        return not shows_texts(last)
    first, then = (_VERSION.sub("", each).split() for each in (tried, worked))
    if len(first) < 2 or not then or shows_texts(worked) or any(sign in tried for sign in "|;&"):
        return False
    behind = " ".join(then[-len(first) :])
    if _RULES["commands.folder"].sub("", behind, count=1).split() == first and (
        len(then) <= len(first) + MOST_WRAPPING or then[-len(first) - 1] in ("&&", ";")
    ):
        return True
    if any(sign in worked for sign in "|;&"):
        return False
    if first[0] != then[0]:
        ends = (one == other for one, other in zip(reversed(first[1:]), reversed(then[1:]), strict=False))
        same = sum(takewhile(bool, ends))
        return same >= LEAST_NAMED and 2 * same >= len(first) and len(then) <= same + MOST_WRAPPING + 1
    longer, shorter = (then, first) if len(then) > len(first) else (first, then)
    return _has_only_further_options(longer, shorter)


def is_as_narrow(line: str, failed: str) -> bool:
    """Check whether a command line names all that a failed command names, or what lies below it, in any order and form.

    >>> is_as_narrow("cd api && go test -run TestA ./store/put_test.go", "go test ./store/...")
    True
    """
    there = {_PATH_ENDS.sub("", word.strip("\"'")) for word in _SPACES.split(line[:LONGEST_READ])}
    there |= {word.rpartition("/")[2] for word in there} | {command_key(line).partition(" ")[0]}
    words = (word.strip("\"'") for word in command_key(failed).split())
    named = {_PATH_ENDS.sub("", word) for word in words if not word.startswith("-")}
    below = "".join(f" {word}" for word in there)
    return len(named) >= LEAST_NAMED and all(word in there or f" {word}/" in below for word in named)


class Need(NamedTuple):
    """What a run of a command had that one which failed had not: variables, sourced files and options, else words."""

    names: frozenset[str]

    @classmethod
    def of(cls, tried: str, worked: str) -> Need | None:
        """Compare two command lines; None where they differ in nothing."""
        around = {word for word in worked.split() if _VARIABLE.match(word)} | set(_SOURCED.findall(worked))
        added = (around | set(command_key(worked).split())) - set(tried.split())
        names = {word.partition("=")[0] for word in added if word in around or word.startswith("-")}
        return cls(frozenset(names or added)) if added else None

    def is_met(self, line: str) -> bool:
        """Check whether a command line has it, with whatever value."""
        return self.names <= {word.partition("=")[0] for word in line.split()}


def mends_spelling(tried: str, worked: str) -> bool:
    """Check whether a command differs from one that failed by a misspelled word alone, which tells nothing later."""
    first, then = tried.split(), worked.split()
    changed = [pair for pair in zip(first, then, strict=False) if pair[0] != pair[1]]
    if len(first) != len(then) or len(changed) != 1 or not "".join(changed[0]).isalpha():
        return False
    one, other = changed[0]
    is_near = one[0] == other[0] and SequenceMatcher(None, one, other).ratio() > LIKE
    return sorted(one) == sorted(other) or (is_near and not one.startswith(other) and not other.startswith(one))


def _has_only_further_options(longer: list[str], shorter: list[str]) -> bool:
    left, before, is_further = list(shorter), "", False
    is_goal = len(shorter) == VERB and _RULES["commands.goals"].fullmatch(shorter[1]) is not None
    for word in longer:
        if left and left[0] == word:
            left.pop(0)
            before = word
            continue
        # What stands behind an option may be its value; behind one of a verb that is a goal, so may all that follows.
        if not word.startswith("-") and not (before.startswith("-") and "=" not in before):
            return False
        before, is_further = before if is_goal and before.startswith("-") else word, True
    return is_further and not left


def shows_texts(key: str) -> bool:
    """Check whether a command shows texts, in which a line that reads like an error is none."""
    return _RULES["commands.shows"].match(key) is not None


def reads_log(key: str) -> bool:
    """Check whether the command of a key shows what other programs logged."""
    return _RULES.finds("commands.logs", key)


def put_back(command: str, paths: Iterable[str]) -> list[str]:
    """Return those of some paths that a command puts back to what was committed, as ``git checkout`` does."""
    found = _RULES["commands.undoes"].search(command[:LONGEST_READ])
    if found is None:
        return []
    named = [word.strip("\"'").removeprefix("./").rstrip("/") or "." for word in (found["named"] or "").split()]
    named = [each for each in named if not each.startswith("-") and ("." in each or "/" in each)]
    if found["named"] is None or "." in named or (not named and "stash" in found[0]):
        return list(paths)
    wholes = {path: f"/{path.replace(chr(92), '/')}/" for path in paths} if named else {}
    return [path for path, whole in wholes.items() if any(f"/{each}/" in whole for each in named)]


def rewrites_files(command: str) -> bool:
    """Check whether a command changes the text of files: a fix of these, and not a way to run a command."""
    return _RULES.finds("commands.rewrites", command[:LONGEST_READ])


def moved_files(command: str) -> Iterator[tuple[str, str]]:
    """Yield the files that ``mv`` and ``git mv`` rename in a command, each with its new path."""
    for found in _RULES["commands.moves"].finditer(command):
        old, new = (each.strip("\"'") for each in found.groups())
        if not any(sign in old + new for sign in "*$?"):
            yield old, f"{new}{old.rpartition('/')[2]}" if new.endswith("/") else new
