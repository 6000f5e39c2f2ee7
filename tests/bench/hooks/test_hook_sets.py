"""The sets by which hooks are measured hold what they claim."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from bench.hooks.sets.__main__ import HISTORIES, write_histories
from bench.hooks.sets.read import (
    SETS,
    Needed,
    OtherClient,
    Sibling,
    has,
    is_right,
    leaks,
    read_instructions,
    read_needed,
    read_no_memory,
    read_other_client,
    read_short,
    read_sibling,
)
from bench.hooks.sets.talk import ANSWERS, GIVES, SAYS, Talk, read_talk, read_talks
from palace.mining.readers.assistants import claude_code
from palace.mining.readers.json_records import iter_records
from palace.mining.readers.reading import Reading
from palace.records import Conversation

TALKS = {talk.project: talk for talk in read_talks()}
SHORT = "ostwall-meter"
"""The project of the prompts of few words, with few words of its own."""
PROMPTS = (*read_no_memory(), *read_other_client(), *read_needed(), *read_sibling(), *read_short())


@cache
def text_of(project: str, marks: str = "") -> str:
    """All that stands in a project's history, or what stands behind some marks."""
    said = [said for session in TALKS[project].sessions for said in session.said]
    return "\n".join(one.text for one in said if not marks or one.mark in marks)


def messages_of(project: str) -> list[str]:
    """What the person and the agent said, message by message: a block has room for few."""
    return [said.text for session in TALKS[project].sessions for said in session.said if said.mark in SAYS + ANSWERS]


def test_each_half_has_its_share() -> None:
    for prompts, half in (
        (read_no_memory(), 100),
        (read_other_client(), 50),
        (read_needed(), 40),
        (read_sibling(), 10),
    ):
        assert Counter(asked.half for asked in prompts) == {"develop": half, "apart": half}


def test_ids_and_prompts_are_unique() -> None:
    assert [one for one, count in Counter(asked.id for asked in PROMPTS).items() if count > 1] == []
    assert [one for one, count in Counter(asked.prompt for asked in PROMPTS).items() if count > 1] == []


def test_prompts_are_asked_in_the_projects_of_their_half() -> None:
    for asked in PROMPTS:
        assert (TALKS[asked.project].folder, TALKS[asked.project].half) == (asked.folder, asked.half), asked.id
        assert asked.why


def test_the_halves_share_no_client_and_a_folder_name_means_two_projects() -> None:
    clients = {half: {talk.client for talk in TALKS.values() if talk.half == half} for half in ("develop", "apart")}
    assert [len(clients[half]) for half in clients] == [3, 2]
    assert not clients["develop"] & clients["apart"]
    names = Counter((talk.half, Path(talk.folder).name) for talk in TALKS.values())
    assert sorted(names.values()) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("asked", read_other_client(), ids=lambda asked: asked.id)
def test_a_needle_lies_in_the_other_clients_history_alone(asked: OtherClient) -> None:
    knowing = TALKS[asked.knows]
    assert knowing.client != TALKS[asked.project].client
    assert knowing.half == asked.half
    assert leaks(text_of(asked.knows), asked) == asked.needle
    assert leaks(asked.prompt, asked) == ()
    own = [talk.project for talk in TALKS.values() if talk.client == TALKS[asked.project].client]
    assert [leaks(text_of(project), asked) for project in own] == [()] * len(own)


@pytest.mark.parametrize("asked", read_needed(), ids=lambda asked: asked.id)
def test_an_answer_lies_in_what_was_said_in_the_project(asked: Needed) -> None:
    for answer in asked.answers:
        for words in answer:
            assert has(text_of(asked.project, SAYS + ANSWERS), words), words
        assert not all(has(asked.prompt, words) for words in answer), answer
    assert any(is_right(message, asked) for message in messages_of(asked.project))


def test_a_prompt_of_few_words_has_its_answer_in_one_message_or_none_at_all() -> None:
    counted = Counter(asked.kind for asked in read_short())
    assert counted == {"near": 26, "error": 6, "rule": 8, "nowhere": 30, "work": 20}
    for asked in read_short():
        assert asked.project == SHORT
        assert bool(asked.answers) == (asked.kind not in {"nowhere", "work"})
        assert not asked.answers or any(is_right(message, asked) for message in messages_of(SHORT)), asked.id


