"""Every page of the documentation is tried: its commands run, and do what it says; what it names is there."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from typer.main import get_command

from bench.browse.__main__ import _parser as parser_of_browse
from bench.command import _parser as parser_of_questions
from bench.gate.__main__ import _parser as parser_of_gate
from bench.graph.__main__ import _parser as parser_of_graph
from bench.locomo.__main__ import BENCHMARK as LOCOMO
from bench.longmemeval.__main__ import BENCHMARK as LONGMEMEVAL
from bench.queue.__main__ import _parser as parser_of_queue
from bench.scale.__main__ import _parser as parser_of_scale
from bench.secrets.__main__ import _parser as parser_of_secrets
from bench.seek.__main__ import _parser as parser_of_seek
from bench.turn.__main__ import _parser as parser_of_turn
from palace.settings import Settings
from palace_cli.app import app
from tests.docs.conftest import PlaceOf
from tests.docs.elsewhere import NOT_RUN, OTHERS_OPTIONS, REFUSED
from tests.docs.pages import PAGES, ROOT, Block, Command, blocks, calls, code_in_prose, commands, options
from tests.docs.places import Place
from tests.docs.shell import Ran
from tests.hosts import TEMPLATE, SharedHost

RUN = {"sh", "python", "console"}
TRIED_ELSEWHERE = {"sql", "ini", ""}
"""Statements, by a test below; a pooler's configuration, which ``tests/hosts`` starts one with; what is only shown."""
ONE_BY_ONE = ("docs/cli.md", "docs/changing.md")
"""Pages whose lines are choices: each begins with the same palace."""

PARSERS = {
    "bench.longmemeval": parser_of_questions(LONGMEMEVAL),
    "bench.locomo": parser_of_questions(LOCOMO),
    "bench.graph": parser_of_graph(),
    "bench.scale": parser_of_scale(),
    "bench.gate": parser_of_gate(),
    "bench.queue": parser_of_queue(),
    "bench.secrets": parser_of_secrets(),
    "bench.turn": parser_of_turn(),
    "bench.browse": parser_of_browse(),
    "bench.seek": parser_of_seek(),
}
SETTING_ROW = re.compile(r"^\| `(PALACE_\w+)` \| (?:`(\w+)` )?\|", re.MULTILINE)
VARIABLE = re.compile(r"\bPALACE_[A-Z_]*[A-Z]\b")
OTHER_VARIABLES = {
    *("PALACE_ADMIN_PASSWORD", "PALACE_OWNER_PASSWORD", "PALACE_APP_PASSWORD", "PALACE_PORT"),
    "PALACE_TEST_SERVER",
    "PALACE_PAGER",
    "PALACE_MCP_TOKEN",
}
"""What the command line alone reads, what docker-compose.yml and docker/prepare.sql read, and what the tests do."""
ALL_BLOCKS = [block for page in PAGES for block in blocks(page)]


def left_to_run(block: Block) -> list[Command]:
    """List the commands of a block that are run, none where the language is not."""
    if block.language not in RUN:
        return []
    return [command for command in commands(block) if command.text not in NOT_RUN.get(block.page, {})]


def runnable(block: Block, command: Command) -> str:
    """Write a command for the shell."""
    return f"python - <<'END OF PROGRAM'\n{command.text}END OF PROGRAM" if block.language == "python" else command.text


def is_as_told(page: str, command: Command, ran: Ran) -> bool:
    """Whether a command ended, and printed, as its page says; there, a recall finds something."""
    refusal = REFUSED.get(page, {}).get(command.text)
    if refusal is None and ran.code != 0:
        return False
    if refusal is not None and (ran.code == 0 or refusal not in ran.stderr):
        return False
    if page in ONE_BY_ONE and command.text.startswith("palace recall") and not ran.stdout:
        return False
    return command.shown in ("", (ran.stdout + ran.stderr).strip("\n"))


def told_otherwise(page: str, place: Place, block: Block, *chosen: Command) -> list[str]:
    """Run commands of a block, and list those that do something else than the page says."""
    ran = place.run(*(runnable(block, command) for command in chosen))
    pairs = zip(chosen, ran, strict=True)
    return [f"{block.place}: {result}" for command, result in pairs if not is_as_told(page, command, result)]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in ONE_BY_ONE and any(map(left_to_run, blocks(page)))]
)
def test_what_a_page_tells_to_do_can_be_done_from_top_to_bottom(page: str, place_of: PlaceOf) -> None:
    place = place_of(page)
    assert [line for block in blocks(page) for line in told_otherwise(page, place, block, *left_to_run(block))] == []


def choices() -> Iterator[Any]:
    """List the commands of pages that are choices, with their places."""
    for block in ALL_BLOCKS:
        if block.page in ONE_BY_ONE:
            for command in left_to_run(block):
                yield pytest.param(block, command, id=f"{block.page}: {command.text}")


@pytest.mark.parametrize(("block", "command"), list(choices()))
def test_what_a_page_gives_to_choose_from_can_be_done(block: Block, command: Command, place_of: PlaceOf) -> None:
    place = place_of(block.page)
    assert told_otherwise(block.page, place, block, command) == []


