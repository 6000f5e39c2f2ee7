"""Texts to measure with: made up, varied, written as exports, asked as sentences."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bench.scale import corpus

CHAT = [
    {"role": "user", "content": "Which wire should carry the motor current?"},
    {"role": "assistant", "content": "Take a thick silicone wire.\nShort ones stay cool."},
]


def test_made_up_words_follow_zipfs_law() -> None:
    said = islice(corpus.synthetic_conversations(), 60)
    words = Counter(word for chat in said for message in chat for word in message["content"].strip(".").split())
    counts = [count for _, count in words.most_common(20)]
    assert 1.7 < counts[0] / counts[1] < 2.3
    assert 7 < counts[0] / counts[9] < 13


def test_made_up_conversations_are_the_same_each_time() -> None:
    first, second = (list(islice(corpus.synthetic_conversations(), 3)) for _ in range(2))
    assert first == second


@given(st.text())
def test_varying_a_text_keeps_all_but_its_longer_words(text: str) -> None:
    longer = re.compile(r"[^\W\d_]{4,}")
    varied = corpus.vary(text, ["other"], random.Random(1))
    assert longer.sub("word", varied) == longer.sub("word", text)


def test_varying_swaps_some_words_and_leaves_most() -> None:
    text = "silicone " * 1000
    swapped = corpus.vary(text, ["copper"], random.Random(1)).count("copper")
    assert 100 < swapped < 300


def test_conversations_come_as_they_are_before_they_come_varied() -> None:
    found = corpus.endless([CHAT], seed=1)
    assert next(found) == CHAT
    later = [next(found) for _ in range(20)]
    assert any(chat != CHAT for chat in later)
    assert all([message["role"] for message in chat] == ["user", "assistant"] for chat in later)


def test_an_export_holds_as_many_turns_as_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    assert corpus.write_export(path, iter([CHAT, CHAT, CHAT]), drawers=3) == 3
    assert corpus.read_export(path) == [CHAT, CHAT[:1]]


def test_an_export_of_a_short_source_holds_all_of_it(tmp_path: Path) -> None:
    assert corpus.write_export(tmp_path / "export.jsonl", iter([CHAT]), drawers=9) == 2


def test_chats_are_read_back_as_chatgpt_exports(tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    corpus.write_chats(folder, [CHAT, CHAT[:1]])
    assert sorted(corpus.conversations(folder), key=len) == [CHAT[:1], CHAT]


def test_conversations_are_taken_until_they_hold_enough_passages() -> None:
    taken = corpus.take_passages(iter([CHAT] * 9), passages=5)
    assert len(taken) == 3
    assert len(corpus.passages_of(taken)) == 6


def test_a_sentence_is_taken_of_each_content_that_has_one() -> None:
    contents = ["Thanks!", "Take the thick silicone wire. Yes.", "one two three four " * 20]
    assert corpus.sentences(contents) == ["Take the thick silicone wire.", " ".join(["one two three four"] * 6)]


def test_queries_are_lines_that_are_not_empty(tmp_path: Path) -> None:
    path = tmp_path / "queries.txt"
    path.write_text("first question?\n\n  second one?\n", encoding="utf-8")
    assert corpus.read_queries(path) == ["first question?", "second one?"]
