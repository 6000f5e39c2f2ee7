"""What two spellings of a name have in common, and the family that it belongs to."""

from __future__ import annotations

import pytest

from palace.graph.resolve import family_of, fold_name


@pytest.mark.parametrize(
    ("name", "folded", "family"),
    [
        ("Derek  HUGHES", "derek hughes", "derek"),
        ("derek h.", "derek h", "derek"),
        ("Dr. Müller's", "muller", "muller"),
        ("Prof. Dr. Yuki Sato", "yuki sato", "yuki"),
        ("aunt Rose", "rose", "rose"),
        ("Oma Inge", "inge", "inge"),
        ("Oma", "oma", "oma"),
        ("Dr.", "dr", "dr"),
        ("Mrs. Weber", "ms weber", "weber"),
        ("Frau Dr. Weber", "ms weber", "weber"),
        ("Mr Weber", "mr weber", "weber"),
        ("Mr. Jan Weber", "jan weber", "jan"),
        ("Straße 5", "strasse 5", "strasse"),
        ("the Rijksmuseum", "rijksmuseum", "rijksmuseum"),
        ("my sister", "my sister", "sister"),
        ("meine Schwester", "meine schwester", "schwester"),
        ("Anna's brother", "anna's brother", "anna"),
        ("Anna’s", "anna", "anna"),
        ("@dhughes", "dhughes", "dhughe"),
        ("“Biscuit”,", "biscuit", "biscuit"),
        ("C#", "c#", "c#"),
        ("C++", "c++", "c++"),
        ("node.js", "node.js", "node.js"),
        ("St. Gallen", "st gallen", "st"),
        ("Алёна", "алена", "алена"),
        ("Андрей", "андрей", "андрей"),
        ("日本ガイシ", "日本ガイシ", "日本ガイシ"),
        ("Anna (2)", "anna (2)", "anna"),
        ("", "", ""),
        (" … ", "", ""),
    ],
)
def test_a_name_is_folded_and_has_a_family(name: str, folded: str, family: str) -> None:
    assert (fold_name(name), family_of(fold_name(name))) == (folded, family)


@pytest.mark.parametrize("name", ["Derek Hughes", "Mr Weber", "Frau Dr. Weber", "the Dr. the X", "Anna's", "'s", "I"])
def test_what_is_folded_stays_as_it_is(name: str) -> None:
    assert fold_name(fold_name(name)) == fold_name(name)
