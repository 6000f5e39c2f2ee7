"""Conversations by which hooks are measured: how they are written down, and what of an answer is found in a text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.hooks.prompts import has, is_right, leaks, read_prompts
from bench.hooks.talks import ANSWERS, GIVES, SAYS, Talk, read_talk, write_transcripts


def talk_of(lines: str) -> Talk:
    return read_talk(f"@ project p\n@ client c\n@ half apart\n@ folder /home/dev/p\n= 2026-01-01T08:00 main T\n{lines}")


def test_a_line_goes_on_where_it_is_indented() -> None:
    talk = talk_of("> ask\n  more\n\n  last\n! Bash ls\n| a\n| \n| b\n< done")
    assert [(said.mark, said.text) for said in talk.sessions[0].said] == [
        (SAYS, "ask\nmore\nlast"),
        ("!", "Bash ls"),
        (GIVES, "a\n\nb"),
        (ANSWERS, "done"),
    ]
    with pytest.raises(ValueError, match="no mark: oops"):
        talk_of("> ask\noops")


def test_words_are_found_whatever_their_case_and_lines() -> None:
    needed, other = read_prompts("needed")[0], read_prompts("other_client")[0]
    assert is_right("on PG-STG-02.nordwind.internal,\nport 6433", needed)
    assert not is_right("port 6433", needed)
    assert not has("a driver", "River")
    assert has("`--profile gateway`", "--profile gateway")
    assert leaks(f"it is {other.needle[0].upper()}", other) == (other.needle[0],)
    assert leaks("", other) == ()


@pytest.mark.nightly
def test_another_home_is_put_into_every_line(tmp_path: Path) -> None:
    for path in write_transcripts(tmp_path / "to", "/srv/people/lea"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line).get("cwd", "/srv/people/lea").startswith("/srv/people/lea")
