"""What groups of commands do where none of their commands is named: they list."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("group", "command"), [("jobs", "list"), ("embeddings", "status"), ("outbox", "list"), ("projects", "list")]
)
def test_a_group_alone_lists_as_its_command_does(run: Run, group: str, command: str) -> None:
    run("note", "The valve is bent.")
    for options in ((), ("--json",)):
        alone, named = run(group, *options), run(group, command, *options)
        assert (alone.exit_code, alone.stdout, alone.stderr) == (0, named.stdout, named.stderr)
        assert alone.stdout or alone.stderr


def test_options_of_a_group_narrow_what_it_lists(run: Run) -> None:
    assert run("jobs", "--state", "failed", "--json").stdout == "[]\n"
    wrong = run("jobs", "--state", "failed", "list")
    assert (wrong.exit_code, "--state stands behind the command" in wrong.stderr) == (2, True)
