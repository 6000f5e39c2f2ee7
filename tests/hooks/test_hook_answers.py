"""What a hook is answered: of its project alone, within its budget, once, and nothing where nothing is to be said."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from palace import BadRequest, HookReason, to_json
from palace.errors import DatabaseUnavailable, NotFound
from palace.opened import OpenPalace
from palace_cli.app import app
from palace_cli.commands import hook
from palace_cli.render.hits import reason_view
from tests.hooks.conftest import ASKED, Agent, codes, line, spoken
from tests.hooks.parts import HookContext, answer_request

SENT = {"hook_event_name": "UserPromptSubmit", "prompt": ASKED, "cwd": "/tmp", "session_id": "s"}
PANIC = "thread 'compactor' panicked at src/compact.rs:214: index out of bounds: the len is 0 but the index is 0"
MENDED = "Guard the slice: the first segment is empty right after a merge."


def kept(agent: Agent) -> str:
    """Read all that is kept of sessions."""
    return "".join(path.read_text() for path in (agent.settings.home_folder / "hooks" / "sessions").iterdir())


def test_a_prompt_is_answered_with_what_an_earlier_session_said_once_a_session(filed: Agent) -> None:
    block = filed.send("UserPromptSubmit", prompt=ASKED)
    assert block.startswith("<memory_context>\n§ W-001/R-01/D-001 ")
    assert "because of its licence" in block
    assert "licence" not in filed.send("UserPromptSubmit", prompt=ASKED)
    assert "licence" in filed.send("UserPromptSubmit", session="s-9", prompt=ASKED)


def test_each_program_is_answered_in_the_shape_that_it_takes_and_only_at_a_beginning_and_a_prompt(filed: Agent) -> None:
    more = {"cwd": str(filed.project), "workspace_roots": [str(filed.project)], "prompt": ASKED, "source": "startup"}
    for harness, (start, prompt, stop) in {
        "claude-code": ("SessionStart", "UserPromptSubmit", "Stop"),
        "codex": ("SessionStart", "UserPromptSubmit", "Stop"),
        "gemini": ("SessionStart", "BeforeAgent", "AfterAgent"),
        "cursor": ("sessionStart", "beforeSubmitPrompt", "stop"),
    }.items():
        for name in (start, prompt):
            told = {"session_id": f"{harness}-{name}", "hook_event_name": name, **more}
            out = json.loads(filed.raw(json.dumps(told), harness=harness))
            inner = out if harness == "cursor" else out["hookSpecificOutput"]
            assert "licence" in inner.pop("additionalContext" if harness != "cursor" else "additional_context")
            # What a program does not know in an answer makes it fail.
            expected = {"continue": True} if name == prompt else {}
            assert inner == (expected if harness == "cursor" else {"hookEventName": name})
            assert filed.raw(json.dumps(told | {"hook_event_name": stop}), harness=harness) == ""


def test_what_was_said_for_another_project_is_not_recalled(filed: Agent, other: Path) -> None:
    assert filed.send("UserPromptSubmit", session="s-2", folder=other, prompt=ASKED) == ""
    filed.file("The Tern service is written in Go.", session="s-3", folder=other)
    for name in ("UserPromptSubmit", "SessionStart"):
        assert "Kittiwake" not in filed.send(name, session="s-2", folder=other, prompt=ASKED, source="startup")
    assert "Tern" in filed.send("SessionStart", session="s-4", folder=other, source="startup")
    # An agent that walks into another project is not given its memory either.
    assert filed.send("UserPromptSubmit", session="s-2", folder=filed.project, prompt=ASKED) == ""
    # What the person listed for a project is recalled in it.
    filed.palace.projects.allow(other, wings=["api"])
    assert "licence" in filed.send("UserPromptSubmit", session="s-6", folder=other, prompt=ASKED)


def test_what_the_model_sees_no_longer_may_be_injected_again(filed: Agent) -> None:
    for source, is_given_again in (("resume", False), ("compact", True), ("clear", True)):
        assert "licence" in filed.send("UserPromptSubmit", session=source, prompt=ASKED)
        filed.send("SessionStart", session=source, source=source)
        # What the session begins with is seen; what it does not hold is given once more.
        assert ("Redis" in kept(filed)) is not is_given_again, source
        filed.send("SessionEnd", session=source, reason="exit")


def test_what_this_very_session_said_is_not_put_beside_it(agent: Agent) -> None:
    agent.file("We dropped Redis from the Kittiwake service because of its licence.", session="s-1")
    assert agent.send("UserPromptSubmit", session="s-1", prompt=ASKED) == ""
    assert "licence" in agent.send("UserPromptSubmit", session="s-2", prompt=ASKED)


def test_what_needs_no_memory_or_is_no_prompt_gets_not_a_byte(filed: Agent) -> None:
    for prompt in (
        "",
        "go on",
        "/compact keep the reason why we dropped Redis from the Kittiwake service",
        "!git log --grep 'why did we drop Redis from Kittiwake'",
        "<task-notification>We dropped Redis from the Kittiwake service</task-notification>",
        "thanks, that is very kind of you",
        "Write a regex for an email address in Python",
    ):
        assert filed.send("UserPromptSubmit", prompt=prompt) == "", prompt
    assert filed.send("UserPromptSubmit", prompt=ASKED, agent_id="a-1") == ""
    assert filed.send("PostToolUse", prompt=ASKED) == ""
    assert filed.raw(json.dumps({"prompt": ASKED}), event="zorp") == ""
    for sent in ("", "{", "[]", "7", "\x00", "[" * 50_000, '{"session_id": {"a": 1}}'):
        assert filed.raw(sent, event="prompt") == "", sent[:20]


def test_a_session_begins_with_the_same_bytes_whatever_the_clock_says(filed: Agent) -> None:
    first = filed.send("SessionStart", source="startup")
    assert first.startswith("<memory_context>\n§ ")
    assert len(first) <= 600 * 4
    assert {filed.send("SessionStart", session=f"s-{n}", source="resume") for n in range(3)} == {first}
    filed.file("The Kittiwake service now runs on port 8642 of the staging host.", session="s-5")
    assert filed.send("SessionStart", source="startup") != first


def test_a_session_begins_with_one_line_a_message(agent: Agent) -> None:
    said = "Always run make check before you commit. It takes a minute. Never push to main."
    agent.file(said, "Yes.", session="s-5")
    [line] = agent.send("SessionStart", source="startup").splitlines()[1:-1]
    assert line.endswith(f" | user | {said} …")


def test_a_block_keeps_to_its_budget(agent: Agent) -> None:
    why = "Redis was dropped from the Kittiwake service"
    agent.file(*(f"{why}, reason {number}: " + "licence terms, " * 60 for number in range(9)))
    agent.palace.settings.set("injection_tokens", 50_000)
    agent.palace.settings.set("top_k", 40)
    assert 4_000 < len(agent.send("UserPromptSubmit", prompt=ASKED)) <= 8_000


def test_whoever_has_memory_or_hooks_switched_off_is_given_nothing(filed: Agent) -> None:
    context = replace(filed.context, enabled=False)
    assert answer_request(context, {"input": json.dumps(SENT | {"cwd": str(filed.project)})}) == ""
    filed.palace.settings.set("enabled", False, agent="claude-code")
    assert filed.send("UserPromptSubmit", prompt=ASKED) == ""
    assert filed.send("SessionStart", source="startup") == ""


def test_what_hangs_or_is_away_costs_no_more_than_its_time_and_one_line(tmp_path: Path) -> None:
    def none(user: str) -> OpenPalace:
        raise NotFound(f"there is no user {user}")

    def hang(user: str) -> OpenPalace:
        time.sleep(2)
        raise AssertionError(user)

    def away(user: str) -> OpenPalace:
        raise DatabaseUnavailable(f"no server for {user}")

    started = time.monotonic()
    for context in (
        HookContext(tmp_path, "nobody", none),  # of whom nothing was filed: no failure
        HookContext(tmp_path, "mara", hang, seconds=0.2),
        HookContext(tmp_path, "mara", away),
    ):
        assert answer_request(context, {"input": json.dumps(SENT)}) == ""
    assert time.monotonic() - started < 1.5
    assert codes(tmp_path) == ["timeout", "database_unavailable"]


def test_what_is_kept_of_a_session_holds_no_secret_and_ends_with_it(filed: Agent) -> None:
    filed.send("UserPromptSubmit", prompt="My key is AKIAIOSFODNN7EXAMPLQ: does the Kittiwake service take it?")
    assert "AKIA" not in kept(filed)
    assert "Kittiwake" in kept(filed)
    filed.send("SessionEnd", reason="exit")
    assert "Kittiwake" not in kept(filed)


def test_an_error_that_is_pasted_again_comes_with_what_was_said_of_it_and_not_with_what_tools_returned(
    agent: Agent,
) -> None:
    returned = [{"type": "tool_result", "tool_use_id": "t1", "content": "The token of the compactor is PELICAN."}]
    agent.file_lines(spoken(1, "user", PANIC), spoken(2, "user", returned), spoken(3, "assistant", MENDED))
    assert "PELICAN" in str(agent.palace.recall("token of the compactor", tools=True).hits)
    assert "PELICAN" not in agent.send("UserPromptSubmit", prompt=PANIC)


def test_an_error_comes_with_what_was_said_of_it_however_it_is_pasted(agent: Agent) -> None:
    agent.file(PANIC, MENDED, "The parser reads one line at a time.")
    for prompt in (PANIC, f"{PANIC} again", "panicked at src/compact.rs:214"):
        assert MENDED in agent.send("UserPromptSubmit", session=f"t-{len(prompt)}", prompt=prompt)


def test_a_question_that_was_answered_before_is_answered_though_the_answer_says_none_of_its_words(agent: Agent) -> None:
    question = "Where do I find the login for the Grafana dashboard of the ingest cluster?"
    answer = 'In 1Password below "observability", Tom gives access.'
    agent.file_lines(spoken(1, "user", question), spoken(2, "assistant", answer))
    assert "1Password" in agent.send("UserPromptSubmit", prompt="Where is the login for the Grafana dashboard?")


@pytest.mark.nightly
def test_a_session_that_goes_on_elsewhere_stays_with_its_project(filed: Agent, other: Path) -> None:
    sources = ("compact", "resume", "clear")
    for source in sources:
        filed.send("SessionStart", session=source, folder=other, source="startup")
        assert filed.send("SessionStart", session=source, source=source) == ""
        assert filed.send("UserPromptSubmit", session=source, prompt=ASKED) == ""
    for source in sources:
        filed.file_lines(line(1, f"The Tern is in Go, {source}.", session=source), session=source)
    tree = filed.palace.tree
    standing = {wing.name: [d.content for r in tree.rooms(wing) for d in tree.iter_drawers(r)] for wing in tree.wings()}
    assert {name: len(said) for name, said in standing.items()} == {"api": 2, "other": 3}
    assert "Tern" not in str(standing["api"])


def test_a_first_event_says_where_it_began_also_where_it_is_answered_with_nothing_or_fails(
    filed: Agent, other: Path
) -> None:
    def away(user: str) -> OpenPalace:
        raise DatabaseUnavailable(f"no server for {user}")

    firsts = [
        ("UserPromptSubmit", {"prompt": "hi"}),
        ("UserPromptSubmit", {"prompt": "/init please do all of it"}),
        ("PostToolUse", {}),
        ("Stop", {}),
        ("PreCompact", {}),
        ("", {}),
    ]
    for number, (name, fields) in enumerate(firsts):
        session = f"n-{number}"
        if name:
            filed.send(name, session=session, folder=other, **fields)
        else:
            told = {"session_id": session, "cwd": str(other), "hook_event_name": "SessionStart", "source": "startup"}
            context = HookContext(filed.settings.home_folder, filed.palace.user, away)
            assert answer_request(context, {"input": json.dumps(told)}) == ""
        assert filed.send("UserPromptSubmit", session=session, prompt=ASKED) == "", name
        assert filed.send("SessionStart", session=session, source="resume") == "", name
    assert "licence" in filed.send("UserPromptSubmit", session="n-new", prompt=ASKED)


def test_a_name_that_is_given_again_is_given_the_memory_of_its_project_or_of_none(filed: Agent, other: Path) -> None:
    filed.file("The Tern service is written in Go.", session="s-5", folder=other)
    inner = filed.project / "src"
    inner.mkdir()
    filed.send("SessionStart", session="e-1", folder=inner, source="startup")
    assert "licence" in filed.send("SessionStart", session="e-1", source="startup")
    for folder in (other, filed.project):
        assert filed.send("SessionStart", session="e-1", folder=folder, source="startup") == ""
        assert filed.send("UserPromptSubmit", session="e-1", folder=folder, prompt=ASKED) == ""


def test_whatever_a_session_is_called_it_is_given_no_other_projects_memory(filed: Agent, other: Path) -> None:
    for name in ("", "x" * 201, "x" * 100_000, "../../x", "a/b", "\ud83d"):
        filed.send("SessionStart", session=name, folder=other, source="startup")
        assert filed.send("UserPromptSubmit", session=name, prompt=ASKED) == "", name[:9]
        assert "licence" in filed.send("UserPromptSubmit", session=f"{name}y", prompt=ASKED), name[:9]


def test_where_it_cannot_be_written_down_nothing_is_given(filed: Agent) -> None:
    folder = filed.settings.home_folder / "hooks" / "began"
    for path in folder.iterdir():
        path.write_bytes(b"[" * 50_000 + b"\n")  # makes no sense: of no project
    assert filed.send("UserPromptSubmit", session="s-0", prompt=ASKED) == ""
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("")
    assert filed.send("UserPromptSubmit", session="n-1", prompt=ASKED) == ""


def test_forgetting_a_person_takes_what_hooks_kept_and_leaves_where_sessions_began(filed: Agent, other: Path) -> None:
    home = filed.palace._opened.settings.home_folder
    own = replace(filed, context=replace(filed.context, home=home))
    session, folder = f"s-{filed.palace.user}", home / "hooks" / "sessions"
    before = {*folder.glob("*")}
    own.send("UserPromptSubmit", session=session, prompt=ASKED)
    (path,) = {*folder.iterdir()} - before
    # As a hook that was killed leaves it.
    path.with_name(f".{path.name}.1.2.new").write_bytes(path.read_bytes()[:-5])
    own.palace.forget_everything()
    assert {*folder.iterdir()} <= before
    # A session that goes on is still of the project where it began, and given nothing that is another's.
    filed.file("The Tern service is written in Go.", session="s-5", folder=other)
    assert own.send("SessionStart", session=session, folder=other, source="resume") == ""
    assert "Tern" in own.send("SessionStart", session=f"{session}-2", folder=other, source="resume")


def test_whoever_is_named_is_given_what_is_their_own_alone(filed: Agent) -> None:
    told = json.dumps({**SENT, "cwd": str(filed.project)})
    assert filed.raw(told, user=f"{filed.palace.user}-other") == ""
    assert "licence" in filed.raw(told, user=filed.palace.user)


def why(agent: Agent, prompt: str, folder: Path | None = None) -> HookReason:
    return agent.palace.explain_hook(prompt, folder or agent.project)


def test_it_gives_the_block_that_the_hook_gives_and_what_it_was_chosen_by_and_leaves_nothing_behind(
    filed: Agent,
) -> None:
    found = why(filed, ASKED)
    assert found.block == why(filed, ASKED).block == filed.send("UserPromptSubmit", prompt=ASKED) != ""
    assert (found.silent, found.wings, found.wants, found.least) == ("", ("api",), "asks_back", 0.5)
    best = found.hits[0]
    assert best.is_kept
    assert "licence" in best.said
    assert best.bears == pytest.approx((best.confidence or 0.0) + best.coverage)


def test_what_is_not_looked_at_says_so(filed: Agent) -> None:
    rows = {
        "yarn add dayjs": "it has less than 15 characters (14)",
        "/compact keep the reason for Redis": "it is a command: it begins with /",
        "!ls": "it is a command: it begins with !",
        "<task-notification>the agent is done": "a program wrote it: it begins with <",
        "thank you very much!": "no recall: it greets, thanks or agrees",
    }
    for prompt, silent in rows.items():
        found = why(filed, prompt)
        assert (found.silent, found.block, found.hits) == (silent, "", ())
    for folder in ("", "~nobody-of-that-name/x", "/nowhere/\ud88f", "a\0b"):
        found = filed.palace.explain_hook(ASKED, folder)
        assert (found.block, found.wings) == ("", ())


def test_what_bears_too_little_is_told_with_its_measure(filed: Agent) -> None:
    found = why(filed, "centre the button of the Kittiwake form, please")
    assert found.block == ""
    assert "asked for" in found.silent or found.silent == "nothing relevant was found"
    assert found.wants == "works"
    assert not any(hit.is_kept for hit in found.hits)


def test_a_folder_without_memory_is_told(filed: Agent, other: Path) -> None:
    assert "nothing was filed for this project" in why(filed, ASKED, other).silent
    filed.palace.settings.set("enabled", False, agent="claude-code")
    assert why(filed, ASKED).silent == "memory is switched off for claude-code"
    with pytest.raises(BadRequest, match="agent must be one of"):
        filed.palace.explain_hook(ASKED, filed.project, agent="emacs")


def test_it_reads_as_lines_and_as_json(filed: Agent) -> None:
    found = why(filed, ASKED)
    standing = replace(found, wants="works", least=0.8, hits=(replace(found.hits[0], bears=0.12),))
    console = Console(width=200)
    with console.capture() as captured:
        console.print(reason_view(why(filed, ASKED)))
        console.print(reason_view(why(filed, "go on")))
        console.print(reason_view(standing))
    told = captured.get()
    assert "wings     api" in told
    assert "answered:" in told
    assert told.count("kept as a standing instruction") == 1
    assert "nothing is answered: it has less than 15 characters (5)" in told
    assert json.loads(to_json(why(filed, "go on")))["silent"].startswith("it has less")


def test_words_without_quotation_marks_are_one_prompt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[object] = []
    monkeypatch.setattr(hook, "explain", lambda *given, **_: asked.extend(given[:2]))
    done = CliRunner().invoke(app, ["hook", "why", "when", "does", "it run?", "--folder", str(tmp_path)])
    assert (done.exit_code, asked) == (0, ["when does it run?", tmp_path])


def test_what_cannot_be_explained_is_told_in_one_line() -> None:
    for words, told in (
        (["why"], "palace: say what a person would type: "),
        (["why", " "], "palace: say what a person would type: "),
        (["why", "how so?", "--folder", "/not/there"], "palace: there is no folder '/not/there': "),
    ):
        done = CliRunner().invoke(app, ["hook", *words])
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(told)
