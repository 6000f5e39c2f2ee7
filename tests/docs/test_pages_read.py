"""Blocks and commands are read from a page as a person reads them, and what fails is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import pages
from tests.docs.pages import Block, Command, blocks, calls, code_in_prose, commands
from tests.docs.shell import run

PAGE = """\
# A page

`palace db
backup FILE` and `--dates day-first\\|month-first`:

```sh
export A=1 && palace ls   # the wings
palace note \\
    "a # b"
```

- in a list

  ```
  shown
  ```
"""


def _block(language: str, text: str) -> Block:
    return Block("page.md", 1, language, text)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A page below a root of its own."""
    (tmp_path / "page.md").write_text(PAGE)
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    return "page.md"


def test_blocks_have_their_language_and_their_line(page: str) -> None:
    assert [(block.language, block.line) for block in blocks(page)] == [("sh", 7), ("", 15)]


def test_a_block_in_a_list_is_read_as_one_at_the_margin(page: str) -> None:
    assert blocks(page)[1].text == "shown\n"


def test_code_in_prose_is_in_one_line_and_none_of_a_block(page: str) -> None:
    assert list(code_in_prose(page)) == ["palace db backup FILE", "--dates day-first|month-first"]


def test_commands_are_split_where_the_shell_goes_on_and_have_no_comments() -> None:
    text = "export A=1 && palace ls   # the wings\n\npalace note \\\n    'a#b'\n# alone\n"
    assert [command.text for command in commands(_block("sh", text))] == [
        "export A=1",
        "palace ls",
        "palace note 'a#b'",
    ]


def test_a_console_shows_what_each_command_prints() -> None:
    text = "$ palace ls\nwing\n\n$ palace status\n"
    assert commands(_block("console", text)) == [Command("palace ls", "wing"), Command("palace status")]


def test_a_program_in_python_is_one_command() -> None:
    assert commands(_block("python", "import this\nprint(1)\n")) == [Command("import this\nprint(1)\n")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("A=/b/palace palace ls W-001 --json", [["ls", "W-001", "--json"]]),
        ("date | .venv/bin/palace note - && palace ls", [["note", "-"], ["ls"]]),
        ("pip install palace", []),
        ("an apostrophe's palace", []),
    ],
)
def test_calls_of_a_program_are_found_in_a_line(line: str, found: list[list[str]]) -> None:
    assert list(calls("palace", line)) == found


def test_a_command_that_fails_is_told_and_the_next_has_what_was_exported(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin"}
    typed = ("export A=1", "echo $A; read said; echo $said >&2", "false | cat", "cat nowhere")
    ran = run(typed, folder=tmp_path, environment=environment)
    assert [result.code for result in ran] == [0, 0, 1, 1]
    assert (ran[1].stdout, ran[1].stderr) == ("1\n", "yes\n")
    assert "nowhere" in str(ran[3])
