"""The ceilings: a thing that hits one holds two nouns, and is cut between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.architecture.sizes import LIBRARY, Size, classes, functions, modules, packages, python_files, statements

EVERYWHERE = (*LIBRARY, "tests")

ALLOWED: dict[str, str] = {}
"""What may be larger: its name as a failing test gives it, and the reason."""

FLAT_PACKAGES = {"commands", "readers", "widgets", "screens", "tables"}
"""Packages of one thing a file, where a list is easier to read than a tree."""


def beyond(sizes: Sequence[Size], ceiling: int) -> list[Size]:
    """List what is larger than it may be."""
    return [size for size in sizes if size.count > ceiling and size.name not in ALLOWED]


@pytest.mark.parametrize(
    ("sizes", "ceiling"),
    [
        pytest.param(modules(*EVERYWHERE), 400, id="module"),
        pytest.param(functions(*EVERYWHERE), 50, id="function"),
        pytest.param(classes(*EVERYWHERE), 15, id="class"),
        pytest.param(statements(), 80, id="statement"),
        pytest.param([size for size in modules("palace") if size.name == "palace/palace.py"], 300, id="façade"),
        pytest.param([size for size in modules("cli") if size.name == "cli/palace_cli/app.py"], 100, id="assembly"),
    ],
)
def test_nothing_is_larger_than_its_ceiling(sizes: list[Size], ceiling: int) -> None:
    assert sizes
    assert beyond(sizes, ceiling) == []


def test_a_package_holds_at_most_nine_modules() -> None:
    sizes = [size for size in packages(*LIBRARY) if size.name.rsplit("/", 1)[-1] not in FLAT_PACKAGES]
    assert beyond(sizes, 9) == []


def test_what_is_allowed_to_be_larger_still_is_there_and_has_a_reason() -> None:
    measured = [
        *modules(*EVERYWHERE),
        *functions(*EVERYWHERE),
        *classes(*EVERYWHERE),
        *packages(*LIBRARY),
        *statements(),
    ]
    assert set(ALLOWED) <= {size.name for size in measured}
    assert all(reason.strip() for reason in ALLOWED.values())


def test_no_two_modules_of_tests_have_one_name() -> None:
    names = Counter(path.name for path in python_files("tests") if path.name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []
