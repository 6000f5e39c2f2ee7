"""Searches for garbage: none of them holds up a frame."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from palace import Palace
from palace_cli.commands import browse


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Search for garbage as before, when the test is over."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_garbage_is_searched_for_in_little_while_the_palace_is_open(
    palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    gc.set_threshold(100_000, 50, 50)
    monkeypatch.setattr(browse, "open_palace", lambda user: nullcontext(palace))
    with browse.opening(None):
        assert gc.get_threshold()[0] <= 10_000
        assert gc.get_freeze_count() > 0
