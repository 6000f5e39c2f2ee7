"""What a cue takes for the name behind it: words with capitals, or without where the writer uses none."""

from __future__ import annotations

import re
from functools import cache

from palace.text.entities.cues.capitals import NO_NAMES, OPENERS
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary, places


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern once it is needed."""
    return re.compile(pattern, flags)


NAME = r"[^\W\d_][\w'’.&+-]*(?:\s(?:&\s|de\s|da\s|van\s|von\s|der\s|del\s|la\s|do\s|of\s)*[^\W\d_][\w'’&+-]*){0,4}"
"""As much as may be a name; ``taken`` cuts it where it ends."""

_SMALL_WRITTEN = """
de da van von der den del la do dos di du le el al bin ibn of & und
"""
_SMALL = frozenset(_SMALL_WRITTEN.split())
_WORD = re.compile(r"\S+")
_TAIL = re.compile(r"(?:['’]s|['’]|[.,;:!?&+-]+)+$")


def taken_place(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Cut the name of a known town out of what stands behind a cue, though it may be a word ("nice", "reading")."""
    found = re.compile(r"[^\W\d_]+").match(text, start, end)
    return found.span() if found and folded(found[0]) in places() and found[0].lower() not in NO_NAMES else None


def taken(
    text: str, start: int, end: int, *, most: int = 4, ordinary: bool = False, lower: bool = True
) -> tuple[int, int] | None:
    """Cut a name out of what stands behind a cue, ``text[start:end]``; None where no name begins there.

    A first word with a capital takes those with capitals behind it; one without takes others that are no words of
    English, or, where ``ordinary`` is allowed, stands alone whatever it is. Without ``lower`` a capital is needed,
    except by what can be nothing but a given name or a town.
    """
    stop, kept, capital = start, 0, False
    for found in _WORD.finditer(text, start, end):
        word = found[0]
        bare = _TAIL.sub("", word)
        if not bare:
            break
        if bare.lower() in _SMALL and kept:
            continue
        begins_capital = bare[0].isupper() or any(c.isupper() for c in bare)
        if kept == 0:
            if not _may_begin(bare, begins_capital, ordinary):
                return None
            if not (begins_capital or lower or _is_listed(bare)):
                return None
            capital = begins_capital
        elif not (begins_capital if capital else _goes_on(bare)) or bare.lower() in NO_NAMES:
            break
        kept, stop = kept + 1, found.start() + len(bare)
        if bare != word or kept == most:
            break
    return (start, stop) if kept else None


def _may_begin(word: str, capital: bool, ordinary: bool) -> bool:
    lower = word.lower()
    if lower in OPENERS or lower in NO_NAMES or len(word) < 2:
        return False
    if capital:
        return not word.isupper() or not is_ordinary(lower) or len(word) < 2
    return ordinary or not is_ordinary(lower)


_ALSO_WORDS_WRITTEN = """
will may mark art bill rose grace hope faith joy summer april june august dawn eve ray rob sue pat drew chase grant
frank jack nick dean miles reed rich rusty sandy sunny sky stone wade west wren young angel major prince king duke earl
love long lance lane jade iris ivy lily daisy violet hazel olive amber ruby pearl crystal gene guy homer hunter jay
leaf max penny piper pierce pepper page norm precious royal sage savvy sterling story tab temple trace true tucker van
victor vine ward wells win winter wood so do an in on my to he me see ever many more most even said mine can ben bo
early just cash case cat charity chance clay cliff cole colt curt christian dale destiny diamond doc ease essence fern
flora forest fox gale gay genesis glen harmony harry heath heaven honest honey jewel jimmy josh journey justice lark
laurel leigh liberty light loyal mary maverick melody merit merry mercy messiah misty nova ocean paris patience peace
peter phoenix pink poppy price princess rain rainbow raven ready real rebel reign remedy river robin saint serenity
shade shine silver song spring star storm sugar tiger tony treasure treat trinity unique unity vale velvet whisper
"""
_ALSO_WORDS = frozenset(_ALSO_WORDS_WRITTEN.split())


def _is_word_as_well(lower: str) -> bool:
    return lower in _ALSO_WORDS or is_ordinary(lower)


def _is_listed(word: str) -> bool:
    return not is_ordinary(word) and (folded(word) in given_names() or folded(word) in places())


def is_surely_given(word: str) -> bool:
    """Tell whether a word in lower case is a given name and nothing else in English."""
    return len(word) > 2 and folded(word) in given_names() and not _is_word_as_well(word.lower())


def _goes_on(word: str) -> bool:
    return not is_ordinary(word.lower()) and not word[0].isdigit()
