"""Statements that decide something, with the files and symbols that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from palace.models import Role, Span
from palace.nlp.instructions import gives_instruction
from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import MARKER
from palace.nlp.statements import says_decision

LONGEST_TURN = 20_000
"""A longer message is a pasted document."""
SHORTEST, LONGEST, LONGEST_AGREEING = 12, 400, 120
MOST_DECISIONS = 6
LEAST_CHOICE, MOST_CHOICE, LONGEST_OFFER = 5, 80, 1000
"""Words of an answer that chooses, and the characters at the end of a message that may offer something."""
LONGEST_QUOTED, LONGEST_CODE = 3, 8
"""Words of a quotation, or of code in a line, that the writer may use as a name; longer ones are another's words."""
OTHERS = "\0"
"""What stands in the place of a character that is not the writer's own."""
_CODE = late(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(\w[\w-]{0,40})>.{0,4000}?</\1>|^[ \t]*[>|].*?(?=\n[ \t]*\n|\Z)", 24)
_SENTENCE = late(r"(?:[^.!?\n]|[.!?](?![\s\"')*]))+[.!?]*")
_NAMES = rules("work", "tools")
_LAYOUT = rules("own", "layout")


def own_text(text: str) -> str:
    """Return a text with ``OTHERS`` for code, quotations, removed secrets and what others are reported to say.

    Offsets stay the same.
    """

    def hidden(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", OTHERS, found[0])

    def quoted(found: re.Match[str]) -> str:
        longest = LONGEST_CODE if found[0].startswith("`") else LONGEST_QUOTED
        return hidden(found) if len(found[0].split()) > longest else found[0]

    return _NAMES["names.reports"].sub(hidden, _quoted().sub(quoted, _CODE.sub(hidden, MARKER.sub(hidden, text))))


@cache
def _quoted() -> re.Pattern[str]:
    # All code in a line is matched, so that what stands between two pieces of it is none.
    return re.compile(f"`[^`\\n]*`|{_LAYOUT.source('quoted')}")


def own_sentences(text: str) -> list[str]:
    """Return the sentences of a text that are wholly the writer's own, each on one line."""
    return [" ".join(each[0].split()) for each in _SENTENCE.finditer(own_text(text)) if OTHERS not in each[0]]


def calls_in(text: str) -> Iterator[str]:
    """Yield the command lines that a text asks for, as far as they are known as such."""
    for found in _NAMES["names.calls"].finditer(text):
        yield next(each for each in found.groups() if each)


def find_decisions(text: str, role: Role, *, needs_file: bool = True) -> list[Span]:
    """Return the sentences of a message that decide something; of a person's also those that ask for it for good.

    Without ``needs_file``, as in an answer to an offer or a message that probably lasts, they need not name a file,
    if the message asks nothing.
    """
    needs_no_file = not needs_file and "?" not in text

    def is_own(said: str) -> bool:
        if names_file(said) and takes_back(said):
            return True
        settles = (needs_no_file or names_file(said)) and _NAMES.finds("names.settles", said)
        # What holds in a file that stands in front is worded as what holds in a project.
        asked = _NAMES["names.there"].sub(r"\1this project ", said) if names_file(said) else said
        decides = settles or gives_instruction(asked) or _NAMES.finds("names.decides", said)
        return decides and not _NAMES.finds("names.considers", said)

    def holds(said: str) -> bool:
        return (role is Role.USER and is_own(said)) or says_decision(said)

    return _where(text, holds)


def find_proposals(text: str) -> list[Span]:
    """Return the sentences of an assistant's message that decide, or propose how something shall be."""

    def holds(said: str) -> bool:
        return says_decision(said) or _settles(said) or _NAMES.finds("names.proposes", said)

    return _where(text, holds)


def offers(text: str) -> bool:
    """Check whether an assistant's message offers something to choose from, or proposes something."""
    return any(_NAMES.finds("names.offers", each) for each in own_sentences(text[-LONGEST_OFFER:]))


def find_choice(text: str) -> Span | None:
    """Return the longest sentence of a person's answer to an offer; None if it asks, or says too little."""
    said = own_text(text)
    if "?" in said or OTHERS in said or not LEAST_CHOICE <= len(text.split()) <= MOST_CHOICE:
        return None
    return best_sentence(text)


def best_sentence(text: str, weight: Callable[[str], float] = len) -> Span | None:
    """Return the sentence of most weight that is wholly the writer's own and no question; None without one."""
    found = [each for each in _SENTENCE.finditer(own_text(text)) if OTHERS not in each[0]]
    said = [each for each in found if 0 < len(each[0].strip()) <= LONGEST and not each[0].rstrip().endswith("?")]
    best = max(said, key=lambda each: weight(each[0].strip()), default=None)
    if best is None:
        return None
    start = best.end() - len(best[0].lstrip())
    return Span(start, start + len(best[0].strip()))


def confirms(text: str) -> bool:
    """Check whether a short message begins by agreeing to what was proposed: "yes, do it like that"."""
    return len(text) <= LONGEST_AGREEING and _NAMES["names.confirms"].match(text) is not None


def takes_back(sentence: str) -> bool:
    """Check whether a sentence says that what was decided does not hold any more, and not what holds instead."""
    found = _NAMES["names.takes_back"].search(sentence)
    return found is not None and not gives_instruction(sentence[found.end() :])


def is_elsewhere(sentence: str) -> bool:
    """Check whether a sentence is about a command, or about what is no file, as commits are."""
    return _NAMES.finds("names.elsewhere", sentence)


def _where(text: str, holds: Callable[[str], bool]) -> list[Span]:
    found: list[Span] = []
    if len(text) > LONGEST_TURN:
        return found
    said = own_text(text)
    for each in _SENTENCE.finditer(said):
        start = each.end() - len(each[0].lstrip(" \t-*+#0123456789)"))
        sentence = said[start : each.end()].rstrip()
        if OTHERS in sentence:
            continue
        if SHORTEST <= len(sentence) <= LONGEST and not sentence.endswith("?") and holds(sentence):
            found.append(Span(start, start + len(sentence)))
    return found[:MOST_DECISIONS]


def _settles(sentence: str) -> bool:
    """Check whether a sentence names a file and says how it stays: "app.py never opens sockets"."""
    return names_file(sentence) and _NAMES.finds("names.settles", sentence)


def names_file(text: str) -> bool:
    """Check whether a text names a file."""
    return _NAMES["names.file"].search(text) is not None


def named_in(text: str) -> Iterator[str]:
    """Yield the files and symbols that a text names, as it writes them; of a dotted symbol its last part as well."""
    rest = text
    for file in _NAMES["names.file"].findall(text):
        rest = rest.replace(file, " ")
        yield file
    for found in _NAMES["names.symbol"].finditer(rest):
        symbol = next(each for each in found.groups() if each)
        yield symbol
        last = symbol.replace(":", ".").rpartition(".")[2]
        if last != symbol and len(last) > 2:
            yield last


def covered_in(text: str) -> list[str]:
    """Return the words of a text that may name a folder, all of which it is about: "nothing under api is async"."""
    return [each.rstrip("/") for each in _NAMES["names.covers"].findall(text)]


def folders_in(text: str) -> list[str]:
    """Return the folders that a text calls so: "the seeds folder"."""
    return ["".join(each.groups("")).strip("/") for each in _NAMES["names.folder"].finditer(text)]


def limits(sentence: str) -> bool:
    """Check whether a sentence says that it holds for a time only: "until the audit is over"."""
    return _NAMES.finds("names.limits", sentence)


def is_file(name: str) -> bool:
    """Check whether a name is that of a file, and not of a symbol."""
    return _NAMES["names.file"].fullmatch(name) is not None
