"""WordNet's nouns as its database files have them (``data.noun``, ``index.noun``, ``index.sense``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_BELOW = ("~", "~i")
_NOUN, _VERB = "1:", "2:"


@dataclass(slots=True)
class WordNet:
    """Nouns by their meanings; a meaning is known by its offset in ``data.noun``."""

    lemmas: dict[str, list[str]] = field(default_factory=dict)
    """Meanings to the words for them, in lower case, with an underscore for a space."""
    below: dict[str, list[str]] = field(default_factory=dict)
    """Meanings to those one step more special."""
    meanings: dict[str, list[str]] = field(default_factory=dict)
    """Words to their meanings, the most frequent first."""
    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a word was tagged with a meaning."""
    verbs: Counter[str] = field(default_factory=Counter)
    """How often a word was tagged as a verb."""

    @classmethod
    def read(cls, folder: Path) -> WordNet:
        """Read the database files of a folder."""
        found = cls()
        for head in _lines(folder / "data.noun"):
            fields = head.split("|")[0].split()
            words, rest = int(fields[3], 16), 4 + 2 * int(fields[3], 16)
            found.lemmas[fields[0]] = [fields[4 + 2 * place].lower() for place in range(words)]
            pointers = (fields[rest + 1 + 4 * place : rest + 4 + 4 * place] for place in range(int(fields[rest])))
            found.below[fields[0]] = [at for kind, at, part in pointers if kind in _BELOW and part == "n"]
        for line in _lines(folder / "index.noun"):
            fields = line.split()
            found.meanings[fields[0]] = fields[-int(fields[2]) :]
        for line in _lines(folder / "index.sense"):
            key, meaning, _, times = line.split()
            word, _, sense = key.partition("%")
            if sense.startswith(_NOUN):
                found.counted[word, meaning] = int(times)
            elif sense.startswith(_VERB):
                found.verbs[word] += int(times)
        return found

    def meaning(self, sense: str) -> str:
        """Give the meaning of a word by its number: ``dog#1``."""
        word, _, number = sense.partition("#")
        return self.meanings[word][int(number) - 1]

    def all_below(self, meaning: str) -> set[str]:
        """Give every meaning that is more special, and the meaning itself."""
        found, waiting = {meaning}, [meaning]
        while waiting:
            new = set(self.below[waiting.pop()]) - found
            found |= new
            waiting += new
        return found


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith(" "))
