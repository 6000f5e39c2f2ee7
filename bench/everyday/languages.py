"""`python -m bench.everyday.languages`: short facts in ten languages, asked in their own words and in others.

Each language is one palace of thirty facts with one question each; beside what recall finds stands what its words find
alone, without the model, whose vectors know English best.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from bench.everyday.answers import Row, ask_all, score, table
from bench.everyday.sets import FOLDER, PARTS, Asked, Load, Talk, Turn
from bench.harness import opened_palaces
from palace import Palaces, Strategy

KINDS = {"same_words": "same words", "other_words": "other words"}
WORDS_ALONE = Strategy.of({"arms": ["keyword"]})


def main(arguments: Sequence[str] | None = None) -> int:
    """File each language's palace, and ask it; the table goes to standard output."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.languages", description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="tune", help="which sets: to develop with, or kept apart")
    parser.add_argument("--language", action="append", help="which of them (all)")
    parser.add_argument("--json", action="store_true", help="print one JSON list of rows")
    options = parser.parse_args(arguments)
    with opened_palaces(server_idle_minutes=1) as palaces:
        rows = [row for load in loads(options.part, options.language) for row in rows_of(palaces, load)]
    print(json.dumps([asdict(row) for row in rows], indent=1) if options.json else table(rows))
    return 0


def loads(part: str, languages: Sequence[str] | None = None) -> Iterator[Load]:
    """Read the sets of a part, each as one palace, in order of language; those of some languages, or all."""
    for file in sorted((FOLDER / part / "languages").glob("*.json")):
        if languages is None or file.stem in languages:
            yield _load(json.loads(file.read_text(encoding="utf-8")))


def rows_of(palaces: Palaces, load: Load) -> Iterator[Row]:
    """Ask a palace by everything and by words alone, and count each kind of question."""
    for way, strategy in (("", None), (", words alone", WORDS_ALONE)):
        found = list(ask_all(palaces, f"language-{load.name}", load, strategy))
        for kind, name in KINDS.items():
            yield score(f"{load.name}, {name}{way}", [each for each in found if each.question.kind == kind])


def _load(found: dict[str, Any]) -> Load:
    talks = tuple(Talk(each["id"], None, (_turn(each),)) for each in found["facts"])
    asked = tuple(
        Asked(each["id"], each["kind"], each["text"], datetime.fromisoformat(each["at"]), frozenset([each["fact"]]))
        for each in found["questions"]
    )
    return Load(found["language"], talks, asked)


def _turn(fact: dict[str, Any]) -> Turn:
    return Turn(fact["id"], "user", fact["text"], datetime.fromisoformat(fact["said_at"]))


if __name__ == "__main__":
    sys.exit(main())
