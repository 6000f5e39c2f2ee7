"""Whether a text is plainly English, told by function words: most texts are, and no model has to be loaded for them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

_ENGLISH = """
the and my with that it's i'm you your were have this what when where how are they she not does did would should could
can't don't didn't doesn't isn't wasn't i've i'll we're you're that's there from because about been their our which who
why than really just some any please know think need want would've has had was is it its he his her we of to for be do
if or as by at on
"""

_OTHERS = """
ich du er sie wir ihr der das und ist nicht ein eine einen mein meine dein wie wo wann wer auf mit von zu den dem
le la les des du un une et est je tu il elle nous vous pas que qui dans pour avec ma mes ce cette
el los las y es yo una mi mis con por para su en de del al lo se
gli che di sono mio mia per nel della io ho
os um uma e meu minha eu com nao na da em
het een van ik je hij zij niet mijn voor op dat dit ze wij
og jeg ikke det er til som mit av
och jag inte att ar mitt
ei se sina oli minun mutta joka
egy az nem hogy van ez
si nu este sunt cu pe
ve bir bu ben icin ne
nie jest w z sie mam moj
yang di saya ini itu
"""

_OURS = frozenset(_ENGLISH.split())
_THEIRS = frozenset(_OTHERS.split())
"""Function words of other languages in plain letters, none of which English writes."""

FEWEST = 0.12
"""The share of a text's words that are function words of English, at least: prose has three times as many."""


def is_plainly_english(text: str) -> bool:
    """Tell whether a text in Latin letters without marks has English function words, and none of another language."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    ours = sum(word in _OURS for word in words)
    return ours > 0 and ours >= FEWEST * len(words) and _THEIRS.isdisjoint(words)


def has_english_words(words: Iterable[str]) -> bool:
    """Tell whether any of some words in lower case is a function word of English."""
    return not _OURS.isdisjoint(words)
