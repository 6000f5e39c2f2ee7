"""Keys of projects and names of their wings: one key a path, and always another name."""

from __future__ import annotations

import re
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from palace.config.checkout import key_of_repository
from palace.config.project_keys import key_of, names_of, plain_key

PARTS = st.lists(
    st.text(st.characters(blacklist_characters="/\0"), min_size=1).filter(lambda p: p not in {".", ".."}),
    min_size=1,
    max_size=4,
)


@given(PARTS, PARTS)
def test_two_paths_never_have_one_key(one: list[str], other: list[str]) -> None:
    keys = [key_of("/h/" + "/".join(parts), "/h") for parts in (one, other)]
    assert (keys[0] == keys[1]) == (one == other) or "" in keys
    assert all("\n" not in key and key.isprintable() for key in keys)


@given(PARTS)
def test_names_never_end_and_fold_to_ever_others(parts: list[str]) -> None:
    names = list(islice(names_of("/".join(parts)), 12))
    assert len({name.casefold() for name in names}) >= 5


POINTERS = st.from_regex(r"\A\s?(§ ?)?[Ww]-?\d{1,9}(/[RDCrdc]-?\d{1,9}){0,2}\s?\Z")


@given(POINTERS, st.sampled_from(["", "work/", "W-001/", "W-001/R-02/", "/"]))
def test_no_wing_is_called_like_a_pointer(name: str, before: str) -> None:
    shape = re.compile(r"\s*(§ ?)?w-?\d+(/[rdc]-?\d+)*\s*", re.IGNORECASE)
    assert not any(map(shape.fullmatch, [*islice(names_of(f"{before}{name}"), 6), *islice(names_of("~", name), 3)]))


@given(st.text())
def test_any_text_has_a_plain_key_or_none(text: str) -> None:
    assert "\n" not in plain_key(text)


def test_what_names_no_repository_has_no_key() -> None:
    paths = ("foo.txt:bar", "host:mara/x", "/srv/x.git", "git@github.com:a//b", "https://github.com/a/../b")
    assert {*map(key_of_repository, paths)} == {""}
