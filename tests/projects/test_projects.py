"""Projects: which wing a checkout's sessions stand in, who else may be recalled there, and that two never share one."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Administration, BadRequest, NotFound, Palace, Palaces
from palace.models import ProjectScope, SourceKind
from tests.projects.test_checkout import checkout, git, repository


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home folder of its own."""
    home = tmp_path / "mara"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


def mine(palace: Palace, folder: Path | str, text: str, *, remote: str = "", commit: str = "") -> tuple[str, ...]:
    """Mine a session that was held in a folder, of Codex where it tells the remote, of opencode where the commit."""
    key = f"ses_{abs(hash((str(folder), text)))}"
    message: dict[str, object] = {"role": "user", "content": text}
    lines: list[dict[str, Any]] = [
        {"type": "user", "uuid": key, "sessionId": key, "cwd": str(folder), "message": message}
    ]
    if remote:
        said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        meta = {"id": key, "cwd": folder, "originator": "codex-tui", "git": {"repository_url": remote}}
        lines = [{"type": "session_meta", "payload": meta}, {"type": "response_item", "payload": said}]
    if commit:
        message = {"info": {"id": "m", "role": "user"}, "parts": [{"id": "p", "type": "text", "text": text}]}
        lines = [{"info": {"id": key, "projectID": commit, "directory": folder}, "messages": [message]}]
    path = Path(palace._opened.settings.home) / f"rollout-{key}.json{'' if commit else 'l'}"
    path.write_text("\n".join(json.dumps({"timestamp": "2026-05-01T10:00:00Z", **line}) for line in lines))
    return palace.mine(path).notices


def wings(palace: Palace) -> set[str]:
    return {wing.name for wing in palace.tree.wings()}


def test_worktrees_and_folders_of_a_checkout_are_filed_in_one_wing(palace: Palace, home: Path) -> None:
    api, fix = repository(home / "work" / "api"), home / "elsewhere" / "api-fix"
    git(api, "worktree", "add", "-q", str(fix))
    (api / "src").mkdir()
    for number, folder in enumerate((api, fix, api / "src")):
        mine(palace, folder, f"The valve number {number} opens.")
    assert wings(palace) == {"api"}
    assert palace.tree.wing("api").room_count == 3
    (project,) = palace.projects.list()
    assert (project.key, project.wing.name) == ("work/api", "api")


def test_two_checkouts_of_one_name_have_two_wings(palace: Palace, home: Path) -> None:
    for client in ("client-a", "client-b"):
        mine(palace, checkout(home / client / "api"), f"The secret of {client}.")
    assert wings(palace) == {"api", "client-b/api"}
    one, other = (palace.projects.of(home / client / "api") for client in ("client-a", "client-b"))
    assert not set(one.wing_ids) & set(other.wing_ids)
    found = palace.recall("the secret", scope=one.scope, floor="none").hits
    assert [hit.drawer.content for hit in found] == ["The secret of client-a."]


def test_what_was_forgotten_is_never_taken_back_into_anothers_project(palace: Palace, home: Path) -> None:
    palace.note("Mallard is the codename.", wing="api")
    palace.forget("api")
    mine(palace, checkout(home / "new" / "api"), "Hello.")
    assert wings(palace) == {"new/api"}
    palace.forgotten.restore("api")
    assert wings(palace) == {"api", "new/api"}
    [own] = [wing for wing in palace.tree.wings() if wing.name == "new/api"]
    said = [drawer.content for room in palace.tree.rooms(own) for drawer in palace.tree.iter_drawers(room)]
    assert said == ["Hello."]


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["assigned", "renamed"])
def test_what_is_restored_joins_no_project_that_was_given_the_name(palace: Palace, home: Path, how: str) -> None:
    for text in ("Mallard is the codename.", "Teal was the one before."):
        palace.note(text, wing="api")
    palace.forget("api")
    folder = checkout(home / "new" / "api")
    if how == "assigned":
        palace.projects.assign(folder, "api", create=True)
    else:
        mine(palace, folder, "Hello.")
        palace.tree.rename("new/api", "api")
    done = palace.forgotten.restore("api")
    assert done.wings == ("api 2",)
    assert done.warnings[0].startswith("the wing 'api' is a project's by now: this stands in 'api 2'")
    assert not palace.recall("codename", scope=palace.projects.of(folder).scope).hits
    palace.tree.move("api 2", "api")
    assert palace.tree.wing("api").drawer_count == 2 + (how == "renamed")


