"""What a sentence states, and whether it is understood without the ones before it: by its parse. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from palace.nlp.claims.parsing import Arc, can_parse, parse
from palace.nlp.claims.tree import FINITE, SUBJECTS
from palace.nlp.languages import tell_language
from palace.nlp.rules import late

_TOKEN = late(r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+?(?=n't\b)|\w[\w.-]*\w|\w|[^\w\s]")
_SPEAKER = frozenset(["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"])
_YOU = frozenset(["you", "your", "yours"])
_POINTING = frozenset(["this", "that", "these", "those"])
_REFERRING = frozenset(["PRP", "PRP$", "DT"])


class Stated(NamedTuple):
    """What the parse of a sentence shows."""

    stands_alone: bool = True
    """Whether it states something, and names what it speaks of."""
    is_report: bool = False
    """Whether it only says what its speaker does, and asks nothing of anybody."""


def read_statements(sentences: Sequence[str]) -> list[Stated]:
    """Parse sentences; what is not English counts as a statement that stands alone.

    One without a finite verb and its subject states nothing; neither does a question, a condition, or one whose "it",
    "her", "this" or "you" stands for somebody or something that it does not name.
    """
    words = [_words(each) for each in sentences]
    can = can_parse()
    is_read = [can and bool(each) and tell_language(" ".join(each)) == "en" for each in words]
    parsed = parse([each for each, reads in zip(words, is_read, strict=True) if reads])
    return [
        _read([each.lower() for each in told], next(parsed)) if reads else Stated()
        for told, reads in zip(words, is_read, strict=True)
    ]


def _words(sentence: str) -> list[str]:
    return _TOKEN.findall(sentence.replace("’", "'"))


def _read(words: Sequence[str], arcs: Sequence[Arc]) -> Stated:
    main = {place for place, arc in enumerate(arcs) if arc.head == place}
    main |= {place for place, arc in enumerate(arcs) if arc.label in ("conj", "ccomp") and arc.head in main}
    tense = {arc.head if arc.label in ("aux", "auxpass") else at for at, arc in enumerate(arcs) if arc.tag in FINITE}
    subjects = {
        arc.head: words[place]
        for place, arc in enumerate(arcs)
        if arc.label in (*SUBJECTS, "expl") and place < arc.head
    }
    asked = {arc.head for arc in arcs if arc.label == "mark" or arc.tag in ("WP", "WRB")}
    states = bool(main & tense & subjects.keys() - asked)
    orders = any(arcs[place].tag == "VB" and place not in tense | subjects.keys() for place in main)
    is_report = states and not orders and _YOU.isdisjoint(words)
    return Stated(
        states and not any(_refers(place, words, arcs) for place in range(len(arcs))),
        is_report and all(subjects[place] == "i" for place in main & subjects.keys()),
    )


def _refers(place: int, words: Sequence[str], arcs: Sequence[Arc]) -> bool:
    """Check whether a word stands for something outside of its sentence."""
    arc, word = arcs[place], words[place]
    if arc.tag not in _REFERRING or word in _SPEAKER:
        return False
    if arc.tag == "DT":
        return word in _POINTING and arcs[arc.head].label != "npadvmod"
    if word in _YOU:
        return True
    return not any(each.tag.startswith("NN") or each.label in ("dobj", "pobj", "xcomp") for each in arcs[:place])
