"""What goes over the socket is JSON as ``json`` has it, without importing that."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace_hook.written import read, write

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@given(st.dictionaries(st.text(), PLAIN | st.dictionaries(st.text(), st.text())))
def test_what_is_written_is_read_by_json_as_it_was(told: dict[str, object]) -> None:
    assert json.loads(write(told)) == told
    assert read(json.dumps(told).encode()) == told


@pytest.mark.parametrize("body", [b"", b"{", b'{"v":1} {}', b"nothing", b'"\n"', b"\xff", b'{"out":tru}'])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 — of whatever kind: who asks catches them all
        read(body)