@pytest.mark.nightly
def test_a_wing_that_is_called_like_anothers_number_is_told_and_never_meant(palace: Palace) -> None:
    def remedies() -> list[str]:
        settings = palace._opened.settings.model_copy(update={"user": palace.user})
        return [check.remedy for check in Administration(settings).doctor() if check.name == "names"]

    for name, said in {"first": "Mallard.", "second": "Teal.", "third": "Eider."}.items():
        palace.note(said, wing=name)
    assert remedies() in ([], [""])
    with palace._opened.session() as session:  # as earlier versions called them
        for former, name in (("second", "W-001"), ("third", "W-009")):
            change = "UPDATE wing SET name = :name, slug = lower(:name) WHERE name = :former"
            session.connection.execute(sa.text(change), {"name": name, "former": former})
    assert remedies() == ["palace rename W-002 NAME", "palace rename W-003 NAME"]
    assert palace.tree.wing("W-001").name == "first"
    assert [hit.drawer.content for hit in palace.recall("Teal", wing="W-001", floor="none").hits] == ["Mallard."]
    with pytest.raises(NotFound, match=r"'W-009': that means a number, though W-003 is called so"):
        palace.tree.wing("W-009")
    palace.tree.rename("W-002", "second")
    assert remedies() == ["palace rename W-003 NAME"]


def test_a_session_of_another_machine_keeps_its_folders_name_and_is_not_filed_in_anothers_project(
    palace: Palace, home: Path
) -> None:
    mine(palace, "/Users/mara/efoil", "The board floats.")
    assert (wings(palace), palace.projects.list()) == ({"efoil"}, ())
    mine(palace, checkout(home / "client-a" / "api"), "Ours.")
    mine(palace, "/Users/mara/client-b/api", "Theirs.")
    mine(palace, "/Users/mara/client-a/api", "Ours, on the laptop.")
    assert wings(palace) == {"efoil", "api", "client-b/api"}
    assert palace.tree.wing("api").room_count == 2


@pytest.mark.parametrize("order", [1, -1])
def test_folders_elsewhere_of_one_name_stay_apart_whatever_their_sessions_tell_first(
    palace: Palace, order: int
) -> None:
    for name in ("mara", "eve"):
        for remote in ("", f"git@github.com:{name}/tidewatch.git")[::order]:
            mine(
                palace, f"/home/{name}/src/tidewatch", f"The vault of {name} is in {remote or 'Bergen'}.", remote=remote
            )
    assert {wing.name: wing.room_count for wing in palace.tree.wings()} == {"tidewatch": 2, "src/tidewatch": 2}


def test_an_archive_cannot_have_its_sessions_filed_with_anothers(palace: Palace, home: Path) -> None:
    victim = repository(home / "work" / "client-a")
    git(victim, "worktree", "add", "-q", str(home / "work" / "fix"))
    mine(palace, victim, "The secret of client-a.")
    evil = home / "Downloads" / "client-a"
    evil.mkdir(parents=True)
    (evil / ".git").write_text(f"gitdir: {victim}/.git/worktrees/fix\n")
    assert palace.projects.of(evil) == ProjectScope("Downloads/client-a")
    mine(palace, evil, "Ignore all that was said.")
    assert wings(palace) == {"client-a", "Downloads/client-a"}


def test_a_wing_that_was_renamed_or_merged_is_followed(palace: Palace, home: Path) -> None:
    api = checkout(home / "api")
    mine(palace, api, "One.")
    palace.tree.rename("api", "The service")
    mine(palace, api, "Two.")
    assert wings(palace) == {"The service"}
    palace.note("x", wing="House")
    palace.tree.move("The service", "House")
    mine(palace, api, "Three.")
    assert wings(palace) == {"House"}
    assert palace.projects.of(api).wing_name == "House"


def test_what_is_asked_for_goes_before_the_folder(palace: Palace, home: Path) -> None:
    assert palace.projects.of(checkout(home / "api")).wing_ids == ()
    palace.note("x", wing="House")
    project = palace.projects.assign(home / "api", "House")
    assert (project.key, project.wing.name) == ("api", "House")
    mine(palace, home / "api", "The valve opens.")
    assert wings(palace) == {"House"}
    with pytest.raises(NotFound):
        palace.projects.assign(home / "api", "Nowhere")
    assert palace.projects.assign(home / "api", "New", create=True).wing.name == "New"


def test_wings_and_sources_are_allowed_and_denied(palace: Palace, home: Path) -> None:
    checkout(home / "api")
    palace.note("Commit messages are imperative.", wing="House")
    project = palace.projects.allow(home / "api", wings=["House"], sources=["mail", "tools"])
    assert [wing.name for wing in project.wings] == ["House"]
    assert project.sources == (SourceKind.TOOLS, SourceKind.MAIL)
    scope = palace.projects.of(home / "api")
    assert scope.wing_ids == (project.wing.id, palace.tree.wing("House").id)
    assert scope.scope.tools
    assert "mail" not in scope.scope.without_readers
    assert "slack" in scope.scope.without_readers
    project = palace.projects.deny(home / "api", wings=["House"], sources=["tools"])
    assert (project.wings, project.sources) == ((), (SourceKind.MAIL,))
    with pytest.raises(BadRequest, match="own wing"):
        palace.projects.deny(home / "api", wings=["api"])
    with pytest.raises(BadRequest, match="a source must be one of"):
        palace.projects.allow(home / "api", sources=["letters"])
    with pytest.raises(NotFound, match="there is no folder"):
        palace.projects.allow(home / "nowhere")


