"""A stranger calls every command with what is the victim's."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from palace_cli.app import app
from tests.held import lead_to
from tests.isolation.commands import COMMANDS, LASTING, iter_commands
from tests.isolation.conftest import both_layers
from tests.isolation.victim import SECRETS
from tests.isolation.world import World

Run = Callable[..., Any]
NUMBERS = ("number", "room", "pointer", "former_number", "former_room", "former_pointer")


@pytest.fixture(autouse=True)
def _utc() -> Iterator[None]:
    """Make Greenwich the local time zone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command as somebody who may use a palace and does not own its schema."""

    def invoke(world: World, user: str, *arguments: str) -> Any:
        lead_to(world.settings, monkeypatch)
        return CliRunner().invoke(app, [*arguments, "--user", user], catch_exceptions=False)

    return invoke


def filled_in(words: tuple[str, ...], world: World) -> list[str]:
    """Put what can be guessed of a world into the words of a command."""
    guess, cast = world.guess, world.guess.cast
    values = {
        name: getattr(guess, name)
        for name in (*NUMBERS, "closet", "run_id", "job_id", "key_id", "grant_id", "source", "export")
    }
    texts = {"wing": cast.wing, "former_wing": cast.former_wing, "query": cast.query, "secret": cast.secret}
    return [word.format(**values, **texts, folder=world.folder) for word in words]


def answered(result: Any) -> str:
    """Give all that a command tells: its exit code and both streams."""
    return f"{result.exit_code}\n{result.stdout}\n{result.stderr}"


def leaks(tried: dict[str, tuple[tuple[str, ...], ...]], world: World, deserted: World, run: Run) -> list[object]:
    """List the commands that tell a stranger of the victim, or another thing than where there is none."""
    found: list[object] = []
    users: dict[World, str] = {}
    for command, attempts in tried.items():
        if not users or command in LASTING:
            users = {place: f"stranger-{uuid.uuid4()}" for place in (world, deserted)}
            for place, user in users.items():
                run(place, user, "note", "I keep bees behind the shed.", "--wing", "Bees")
        for words in attempts:
            as_json = () if {"block", "--raw"} & set(words) or command in {"browse", "mcp", "serve"} else ("--json",)
            beside, alone = (
                answered(run(place, user, *command.split(), *filled_in(words, place), *as_json))
                for place, user in users.items()
            )
            same = world.comparable(beside, users[world]) == deserted.comparable(alone, users[deserted])
            found += [] if same and not world.secrets_in(beside) else [(command, words, beside, alone)]
    pages = [page for page in world.folder.glob("stolen-*/**/*") if page.is_file()]
    return found + [page for page in pages if world.secrets_in(page.read_text())]


@pytest.mark.nightly
@both_layers
def test_a_stranger_is_told_nothing_of_what_is_not_theirs(unharmed: World, deserted: World, run: Run) -> None:
    assert leaks(COMMANDS | LASTING, unharmed, deserted, run) == []
    assert not (unharmed.folder / "stolen.backup").exists()


def test_every_command_is_tried() -> None:
    assert {*COMMANDS, *LASTING} == set(dict(iter_commands()))


@both_layers
def test_without_json_a_stranger_is_told_nothing_either(unharmed: World, run: Run) -> None:
    for words in (("ls",), ("ls", "W-401/R-01"), ("show", "W-401/R-01/D-001"), ("runs",)):
        told = answered(run(unharmed, f"stranger-{uuid.uuid4()}", *words)).lower()
        assert [secret for secret in SECRETS if secret in told] == [], words
        theirs = answered(run(unharmed, unharmed.victim.user, *words)).lower()
        assert [secret for secret in SECRETS if secret in theirs] != [], words
