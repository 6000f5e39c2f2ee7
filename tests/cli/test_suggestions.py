"""A mistyped name is answered with those that were probably meant: the user's own, nobody else's, and harmlessly."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from palace import Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder

Run = Callable[..., Any]


@pytest.fixture
def filed(run: Run) -> Run:
    """A palace with a wing to be mistyped."""
    run("note", "My friend Derek Hughes sold the boat.", "--wing", "Efoil rebuild")
    return run


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("ls", "Efoli rebuild"), "there is no wing 'Efoli rebuild'; did you mean 'Efoil rebuild'? `palace ls` lists"),
        (("ls", "efiol"), "did you mean 'Efoil rebuild'?"),
        (("recall", "boat", "--wing", "Efoil rebiuld"), "did you mean 'Efoil rebuild'?"),
        (("recent", "--wing", "Efoil rebiuld"), "did you mean 'Efoil rebuild'?"),
        (("rename", "Efoil rebiuld", "Boat"), "did you mean 'Efoil rebuild'?"),
        (("forget", "Efoil rebiuld", "--yes"), "did you mean 'Efoil rebuild'?"),
        (("move", "W-001/R-01", "Efoil rebiuld"), "did you mean 'Efoil rebuild'? `palace ls` lists them, and --create"),
        (("export", "-", "--wing", "Efoil rebiuld"), "did you mean 'Efoil rebuild'?"),
        (("timeline", "Derek Huhges"), "did you mean 'Derek Hughes'?"),
        (("settings", "get", "topk"), "did you mean 'top_k'?"),
        (("recal", "boat"), "Did you mean 'recall'?"),
        (("entities", "mrege", "a", "b"), "Did you mean 'merge'?"),
        (("ls", "--limt", "3"), "--limit"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
)
def test_what_was_meant_is_suggested(filed: Run, typed: tuple[str, ...], told: str) -> None:
    refused = filed(*typed)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert told in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_number_that_is_none_suggests_no_name(filed: Run) -> None:
    assert filed("ls", "W-009").stderr == "palace: there is no wing 'W-009'; `palace ls` lists them\n"


def test_what_is_in_nobodys_palace_or_in_anothers_suggests_nothing(filed: Run, settings: Settings) -> None:
    stranger = f"stranger-{uuid.uuid4()}"
    with Palace.open(settings, user=stranger, embedder=HashingEmbedder()) as theirs:
        theirs.note("Bees hum.", wing="Bees")
    told = filed("ls", "Efoil rebiuld", "--user", stranger).stderr
    assert told == "palace: there is no wing 'Efoil rebiuld'; `palace ls` lists them\n"


def test_a_suggested_name_cannot_drive_a_terminal(run: Run) -> None:
    run("note", "Bees hum.", "--wing", "Bees\x1b[31m hum")
    told = run("ls", "Bees hun").stderr
    assert "did you mean" in told
    assert "\x1b" not in told


def test_a_forgotten_wing_is_not_suggested(filed: Run) -> None:
    filed("note", "Bees hum.", "--wing", "Bees")
    filed("forget", "Efoil rebuild", "--yes", "--now")
    assert "did you mean" not in filed("ls", "Efoil rebiuld").stderr
