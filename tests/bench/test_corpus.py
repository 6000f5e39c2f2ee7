"""Texts to measure with: made up, varied, written as exports, asked as sentences."""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bench.scale import corpus

CHAT = [
    {"role": "user", "content": "Which wire should carry the motor current?"},
    {"role": "assistant", "content": "Take a thick silicone wire.\nShort ones stay cool."},
]


def test_made_up_conversations_are_the_same_each_time() -> None:
    first, second = (list(islice(corpus.synthetic_conversations(), 3)) for _ in range(2))
    assert first == second


@given(st.text(alphabet=" .-aZ7äß", max_size=30))
def test_varying_a_text_keeps_all_but_its_longer_words(text: str) -> None:
    longer = re.compile(r"[^\W\d_]{4,}")
    varied = corpus.vary(text, ["other"], random.Random(1))
    assert longer.sub("word", varied) == longer.sub("word", text)


def test_an_export_holds_as_many_turns_as_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    assert corpus.write_export(path, iter([CHAT, CHAT, CHAT]), drawers=3) == 3
    assert corpus.read_export(path) == [CHAT, CHAT[:1]]


def test_a_sentence_is_taken_of_each_content_that_has_one() -> None:
    contents = ["Thanks!", "Take the thick silicone wire. Yes.", "one two three four " * 20]
    assert corpus.sentences(contents) == ["Take the thick silicone wire.", " ".join(["one two three four"] * 6)]
