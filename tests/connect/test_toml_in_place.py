"""Codex's TOML is changed as text: comments, order and layout stay."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace_cli.connect.clients import find_client
from palace_cli.connect.contents import connected, disconnected
from palace_cli.connect.jsonc import Refused
from palace_cli.connect.program import Program

CODEX, SERVER = find_client("codex"), {"server"}
PROGRAM = Program("/opt/my palace/bin/palace", {"PALACE_HOME": '/srv/"p"'})


PIECES = (
    "# a word\n",
    'model = "gpt-5" # mine\n',
    "[features]\nweb = true\n",
    "[features] # those\n\n# nothing yet\n",
    '[mcp_servers.docs]\ncommand = "docs"\n',
    '[projects."/home/a [b]"]\ntrust_level = "trusted"\n',
    '[notes]\ntext = """\n[features]\nhooks = false\n[mcp_servers.palace]\n"""\n',
    "[[rules]]\nname = 'x'\n\n[[rules]]\nname = 'y'\n",
    "[ mcp_servers . docs . env ]\nA = '1'\n",
)


@given(st.lists(st.sampled_from(PIECES), unique=True, max_size=6), st.booleans())
def test_ours_comes_and_goes_and_nothing_else_does(pieces: list[str], ends_windows: bool) -> None:
    text = "\n".join(pieces)
    text = text.replace("\n", "\r\n") if ends_windows else text
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    changed = connected(text, CODEX, SERVER, PROGRAM)
    after = tomllib.loads(changed)
    assert after["mcp_servers"].pop("palace") == {
        "command": PROGRAM.command,
        "args": ["mcp"],
        "env": {"PALACE_HOME": '/srv/"p"'},
    }
    assert after["features"].pop("hooks") is True
    assert all(line in changed.splitlines() for line in text.splitlines())
    assert connected(changed, CODEX, SERVER, PROGRAM) == changed
    assert tomllib.loads(disconnected(changed, CODEX, SERVER, None)) in (before, {**before, "features": {}})


def test_what_codex_put_into_our_table_goes_with_it_and_what_follows_stays() -> None:
    text = connected('model = "x"\n', CODEX, SERVER, PROGRAM)
    grown = f'{text}[mcp_servers.palace.tools.recall]\napproval_mode = "approve"\n\n# about the last\n[tui]\nsize = 1\n'
    left = disconnected(grown, CODEX, SERVER, [("features",)])
    assert tomllib.loads(left) == {"model": "x", "tui": {"size": 1}}
    assert "# about the last\n[tui]" in left


def test_who_said_whether_hooks_run_is_not_overruled() -> None:
    for flag in ("hooks = false", "hooks = true", "codex_hooks = true"):
        text = f"[features]\n{flag}\n"
        changed = connected(text, CODEX, SERVER, PROGRAM)
        assert tomllib.loads(changed)["features"] == tomllib.loads(text)["features"]
        assert disconnected(changed, CODEX, SERVER, None) == disconnected(text, CODEX, SERVER, None) == text


def test_what_leaves_no_room_or_cannot_be_read_is_refused_in_a_few_words() -> None:
    for text in (
        "mcp_servers = {}\n",
        'mcp_servers = { docs = { command = "x" } }\n',
        "features = { web = true }\n",
        "= nothing",
        '[mcp_servers.palace]\ncommand = "somebody-else"\n',
        "[mcp_servers]\npalace = 1\n",
        "a = 1\na = 2\n",
        "a = " + "1" * 5000,
        "a = " + "[" * 5000 + "]" * 5000,
    ):
        with pytest.raises(Refused) as refused:
            connected(text, CODEX, SERVER, PROGRAM)
        assert len(str(refused.value)) < 120


OURS = '[mcp_servers.palace]\ncommand = "/opt/my palace/bin/palace" # there\nargs = ["mcp"]\n'


def test_whatever_stands_behind_ours_stays_when_ours_goes_and_what_stands_in_it_goes_with_it() -> None:
    for behind in (
        '[projects."/home/a/[slug]"]\ntrust_level = "trusted"\n',
        '[mcp_servers."palace.old"]\ncommand = "x"\n',
        "[matrix]\nrows = [\n  [1, 2],\n[3]\n]\n",
        '[notes]\ntext = """\n[mcp_servers.palace]\n"""\n',
        "[when]\nat = 2026-01-01\nlimit = inf\n",
    ):
        assert disconnected(f"{OURS}\n{behind}", CODEX, SERVER, None) == behind
    for inside in ("deep = [\n  [1],\n]\n", 'note = """\n[x]\n"""\n', "[mcp_servers.palace.env]\nA = '1'\n"):
        assert disconnected(f"{OURS}{inside}\n[x]\n", CODEX, SERVER, None) == "[x]\n"


def test_what_a_person_wrote_into_ours_stays_when_ours_is_changed() -> None:
    for inside in (
        "# why\nstartup_timeout_sec = 20 # long\n",
        "since = 2026-01-01\nlimit = inf\n",
        '"my key" = 1\n[mcp_servers.palace.tools."recall.x"]\nok = true\n',
        "[mcp_servers.palace.env]\n# mine\nTOKEN = 's'\n",
    ):
        text = f"[features]\nhooks = true\n# above\n{OURS}{inside}\n[x]\n"
        changed = connected(text, CODEX, SERVER, Program("/usr/bin/palace", PROGRAM.variables, "Boat"))
        assert all(line in changed.splitlines() for line in f"{inside}# above\n[x]".splitlines())
        ours = tomllib.loads(changed)["mcp_servers"]["palace"]
        assert (ours["command"], ours["args"]) == ("/usr/bin/palace", ["mcp", "--wing", "Boat"])
        assert ours["env"]["PALACE_HOME"] == '/srv/"p"'
