"""Command lines and damaged files at random: one line each, an exit code that is known, nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.endurance.fuzz import files, watch
from bench.endurance.fuzz.caller import Ended
from bench.endurance.fuzz.commands import fuzz_commands, judge
from bench.endurance.fuzz.files import fuzz_files
from bench.endurance.fuzz.lines import Grammar, Parameter, draw_line
from bench.endurance.fuzz.mutations import JSON_MUTATIONS, MUTATIONS, WRAPS, mutate
from palace.errors import UnreadableSource
from palace.settings import Settings

CHAT = b'{"role": "user", "content": "The battery is charged.", "created_at": 1714557660}\n' * 3


def test_any_command_line_ends_in_a_known_code_and_one_line(home: Path) -> None:
    found = fuzz_commands(home, count=100, processes=2, seed=5)
    assert found.findings == []
    assert found.codes.total() == 102
    assert found.codes["line: 0"] > 10
    assert found.codes["line: 2"] > 20


def test_any_damaged_file_is_read_or_refused_by_name(settings: Settings, tmp_path: Path) -> None:
    found = fuzz_files(settings, tmp_path, count=196, seed=5)
    assert found.findings == []
    assert len(found.outcomes) == 22
    assert min(found.total[outcome] for outcome in ("read", "refused", "mined")) > 5


@pytest.mark.parametrize(
    "ended",
    [
        Ended(1, "", "", "Traceback: ZeroDivisionError"),
        Ended(1, "", "", "Timeout (0:00:10)!", is_overdue=True),
        Ended(1, "", "Traceback (most recent call last):\n"),
        Ended(4, "", "palace: what is this\n"),
        Ended(2, "", ""),
        Ended(2, "", "palace: one\npalace: two\n"),
        Ended(2, "", "palace: one\nand more\n"),
        Ended(1, "", "palace: one\npalace: two\n"),
        Ended(0, "{}", "palace: failed\n"),
        Ended(0, "{}", "\x1b[31mred\n"),
        Ended(0, "", ""),
        Ended(0, '{"a": NaN}', ""),
        Ended(0, "{}", "", seconds=11),
        Ended(0, "{}", "", megabytes=700),
        Ended(2, "", f"palace: {'x' * 6000}\n"),
    ],
)
def test_a_bad_end_of_a_command_line_is_a_finding(ended: Ended) -> None:
    assert len(judge(["ls", "--json"], ended)) == 1


def test_what_goes_on_until_it_is_stopped_is_no_finding() -> None:
    overdue = Ended(1, "", "", "Timeout (0:00:10)!", is_overdue=True)
    assert judge(["worker", "--watch", "x"], overdue) == judge(["mcp"], overdue) == []
    assert judge(["mcp"], Ended(1, "", "", "Traceback: ZeroDivisionError")) != []


def test_a_hook_may_say_nothing() -> None:
    assert judge(["hook", "prompt", "--json"], Ended(0, "", "")) == []


@pytest.mark.parametrize(
    "ended",
    [
        Ended(0, "{}", ""),
        Ended(0, "[]", "the palace is empty: palace mine FILE fills it\n"),
        Ended(0, "{}", "palace: warning: two\n"),
        Ended(1, "", "Forget it? [y/N] \nnothing was forgotten\n"),
        Ended(2, "", "palace: --limit is wrong (try: palace ls --help)\n"),
        Ended(2, "", '{"code": "bad_request", "message": "--limit is wrong"}\n'),
    ],
)
def test_a_good_end_of_a_command_line_is_none(ended: Ended) -> None:
    assert judge(["ls", "--json"], ended) == []


def test_several_files_that_were_not_mined_are_a_line_each() -> None:
    assert judge(["mine", "a", "b"], Ended(1, "", "palace: a: no\npalace: b: no\n")) == []


def test_the_same_seed_draws_the_same_lines() -> None:
    grammars = [Grammar(("ls",), (Parameter((), "PLACE", False, False, False),)), Grammar(("db", "url"), ())]
    one, other = ([draw_line(random.Random(3), grammars, ("a",)) for _ in range(20)] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("mutation", [*MUTATIONS, *JSON_MUTATIONS, *WRAPS])
def test_every_mutation_changes_a_file_and_the_same_seed_does_the_same(mutation: object) -> None:
    assert callable(mutation)
    results = [mutation(random.Random(number), CHAT) for number in range(9)]
    assert results == [mutation(random.Random(number), CHAT) for number in range(9)]
    assert any(result != CHAT for result in results)
    for data in (b"", b"\n", b"[", b"{}", b'{"a": 1}'):
        assert all(isinstance(mutation(random.Random(number), data), bytes) for number in range(3))


def test_a_file_is_changed_in_the_ways_that_are_told() -> None:
    data, done = mutate(random.Random(1), CHAT)
    assert data != CHAT
    assert done


def _fail(problem: BaseException) -> object:
    def read(*_: object) -> Iterator[object]:
        raise problem
        yield

    return read


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (KeyError("role"), "KeyError: 'role'"),
        (UnreadableSource("another", "is broken"), "not a line that names the file"),
        (UnreadableSource("", "two\nlines"), "not a line that names the file"),
    ],
)
def test_a_reader_that_fails_otherwise_is_a_finding_and_its_file_is_kept(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: BaseException, told: str
) -> None:
    monkeypatch.setattr(files, "list_sources", _fail(problem))
    found = fuzz_files(settings, tmp_path, count=2, seed=1)
    assert len(found.findings) >= 2
    assert told in found.findings[0]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_what_does_not_end_is_a_finding(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> Iterator[object]:
        while True:
            pass
        yield

    monkeypatch.setattr(watch, "LONGEST_SECONDS", 0.05)
    monkeypatch.setattr(files, "list_sources", read)
    assert "took too long" in fuzz_files(settings, tmp_path, count=1, seed=1).findings[0]
