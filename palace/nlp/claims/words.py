"""Tokenise English sentences for the parser, each word with its offsets in the message. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from palace.models.claims import EntityType, NamedSpan
from palace.nlp.claims.kinds import simple_verbs, words
from palace.nlp.claims.message import Names
from palace.nlp.claims.sentence import HIDDEN, Sentence
from palace.nlp.names.lexicon import is_medicine
from palace.nlp.rules import Rules, late

RULES = Rules("claims", "words.toml")
LONGEST = 90
"""Most words of a sentence that is parsed; a longer one is a list or no prose."""

_TOKEN = late(
    rf"{HIDDEN}+|'(?:s|m|ve|re|ll|d)(?!\w)|[€£$¥]|\d[\d.,:/-]*(?<=\d)(?:st|nd|rd|th|k|m)?(?![^\W\d_])"
    r"|\d[\d.,]*[^\W\d_][^\W_]*|\.{2,}"
    r"|(?:dr|mr|mrs|ms|prof|st)\.(?=\s)|w/(?=\s)|[^\W\d_](?:[\w&@]|['./-](?=[^\W_]))*'?(?<!s')[+#]*|[^\w\s]"
)
_ENDINGS = ("n't", "'s", "'m", "'ve", "'re", "'ll", "'d")
_STANDINS = {
    EntityType.PERSON: "Anna",
    EntityType.PLACE: "London",
    EntityType.ORGANISATION: "Google",
    EntityType.ITEM: "Corolla",
    EntityType.EVENT: "Christmas",
    EntityType.PROJECT: "Apollo",
}
"""A name that the parser knows, in place of each name of a type."""
_DATES = late(
    r"january|february|april|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
)
_NUMBER = late(
    r" [a-z]{0,2}\d{1,4}[a-z]{0,2}(?![\w.,/]*\d)"
    r"(?! ?(?:mg|mcg|ml|times|years|months|weeks|days|€|£|euros?|in|at|for|on)\b)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the parser gets it."""

    text: str
    start: int
    end: int
    """Offsets in code points of the message; words expanded from one spelling ("gonna") all have its whole span."""
    name: NamedSpan | None = None
    """The name that it replaces, if any."""

    @property
    def lower(self) -> str:
        """The word, or the name that it replaces, in lower case."""
        return (self.name.text if self.name else self.text).lower()

    @property
    def is_hidden(self) -> bool:
        """Check whether the word replaces text that is not the speaker's own."""
        return self.text == HIDDEN


def words_of(sentence: Sentence, names: Names, *, is_english: bool = True) -> list[Word]:
    """Split a sentence into words, one for each name.

    If ``is_english``, contractions are split and casual spellings are written out.
    """
    found: list[Word] = []
    place, end = sentence.span.start, sentence.span.end
    is_loud = _is_loud(sentence.content[place:end])
    while place < end:
        token = _TOKEN.search(sentence.folded, place, end)
        if token is None:
            break
        name = names.at(token.start())
        if name is not None and name.end <= end and HIDDEN not in token[0]:
            name = _with_number(name, sentence)
            found.append(Word(_STANDINS.get(name.type, "Anna"), name.start, name.end, name))
            place = name.end
            if sentence.folded[place : place + 1] == "s" and not sentence.folded[place + 1 : place + 2].isalnum():
                found.append(Word("'s", place, place + 1))
                place += 1
            continue
        written = sentence.content[token.start() : token.end()]
        related = RULES.pattern("by_marriage").match(sentence.folded, token.start(), end) if is_english else None
        if related is not None:
            found.append(Word(related[0].replace(" ", "-"), token.start(), related.end()))
            place = related.end()
            continue
        if not is_english:
            found.append(Word(written, token.start(), token.end()))
            place = token.end()
            continue
        found += _written_out(token[0], written.lower() if is_loud else written, token.start())
        place = token.end()
    return _without_colon(found)


def _with_number(name: NamedSpan, sentence: Sentence) -> NamedSpan:
    """Extend the name of a product by a number behind it: "Pixel 7"."""
    number = _NUMBER.match(sentence.folded, name.end, sentence.span.end)
    if name.type is not EntityType.ITEM or number is None or is_medicine(name.text.lower()):
        return name
    return NamedSpan(name.start, number.end(), sentence.content[name.start : number.end()], name.type)


def _written_out(folded: str, written: str, start: int) -> list[Word]:
    end = start + len(folded)
    if folded[0] in f"{HIDDEN}€£$¥":
        return [Word(HIDDEN if folded[0] == HIDDEN else "$", start, end)]
    known = RULES.table("written").get(folded)
    if known is not None and not (folded in ("n", "w", "r", "u", "id", "ill") and written.isupper()):
        return [Word(part, start, end) for part in known.split()]
    for ending in _ENDINGS:
        if folded.endswith(ending) and len(folded) > len(ending):
            stem = {"ca": "can", "wo": "will"}.get(folded.removesuffix(ending), written[: -len(ending)])
            middle = end - len(ending)
            return [*_written_out(folded.removesuffix(ending), stem, start), Word(ending, middle, end)]
    if not (folded[0].isalnum() or folded in _ENDINGS or folded[0] in ",.;:!?()-–—…/%"):
        return []
    return [Word(folded.capitalize() if _DATES.fullmatch(folded) else written.replace("’", "'"), start, end)]


def is_medicine_word(word: str) -> bool:
    """Check whether a lower-case word is the name of a medicine."""
    is_ending = len(word) > 6 and word.endswith(tuple(words("medicine_endings")))
    return is_medicine(word) or word in words("medicines") or is_ending


def _without_colon(found: list[Word]) -> list[Word]:
    """Drop the colon behind a verb at the beginning of a note: "Ordered: two tents"."""
    place = next((place for place, word in enumerate(found[:3]) if word.text == ":"), 0)
    is_verb = place > 0 and found[place - 1].lower.endswith(("ed", "ught", "old")) and found[place - 1].name is None
    return found[:place] + found[place + 1 :] if is_verb else found


def _is_loud(text: str) -> bool:
    """Check whether a sentence is written in capitals."""
    return sum(map(str.isupper, text)) > 2 * sum(map(str.islower, text)) + 5


def is_worth_parsing(words_: list[Word], sentence: Sentence) -> bool:
    """Check cheaply whether a sentence may make a claim, so that most others need not be parsed."""
    if not 1 < len(words_) <= LONGEST:
        return False
    if any(word.name is not None for word in words_):
        return True
    if sentence.is_asked and _MINE.search(sentence.text) is None:
        return False
    if any(word.text[:1].isupper() and word.text.isalpha() for word in words_[1:]):
        return True
    return _ABOUT.search(sentence.text) is not None or any(word.lower[:4] in _stems() for word in words_)


@cache
def _stems() -> frozenset[str]:
    """Return the first four letters of the verbs in the data and of some irregular forms."""
    irregular = "sold bought got left went met kept gave took began lost quit spoke grew came drove broke ran led moved"
    return frozenset(verb[:4] for verb in (*simple_verbs(), *irregular.split()) if len(verb) > 3 or verb in irregular)


_MINE = late(r"(?<!\w)(?:my|our)(?!\w)|[,;:–—-]\s")
"""Signs that a question also states something."""
_ABOUT = late(r"(?<!\w)(?:i|i'm|im|ive|we|my|our|me|us|he|she|his|her|they|their|it|its|the|shes|hes)(?![^\W_])|\d")
