"""A stranger calls every command with what is the victim's."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from palace_cli.app import app
from tests.isolation.commands import COMMANDS, iter_commands, untried
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
        assert world.settings.database_url is not None
        monkeypatch.setenv("PALACE_HOME", str(world.folder))
        monkeypatch.setenv("PALACE_DATABASE_URL", world.settings.database_url.get_secret_value())
        return CliRunner().invoke(app, [*arguments, "--user", user], catch_exceptions=False)

    return invoke


def filled_in(words: tuple[str, ...], world: World) -> list[str]:
    """Put what can be guessed of a world into the words of a command."""
    guess, cast = world.guess, world.guess.cast
    values = {name: getattr(guess, name) for name in (*NUMBERS, "closet", "run_id", "job_id", "source", "export")}
    texts = {"wing": cast.wing, "former_wing": cast.former_wing, "query": cast.query, "secret": cast.secret}
    return [word.format(**values, **texts, folder=world.folder) for word in words]


def answered(result: Any) -> str:
    """Give all that a command tells: its exit code and both streams."""
    return f"{result.exit_code}\n{result.stdout}\n{result.stderr}"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stranger_is_told_nothing_of_what_is_not_theirs(
    command: str, unharmed: World, deserted: World, run: Run
) -> None:
    places = {place: f"stranger-{uuid.uuid4()}" for place in (unharmed, deserted)}
    for place, user in places.items():
        run(place, user, "note", "I keep bees behind the shed.", "--wing", "Bees")
    for words in COMMANDS[command]:
        as_json = () if {"block", "--raw"} & set(words) or command in {"browse", "mcp"} else ("--json",)
        beside, alone = (
            answered(run(place, user, *command.split(), *filled_in(words, place), *as_json))
            for place, user in places.items()
        )
        assert unharmed.secrets_in(beside) == []
        assert unharmed.comparable(beside, places[unharmed]) == deserted.comparable(alone, places[deserted])
    assert not (unharmed.folder / "stolen.backup").exists()
    pages = [page for page in unharmed.folder.glob("stolen-*/**/*") if page.is_file()]
    assert [page for page in pages if unharmed.secrets_in(page.read_text())] == []


def test_every_command_and_every_option_is_tried() -> None:
    commands = dict(iter_commands())
    assert set(COMMANDS) == set(commands)
    assert [(path, untried(path, command)) for path, command in commands.items() if untried(path, command)] == []


@pytest.mark.parametrize("words", [("ls",), ("ls", "W-401/R-01"), ("show", "W-401/R-01/D-001"), ("runs",)])
def test_without_json_a_stranger_is_told_nothing_either(words: tuple[str, ...], unharmed: World, run: Run) -> None:
    told = answered(run(unharmed, f"stranger-{uuid.uuid4()}", *words)).lower()
    assert [secret for secret in SECRETS if secret in told] == []
    theirs = answered(run(unharmed, unharmed.victim.user, *words)).lower()
    assert [secret for secret in SECRETS if secret in theirs] != []
