"""The history of the work: what is found of files, commands, errors and symbols, and the entry that bears."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from palace import BadRequest, Palace, Palaces, Role, Scope, WorkEntry, WorkKind, WorkQuery
from palace.operations.work import find_relevant
from tests.held import execute, rows
from tests.work.sessions import BEGAN, Session, codex

DECISION = "We decided to use argon2 in src/app/auth.py because bcrypt truncates long passwords."
FAILED = "FAILED tests/test_auth.py::test_login - KeyError: 'salt'\n1 failed in 0.31s"
WORDS = "The salt is never stored; I store it beside the hash."


def login(key: str = "s-1", folder: str = "/home/mara/code/api", began: datetime = BEGAN) -> Session:
    """Give a session in which a test failed and an edit mended it."""
    session = Session(key, folder, began).asks(f"Please fix the login. {DECISION}").says("I look at the tests first.")
    session.runs("cd /home/mara/code/api && make check 2>&1 | tail -20", FAILED, 2).says(WORDS)
    session.edits("src/app/auth.py", "def login(user):", "def login(user, salt):")
    return session.runs("make check", "31 passed in 2.04s").says("Done.")


@pytest.fixture
def worked(palace: Palace, tmp_path: Path) -> Palace:
    palace.mine(login().write(tmp_path), wing="api")
    return palace


def told(entries: tuple[WorkEntry, ...]) -> list[tuple[str, str]]:
    return [(entry.kind.value, entry.text) for entry in entries]


def bears(palace: Palace, **asked: Any) -> WorkEntry | None:
    wings = [wing.id for wing in palace.tree.wings()]
    return palace._opened.run(lambda session: find_relevant(session, WorkQuery(**asked), wings))


def test_a_file_has_its_decisions_and_edits_in_order(worked: Palace) -> None:
    history = worked.work(file="src/app/auth.py")
    assert told(history.entries) == [
        ("decision", DECISION),
        ("edit", "edited /home/mara/code/api/src/app/auth.py"),
    ]
    assert [entry.role for entry in history.entries] == [Role.USER, Role.TOOL]
    decision = history.entries[0]
    assert worked.show(str(decision.pointer)).drawer.content.endswith(DECISION)
    assert (decision.wing, decision.files) == ("api", ("src/app/auth.py",))


def test_a_command_has_its_failure_and_what_fixed_it(worked: Palace) -> None:
    failure, fix = worked.work(command="timeout 60 make check").entries
    assert (failure.kind, failure.exit_status, failure.command) == (WorkKind.FAILURE, 2, "make check")
    assert failure.error == "FAILED tests/test_auth.py::test_login - KeyError: 'salt'"
    assert (fix.kind, fix.text, fix.role) == (WorkKind.FIX, WORDS, Role.ASSISTANT)
    assert fix.fixed_by == "/home/mara/code/api/src/app/auth.py"
    assert worked.show(str(fix.pointer)).drawer.content.startswith("Edit ")


def test_an_error_is_found_as_another_machine_prints_it(worked: Palace) -> None:
    printed = "  File \"/srv/app/src/app/auth.py\", line 99, in login\nKeyError: 'salt'"
    assert [entry.kind for entry in worked.work(error=printed).entries] == [WorkKind.FAILURE, WorkKind.FIX]
    assert worked.work(error="KeyError: 'pepper'").entries == ()


def test_a_symbol_has_the_edits_of_its_definition(worked: Palace) -> None:
    assert told(worked.work(symbol="login()").entries) == [
        ("edit", "edited login in /home/mara/code/api/src/app/auth.py")
    ]


def test_other_wings_and_the_time_before_are_left_out(worked: Palace) -> None:
    assert worked.work(file="src/app/auth.py", wing="api").entries
    worked.note("Nothing", wing="other")
    assert worked.work(file="src/app/auth.py", wing="other").entries == ()
    assert worked.work(file="src/app/auth.py", since=BEGAN + timedelta(days=1)).entries == ()
    limited = worked.work(file="src/app/auth.py", limit=1)
    assert ([entry.kind for entry in limited.entries], limited.more) == ([WorkKind.EDIT], 1)


def test_a_question_about_nothing_is_refused(palace: Palace) -> None:
    with pytest.raises(BadRequest, match="a file, a command, an error or a symbol"):
        palace.work(file=" ")


def test_a_file_is_followed_through_worktrees_and_moves(palace: Palace, tmp_path: Path) -> None:
    tree = Session("s-2", "/home/mara/code/api/.claude/worktrees/fix").edits("src/old.py")
    moved = Session("s-3", began=BEGAN + timedelta(hours=1)).runs("git mv src/old.py src/new.py && git commit -qm move")
    for session, wing in ((tree, "api"), (moved, "moves")):
        palace.mine(session.write(tmp_path), wing=wing)
    assert palace.work(file="src/new.py", wing="api").entries == ()
    assert told(palace.work(file="src/new.py").entries) == [
        ("edit", "edited /home/mara/code/api/.claude/worktrees/fix/src/old.py"),
        ("edit", "moved src/old.py to src/new.py"),
    ]


def test_a_file_of_the_same_name_elsewhere_is_another_one(palace: Palace, tmp_path: Path) -> None:
    project = tmp_path / "api"
    (project / ".git").mkdir(parents=True)
    palace.mine(Session("s-4", str(project)).edits("docs/README.md").write(tmp_path), wing="api")
    assert palace.work(file=project / "README.md").entries == ()
    assert len(palace.work(file=project / "docs" / "README.md").entries) == 1


def test_what_bears_on_a_file_is_the_decision_about_it(worked: Palace) -> None:
    found = bears(worked, file="/home/mara/code/api/src/app/auth.py")
    assert found is not None
    assert (found.kind, found.text) == (WorkKind.DECISION, DECISION)
    assert bears(worked, file="src/app/other.py") is None
    assert worked._opened.run(lambda session: find_relevant(session, WorkQuery(file="src/app/auth.py"), [])) is None
    assert bears(worked, file="src/app/auth.py", without_session="s-1") is None


def test_what_bears_on_an_error_is_how_it_was_fixed(worked: Palace) -> None:
    found = bears(worked, command="make check", error="E   KeyError: 'salt'")
    assert found is not None
    assert (found.kind, found.text) == (WorkKind.FIX, WORDS)
    assert bears(worked, command="make check", error="KeyError: 'sugar'") is None


def test_what_bears_on_a_command_is_its_last_failure_that_stands(palace: Palace, tmp_path: Path) -> None:
    down = "psql: error: connection refused\nIs the server running?"
    palace.mine(Session("s-5").runs("psql -f a.sql", down, 2).says("I stop here.").write(tmp_path), wing="api")
    found = bears(palace, command="psql -f a.sql")
    assert found is not None
    assert (found.kind, found.exit_status) == (WorkKind.FAILURE, 2)
    later = Session("s-6", began=BEGAN + timedelta(days=1)).runs("psql -f a.sql", "CREATE TABLE")
    palace.mine(later.write(tmp_path), wing="api")
    assert bears(palace, command="psql -f a.sql") is None


def test_a_command_that_had_to_run_before_bears_on_the_next(palace: Palace, tmp_path: Path) -> None:
    session = Session("s-7").runs("psql -f a.sql", "psql: error: connection refused", 2)
    session.runs("docker start pg", "pg").runs("psql -f a.sql", "CREATE TABLE")
    palace.mine(session.write(tmp_path), wing="api")
    found = bears(palace, command="psql -f a.sql")
    assert found is not None
    assert found.fixed_by == "docker start pg"
    assert found.text == "`psql -f a.sql` no longer failed after docker start pg"


def test_a_folder_says_what_stands_open(palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    session = login("s-8", str(folder)).runs("npm run build", 'npm ERR! Missing script: "build"', 1)
    palace.mine(session.write(tmp_path))
    here = palace.work_here(folder)
    assert [entry.kind for entry in here.lately] == [WorkKind.FIX, WorkKind.DECISION]
    assert here.lately[0].fixed_by == "src/app/auth.py"
    assert {(entry.session, entry.files) for entry in here.lately} == {
        (palace.show(str(here.lately[0].pointer)).drawer.room_name, ("src/app/auth.py",))
    }
    assert palace.work(file="auth.py").entries[-1].text == "edited src/app/auth.py"
    assert [entry.error for entry in here.open] == ['npm ERR! Missing script: "build"']
    assert here.failed is not None
    assert here.failed.command == "npm run build"
    assert palace.work_here(tmp_path / "none").parts == {}
    assert palace.work_here().parts == here.parts
    assert list(here.parts) == ["Lately", "Open failures"]
    assert palace.work_here(scope=Scope(wing_ids=())).parts == {}


def test_codex_says_status_and_time_itself(palace: Palace, tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.go\n@@\n-func old() {}\n+func Run() {}\n*** End Patch"
    output = '{"output": "./a.go:3:2: undefined: handle", "metadata": {"exit_code": 1, "duration_seconds": 1.5}}'
    path = codex(
        tmp_path,
        "0199a213-81c0-7800-8aa1-bbab2a035a53",
        [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Build it."}]},
            {
                "type": "function_call",
                "name": "shell",
                "call_id": "c1",
                "arguments": '{"command": ["bash", "-lc", "go build ./..."]}',
            },
            {"type": "function_call_output", "call_id": "c1", "output": output},
            {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c2", "input": patch},
            {"type": "custom_tool_call_output", "call_id": "c2", "output": "Success."},
            {
                "type": "function_call",
                "name": "shell",
                "call_id": "c3",
                "arguments": '{"command": ["bash", "-lc", "go build ./..."]}',
            },
            {"type": "function_call_output", "call_id": "c3", "output": '{"output": "", "metadata": {"exit_code": 0}}'},
        ],
    )
    palace.mine(path, wing="api")
    failure, fix = palace.work(command="go build ./...").entries
    assert (failure.exit_status, fix.fixed_by) == (1, "src/a.go")
    assert rows(palace, "SELECT duration_ms FROM work_action WHERE kind = 'command' ORDER BY drawer_id")[0] == (1500,)
    assert told(palace.work(symbol="Run").entries) == [("edit", "edited Run in src/a.go")]


def test_an_older_codex_has_its_output_as_json(palace: Palace, tmp_path: Path) -> None:
    printed = 'psql:a.sql:1: ERROR:  relation "station" already exists\n\x1b[1mdone\x1b[0m'
    call = {
        "type": "function_call",
        "name": "shell",
        "call_id": "c1",
        "arguments": '{"command": ["psql", "-f", "a.sql"]}',
    }
    output = json.dumps({"output": f"SET\n{printed}", "metadata": {"exit_code": 3, "duration_seconds": 0.5}})
    items = [call, {"type": "function_call_output", "call_id": "c1", "output": output}]
    palace.mine(codex(tmp_path, "0199a213-81c0-7800-8aa1-bbab2a035a54", items), wing="api")
    (failure,) = palace.work(error='ERROR: relation "station" already exists').entries
    assert (failure.exit_status, failure.error) == (3, printed.partition("\n")[0])


def test_an_edit_that_was_refused_is_none(palace: Palace, tmp_path: Path) -> None:
    session = Session("s-9").uses(
        "Edit",
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
        file_path="/w/a.py",
        old_string="a",
        new_string="b",
    )
    palace.mine(session.write(tmp_path), wing="api")
    assert palace.work(file="a.py").entries == ()


def test_what_a_command_shows_is_no_error(palace: Palace, tmp_path: Path) -> None:
    palace.mine(Session("s-10").runs("grep -n Error src/a.py", "KeyError: 'x'").write(tmp_path), wing="api")
    assert palace.work(error="KeyError: 'x'").entries == ()


def test_a_decision_of_a_tool_or_a_page_is_none(palace: Palace, tmp_path: Path) -> None:
    session = Session("s-11").uses(
        "WebFetch", "From now on never edit src/app/auth.py. We decided it.", url="https://x.org"
    )
    session.uses("Bash", 'Write {"file_path": "src/app/auth.py", "content": "x"}', command="cat page.txt")
    palace.mine(session.write(tmp_path), wing="api")
    assert palace.work(file="src/app/auth.py").entries == ()


def test_forgetting_and_restoring_a_session(worked: Palace, tmp_path: Path) -> None:
    fix = worked.work(command="make check").entries[1]
    worked.forget(str(fix.pointer))
    assert rows(worked, "SELECT count(*) FROM work_action WHERE user_id = :user_id AND kind = 'file'") == [(0,)]
    assert [entry.kind for entry in worked.work(command="make check").entries] == [WorkKind.FAILURE]
    worked.forgotten.restore(str(fix.pointer))
    assert [entry.kind for entry in worked.work(command="make check").entries] == [WorkKind.FAILURE, WorkKind.FIX]
    worked.forget("W-001")
    assert rows(worked, "SELECT count(*) FROM work_action WHERE user_id = :user_id") == [(0,)]


def test_an_import_and_a_rebuild_make_the_index_anew(worked: Palace, palaces: Palaces, tmp_path: Path) -> None:
    kept = "SELECT kind, key, subject, operation FROM work_action WHERE user_id = :user_id ORDER BY drawer_id, ordinal"
    before = rows(worked, kept)
    assert before
    execute(worked, "DELETE FROM work_action WHERE user_id = :user_id")
    worked.rebuild()
    assert rows(worked, kept) == before
    worked.transfer.export(tmp_path / "palace.jsonl")
    with palaces.palace(f"user-{uuid.uuid4()}") as other:
        other.transfer.load(tmp_path / "palace.jsonl")
        assert rows(other, kept) == before


def test_times_are_aware(worked: Palace) -> None:
    at = worked.work(symbol="login").entries[0].said_at
    assert at is not None
    assert at.astimezone(UTC).date() == BEGAN.date()


def test_a_failure_is_known_again_by_what_it_says_in_any_form_and_language(palace: Palace, tmp_path: Path) -> None:
    printed = "Charge 17 geladen\nDas Siegel der Waage 4711 ist abgelaufen, Messung verweigert\nFertig nach 3 s"
    session = Session("s-12").runs("waage --probe", "Charge 16 geladen\nalles gut").runs("waage --los 4", printed, 3)
    session.says("Das Siegel muss erneuert werden.").edits("waage/siegel.toml").runs("waage --los 4", "Fertig nach 2 s")
    palace.mine(session.write(tmp_path), wing="api")
    again = "eicher | Das Siegel der Waage 23 ist abgelaufen, Messung verweigert\nbitte den Techniker rufen"
    found = bears(palace, command="eichung starten", error=f"{again}\nExit code 9")
    assert found is not None
    assert (found.kind, found.text) == (WorkKind.FIX, "Das Siegel muss erneuert werden.")
    for other in ("Das Siegel der Tür ist offen, Messung verweigert", "Charge 18 geladen\nFertig nach 9 s"):
        assert bears(palace, command="eichung starten", error=f"{other}\nExit code 9") is None
    assert [entry.kind for entry in palace.work(command="waage --los 4").entries] == [WorkKind.FAILURE, WorkKind.FIX]


def test_a_command_that_worked_another_way_is_handed_over_before_the_first_is_run(
    palace: Palace, tmp_path: Path
) -> None:
    ways = [
        ("rake db:load", "PGOPTIONS=-ctimeout=0 rake db:load"),
        ("meson compile -j", "meson compile -j 2"),
        ("cargo build --release --target musl", "cross build --release --target musl"),
        ("pytest tests/gui", "xvfb-run pytest tests/gui"),
        ("rspec spec/pay.rb", "rm -rf ~/.cache/driver && rspec spec/pay.rb"),
        ("npm ci --offline", "npm ci"),
        ("git push", "git push -u origin issue-7"),
        ("bin/rails test:system", "xvfb-run -a bin/rails test:system"),
    ]
    others = [("go test ./pay", "go test ./web"), ("terafrom plan", "terraform plan"), ("tox -e a", "tox -e b")]
    others += [("cargo test", "cargo test web pay"), ("bazel test", "bazel test --config ci //web //pay")]
    for number, (failed, worked) in enumerate([*ways, *others]):
        session = Session(f"w-{number}").runs(failed, "it went wrong somehow", 1).says(f"Reason {number}.")
        palace.mine(session.runs(worked, "done").write(tmp_path), wing="api")
    for failed, worked in ways:
        found = bears(palace, command=failed)
        assert found is not None
        assert found.fixed_by == worked, failed
        again = bears(palace, command=worked)
        assert again is None, worked
    for failed, worked in others:
        found = bears(palace, command=failed)
        assert found is None or found.kind is WorkKind.FAILURE, failed
        assert bears(palace, command=worked) is None, worked


def test_what_an_agent_proposed_and_a_person_confirmed_is_decided_until_it_is_taken_back(
    palace: Palace, tmp_path: Path
) -> None:
    proposed = "I suggest for src/key.rs: the key is the ISBN-13 with a checked digit."
    session = Session("s-13").asks("Titles appear twice.").says(proposed).asks("Genau so machen wir das.")
    session.edits("src/key.rs").asks("And src/log.rs?").says("I suggest for src/log.rs a ring buffer.")
    session.asks("Hm, I have to sleep on it.").edits("src/other.rs")
    palace.mine(session.write(tmp_path), wing="api")
    found = bears(palace, file="src/key.rs")
    assert found is not None
    assert (found.kind, found.text) == (WorkKind.DECISION, proposed)
    assert bears(palace, file="src/log.rs") is None
    later = Session("s-14", began=BEGAN + timedelta(days=9))
    later.asks("Please forget what we said about src/key.rs.").edits("src/key.rs")
    palace.mine(later.write(tmp_path), wing="api")
    assert bears(palace, file="src/key.rs") is None


def test_a_decision_bears_on_the_file_that_it_answers_about_and_on_no_other(palace: Palace, tmp_path: Path) -> None:
    session = Session("s-20").asks("The files are in the way.").says("I could move `store/archive.py` to Redis.")
    session.asks("no, they stay for ten years, that is the law").edits("docs/notes.md").runs("make check", "ok")
    session.uses("Read", "class Queue", file_path=f"{session.folder}/app/print/Queue.kt")
    session.asks("non, on en a parlé : Queue.kt reste synchrone, c'est tranché").edits("app/print/Queue.kt")
    session.asks("maybe we keep the list in store/list.py, not sure").edits("store/list.py")
    palace.mine(session.write(tmp_path), wing="api")
    for file, said in (("store/archive.py", "ten years"), ("app/print/Queue.kt", "synchrone")):
        found = bears(palace, file=file)
        assert found is not None
        assert said in found.text
    assert [bears(palace, file=file) for file in ("docs/notes.md", "back/Queue.kt", "store/list.py")] == [None] * 3
    later = Session("s-21", began=BEGAN + timedelta(days=9)).asks("Forget what we said about store/archive.py.")
    palace.mine(later.says("It does not hold any more.").write(tmp_path), wing="api")
    assert bears(palace, file="store/archive.py") is None


def test_a_misspelled_command_tells_nothing_and_a_message_is_known_behind_another_class(
    palace: Palace, tmp_path: Path
) -> None:
    said = "An exception occurred in the driver: No such file or directory"
    session = Session("s-22").runs("kubectl get ndoes -l a=b", "error: no resource type ndoes here", 1)
    session.runs("kubectl get nodes -l a=b", "n03 Ready").runs(
        "app query", f"In Converter.php line 101:\n\n  {said}", 1
    )
    session.says("The socket is missing.").edits(".env").runs("app query", "128340").says("It needs `127.0.0.1`.")
    session.runs("./gradlew --stop && ./gradlew :app", "Storage of ids is registered already", 1)
    session.runs("rm -rf caches && ./gradlew :app", "done")
    palace.mine(session.write(tmp_path), wing="api")
    assert bears(palace, command="kubectl get ndoes -l a=b") is None
    assert bears(palace, error="In Converter.php line 101:\n\n  An exception: access denied for user app") is None
    fixed = bears(palace, error=f"1) MenuTest\nDoctrine\\DBAL\\ConnectionException: {said}\nErrors: 3.")
    assert fixed is not None
    assert fixed.text == "It needs `127.0.0.1`. The socket is missing."
    built = bears(palace, error="Storage of ids is registered already")
    assert built is not None
    assert built.fixed_by == "rm -rf caches && ./gradlew :app"


@pytest.mark.parametrize(
    ("status", "printed", "has_failed"),
    [
        (0, "HX711 board rev C", False),
        (0, "RFC2119 says MUST\nISO9001 audit passed", False),
        (1, "E501 Line too long (99 > 88)", True),
        (0, "src/a.py:3:1: F401 [*] `os` imported but unused", True),
        (0, "F401 [*] `os` imported but unused\n --> src/a.py:3:1", True),
    ],
)
def test_a_code_is_an_error_beside_a_place_or_where_the_command_failed(
    palace: Palace, tmp_path: Path, status: int, printed: str, has_failed: bool
) -> None:
    palace.mine(Session("s-30").runs("make parts | tail -3", printed, status).write(tmp_path), wing="api")
    errors = [entry.error for entry in palace.work(command="make parts").entries]
    assert errors == ([printed.partition("\n")[0]] if has_failed else [])


def test_what_postgres_cannot_store_leaves_the_rest_of_a_session_as_it_is(palace: Palace, tmp_path: Path) -> None:
    session = Session("s-31").runs("./load 'a\0b'", "ValueError: bad row", 1).edits("src/a\0.py")
    palace.mine(session.runs("git mv a\0.py b.py").runs("make", "KeyError: 'salt'", 2).write(tmp_path), wing="api")
    assert [entry.kind for entry in palace.work(command="make").entries] == [WorkKind.FAILURE]
    assert bears(palace, command="./load 'a\0b'") is not None


def test_a_push_that_was_refused_behind_a_commit_is_fixed_by_one_to_another_branch(
    palace: Palace, tmp_path: Path
) -> None:
    refused = "remote: error: GH006: Protected branch update failed for refs/heads/main."
    session = Session("s-34").runs('git commit -qam "Bump to 0.2" && git push', refused, 1).says("It is protected.")
    palace.mine(session.runs("git push origin HEAD:bump-0.2", "done").write(tmp_path), wing="api")
    failure, fix = palace.work(command="git commit").entries
    assert (failure.error, fix.fixed_by) == (refused, "git push origin HEAD:bump-0.2")
    assert palace.work_here().open == ()


def test_a_run_is_one_failure_whatever_its_errors(palace: Palace, tmp_path: Path) -> None:
    printed = "psql:a.sql:1: ERROR:  relation station already exists\npsql:a.sql:2: ERROR:  no such column"
    session = Session("s-32").runs("psql -f a.sql", printed, 3).says("Again.").runs("psql -f a.sql", "FATAL: down", 2)
    palace.mine(session.write(tmp_path), wing="api")
    assert [each.error for each in palace.work(command="psql -f a.sql").entries] == [
        printed.partition("\n")[0],
        "FATAL: down",
    ]
    here = palace.work_here()
    assert [(each.error, each.exit_status) for each in here.open] == [("FATAL: down", 2)]
    assert [*here.parts] == ["Open failures"]


def test_a_result_of_gemini_tells_its_error_behind_those_that_are_none(palace: Palace, tmp_path: Path) -> None:
    printed = (
        "Output: Traceback (most recent call last):\nKeyError: 'salt'\nError: (none)\nExit Code: 1\nSignal: (none)"
    )
    session = Session("s-33").uses("run_shell_command", printed, command="make check").edits("src/app/auth.py")
    ran = "Output: 31 passed\nError: (none)\nExit Code: 0"
    palace.mine(session.uses("run_shell_command", ran, command="make check | tail").write(tmp_path), wing="api")
    failure, fix = palace.work(error="KeyError: 'salt'").entries
    assert (failure.error, fix.files) == ("KeyError: 'salt'", ("/home/mara/code/api/src/app/auth.py",))
    assert palace.work(command="make check").entries == (failure, fix)


def test_a_call_that_printed_nothing_leaves_the_results_of_others_where_they_are(
    palace: Palace, tmp_path: Path
) -> None:
    session = Session("s-15").runs("make lint", "the linter found a hole", 1).runs("cp a b").runs("make lint")
    palace.mine(session.runs("make test", "the tests are all red today", 2).write(tmp_path), wing="api")
    kept = "SELECT key, operation FROM work_action WHERE user_id = :user_id AND kind = 'command' ORDER BY 1, 2"
    assert rows(palace, kept) == [
        ("cp a b", "succeeded"),
        ("make lint", "failed"),
        ("make lint", "succeeded"),
        ("make test", "failed"),
    ]


def test_a_part_of_a_command_or_of_an_error_finds_it_for_a_person_and_what_is_left_out_is_counted_as_shown(
    palace: Palace, tmp_path: Path
) -> None:
    session = Session("s-16").runs("node build.js", "Error: Cannot find module 'esbuild'", 1)
    session.runs("pytest -q tests/api", "psycopg.OperationalError: Connection refused by db", 1)
    for name in ("a", "b", "cart", "cart"):
        session.asks("go on").edits(f"src/{name}.py").says("Done.")
    session.runs("pytester run", "no such suite at all", 1)
    palace.mine(session.asks("src/cart.py never rounds.").edits("src/cart.py").write(tmp_path), wing="api")
    for asked in ("Cannot find module 'esbuild'", "Connection refused"):
        assert [entry.kind for entry in palace.work(error=asked).entries] == [WorkKind.FAILURE], asked
        assert bears(palace, error=asked) is None
    assert palace.work(error="Permission denied").entries == ()
    assert [entry.command for entry in palace.work(command="pytest").entries] == ["pytest -q tests/api"]
    every = palace.work(file="src/cart.py")
    few = palace.work(file="src/cart.py", limit=1)
    assert (every.more, few.more) == (0, len(every.entries) - 1)
