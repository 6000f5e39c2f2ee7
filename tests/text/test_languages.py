"""Telling the language of a message, and the words of it that Postgres does not find."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.further import further_words, words_asked
from palace.text.further.compounds import LONGEST, MOST_PARTS, parts_of
from palace.text.further.unspaced import grams_asked, grams_of
from palace.text.languages import tell_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("My sister moved to Lisbon last year.", "en"),
        ("Meine Schwester wohnt seit letztem Jahr in Köln.", "de"),
        ("Ma sœur habite à Lyon depuis l'année dernière.", "fr"),
        ("Mi hermana vive en Sevilla desde el año pasado.", "es"),
        ("Mia sorella abita a Torino dall'anno scorso.", "it"),
        ("A minha irmã mora no Porto desde o ano passado.", "pt"),
        ("Mijn zus woont sinds vorig jaar in Utrecht.", "nl"),
        ("Min syster flyttade till Göteborg förra året.", "sv"),
        ("Kız kardeşim geçen yıl İzmir'e taşındı.", "tr"),
        ("Moja siostra mieszka w Krakowie od zeszłego roku.", "pl"),
        ("Моя сестра живёт в Казани с прошлого года.", "ru"),
        ("姉は去年から大阪に住んでいます。", "ja"),
        ("我姐姐去年搬到了上海。", "zh"),
        ("พี่สาวของฉันย้ายไปเชียงใหม่เมื่อปีที่แล้ว", "th"),
        ("누나는 작년부터 부산에 살아요.", "ko"),
        ("Η αδερφή μου μένει στην Πάτρα.", "el"),
    ],
)
def test_a_sentence_tells_its_language(text: str, language: str) -> None:
    assert tell_language(text) == language


@pytest.mark.parametrize("text", ["", "   ", "Danke", "ok", "12.50", "PROJ-4412", "```\nfor x in range(3):\n```", "👍"])
def test_what_is_short_or_no_prose_tells_none(text: str) -> None:
    assert tell_language(text) is None


def test_code_and_addresses_do_not_count() -> None:
    code = "```python\nfor each in the_list: return this_is_not(what, you, think)\n```"
    address = "https://example.org/where-are-you-and-what-is-this"
    assert tell_language(f"Kannst du mir sagen, was daran nicht geht?\n{code}\n{address}") == "de"


def test_english_and_short_texts_load_no_model() -> None:
    script = (
        "import sys; from palace.text.languages import tell_language as tell;"
        "assert tell('My sister moved to Lisbon last year.') == 'en'; assert tell('Danke') is None;"
        "assert tell('我姐姐去年搬到了上海。') == 'zh'; assert 'py3langid' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("asyncio.QueueFull", {"asyncio", "queuefull", "queue", "full"}),
        ("node.js", {"node", "js"}),
        ("PROJ-4412", {"proj", "4412"}),
        ("parse_config_file", {"parse", "config", "file"}),
        ("getUserName()", {"get", "user", "name"}),
        ("HTTPServer", {"http", "server"}),
        ("src/app/main.py", {"src", "app", "main.py", "main", "py"}),
        ("anna@example.org", {"anna", "example.org", "example", "org"}),
        ("db-prod-3.internal", {"db", "prod", "internal"}),
        ("std::vector.", {"std", "vector"}),
        ("utf8Decoder", {"utf8", "decoder"}),
    ],
)
def test_a_name_has_parts(text: str, parts: set[str]) -> None:
    assert set(parts_of(f"It is {text} here")) == parts


@pytest.mark.parametrize(
    "text", ["a well-known garden", "10:30", "3.14", "2026-03-01T10:00", "e.g. this", "LH881", "192.168.1.1", "$1,200"]
)
def test_ordinary_words_and_numbers_have_none(text: str) -> None:
    assert list(parts_of(text)) == []


def test_writing_without_spaces_is_cut_into_runs() -> None:
    assert list(grams_of("我住北京")) == ["我住", "住北", "北京", "我", "住", "北", "京"]
    assert list(grams_of("猫")) == ["猫"]
    assert list(grams_of("กินข้าว")) == ["กิน", "ินข", "นข้", "ข้า", "้าว"]
    assert list(grams_of("plain words, ein Wort und 한국어 단어")) == []


def test_a_question_is_cut_where_its_script_changes_and_less_its_grammar() -> None:
    assert grams_asked("昨日食べた寿司はどこ?") == ["昨日", "日食", "寿司"]
    assert grams_asked("什么时候去北京") == ["么时", "候去", "去北", "北京"]
    assert grams_asked("どこ") == ["どこ"]
    assert words_asked("Where is 寿司?").text == "Where is  ?"


LETTERS = st.text(st.characters(codec="utf-8"), max_size=400)
NAMES = st.text("abcXYZ019._/-@:\\# ąß日本กข", max_size=400)


@given(st.one_of(LETTERS, NAMES))
def test_further_words_are_bounded_and_can_be_given_with_spaces_between(text: str) -> None:
    words = further_words(text)
    assert len(words) == len(set(words)) <= 3 * len(text)
    assert all(word and not any(character.isspace() for character in word) for word in words)
    assert all(len(word) <= LONGEST for word in words)
    tell_language(text)


def test_data_gives_few_words_and_takes_time_linear_in_its_length() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    blob = "".join(random.Random(7).choices(letters, k=1_000_000))
    for data in (blob, "a.b/c_" * 170_000, "aB" * 500_000, "." * 1_000_000, "日" * 300_000, "A" * 1_000_000):
        begun = time.process_time()
        passages = [data[start : start + 2000] for start in range(0, len(data), 2000)]
        assert sum(len(further_words(passage)) for passage in passages) < 100_000
        list(parts_of(data))
        tell_language(data)
        assert time.process_time() - begun < 8
    assert len(list(parts_of("aBcD" * 20))) <= MOST_PARTS
