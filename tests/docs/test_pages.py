"""Every page of the documentation is tried: its commands run, and do what it says; what it names is there."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from typer.main import get_command

from palace import Settings
from palace.config.table import SETTINGS
from palace_cli.app import app
from tests.docs.conftest import PlaceOf
from tests.docs.elsewhere import NEVER_RUN, NOT_RUN, OTHERS_OPTIONS, REFUSED, is_run
from tests.docs.pages import PAGES, ROOT, Block, Command, blocks, calls, code_in_prose, commands, options
from tests.docs.places import Place
from tests.docs.shell import Ran

RUN = {"sh", "python", "console"}
ONLY_SHOWN = {"sql", "ini", ""}
ONE_BY_ONE = ("docs/cli.md", "docs/changing.md")
"""Pages whose lines are choices: each begins with the same palace."""
MEASURED = (
    "compress",
    "everyday.applied",
    "freeze",
    "gate",
    "queue",
    "secrets",
    "signals",
    "turn",
    "browse",
    "seek",
    "graph",
    "scale",
    "speed",
    "work",
)
SETTING_ROW = re.compile(r"^\| `(PALACE_\w+)` \| (?:`(\w+)` )?\|", re.MULTILINE)
VARIABLE = re.compile(r"\bPALACE_[A-Z_]*[A-Z]\b")
OTHER_VARIABLES = {
    *("PALACE_ADMIN_PASSWORD", "PALACE_OWNER_PASSWORD", "PALACE_APP_PASSWORD", "PALACE_PORT", "PALACE_ALLOW_HOST"),
    *("PALACE_TEST_SERVER", "PALACE_PAGER", "PALACE_MCP_TOKEN", "PALACE_SYNC_SSH"),
}
"""What the command line alone reads, what docker-compose.yml and docker/prepare.sql read, and what the tests do."""
ALL_BLOCKS = [block for page in PAGES for block in blocks(page)]


def left_to_run(block: Block) -> list[Command]:
    """List the commands of a block that are run, none where the language is not."""
    return [each for each in commands(block) if is_run(block.page, each.text)] if block.language in RUN else []


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


FROM_TOP_TO_BOTTOM = [page for page in PAGES if page not in ONE_BY_ONE and any(map(left_to_run, blocks(page)))]


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize("page", FROM_TOP_TO_BOTTOM)
def test_what_a_page_tells_to_do_can_be_done_from_top_to_bottom(page: str, place_of: PlaceOf) -> None:
    place = place_of(page)
    assert [line for block in blocks(page) for line in told_otherwise(page, place, block, *left_to_run(block))] == []


CHOICES = [(block, each) for block in ALL_BLOCKS if block.page in ONE_BY_ONE for each in left_to_run(block)]


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(20))
def test_what_a_page_gives_to_choose_from_can_be_done(part: int, place_of: PlaceOf) -> None:
    wrong = []
    for block, command in CHOICES[part::20]:
        wrong += told_otherwise(block.page, place_of(block.page), block, command)
    assert wrong == []


def test_every_block_is_in_a_language_that_is_tried_and_what_is_listed_as_not_run_stands_on_its_page() -> None:
    assert [block.place for block in ALL_BLOCKS if block.language not in RUN | ONLY_SHOWN] == []
    told = {(block.page, command.text) for block in ALL_BLOCKS if block.language in RUN for command in commands(block)}
    for listed in (NOT_RUN, REFUSED):
        assert [entry for page, entries in listed.items() for entry in entries if (page, entry) not in told] == []
    assert [pattern for pattern in NEVER_RUN if not any(re.match(pattern, text) for _, text in told)] == []


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


@pytest.mark.nightly
def test_every_command_and_setting_that_a_page_names_is_there_with_its_options() -> None:
    settings = {f"PALACE_{name.upper()}" for name in Settings.model_fields} | OTHER_VARIABLES
    wrong: list[object] = []
    for page in PAGES:
        typed = [block for block in blocks(page) if block.language in RUN - {"python"}]
        lines = [command.text for block in typed for command in commands(block)]
        called = [call for line in (*lines, *code_in_prose(page)) for call in calls("palace", line)]
        # A word of the shape of a command's name where a command has to be.
        nameless = [call for call in called if call and not call[0].startswith("-") and command_called(call)[1] == call]
        wrong += [(page, call) for call in (*(each for each in called if unknown_options(each)), *nameless)]
        named = set(VARIABLE.findall((ROOT / page).read_text(encoding="utf-8")))
        wrong += [(page, name) for name in named - settings]
    assert wrong == []


def options_below(command: Any) -> Iterator[str]:
    """List the options of a command and of those below it."""
    yield from (name for parameter in command.params for name in parameter.opts)
    for part in getattr(command, "commands", {}).values():
        yield from options_below(part)


def options_of_a_parser(parser: argparse.ArgumentParser) -> Iterator[str]:
    """List the options of a parser and of its verbs."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            for verb in action.choices.values():
                yield from options_of_a_parser(verb)


def program_of(name: str) -> Any:
    """Import what `python -m bench.NAME` runs."""
    package = (ROOT / "bench" / name / "__main__.py").exists()
    return import_module(f"bench.{name}.__main__" if package else f"bench.{name}")


@pytest.mark.nightly
def test_every_measurement_and_every_option_that_a_page_names_is_there() -> None:
    freeze = import_module("bench.freeze.__main__")
    parsers = {f"bench.{name}": program_of(name)._parser() for name in MEASURED}
    questions = import_module("bench.command")._parser
    for name in ("longmemeval", "locomo"):
        parsers[f"bench.{name}"] = questions(import_module(f"bench.{name}").BENCHMARK)
    lines = [command.text for block in ALL_BLOCKS if block.language == "sh" for command in commands(block)]
    called = [call[1:] for line in lines for call in calls("python", line) if call[:1] == ["-m"]]
    for module, *arguments in called:
        compares = (module, *arguments[:1]) == ("bench.freeze", "compare")
        (freeze._comparing() if compares else parsers[module]).parse_args(arguments[compares:])
    assert {module for module, *_ in called} == set(parsers)
    known = {"--help", *options_below(get_command(app)), *OTHERS_OPTIONS}
    known.update(option for parser in parsers.values() for option in options_of_a_parser(parser))
    named = {option for page in PAGES for code in code_in_prose(page) for option in options(code)}
    assert {option for option in named if option.startswith("--")} - known == set()
    assert set(OTHERS_OPTIONS) - named == set()


def test_the_quickstart_lists_every_setting_that_is_not_a_persons_own_once() -> None:
    rows = SETTING_ROW.findall((ROOT / "docs/quickstart.md").read_text(encoding="utf-8"))
    personal = {setting.field for setting in SETTINGS}
    listed = [name for name in Settings.model_fields if name not in personal]
    assert [name for name, _ in rows] == [f"PALACE_{name.upper()}" for name in listed]
    assert [key for _, key in rows] == ["", *(name for name in listed if name != "home")]
