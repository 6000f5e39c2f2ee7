"""Words and names of a palace in a message. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from palace.agent.gate.window import fold
from palace.nlp.words import STOP_WORDS

Known = Callable[[str], bool]
"""Says of up to four words, in lower case without accents, whether the palace knows them as a name or a word."""

LONGEST_NAME = 4
"""Words of a name."""
MOST_WORDS = 80
"""Words of a message that are looked up: of a longer one the first and the last forty."""
_WORD = re.compile(r"\w+(?:['.&-]\w+)*")


class FoldedNames(frozenset[str]):
    """Names folded as the gate looks them up; to be made once where many messages are judged."""

    def __new__(cls, names: Collection[str] = ()) -> FoldedNames:
        """Fold each name: lower case, no accents, one space between words."""
        return super().__new__(cls, (" ".join(_WORD.findall(fold(name))) for name in names))


def named_in(folded: str, known: Known | Collection[str]) -> str:
    """Return the first name or word of a palace in a folded message, "" without one; stop words alone are none."""
    if not callable(known):
        names = known if isinstance(known, FoldedNames) else FoldedNames(known)
        if not names:
            return ""
        known = names.__contains__
    return next((each for each in _candidates(folded) if known(each)), "")


def _candidates(folded: str) -> Iterator[str]:
    words = [word.removesuffix("'s") for word in _WORD.findall(folded)]
    if len(words) > MOST_WORDS:
        words = [*words[: MOST_WORDS // 2], *words[-MOST_WORDS // 2 :]]
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_NAME, len(words)) + 1):
            part = words[start:end]
            if not all(word in STOP_WORDS or len(word) < 2 for word in part):
                yield " ".join(part)
                # The genitive of a German or a misspelt English name: "Toms Tochter".
                if part[-1].endswith("s") and len(part[-1]) > 3:
                    yield " ".join((*part[:-1], part[-1][:-1]))
