"""The house stays within its budget."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest

from palace import Palace, Settings
from tests.architecture.budget import beyond, budget, measured
from tests.architecture.request import walked
from tests.architecture.sizes import ROOT, python_files

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "core"}


def test_nothing_is_larger_than_the_budget_allows() -> None:
    assert beyond(budget(), measured(slowly=False)) == []


@pytest.mark.nightly
def test_neither_tokens_nor_words_in_lists_are_more_than_the_budget_allows() -> None:
    assert beyond(budget(), measured()) == []


@pytest.mark.nightly
@pytest.mark.process
def test_a_recall_walks_through_no_more_of_the_house_than_the_budget_allows(settings: Settings) -> None:
    with Palace.open(settings, user=f"reader-{uuid.uuid4()}") as palace:
        palace.mine(ROOT / "examples" / "efoil.json")
        user = palace.user
    assert settings.database_url is not None
    found = walked({"home": str(settings.home), "database_url": settings.database_url.get_secret_value()}, user)
    assert beyond(budget(), {"request": found}) == []


def test_a_figure_without_a_number_or_above_its_number_is_named() -> None:
    allowed = {"lines": {"palace": 10, "cli": 5}}
    assert beyond(allowed, {"lines": {"palace": 10, "cli": 5}}) == []
    assert beyond(allowed, {"lines": {"palace": 11, "bench": 1}, "shape": {"files": 2}}) == [
        "lines.palace: 11 of at most 10",
        "lines.bench: 1 of at most 0",
        "shape.files: 2 of at most 0",
    ]


def test_no_two_modules_of_tests_have_one_name() -> None:
    names = Counter(path.name for path in python_files("tests") if path.name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []


def test_the_contracts_of_imports_except_nothing() -> None:
    assert "ignore_imports" not in (ROOT / ".importlinter").read_text(encoding="utf-8")


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in python_files("palace") if EMPTY_NAMES & {path.stem, path.parent.name}] == []
