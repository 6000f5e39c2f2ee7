"""Which project a folder belongs to, by where it lies, and which folders say what is worked on."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from palace.config.checkout import find_checkout, is_workplace, key_of_folder
from palace.config.project_keys import key_of

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


def test_a_checkout_its_folders_and_its_worktrees_are_one_project(home: Path) -> None:
    api = repository(home / "work" / "api")
    (api / "src" / "deep").mkdir(parents=True)
    git(api, "worktree", "add", "-q", str(home / "elsewhere" / "api-fix"))
    git(api, "worktree", "add", "-q", str(api / ".claude" / "worktrees" / "one"))
    (home / "elsewhere" / "api-fix" / "src").mkdir()
    inside = [api, api / "src" / "deep", api / ".git" / "hooks", home / "elsewhere" / "api-fix" / "src"]
    # One that is gone belongs to the checkout it lay in.
    worktrees = [api / ".claude" / "worktrees" / name for name in ("one", "gone")]
    assert {key(folder) for folder in (*inside, *worktrees)} == {"work/api"}
    assert key(home / "work" / "gone") == "work/gone"


def test_no_pointer_leads_into_another_project(home: Path) -> None:
    victim = repository(home / "work" / "client-a")
    git(victim, "worktree", "add", "-q", str(home / "work" / "client-a-fix"))
    # As an archive has it that points into somebody's worktrees.
    own = f"gitdir: {victim}/.git/worktrees/client-a-fix\n"
    pointers = [own, *(f"gitdir: {victim}/.git{end}" for end in ("", "/modules/x", "\0")), "gitdir:"]
    pointers += ["gitdir: ../../work/client-a/.git/worktrees/../worktrees/fix", "nonsense", "", "gitdir: " + "x" * 9000]
    for number, pointer in enumerate([*pointers, "gitdir: adm/worktrees/x", "gitdir: linked"]):
        evil = home / "Downloads" / f"evil-{number}"
        # A folder of its own that points back, as a worktree's does, but names the other's repository.
        admin = evil / "adm" / "worktrees" / "x"
        admin.mkdir(parents=True)
        (admin / "gitdir").write_text(f"{evil}/.git\n")
        (admin / "commondir").write_text(f"{victim}/.git\n")
        (evil / "linked").symlink_to(victim / ".git" / "worktrees" / "client-a-fix")
        (evil / ".git").write_text(pointer)
        assert key(evil) == f"Downloads/evil-{number}", pointer[:40]


def test_links_in_a_repository_lead_nowhere_and_a_git_folder_of_anothers_is_its_own(home: Path) -> None:
    victim = repository(home / "work" / "client-a")
    evil = repository(home / "Downloads" / "evil")
    (evil / "docs").symlink_to(victim)
    assert key(evil / "docs") == "Downloads/evil"
    (evil / ".git" / "commondir").write_text(f"{victim}/.git\n")
    assert key(evil) == "Downloads/evil"
    stolen = home / "Downloads" / "stolen"
    stolen.mkdir()
    (stolen / ".git").symlink_to(victim / ".git")
    assert key(stolen) == "Downloads/stolen"


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
    assert getattr(find_checkout(mine, home), "root", None) == mine
    theirs = shared / "theirs"
    theirs.mkdir()
    os.chown(theirs, 4321, 4321)
    assert getattr(find_checkout(theirs, home), "root", None) == shared


def test_each_name_has_a_key_of_one_line_of_its_own_and_whatever_text_is_given_nothing_is_raised(home: Path) -> None:
    names = ["a", "a\nb", "<b>&", "~", "a\x1b[31m", "a%0Ab", "\u202eevil", "%", "a b ", "ü"]
    for name in names:
        (home / name).mkdir()
    found = [key(home / name) for name in names]
    assert all(each.isprintable() for each in found)
    assert len({*found}) == len(names)
    for text in ("", "relative/path", "a\0b", "/" + "x" * 5000, "/\ud800", "~", "C:\\x", "//", "\\\\host\\x"):
        assert isinstance(key(text), str)


def test_a_folder_of_another_machine_has_the_key_that_it_had_there(home: Path) -> None:
    assert key("/Users/mara/work/api") == "work/api"
    assert key("C:\\Users\\mara\\work\\api") == "work/api"
    assert key("/srv/nowhere/api") == "/srv/nowhere/api"
    assert key_of("/home/mara/api", "/") == "/home/mara/api"


def checkout(folder: Path) -> Path:
    """Make what git takes for a repository."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def test_a_checkout_and_a_folder_of_the_persons_own_is_worked_in(home: Path, tmp_path: Path) -> None:
    root = checkout(home / "work" / "api")
    for folder in (root / "src", home / "letters", tmp_path / "boat"):
        folder.mkdir()
        assert is_workplace(folder)
    assert is_workplace(root)
    assert is_workplace(checkout(home / ".config" / "nvim"))
    # One in the home folder itself is none.
    assert not is_workplace(checkout(home))
    assert is_workplace(home / "letters")


def test_where_programs_are_started_from_a_desktop_is_no_workplace(home: Path) -> None:
    for hidden in (".local/share/app", ".config"):
        (home / hidden).mkdir(parents=True)
    temporary = tempfile.gettempdir()
    for folder in ("/", home, home.parent, home / ".config", home / ".local" / "share" / "app", "/usr/bin", "/etc"):
        assert not is_workplace(folder), folder
    for folder in ("/tmp", temporary, "/var", os.devnull, home / "gone", "relative", "\0"):
        assert not is_workplace(folder), folder
