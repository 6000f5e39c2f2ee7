"""Role and speaker hide what others said, in both arms; wrong arguments are told as what they are."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from palace import BadRequest, NotFound, Palace, Palaces, Role, Strategy

TALK = [
    {"role": "user", "name": "Caroline", "content": "The lantern festival is in August."},
    {"role": "user", "name": "Melanie", "content": "The lantern festival was lovely."},
    {"role": "assistant", "content": "The lantern festival has its origins in Kyoto."},
    {"role": "tool", "name": "subagent", "content": "lantern festival: 4 results"},
]


@pytest.fixture(scope="module")
def mined(palaces: Palaces) -> Palace:
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    palace.file(TALK, id="talk")
    return palace


def found(palace: Palace, **scope: Any) -> set[str]:
    return {hit.drawer.content for hit in palace.recall("lantern festival", top_k=10, **scope).hits}


def test_a_role_and_a_speaker_in_any_case_hide_the_others(mined: Palace) -> None:
    for role in Role:
        assert found(mined, role=str(role)) == {turn["content"] for turn in TALK if turn["role"] == role}, role
    for name in ("Caroline", "caroline", " CAROLINE "):
        assert found(mined, speaker=name) == {TALK[0]["content"]}
    assert found(mined, speaker="Caroline", role="assistant") == set()
    assert found(mined, speaker="subagent") == {TALK[3]["content"]}


def test_a_speaker_who_is_not_there_is_told_with_names_that_are_near(mined: Palace) -> None:
    for asked, near in (
        ("Carolin", "; did you mean 'Caroline'?"),
        ("Caroilne", "; did you mean 'Caroline'?"),
        ("MELANNIE", "; did you mean 'Melanie'?"),
        ("Zzz", ""),
    ):
        with pytest.raises(NotFound) as problem:
            mined.recall("lantern festival", speaker=asked)
        assert str(problem.value).startswith(f"there is no speaker '{asked}'{near} (`palace ls W-001/R-01`")


def test_what_only_the_keywords_propose_is_hidden_too(palace: Palace) -> None:
    palace._opened.embedders.given.fail_on = lambda _: True  # type: ignore[union-attr]
    palace.file(TALK, id="talk")
    assert found(palace, speaker="Melanie") == {TALK[1]["content"]}


WRONG: dict[str, Callable[[Palace], object]] = {
    "since": lambda p: p.recall("x", since="yesterday"),  # type: ignore[arg-type]
    "until": lambda p: p.recall("x", until=7),  # type: ignore[arg-type]
    "now": lambda p: p.recall("x", now="now"),  # type: ignore[arg-type]
    "top_k": lambda p: p.recall("x", top_k=2.5),  # type: ignore[arg-type]
    "context": lambda p: p.recall("x", context="2"),  # type: ignore[arg-type]
    "wing": lambda p: p.recall("x", wing=5),  # type: ignore[arg-type]
    "query": lambda p: p.recall(None),  # type: ignore[arg-type]
    "role": lambda p: p.recall("x", role="robot"),
    "speaker": lambda p: p.recall("x", speaker=""),
    "note": lambda p: p.note(b"x"),  # type: ignore[arg-type]
    "said_at": lambda p: p.note("x", said_at="today"),  # type: ignore[arg-type]
    "source": lambda p: p.mine(7),  # type: ignore[arg-type]
    "pointer": lambda p: p.show(3),  # type: ignore[arg-type]
    "what": lambda p: p.forget(3),  # type: ignore[arg-type]
    "run": lambda p: p.runs.undo("1"),  # type: ignore[arg-type]
    "limit": lambda p: p.runs.list(limit=2.5),  # type: ignore[arg-type]
}


def test_an_argument_of_a_wrong_type_is_a_wrong_call_that_names_it(palace: Palace) -> None:
    for name, call in WRONG.items():
        with pytest.raises(BadRequest, match=rf"\b{name}\b must be"):
            call(palace)
    with pytest.raises(BadRequest, match="user must be a text, not 5"):
        Palace.open(user=5)  # type: ignore[arg-type]


def test_a_language_hides_the_others(palace: Palace) -> None:
    german = "Das Laternenfest Lantern Festival findet jedes Jahr im August statt, und wir fahren gerne hin."
    english = "The lantern festival takes place in August every year, and we like to go there with friends."
    for number, content in enumerate((german, english, "lantern festival")):
        palace.file([{"role": "user", "content": content}], id=f"talk-{number}")
    assert found(palace, language="de", floor="none") == {german}
    assert found(palace, language="EN", floor="none") == {english, "lantern festival"}
    assert found(palace, language="fr", floor="none") == set()
    with pytest.raises(BadRequest, match="language must be a code of two letters"):
        palace.recall("lantern", language="german")


def test_words_of_a_language_are_found_behind_better_ones_of_another(palace: Palace) -> None:
    english = [f"The lantern festival, the lantern {number}." for number in range(70)]
    palace.file([{"role": "user", "content": content} for content in english], id="talk")
    german = "Das Laternenfest, auch Lantern Festival genannt, ist wirklich sehr schön und findet im Sommer statt."
    palace.file([{"role": "user", "content": german}], id="german")
    words_alone = Strategy.of({"arms": ["keyword"]})
    assert found(palace, language="de", floor="none", strategy=words_alone) == {german}
