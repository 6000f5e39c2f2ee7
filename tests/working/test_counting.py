"""Tokens: counted by a model's own tokenizer where that is at hand, estimated elsewhere, with no network."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any

import pytest
import tiktoken

from palace import BadRequest, TokenCounter, TokenWindow
from palace.models.wordpiece import tokenizer

TEXTS = {
    "English": "hey!! so i just moved to ghent lol, can u remind me what i said about the boat? " * 5,
    "German": "Seit Ende Mai wohne ich in Gent und arbeite als Vermessungsingenieurin bei der Stadt. " * 5,
    "Chinese": "我叫米拉，住在根特。我喜欢在河上划船，也喜欢修理旧自行车。" * 5,
    "Russian": "Я живу в Генте и ремонтирую старые велосипеды по выходным. " * 5,
    "Thai": "ฉันอาศัยอยู่ในเกนต์และซ่อมจักรยานเก่าในวันหยุดสุดสัปดาห์" * 5,
    "emoji": "😀👍🏽🎉❤️🇧🇪" * 20,
    "code": Path(__file__).read_text(encoding="utf-8"),
    "JSON": json.dumps([{"id": number, "name": "mast", "price": 12.5} for number in range(50)]),
    "hex": random.Random(1).randbytes(500).hex(),
    "base64": base64.b64encode(random.Random(1).randbytes(2_000)).decode(),
}


def test_the_models_of_openai_are_counted_exactly_and_others_rather_more_than_fewer() -> None:
    names = {"gpt-4o": "o200k_base", "openai/gpt-4o-mini": "o200k_base", "azure/gpt-4": "cl100k_base"}
    for model, name in (names | {"openrouter/openai/gpt-5": "o200k_base"}).items():
        counter = TokenCounter.of(model)
        assert (counter.name, counter.is_exact) == (name, True)
        encode = tiktoken.get_encoding(name).encode_ordinary
        assert [kind for kind, text in TEXTS.items() if counter.count(text) != len(encode(text))] == []
    for other in (None, "anthropic/claude-haiku-4.5", "groq/llama-3.3-70b", "gemini/gemini-2.5-pro"):
        counter = TokenCounter.of(other)
        assert (counter.name, counter.is_exact) == ("estimate", False)
        assert not TokenWindow(other).keep([{"role": "user", "content": "hi"}]).is_exact
    exact, estimate = TokenCounter.of("gpt-4o").count, TokenCounter.of(None).count
    assert [kind for kind, text in TEXTS.items() if not exact(text) <= estimate(text) <= 4 * exact(text)] == []


def test_a_tokenizer_of_a_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    tokenizer().save(str(path))
    counter = TokenCounter.from_file(path)
    assert (counter.name, counter.is_exact) == ("tokenizer.json", True)
    assert counter.count("the boat is in ghent") == len(tokenizer().encode("the boat is in ghent").ids) - 2
    path.write_text("{}")
    with pytest.raises(BadRequest, match=r"tokenizer\.json cannot be read as a tokenizer"):
        TokenCounter.from_file(path)


def tokens(content: Any, **rest: Any) -> int:
    counted = TokenWindow(counter=TokenCounter.given(len)).keep([{"role": "user", "content": content, **rest}]).tokens
    assert counted is not None
    return counted - 3 - 4


def test_what_is_no_text_is_counted_by_rules() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 1_000_000}}
    assert tokens([{"type": "text", "text": "four"}, image]) == 4 + 1_600
    assert tokens([{"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}}]) == 85
    sound = {"type": "input_audio", "input_audio": {"data": "A" * 100_000, "format": "wav"}}
    assert 1_600 < tokens([sound]) < 1_700
    assert tokens([{"type": "file", "file": {"file_data": "data:application/pdf;base64,AAAA"}}]) > 1_600
    assert tokens("x", trace={"of": "the caller's own" * 100}) == 1


def test_calls_and_thoughts_are_counted() -> None:
    called = [{"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"at": "mast"}'}}]
    assert tokens(None, tool_calls=called) == 8 + 4 + 14
    assert tokens("", reasoning_content="hmm") == 3
    assert tokens(7, tool_calls=[3, {"odd": 1}], function_call="x") > 0


def test_signs_that_mean_something_to_a_model_and_stretches_without_an_end_are_counted_as_text() -> None:
    counter = TokenCounter.of("gpt-4o")
    assert counter.count("<|endoftext|>") > 1
    assert counter.count("\ud800") > 0
    for sign in "a^ ":
        assert counter.count(sign * 200_000) > 1_000
