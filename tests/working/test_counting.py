"""Tokens: counted by a model's own tokenizer where that is at hand, estimated elsewhere, with no network."""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from palace import BadRequest, TokenCounter, TokenWindow
from palace.wordpiece import tokenizer

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


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o", "o200k_base"),
        ("openai/gpt-4o-mini", "o200k_base"),
        ("azure/gpt-4", "cl100k_base"),
        ("openrouter/openai/gpt-5", "o200k_base"),
    ],
)
def test_the_models_of_openai_are_counted_exactly(model: str, name: str) -> None:
    import tiktoken

    counter = TokenCounter.of(model)
    assert (counter.name, counter.is_exact) == (name, True)
    for text in TEXTS.values():
        assert counter.count(text) == len(tiktoken.get_encoding(name).encode_ordinary(text))


@pytest.mark.parametrize("model", [None, "anthropic/claude-haiku-4.5", "groq/llama-3.3-70b", "gemini/gemini-2.5-pro"])
def test_other_models_are_estimated_and_it_is_said(model: str | None) -> None:
    counter = TokenCounter.of(model)
    assert (counter.name, counter.is_exact) == ("estimate", False)
    assert not TokenWindow(model).keep([{"role": "user", "content": "hi"}]).is_exact


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_estimate_is_rather_more_than_fewer(text: str) -> None:
    exact, estimated = TokenCounter.of("gpt-4o").count(text), TokenCounter.of(None).count(text)
    assert exact <= estimated <= 4 * exact


def test_the_published_example_of_openai_is_counted_as_it_says() -> None:
    """https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken: what the API reported for it."""
    jargon = (
        ("You are a helpful, pattern-following assistant that translates corporate jargon into plain English.", None),
        ("New synergies will help drive top-line growth.", "example_user"),
        ("Things working well together will increase revenue.", "example_assistant"),
        (
            "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
            "example_user",
        ),
        ("Let's talk later when we're less busy about how to do better.", "example_assistant"),
    )
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": text, **({"name": name} if name else {})} for text, name in jargon
    ]
    messages.append(
        {
            "role": "user",
            "content": "This late pivot means we don't have time to boil the ocean for the client deliverable.",
        }
    )
    assert TokenWindow("gpt-4o").keep(messages).tokens == 124
    assert TokenWindow("gpt-4").keep(messages).tokens == 129


def test_a_tokenizer_of_a_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    tokenizer().save(str(path))
    counter = TokenCounter.from_file(path)
    assert (counter.name, counter.is_exact) == ("tokenizer.json", True)
    assert counter.count("the boat is in ghent") == len(tokenizer().encode("the boat is in ghent").ids) - 2
    path.write_text("{}")
    with pytest.raises(BadRequest, match=r"tokenizer\.json cannot be read as a tokenizer"):
        TokenCounter.from_file(path)


def test_what_is_no_counter_is_refused() -> None:
    with pytest.raises(BadRequest, match="counter must be a TokenCounter, not builtin_function_or_method"):
        TokenWindow(counter=len)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="must be a function, not int"):
        TokenCounter.given(7)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="model must be a name, not int"):
        TokenCounter.of(7)  # type: ignore[arg-type]


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


def test_signs_that_mean_something_to_a_model_are_counted_as_text() -> None:
    assert TokenCounter.of("gpt-4o").count("<|endoftext|>") > 1
    assert TokenCounter.of("gpt-4o").count("\ud800") > 0


@pytest.mark.parametrize("text", ["a" * 400_000, "^" * 400_000, " " * 400_000], ids=["letters", "carets", "spaces"])
def test_long_stretches_without_an_end_are_counted(text: str) -> None:
    assert TokenCounter.of("gpt-4o").count(text) > 1_000


def test_counting_leaves_the_environment_alone_and_needs_no_litellm() -> None:
    program = (
        "import os, sys\n"
        "os.environ.pop('TIKTOKEN_CACHE_DIR', None)\n"
        "from palace import TokenWindow\n"
        "assert TokenWindow('gpt-4o').keep([{'role': 'user', 'content': 'hi'}]).is_exact\n"
        "assert 'TIKTOKEN_CACHE_DIR' not in os.environ\n"
        "assert not {'litellm', 'sqlalchemy', 'psycopg', 'openai'} & sys.modules.keys()\n"
    )
    environment = {**os.environ, "https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, timeout=60)