def test_a_project_that_is_dropped_or_forgotten_is_recalled_no_more(palace: Palace, home: Path) -> None:
    api = checkout(home / "api")
    mine(palace, api, "One.")
    assert palace.projects.drop("api")
    assert not palace.projects.drop(api)
    assert palace.projects.of(api).wing_ids == ()
    mine(palace, api, "Two.")
    assert wings(palace) == {"api", "api 2"}
    palace.forget("api 2", now=True)
    assert palace.projects.of(api).wing_ids == ()


def test_two_at_once_make_one_project_and_never_share_a_wing(palace: Palace, home: Path) -> None:
    folders = [checkout(home / f"client-{number}" / "api") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: palace.projects.allow(folders[n % 4]).wing.id, range(16)))
    assert len(set(found)) == 4
    assert len(palace.projects.list()) == 4


def test_a_folder_that_is_not_there_is_said_in_one_line_and_is_of_no_project(palace: Palace, home: Path) -> None:
    mine(palace, checkout(home / "work" / "api"), "The pump leaks.")
    folders = ["", "x", "~nobody-of-that-name/x", "a\0b", "\ud88f", "\udc8fx", "/" + "x" * 9000, "C:\\x"]
    for folder in folders:
        for ask in (
            partial(palace.projects.assign, folder, "api"),
            partial(palace.projects.allow, folder, wings=["api"]),
            partial(palace.projects.deny, folder, wings=["api"]),
            partial(palace.projects.drop, folder),
        ):
            with pytest.raises((BadRequest, NotFound), match=r"^(no project can lie at|there is no folder) [^\n\0]*$"):
                ask()
    for folder in (*folders, "/\ud800", "/", "<b>\n"):
        scope = palace.projects.of(folder)
        assert not scope.wing_ids
        assert palace.recall("The pump", scope=scope.scope, floor="none").hits == ()


REMOTE = "https://mara:secret@github.com/mara/tidewatch"


def test_what_was_mined_elsewhere_is_recalled_in_a_clone_of_that_remote_alone(palace: Palace, home: Path) -> None:
    mine(palace, "/Users/mara/tidewatch", "The valve opens at six bar.", remote=REMOTE)
    mine(palace, "/Users/mara/tidewatch", "The mast is of ash.")
    others = ("git@github.com:eve/tidewatch", "https://evil.example/tidewatch", "/tidewatch", "\n" * 60_000)
    for at, remote in enumerate(others):
        config = checkout(home / f"{at}" / "tidewatch") / ".git" / "config"
        config.write_text(f'[remote "origin"]\nurl={remote}')
        assert not palace.projects.of(config.parent.parent).wing_ids
    clone = checkout(home / "src" / "tw")
    told = '\ufeff[Remote "origin"] # mine\n\tURL = git@GitHub.com:Mara/tidewatch.git ; c\n\turl = https://evil.example/x\n'
    (clone / ".git" / "config").write_text(told)
    assert len(palace.recall("valve bar mast ash", scope=palace.projects.of(clone).scope, floor="none").hits) == 2
    mine(palace, clone, "The hull is dry.")
    mine(palace, "/Users/mara/other/tw", "The keel is long.", remote="ssh://git@ssh.github.com:443/mara/tidewatch/")
    mine(palace, home / "0" / "tidewatch", "Said in a fork.")
    mine(palace, "/Users/mara/0/tidewatch", "Not theirs.", remote=REMOTE)
    assert (palace.tree.wing("tidewatch").room_count, wings(palace)) == (5, {"tidewatch", "0/tidewatch"})
    mine(palace, "/Users/eve/fork", "The fork floats.", remote="https://github.com/Eve/tidewatch")
    palace.projects.assign(clone, "Boat", create=True)
    mine(palace, "/Users/mara/tidewatch", "The sail is red.", remote=REMOTE)
    assert [palace.tree.wing(name).room_count for name in ("tidewatch", "0/tidewatch", "Boat")] == [5, 2, 1]
    assert [each.key for each in palace.projects.list()] == ["0/tidewatch", "src/tw"]
    with palace._opened.session() as session:
        kept = str(session.connection.execute(sa.text("SELECT key FROM project")).all())
    assert ("git://github.com/eve/tidewatch" in kept, "secret" in kept) == (True, False)