@pytest.mark.parametrize("asked", read_sibling(), ids=lambda asked: asked.id)
def test_an_answer_of_a_sibling_lies_in_the_siblings_history_alone(asked: Sibling) -> None:
    assert TALKS[asked.knows].client == TALKS[asked.project].client
    assert asked.knows != asked.project
    for answer in asked.answers:
        assert all(has(text_of(asked.knows, SAYS + ANSWERS), words) for words in answer), answer
        assert not is_right(text_of(asked.project), asked)
    assert any(is_right(message, asked) for message in messages_of(asked.knows))


def test_histories_are_what_was_written(tmp_path: Path) -> None:
    made = {path.relative_to(tmp_path): path.read_bytes() for path in write_histories(tmp_path)}
    kept = {path.relative_to(HISTORIES): path.read_bytes() for path in HISTORIES.rglob("*.jsonl")}
    assert made == kept
    assert sum(path.stat().st_size for path in SETS.rglob("*") if path.is_file()) < 3_000_000


def test_histories_read_as_claude_code_sessions() -> None:
    for talk in TALKS.values():
        files = sorted((HISTORIES / talk.half / talk.project).glob("*.jsonl"))
        assert 8 <= len(files) <= 20
        found = [one for path in files for one in _conversations(path)]
        assert sorted(one.title or "" for one in found) == sorted(session.title for session in talk.sessions)
        assert {one.project for one in found} == {Path(talk.folder).name}
        ids = [turn.source_id for one in found for turn in one.turns]
        assert len(ids) == len(set(ids)) >= (40 if talk.project == SHORT else 120)
        assert all(turn.said_at for one in found for turn in one.turns)


def test_another_home_is_put_into_every_line(tmp_path: Path) -> None:
    for path in write_histories(tmp_path / "to", "/srv/people/lea"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line).get("cwd", "/srv/people/lea").startswith("/srv/people/lea")


def test_a_line_goes_on_where_it_is_indented() -> None:
    talk = _one("> ask\n  more\n\n  last\n! Bash ls\n| a\n| \n| b\n< done")
    assert [(said.mark, said.text) for said in talk.sessions[0].said] == [
        (SAYS, "ask\nmore\nlast"),
        ("!", "Bash ls"),
        (GIVES, "a\n\nb"),
        (ANSWERS, "done"),
    ]


def test_a_line_without_a_mark_is_told() -> None:
    with pytest.raises(ValueError, match="no mark: oops"):
        _one("> ask\noops")


def test_words_are_found_whatever_their_case_and_lines() -> None:
    needed, other = read_needed()[0], read_other_client()[0]
    assert is_right("on PG-STG-02.nordwind.internal,\nport 6433", needed)
    assert not is_right("port 6433", needed)
    assert not has("a driver", "River")
    assert has("`--profile gateway`", "--profile gateway")
    assert leaks(f"it is {other.needle[0].upper()}", other) == (other.needle[0],)
    assert leaks("", other) == ()


def _conversations(path: Path) -> list[Conversation]:
    reading = Reading(path.name)
    with path.open("rb") as stream:
        return list(claude_code.read(iter_records(stream, reading, is_array=False), reading))


def _one(lines: str) -> Talk:
    return read_talk(f"@ project p\n@ client c\n@ half apart\n@ folder /home/dev/p\n= 2026-01-01T08:00 main T\n{lines}")


def test_what_is_said_for_good_is_told_apart_in_halves_of_one_size() -> None:
    said = read_instructions()
    assert len({each.text for each in said}) == len({each.id for each in said}) == len(said)
    for half, standing, others in (("develop", 67, 111), ("apart", 68, 112)):
        of_half = [each for each in said if each.half == half and each.kind == "said"]
        assert Counter(each.stands for each in of_half) == {True: standing, False: others}
    assert not any(each.stands or each.half == "apart" for each in said if each.kind == "near")
