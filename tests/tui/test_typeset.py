"""Texts as lines: nothing that was said is lost, and nothing takes long."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace_cli.tui.typeset import as_markdown, as_written

WIDTH = 47
BLOCKS = ("> ", "- ", "1. ", "# ", "| ", "|-|-|\n", "```\n", "```js\n", "\n", "\n\n", "    ", "***", "- [ ] ", "==\n")
INLINE = ("**", "`", "<b>", "</b>", "<!-- ", " -->", "[", "](", ")", "]: ", "![", "~~", "_", '"', "\\", "&amp;", "<br>")
MARKS = st.sampled_from([*BLOCKS, *INLINE, "<", ">"])
WORDS = re.compile(r"w\d{3}")


def shown(text: str, width: int = WIDTH) -> str:
    return "\n".join("".join(segment.text for segment in line) for line in as_markdown(text, width, dark=True))


@given(st.lists(st.one_of(MARKS, st.integers(100, 999).map(lambda number: f"w{number} ")), max_size=40))
def test_no_word_is_lost_in_markdown(pieces: list[str]) -> None:
    text = "".join(pieces)
    missing = set(WORDS.findall(text)) - set(WORDS.findall(re.sub(r"[\s▌]", "", shown(text))))
    assert not missing, shown(text)


def test_what_markdown_would_drop_is_shown() -> None:
    for text in (
        *("<script>alert(2)</script>", "Use <b>bold</b> and <!-- a remark -->.", "[note]: this is all that was said"),
        *("![a picture](http://example.org/it.png)", '[a](b "its title")', "```dts title=board\ncode\n```"),
        *("> " * 25 + "deep", "|" + "|".join(f"column{at}" for at in range(30)) + "|\n|" + "-|" * 30 + "\n"),
        "|a|\n|-|\n|" + "averylongword" * 6 + "|\n",
    ):
        told = re.sub(r"[\s▌]", "", shown(text))
        assert [word for word in re.findall(r"\w{1,40}", text) if word not in told] == [], text
    assert "<script>alert(2)</script>" in shown("<script>alert(2)</script>")


def seconds_to_set(text: str) -> float:
    """Give the processor time that setting a text takes in both ways."""
    started = time.process_time()
    as_markdown(text, WIDTH, dark=True)
    as_written(text, WIDTH)
    return time.process_time() - started


@pytest.mark.nightly
@pytest.mark.parametrize(
    "text",
    [
        f"```dts\n{'a' * 19_900}\n```",
        f"```perl6\n{'<' * 19_000}\n```",
        f"```cpp\n{'a {}'.format(' ') * 4_000}\n```",
        "```csharp\n" + "a a\n" * 900 + "```\n```csharp\n" + "a a\n" * 900 + "```\n",
        "|a|b|\n|-|-|\n" + "|a|b|\n" * 3_000,
        "e" + "\u0301" * 20_000,
    ],
    ids=lambda text: text[:8],
)
def test_no_text_takes_long_to_set(text: str) -> None:
    assert min(seconds_to_set(text) for _ in range(3)) < 4


def test_code_of_a_language_that_is_known_is_coloured() -> None:
    lines = as_markdown("```python\nfor cell in range(12):\n    pass\n```", WIDTH, dark=True)
    assert any(segment.style and segment.style.color for line in lines for segment in line if "for" in segment.text)