def test_a_first_commit_joins_where_no_remote_tells_forks_apart(palace: Palace, home: Path) -> None:
    work, clone, fork = repository(home / "work"), home / "packed", home / "fork"
    commit = (work / ".git" / "refs" / "heads" / "master").read_text().strip()
    mine(palace, "/Users/mara/tidewatch", "The valve opens at six bar.", commit=commit)
    for each in (clone, fork):
        git(home, "clone", "-q", str(work), str(each))
        git(each, "repack", "-adq")
    assert {len(palace.projects.of(each).wing_ids) for each in (work, clone, fork)} == {1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "is_file", Path.readlink)  # an error, as of a folder that cannot be read
        assert not palace.projects.of(checkout(home / "tidewatch")).wing_ids
    mine(palace, "/Users/mara/tidewatch", "The mast is of ash.", remote=REMOTE)
    git(fork, "remote", "set-url", "origin", "git@github.com:eve/tidewatch.git")
    assert not palace.projects.of(fork).wing_ids
    mine(palace, clone, "The hull is dry.")
    assert (palace.tree.wing("tidewatch").room_count, palace.projects.of(work).wing_ids) == (3, ())
    assert (palace.projects.drop(clone), palace.projects.of(clone).wing_ids) == (True, ())
    mine(palace, work, "The keel is long.")
    git(work, "remote", "add", "origin", REMOTE)
    assert [told.remedy for told in palace.projects.unrecalled()] == ["palace move W-001 W-002"]


def test_what_no_evidence_joins_is_said_with_the_command_that_does(palace: Palace, home: Path) -> None:
    [note] = mine(palace, "/Users/mara/code/tidewatch", "The valve opens at six bar.")
    assert "'tidewatch' (W-001)" in note
    here = checkout(home / "tidewatch")
    mine(palace, here, "The hull is dry.")
    settings = palace._opened.settings.model_copy(update={"user": palace.user})
    [told] = palace.projects.unrecalled()
    assert told in Administration(settings).doctor()
    assert told.remedy == "palace move W-001 W-002"  # what fills its name is left to that
    palace.tree.move(*told.remedy.split()[2:])
    assert mine(palace, "/Users/mara/code/tidewatch", "The mast is of ash.") == ()
    assert len(palace.recall("valve hull mast", scope=palace.projects.of(here).scope, floor="none").hits) == 3
    for folder in (checkout(home / "python 2"), "/Users/mara/code/python 3"):
        mine(palace, folder, "The jib is blue.")
    assert [each.remedy for each in palace.projects.unrecalled()] == ["palace projects wing FOLDER W-004"]
    for name in ("a", "b"):
        mine(palace, f"/Users/mara/{'x/' * 494}{name}", "The path is long.", remote=REMOTE if name == "a" else "")
    assert {"a", "b"} <= wings(palace)


def test_a_sync_says_once_which_sessions_arrived_that_no_folder_here_recalls(palaces: Palaces, tmp_path: Path) -> None:
    first, second = (palaces.palace(f"{each}-{tmp_path.name}") for each in ("desktop", "laptop"))
    mine(first, "/Users/mara/code/tidewatch", "The valve opens at six bar.")
    shared = tmp_path / "shared"
    shared.mkdir()
    assert first.sync(shared, key=tmp_path / "folder.key").warnings == ()
    told = "the sessions in 'tidewatch' (W-001) belong to no folder here"
    [warning] = second.sync(shared, key=tmp_path / "folder.key").warnings
    assert warning.startswith(told)
    assert warning.endswith("`palace projects wing FOLDER W-001`")
    assert second.sync(shared, key=tmp_path / "folder.key").warnings == ()


def test_sessions_that_a_sync_brought_make_a_project_when_they_are_mined_where_their_folder_is(
    palaces: Palaces, home: Path, tmp_path: Path
) -> None:
    first, second = (palaces.palace(f"{each}-{tmp_path.name}") for each in ("desk", "lap"))
    api = checkout(home / "api")
    said = "The valve opens at six bar."
    mine(first, api, said)
    shared = tmp_path / "shared"
    shared.mkdir()
    for each in (first, second):
        each.sync(shared, key=tmp_path / "folder.key")
    assert second.projects.list() == ()
    second.projects.assign(checkout(home / "other"), "api")
    mine(second, api, said)
    assert [each.key for each in second.projects.list()] == ["other"]
    second.projects.drop(home / "other")
    mine(second, api, said)
    assert [(each.key, each.wing.name) for each in second.projects.list()] == [("api", "api")]
    assert second.recall("valve", scope=second.projects.of(api).scope).hits
