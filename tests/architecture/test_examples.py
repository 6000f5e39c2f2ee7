"""The examples do what the README promises of them, with the model that a person gets."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from examples import remember
from palace import Palace, Settings


@pytest.fixture(scope="module")
def efoil(settings: Settings) -> Iterator[Palace]:
    """A palace that holds the sample conversation."""
    with Palace.open(settings, user=f"reader-{uuid.uuid4()}") as opened:
        assert opened.mine(remember.CONVERSATION).drawers_new == 55
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("where do we stay in September?", "We booked: Casa Olivi in Torbole"),
        ("how is the file of the propeller called?", "It is called prop_155_v3.step"),
        ("how much is the budget for the trip?", "Up to a day is fine."),
        ("what do I prefer in your answers?", "For your answers in general: I prefer short ones"),
    ],
)
def test_a_question_is_answered_by_the_message_that_says_it(question: str, answer: str, efoil: Palace) -> None:
    contents = [hit.drawer.content for hit in efoil.recall(question, top_k=3).hits]
    assert any(content.startswith(answer) for content in contents)


def test_the_readmes_question_has_the_right_drawer_first(efoil: Palace) -> None:
    (first, *_) = efoil.recall("which battery wiring overheated?").hits
    assert first.drawer.content.startswith("I tried a 12-AWG silicone wire between the battery and")


def test_what_the_sample_does_not_speak_of_has_no_answer(efoil: Palace) -> None:
    assert efoil.recall("photosynthesis in desert plants").hits == ()


def test_the_program_prints_new_drawers_hits_and_a_block(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert settings.database_url is not None
    monkeypatch.setenv("PALACE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("PALACE_USER", f"programmer-{uuid.uuid4()}")
    remember.main()
    printed = capsys.readouterr().out
    assert printed.startswith("55 new drawers, 0 known already\n")
    assert "12-AWG silicone wire" in printed
    assert printed.endswith("</memory_context>\n")