def test_what_is_forgotten_is_counted_as_the_page_shows_when_it_is_mined_again(place_of: PlaceOf) -> None:
    (shown,) = [block.text.strip() for block in blocks("docs/changing.md") if not block.language]
    place = place_of("docs/quickstart.md")
    _, forgotten, again = place.run(
        "cat chat.txt | palace mine -", "palace forget W-001/R-01/D-001", "cat chat.txt | palace mine -"
    )
    assert (forgotten.code, again.stdout.splitlines()[0]) == (0, shown)


def test_the_embedded_server_is_started_and_stopped_as_the_page_says(place_of: PlaceOf) -> None:
    listed = [command.text for block in blocks("docs/cli.md") for command in commands(block)]
    typed = ["palace db start", "palace db status", "palace db url", "palace db stop"]
    assert set(typed) <= set(listed)
    ran = place_of("README.md").run(*typed)
    assert ([each.code for each in ran], ran[-1].stdout) == ([0] * 4, "stopped\n")


def test_the_statements_of_the_shared_servers_page_can_be_run(shared_host: SharedHost) -> None:
    statements = [block.text for block in ALL_BLOCKS if block.language == "sql"]
    with psycopg.connect(shared_host.administrator_url(TEMPLATE)) as connection:
        # The server is one that was prepared by the script of today; all of it is taken back.
        connection.execute("ALTER ROLE palace_login RENAME TO palace_login_of_the_script")
        for statement in statements:
            connection.execute(statement.encode())
        connection.rollback()
    assert {block.page for block in ALL_BLOCKS if block.language == "sql"} == {"docs/shared-server.md"}


def test_every_block_is_in_a_language_that_is_tried_or_only_shown() -> None:
    assert [block.place for block in ALL_BLOCKS if block.language not in RUN | TRIED_ELSEWHERE] == []


@pytest.mark.parametrize("listed", [NOT_RUN, REFUSED], ids=["not run", "refused"])
def test_what_is_listed_as_not_run_or_refused_stands_on_its_page(listed: dict[str, dict[str, str]]) -> None:
    told = {(block.page, command.text) for block in ALL_BLOCKS if block.language in RUN for command in commands(block)}
    assert [entry for page, entries in listed.items() for entry in entries if (page, entry) not in told] == []


# Typer does not publish the types of commands.
def command_called(words: list[str]) -> tuple[Any, list[str]]:
    """Follow the names of commands, and give what is left behind them."""
    command: Any = get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    return command, words


def unknown_options(call: list[str]) -> list[str]:
    """List the options of a call that its command does not have."""
    command, words = command_called(call)
    known = {name for parameter in command.params for name in parameter.opts} | {"--help"}
    return [option for word in words for option in options(word) if word.startswith("-") and option not in known]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_names_is_there_with_its_options(page: str) -> None:
    lines = [
        command.text for block in blocks(page) if block.language in RUN - {"python"} for command in commands(block)
    ]
    called = [call for line in (*lines, *code_in_prose(page)) for call in calls("palace", line)]
    # A word of the shape of a command's name where a command has to be.
    nameless = [call for call in called if call and not call[0].startswith("-") and command_called(call)[1] == call]
    assert ([call for call in called if unknown_options(call)], nameless) == ([], [])


def options_of_the_command_line() -> set[str]:
    """List the options of all commands."""

    def below(command: Any) -> Iterator[str]:
        yield from (name for parameter in command.params for name in parameter.opts)
        for part in getattr(command, "commands", {}).values():
            yield from below(part)

    return {"--help", *below(get_command(app))}


def options_of_a_parser(parser: argparse.ArgumentParser) -> Iterator[str]:
    """List the options of a parser and of its verbs."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            for verb in action.choices.values():
                yield from options_of_a_parser(verb)


@pytest.mark.parametrize("page", PAGES)
def test_every_option_that_prose_names_is_there(page: str) -> None:
    known = options_of_the_command_line() | set(OTHERS_OPTIONS)
    for parser in PARSERS.values():
        known.update(options_of_a_parser(parser))
    named = [option for code in code_in_prose(page) for option in options(code) if option.startswith("--")]
    assert [option for option in named if option not in known] == []


def test_every_measurement_that_a_page_names_can_be_called_so() -> None:
    lines = [command.text for block in ALL_BLOCKS if block.language == "sh" for command in commands(block)]
    called = [call[1:] for line in lines for call in calls("python", line) if call[:1] == ["-m"]]
    for module, *arguments in called:
        PARSERS[module].parse_args(arguments)
    assert {module for module, *_ in called} == set(PARSERS)


def test_the_quickstart_lists_every_setting_once() -> None:
    rows = SETTING_ROW.findall((ROOT / "docs/quickstart.md").read_text(encoding="utf-8"))
    assert [name for name, _ in rows] == [f"PALACE_{name.upper()}" for name in Settings.model_fields]
    assert [key for _, key in rows] == ["", *(name for name in Settings.model_fields if name != "home")]


@pytest.mark.parametrize("page", PAGES)
def test_every_setting_that_a_page_names_is_there(page: str) -> None:
    known = {f"PALACE_{name.upper()}" for name in Settings.model_fields} | OTHER_VARIABLES
    assert set(VARIABLE.findall((ROOT / page).read_text(encoding="utf-8"))) - known == set()


def test_an_option_of_another_program_that_no_page_names_is_not_listed() -> None:
    named = {option for page in PAGES for code in code_in_prose(page) for option in options(code)}
    assert set(OTHERS_OPTIONS) - named == set()
