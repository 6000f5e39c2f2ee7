"""Kinds are cut from WordNet's files: what is below a meaning, but for words that mostly mean something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.kinds.__main__ import line_of
from bench.kinds.cut import Cut, cut
from bench.kinds.wordnet import WordNet

NOUNS = """  1 This is the licence.
01 05 n 01 vessel 0 001 ~ 02 n 0000 | a craft
02 05 n 02 boat 0 small_boat 0 002 @ 01 n 0000 ~ 03 n 0000 | a small vessel
03 05 n 01 punt 0 001 @ 02 n 0000 | a flat boat
04 05 n 01 punt 0 000 | a kick
05 05 n 01 Dinghy 0 001 @ 02 n 0000 | not below anything
"""
INDEX = """  1 This is the licence.
vessel n 1 1 ~ 1 1 01
boat n 1 2 @ ~ 1 1 02
small_boat n 1 2 @ ~ 1 0 02
punt n 2 1 @ 2 1 03 04
"""
SENSES = """vessel%1:06:00:: 01 1 9
boat%1:06:00:: 02 1 9
punt%1:06:00:: 03 1 4
punt%1:04:00:: 04 2 1
boat%2:38:00:: 09 1 40
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    for name, text in (("data.noun", NOUNS), ("index.noun", INDEX), ("index.sense", SENSES)):
        (tmp_path / name).write_text(text)
    return WordNet.read(tmp_path)


def test_what_is_below_a_meaning_is_of_its_kind(wordnet: WordNet) -> None:
    # "boat" is a verb above all.
    assert cut("ship|vessel: vessel#1", wordnet) == Cut(("ship", "vessel"), ("punt", "small boat"))


def test_a_kind_is_written_by_stems() -> None:
    kind = Cut(("ship", "vessels"), ("punts", "small boats", "of the boat"))
    stems = {"ship": "ship", "vessels": "vessel", "punts": "punt", "small boats": "small boat"}
    assert line_of(kind, stems) == "ship|vessel: punt, small boat"
