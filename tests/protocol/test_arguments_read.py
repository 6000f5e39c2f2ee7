"""What a tool is given is read as its schema says, or refused in one line; nothing in between."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace_mcp.arguments import Argument, Kind, read
from palace_mcp.tools.tool import one_line

DECLARED = (
    Argument("text", is_required=True),
    Argument("most", kind=Kind.COUNT, least=1, most=9, otherwise=5),
    Argument("since", kind=Kind.FIRST),
    Argument("until", kind=Kind.LAST),
)
JSON = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80) | st.lists(st.integers(), max_size=2)
)


@given(st.dictionaries(st.sampled_from(["text", "most", "since", "until", "other"]), JSON))
def test_whatever_is_given_is_read_or_refused(arguments: dict[str, Any]) -> None:
    told, values = "", None
    try:
        values = read(DECLARED, arguments)
    except BadRequest as problem:
        told = str(problem)
    if values is None:
        assert 0 < len(told) < 300
        return
    assert set(values) == {"text", "most", "since", "until"}
    assert isinstance(values["text"], str)
    assert 1 <= values["most"] <= 9


def test_a_day_is_meant_whole() -> None:
    for told, first, last in (
        ("2026-04-30", datetime(2026, 4, 30), datetime(2026, 4, 30, 23, 59, 59, 999999)),  # noqa: DTZ001
        ("2026-04-30T18:20", datetime(2026, 4, 30, 18, 20), datetime(2026, 4, 30, 18, 20)),  # noqa: DTZ001
    ):
        values = read(DECLARED, {"text": "", "since": told, "until": told})
        assert (values["since"], values["until"]) == (first, last)


@given(st.text())
def test_a_line_is_one_line(text: str) -> None:
    told = one_line(text)
    assert len(told) <= 1002
    assert told.splitlines() in ([], [told])


def test_what_models_write_for_nothing_is_not_given_where_it_need_not_be() -> None:
    for nothing in ("", "  ", "null", "NULL", "None", "undefined", None):
        assert read(DECLARED, {"text": "x", "most": nothing, "since": nothing, "until": nothing}) == {
            "text": "x",
            "most": 5,
            "since": None,
            "until": None,
        }
        if nothing is not None:
            assert read(DECLARED, {"text": nothing})["text"] == nothing
