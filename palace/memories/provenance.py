"""Who is behind the words of a message: the person's own ones, and those that anybody else may have written. Pure."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from palace.models import Drawer, MemoryOrigin, Role, Span
from palace.nlp.instructions import LONGEST
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.rules import late, rules

MOST_READ = 100_000
"""Most characters of a message that are read."""

_ENCLOSED = late(r"```.*?```|~~~.*?~~~|`[^`\n]*`|[\"“„«‘][^\"”“»’\n]{0,300}[\"”“»’]", re.DOTALL)
"""What begins and ends visibly, so that what is behind it is the writer's again."""
_ODD = late(r"<[!/?a-z]|-->|\[/?\w{2,12}\]|<\||\|>|^\W*(?:system|assistant|user|human|developer)\s*[:=]", re.IGNORECASE)
"""Markup and names of roles, which nobody types in a sentence."""
_TAG = late(r"<!--|-->|</?[a-zA-Z!?][^<>]{0,300}>|[<>{}\[\]\"“”„«»]|^[ \t]*\||(?<=\S)[ \t]*\|[ \t]*$", re.MULTILINE)
_MARKS = late(r"[*_~#^=`]+|\\[nrt]")
_SPACED = late(r"\b(?:\w[ \u00a0.·-]){3,}\w\b")
_WORD = late(r"[^\W\d_]+")


@dataclass(frozen=True)
class Utterance:
    """A message of a conversation that memories may be made of."""

    drawer: Drawer
    identity: bytes
    is_own: bool
    """Whether the person is its speaker."""
    claims: tuple[Span, ...] = ()
    """Where it claims what holds as far as is known."""
    is_new: bool = True
    """Whether it was not read before."""

    @property
    def origin(self) -> MemoryOrigin:
        """Who is behind the words that are not the person's own."""
        return MemoryOrigin.ASSISTANT if self.drawer.role is Role.ASSISTANT else MemoryOrigin.TOOL

    @cached_property
    def own(self) -> tuple[Span, ...]:
        """The sentences that are surely the person's own words."""
        return tuple(self._own()) if self.is_own else ()

    @property
    def passed_on(self) -> str:
        """The text with blanks for the person's own sentences."""
        text = self.drawer.content[:MOST_READ]
        for start, end in self.own:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
        return text

    def _own(self) -> Iterator[Span]:
        content = self.drawer.content
        own = own_words(content)
        doubtful = _beginning_of_others(content, own)
        for piece in pieces(own, Span(0, len(own)), UNIT_END):
            sentence = content[slice(*piece)]
            is_whole = own[slice(*piece)].split() == sentence.split()
            if piece.end <= doubtful and is_whole and len(sentence) <= LONGEST and not is_odd(sentence):
                yield piece


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of a text as a reader sees them, without markup; long ones are cut."""
    shown = visible(text)
    for piece in pieces(shown, Span(0, len(shown)), UNIT_END):
        yield " ".join(shown[slice(*piece)].split()).strip(" -–—,:;/")[:LONGEST]


def is_odd(sentence: str) -> bool:
    """Check whether a sentence has markup, invisible characters, or words of letters that only look like others."""
    return _ODD.search(sentence) is not None or visible(sentence) != _TAG.sub("\n", _MARKS.sub(" ", sentence))


def visible(text: str) -> str:
    """Return a text with its markup cut out and its disguises removed: each tag and quotation mark is a line break.

    Invisible characters vanish but for tag characters, which become the letters that they stand for; full-width and
    accented letters lose their form, letters that look like Latin ones become those, and spaced letters a word.
    """
    text = html.unescape("".join(map(_seen, text)))
    if not text.isascii():
        composed = unicodedata.normalize("NFKC", text)
        text = "".join(
            each for each in composed if unicodedata.category(each) not in ("Cf", "Mn", "Cc") or each in "\n\t"
        )
        text = _WORD.sub(lambda found: _latin(found[0]), text)
    text = _SPACED.sub(lambda found: re.sub(r"\W", "", found[0]), text)
    return _TAG.sub("\n", _MARKS.sub(" ", text))


def _beginning_of_others(content: str, own: str) -> int:
    """Return where words begin whose end is not visible and that are not the person's own; the end without any."""
    enclosed = [found.span() for found in _ENCLOSED.finditer(content)]
    for at, (written, kept) in enumerate(zip(content, own, strict=True)):
        if written != kept and not any(start <= at < end for start, end in enclosed):
            return at
    return len(content)


def _seen(character: str) -> str:
    return chr(ord(character) - 0xE0000) if 0xE0020 <= ord(character) < 0xE007F else character


@cache
def _lookalikes() -> dict[int, int]:
    data = rules("memories", "lookalikes")
    return str.maketrans(data.text("like"), data.text("latin"))


def _latin(word: str) -> str:
    """Return a word that mixes scripts, or looks wholly Latin without being so, in Latin letters."""
    changed = word.translate(_lookalikes())
    return changed if changed != word and changed.isascii() else word
