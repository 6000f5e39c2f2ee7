"""Texts as lines: nothing that was said is lost, and nothing takes long."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from palace_cli.tui.typeset import as_markdown

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
