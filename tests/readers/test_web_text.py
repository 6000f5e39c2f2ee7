"""A web page as text: whatever is wrong with it, in time that grows with its length."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.mining.readers.web_text import web_text

TAGS = re.findall(
    r"\S+", "<p> </p> <div> </div> <script> </script> <!-- --> <blockquote> </blockquote> <pre> </pre> <td>"
)
ODD = [
    "<div style='display:none'>",
    "<a href=https://x.example>",
    "</a>",
    "<img alt=x>",
    "<",
    ">",
    "&amp;",
    "&#0;",
    '"',
]
PIECES = st.sampled_from([*TAGS, *ODD, "word", " ", "\n"])


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<br>b", "a\nb"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("1 < 2 &lt; 3", "1 < 2 < 3"),
        ("<td>a</td><td>b</td>", "a b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n\nc"),
        ("a<!-- b --><!-- c", "a"),
        ("<p hidden>a</p>b", "b"),
        ("<p style='display: none'>never closed", "never closed"),
        ("<style>a</style><SCRIPT>b</SCRIPT >c", "c"),
        ('<a href="https://x.example/a">https://x.example/a</a>', "https://x.example/a"),
        ('<a href="javascript:x()">a</a>', "a"),
        ('<span title="a > b">c</span>', "c"),
        ("\u200b\u200c\u00ada", "a"),
    ],
)
def test_what_a_person_reads_of_a_page(page: str, text: str) -> None:
    assert web_text(page).text == text


@given(st.lists(PIECES, max_size=40))
def test_any_page_gives_a_text_without_its_tags(pieces: list[str]) -> None:
    text = web_text("".join(pieces)).text
    assert "<script>" not in text
    assert "</p>" not in text


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        '<a "',
        "<a x='",
        "<!--",
        "<script>",
        "<p>",
        "<blockquote>",
        "<p hidden>",
        "&",
        "<a href=x>",
        "<b " + "x=y " * 50,
    ],
)
def test_a_page_is_read_in_linear_time(piece: str) -> None:
    def seconds(length: int) -> float:
        began = time.process_time()
        web_text(piece * (length // len(piece)))
        return time.process_time() - began

    assert seconds(400_000) < 12 * max(seconds(100_000), 0.05)
