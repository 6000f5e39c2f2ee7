"""Which project a folder belongs to: by where it lies, whatever a repository says of itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from palace.projects import find_checkout, key_of, key_of_folder

GIT = {
    "PATH": os.environ.get("PATH", ""),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home folder of its own."""
    home = tmp_path / "home" / "mara"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return home


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, env=GIT, check=True, capture_output=True, timeout=60)


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def key(folder: Path | str) -> str:
    return key_of_folder(str(folder))


def test_a_checkout_and_the_folders_in_it_are_one_project(home: Path) -> None:
    api = repository(home / "work" / "api")
    (api / "src" / "deep").mkdir(parents=True)
    assert {key(api), key(api / "src" / "deep"), key(api / ".git" / "hooks")} == {"work/api"}


def test_worktrees_are_the_project_they_were_made_from(home: Path) -> None:
    api = repository(home / "work" / "api")
    git(api, "worktree", "add", "-q", str(home / "elsewhere" / "api-fix"))
    git(api, "worktree", "add", "-q", str(api / ".claude" / "worktrees" / "one"))
    (home / "elsewhere" / "api-fix" / "src").mkdir()
    assert key(home / "elsewhere" / "api-fix" / "src") == key(api / ".claude" / "worktrees" / "one") == "work/api"


def test_a_worktree_of_a_bare_repository_is_that_repository(home: Path) -> None:
    repository(home / "work" / "first")
    git(home, "clone", "-q", "--bare", str(home / "work" / "first"), str(home / "repos" / "api.git"))
    git(home / "repos" / "api.git", "worktree", "add", "-q", str(home / "api-a"))
    assert key(home / "api-a") == "repos/api.git"


def test_a_worktree_that_is_gone_belongs_to_the_checkout_it_lay_in(home: Path) -> None:
    api = repository(home / "work" / "api")
    assert key(api / ".claude" / "worktrees" / "gone") == "work/api"
    assert key(home / "work" / "gone") == "work/gone"


def test_an_archive_that_points_into_somebodys_worktrees_is_not_theirs(home: Path) -> None:
    victim = repository(home / "work" / "client-a")
    git(victim, "worktree", "add", "-q", str(home / "work" / "client-a-fix"))
    evil = home / "Downloads" / "evil"
    evil.mkdir(parents=True)
    (evil / ".git").write_text(f"gitdir: {victim}/.git/worktrees/client-a-fix\n")
    assert key(evil) == "Downloads/evil"


@pytest.mark.parametrize(
    "pointer",
    [
        "gitdir: {victim}/.git",
        "gitdir: {victim}/.git/modules/x",
        "gitdir: ../../work/client-a/.git/worktrees/../worktrees/fix",
        "gitdir: adm/worktrees/x",
        "gitdir: linked",
        "gitdir:",
        "gitdir: {victim}/.git\0",
        "nonsense",
        "",
        "gitdir: " + "x" * 9000,
    ],
)
def test_no_pointer_leads_into_another_project(home: Path, pointer: str) -> None:
    victim = repository(home / "work" / "client-a")
    git(victim, "worktree", "add", "-q", str(home / "work" / "fix"))
    evil = home / "Downloads" / "evil"
    # A folder of its own that points back, as a worktree's does, but names the other's repository.
    admin = evil / "adm" / "worktrees" / "x"
    admin.mkdir(parents=True)
    (admin / "gitdir").write_text(f"{evil}/.git\n")
    (admin / "commondir").write_text(f"{victim}/.git\n")
    (evil / "linked").symlink_to(victim / ".git" / "worktrees" / "fix")
    (evil / ".git").write_text(pointer.format(victim=victim))
    assert key(evil) == "Downloads/evil"


def test_links_in_a_repository_lead_nowhere(home: Path) -> None:
    victim = repository(home / "work" / "client-a")
    evil = repository(home / "Downloads" / "evil")
    (evil / "docs").symlink_to(victim)
    assert key(evil / "docs") == "Downloads/evil"
    stolen = home / "Downloads" / "stolen"
    stolen.mkdir()
    (stolen / ".git").symlink_to(victim / ".git")
    assert key(stolen) == "Downloads/stolen"


def test_a_git_folder_that_names_anothers_common_folder_is_its_own(home: Path) -> None:
    victim = repository(home / "work" / "client-a")
    evil = repository(home / "Downloads" / "evil")
    (evil / ".git" / "commondir").write_text(f"{victim}/.git\n")
    assert key(evil) == "Downloads/evil"


def test_a_persons_own_links_are_followed(home: Path, tmp_path: Path) -> None:
    data = repository(tmp_path / "data" / "api")
    (home / "api").symlink_to(data)
    assert key(home / "api") == str(data)
    (home / "loop").symlink_to(home / "loop")
    assert key(home / "loop").startswith(("loop", "~"))


def test_a_repository_in_the_home_folder_does_not_make_everything_in_it_one_project(home: Path) -> None:
    git(home, "init", "-q")
    for name in ("notes-a", "notes-b"):
        (home / name).mkdir()
    assert (key(home), key(home / "notes-a"), key(home / "notes-b")) == ("~", "notes-a", "notes-b")


def test_a_git_that_is_no_file_is_not_waited_for(home: Path) -> None:
    odd = home / "odd"
    odd.mkdir()
    os.mkfifo(odd / ".git")
    assert key(odd) == "odd"
    broken = home / "broken" / "inner"
    broken.mkdir(parents=True)
    (home / "broken" / ".git").mkdir()
    assert key(broken) == "broken/inner"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_a_repository_that_somebody_planted_above_is_passed_over(home: Path, tmp_path: Path) -> None:
    shared = repository(tmp_path / "shared")
    for path in (shared, *shared.rglob("*")):
        os.chown(path, 4321, 4321)
    mine = shared / "mine"
    mine.mkdir()
    found = find_checkout(mine, home)
    assert found is not None
    assert found.root == mine
    theirs = shared / "theirs"
    theirs.mkdir()
    os.chown(theirs, 4321, 4321)
    found = find_checkout(theirs, home)
    assert found is not None
    assert found.root == shared


@pytest.mark.parametrize("name", ["a\nb", "<b>&", "~", "a\x1b[31m", "a%0Ab", "\u202eevil", "%", "a b ", "ü"])
def test_each_name_has_a_key_of_one_line_of_its_own(home: Path, name: str) -> None:
    (home / name).mkdir()
    (home / "a").mkdir(exist_ok=True)
    found = key(home / name)
    assert found.isprintable()
    assert found != key(home / "a")
    assert key(home / "a\nb") != key(home / "a%0Ab")


@pytest.mark.parametrize(
    "text", ["", "relative/path", "a\0b", "/" + "x" * 5000, "/\ud800", "~", "C:\\x", "//", "\\\\host\\x"]
)
def test_whatever_text_is_given_nothing_is_raised(home: Path, text: str) -> None:
    assert isinstance(key(text), str)


def test_a_folder_of_another_machine_has_the_key_that_it_had_there(home: Path) -> None:
    assert key("/Users/mara/work/api") == "work/api"
    assert key("C:\\Users\\mara\\work\\api") == "work/api"
    assert key("/srv/nowhere/api") == "/srv/nowhere/api"
    assert key_of("/home/mara/api", "/") == "/home/mara/api"


def test_no_program_is_started(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = repository(home / "api")
    (api / ".git" / "config").write_text("[core]\n\tfsmonitor = touch owned\n\tsshCommand = touch owned\n")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("PATH", "")
    assert key(api) == "api"
    assert not list(home.rglob("owned"))
