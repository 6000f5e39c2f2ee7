"""JSON settings are changed as text: what is not ours keeps every byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace_cli.connect.jsonc import END, Refused, data_of, put, take

ENTRY = {"command": "/usr/bin/palace", "args": ["mcp"]}
PATH = ("mcpServers", "palace")

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6).filter(
    lambda name: name != "palace"
)
plain = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | names
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=8
)
blanks = st.sampled_from(["", " ", "\n", "\n\t", "\r\n  ", " // a word\n", " /* two\nlines */ ", "\n    // }\n    "])


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """Write a value as somebody may have: blanks and comments anywhere, a comma at the end or none."""
    if isinstance(value, dict):
        parts = [
            f"{draw(blanks)}{json.dumps(name)}{draw(blanks)}:{draw(blanks)}{draw(written(each))}{draw(blanks)}"
            for name, each in value.items()
        ]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        parts = [f"{draw(blanks)}{draw(written(each))}{draw(blanks)}" for each in value]
        opening, closing = "[", "]"
    else:
        return json.dumps(value, ensure_ascii=draw(st.sampled_from([True, False])))
    end = draw(st.sampled_from(["", ","])) if parts else ""
    return f"{opening}{','.join(parts)}{end}{draw(blanks)}{closing}"


@st.composite
def settings_files(draw: st.DrawFn) -> str:
    """A file of settings, which may have servers already."""
    value = draw(st.dictionaries(names, values, max_size=4))
    if draw(st.booleans()):
        value["mcpServers"] = draw(st.dictionaries(names, values, max_size=2))
    return draw(blanks) + draw(written(value)) + draw(blanks)


@given(settings_files())
def test_what_is_put_in_is_there_and_everything_else_too_and_it_is_taken_out_again(text: str) -> None:
    before, changed = data_of(text), put(text, PATH, ENTRY)
    assert data_of(changed) == {**before, "mcpServers": {**before.get("mcpServers", {}), "palace": ENTRY}}
    # Blanks between the brackets of what is empty are laid out anew.
    left = iter(changed)
    assert all(sign in left for sign in text if not sign.isspace())
    assert data_of(take(changed, PATH)) in (before, {**before, "mcpServers": {}})


def test_a_file_is_byte_for_byte_what_it_was_when_ours_is_taken_out() -> None:
    for text in (
        '{\n  "a": 1\n}\n',
        '{\n  "a": 1, // why\n}\n',
        '{\n\t"a": [\n\t\t1,\n\t],\n\t"mcpServers": {\n\t\t"x": {}\n\t}\n}',
        '{\r\n  "mcpServers": {\r\n    "x": {"command": "y"}\r\n  }\r\n}\r\n',
        '{"mcpServers":{"x":{}},"a":1}',
        '{ "mcpServers": { "x": {} }, "a": 1 }',
        '// first\n{\n    "mcpServers": {\n        // none yet, but this\n        "x": {},\n    },\n}\n// last\n',
        '\ufeff{\n  "mcpServers": {"x": 1}\n}',
    ):
        path = PATH if "mcpServers" in data_of(text) else PATH[:1]
        assert take(put(text, PATH, ENTRY), path) == text


def test_it_is_laid_out_as_the_rest_is() -> None:
    assert put('{\n\t"a": 1\n}\n', ("b",), {"c": ["d", "e"]}) == '{\n\t"a": 1,\n\t"b": {\n\t\t"c": ["d", "e"]\n\t}\n}\n'
    assert put('{"a":1}', ("b",), {"c": "d"}) == '{"a":1,"b":{"c":"d"}}'
    assert put('{"a": 1}', ("b",), {"c": "d"}) == '{"a": 1, "b": {"c": "d"}}'
    assert put("", ("a", END), {"b": 1}) == '{\n  "a": [\n    {\n      "b": 1\n    }\n  ]\n}\n'


def test_a_comment_stays_with_what_it_is_about() -> None:
    changed = put('{\n  "a": 1 // about a\n}\n', ("b",), 2)
    assert changed == '{\n  "a": 1, // about a\n  "b": 2\n}\n'
    text = '{\n  "a": {\n    "palace": 1 // that one\n    // the next\n    , "work": 2\n  }\n}\n'
    changed = take(text, ("a", "palace"))
    assert "// that one" in changed
    assert "// the next" in changed
    assert data_of(changed) == {"a": {"work": 2}}


def test_what_is_no_json_or_leaves_no_room_is_refused_with_its_line() -> None:
    first = ("{", '{"a": }', "{'a': 1}", '{"a": NaN}', '{"a": 1} {"b": 2}', "[" * 5000, "nothing of the kind")
    rows = dict.fromkeys(first, 1)
    for text, line in (rows | {'{\n  "a": 1\n  "b": 2\n}': 3, '{\n\n"a": "no end': 3}).items():
        with pytest.raises(Refused, match=f"^line {line}: "):
            data_of(text)
    for text in ("[]", '"a"', '{"mcpServers": []}', '{"mcpServers": "none"}'):
        with pytest.raises(Refused):
            put(text, PATH, ENTRY)


@given(st.text(max_size=200))
def test_no_text_brings_it_down(text: str) -> None:
    try:
        put(text, PATH, ENTRY)
    except Refused:
        return
