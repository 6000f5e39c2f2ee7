"""Making text holdable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace.text.repair import repair

anything = st.text(st.characters(codec=None))


@given(anything)
def test_what_is_holdable_stays_as_it_is_and_lengths_never_change(text: str) -> None:
    repaired, was_repaired = repair(text)
    repaired.encode("utf-8")
    assert "\x00" not in repaired
    assert len(repaired) == len(text)
    assert was_repaired == (repaired != text)
    assert all(new in {old, "\ufffd"} for new, old in zip(repaired, text, strict=True))
