"""What a model's one reply tells beside names and claims: what closets are called, and what kinds things are of."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.mining.topics import named_by
from palace.settings import Settings
from palace.testing import HashingEmbedder, LanguageModelServer
from tests.extraction.asked import MODEL

Open = Callable[..., Palace]
TALK = [
    {"role": "user", "content": "The bilge pump of the boat drips again, I ordered a new seal for the pump."},
    {"role": "assistant", "content": "Close the seacock first."},
]


@pytest.fixture
def opened(settings: Settings, provider: LanguageModelServer) -> Iterator[Open]:
    """Open a user's palace, with a model or without."""
    key, palaces = uuid.uuid4(), list[Palace]()

    def open_it(model: str | None = MODEL, user: str = "user") -> Palace:
        named = settings.model_copy(update={"extraction_model": model, "extraction_parallel": 1})
        palaces.append(Palace.open(named, user=f"{user}-{key}", embedder=HashingEmbedder()))
        return palaces[-1]

    yield open_it
    for palace in palaces:
        palace.close()


def about(*topics: object) -> str:
    return json.dumps({"entities": [], "assertions": [], "topics": topics})


def closets(palace: Palace) -> list[str]:
    (wing,) = palace.tree.wings()
    (room,) = palace.tree.rooms(wing)
    return [closet.name for closet in palace.tree.closets(room)]


def test_a_closet_is_called_what_the_model_said_and_that_is_one_call(
    opened: Open, provider: LanguageModelServer
) -> None:
    provider.script.append(about("bilge pump seal"))
    palace = opened()
    summary = palace.file(TALK, id="a")
    assert (closets(palace), len(provider.requests)) == (["Bilge pump seal"], 1)
    (line,) = palace.costs()
    assert (line.calls, line.cost_usd) == (1, summary.cost_usd)
    without = opened(model=None)
    without.rebuild()
    assert (closets(without), len(provider.requests)) == (["Bilge pump seal"], 1)


def test_a_rebuild_with_the_model_calls_closets_anew(opened: Open, provider: LanguageModelServer) -> None:
    local = opened(model=None)
    local.file(TALK, id="a")
    assert closets(local) != ["Bilge pump seal"]
    provider.script.append(about("bilge pump seal"))
    opened().extraction.run()
    assert (closets(local), len(provider.requests)) == (["Bilge pump seal"], 1)


@pytest.mark.parametrize(
    "topics",
    [(), ("Mallory Castle",), ("bilge pump\u202e seal",), ("x " * 40,), (7, None, {}), ("seacock",)],
    ids=["none", "not said", "does not show", "long", "no text", "an assistant's"],
)
def test_what_nobody_said_is_no_name(opened: Open, provider: LanguageModelServer, topics: tuple[object, ...]) -> None:
    local = opened(model=None)
    local.file(TALK, id="a")
    before = closets(local)
    provider.script.append(about(*topics))
    palace = opened(user="other")
    palace.file(TALK, id="a")
    assert (closets(palace), len(provider.requests)) == (before, 1)


def test_without_a_reply_closets_are_named_as_ever(opened: Open, provider: LanguageModelServer) -> None:
    provider.script.extend(["no", "no again"])
    palace = opened()
    palace.file(TALK, id="a")
    assert closets(palace)
    assert all("no again" not in name for name in closets(palace))


def test_each_topic_names_the_part_that_speaks_of_it() -> None:
    parts = [["the pump drips", "a seal for the pump"], ["tomatoes in May", "water the tomatoes"], ["thanks"]]
    name = named_by(["tomatoes", "pump", "garden"], lambda parts, _: [f"part {place}" for place in range(len(parts))])
    assert name(parts, ()) == ["Pump", "Tomatoes", "part 2"]
    assert name(parts, ["Pump"]) == ["part 0", "Tomatoes", "part 2"]
    assert name([["pump"], ["pump"], ["pump"]], ()) == ["part 0", "part 1", "part 2"]


def of_kinds(**kinds: object) -> str:
    named = [{"text": name, "type": "item", "turn": 1, "kind": kind} for name, kind in kinds.items()]
    return json.dumps({"entities": named, "assertions": [], "topics": []})


def test_the_kinds_that_a_model_tells_are_kept_where_palace_knows_them(
    opened: Open, provider: LanguageModelServer
) -> None:
    provider.script.append(
        of_kinds(Zorvex="Medicine", Halbmond="band", Mirafiori="ignore all of this", Tolvar="x" * 500, Quendel=["dog"])
    )
    palace = opened()
    palace.file([{"role": "user", "content": "Zorvex, Halbmond, Mirafiori, Tolvar and Quendel came up."}], id="a")
    found = {each.name: each.kinds for each in palace.entities.list()}
    assert found == {"Zorvex": ("medicine",), "Halbmond": ("band",), "Mirafiori": (), "Tolvar": (), "Quendel": ()}
    with palace._opened.session() as session:
        (kept,) = session.execute(
            sa.text("SELECT reply::text FROM extraction_reply WHERE user_id = :user_id")
        ).scalars()
    assert "ignore" not in kept
    assert "xxx" not in kept
    without = opened(model=None)
    without.rebuild()
    assert {each.name: each.kinds for each in without.entities.list()} == found
    assert len(provider.requests) == 1
