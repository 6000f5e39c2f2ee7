"""What a provider may send in place of an answer: any JSON, and answers that are nearly right."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

NUMBERS = st.integers() | st.sampled_from([10**30, -(10**30), -1, 2**63, 10**400]) | st.floats()
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=20) | st.sampled_from(["\0", "9" * 5000, "<html>"])
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def _places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [place] if place else []
    if isinstance(value, dict):
        return found + [deeper for key in value for deeper in _places(value[key], (*place, key))]
    if isinstance(value, list):
        return found + [deeper for key in range(len(value)) for deeper in _places(value[key], (*place, key))]
    return found


def nearly(right: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Give answers in which up to three parts of a right one are replaced, left out or doubled."""

    @st.composite
    def spoiled(draw: st.DrawFn) -> dict[str, Any]:
        answer = copy.deepcopy(right)
        for _ in range(draw(st.integers(1, 3))):
            *way, last = draw(st.sampled_from(_places(answer)))
            holder: Any = answer
            for step in way:
                holder = holder[step]
            spoiling = draw(st.sampled_from(("replace", "leave out", "double")))
            if spoiling == "replace":
                holder[last] = draw(JSON)
            elif spoiling == "leave out":
                del holder[last]
            elif isinstance(holder, list):
                holder.insert(last, copy.deepcopy(holder[last]))
            if not _places(answer):
                break
        return answer

    return spoiled()
