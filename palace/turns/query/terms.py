"""The words of a message that say what it is about, in English, German and French. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from palace.text.keyphrases.german import FUNCTION_WORDS as GERMAN
from palace.text.keyphrases.romance import FUNCTION_WORDS as ROMANCE
from palace.text.stopwords import STOP_WORDS
from palace.text.words import prose
from palace.turns.reading.window import BEGINNING, END, fold

SHORTEST = 3
"""Letters of a word that says something."""

_ENGLISH_TALK = """
thanks thank please hello hey yes yeah okay sorry dont doesnt didnt cant isnt ive youre whats thats hows wheres whens
"""
_GERMAN_TALK = """
danke bitte hallo moin eigentlich noch mal nochmal gleich denn halt überhaupt jemand etwas hab habs gehabt wurde wurden
worden geworden gesagt weißt weiss wieviel wohin woher womit wofür weshalb wieso darüber zurück letzte letzten letztes
letztes letzter nächste nächsten gibt gab geht ging steht wäre sag sagt welche wem wen
"""
_FRENCH_TALK = """
merci bonjour salut oui non était étais avait avais avaient avons aurait serait déjà encore quel quels quelle quelles
combien quelque quelqu lequel laquelle celui celle ceux cela ça fois chose truc dit dis leur leurs mien mienne qu'est
est-ce c'est qu'il qu'elle qu'on j'ai d'un d'une n'est s'est aussi donc alors sinon votre vos notre peux-tu dernier
dernière l'ai pourquoi comment quand
"""


def _folded(*words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(word) for each in words for word in each)


_LANGUAGES = (
    _folded(STOP_WORDS, _ENGLISH_TALK.split()),
    _folded(GERMAN, _GERMAN_TALK.split()),
    _folded(ROMANCE, _FRENCH_TALK.split()),
)
"""Words that sentences are put together with, of English, of German, and of French and its like."""
_WORD = re.compile(r"\w+(?:['’&-]\w+)*")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)


def key_terms(text: str) -> tuple[str, ...]:
    """List the words that say something, in lower case, each once, in order; code, addresses and paths have none.

    Left out are words of one or two letters and stop words of the three languages; of a message beyond 1,800
    characters its beginning and its end count.
    """
    if len(text) > BEGINNING + END:
        text = f"{text[:BEGINNING]}\n{text[-END:]}"
    words = [_plain(word) for word in _WORD.findall(prose(text))]
    nothing = _nothing_of([fold(word) for word in words])
    return tuple(dict.fromkeys(word for word in words if len(word) >= SHORTEST and not _says_nothing(word, nothing)))


def _nothing_of(words: Sequence[str]) -> frozenset[str]:
    """Give the stop words of the language that most of the words are of; of several where that is not plain.

    What joins sentences in one language means something in another: "car", "die", "pour", "mine".
    """
    counts = [sum(word in language for word in words) for language in _LANGUAGES]
    most = max(counts)
    told = [language for language, count in zip(_LANGUAGES, counts, strict=True) if 3 * count >= 2 * most]
    return frozenset().union(*told)


def _plain(word: str) -> str:
    """Put a word into lower case, without the article that French joins to it and without an English possessive."""
    return _ELIDED.sub("", word).lower().replace("’", "'").removesuffix("'s").strip("'-_")


def _says_nothing(word: str, nothing: frozenset[str]) -> bool:
    folded = fold(word)
    return folded in nothing or all(part in nothing or len(part) < SHORTEST for part in re.split(r"['-]", folded))
