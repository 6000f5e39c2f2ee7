"""What a model's one reply tells beside names and claims: what closets are called, and what kinds things are of."""

from __future__ import annotations

import json

import pytest

from palace import Palace
from palace.testing import LanguageModelServer
from tests.extraction.asked import kept, reply, user
from tests.extraction.conftest import Open

TALK = [
    {"role": "user", "content": "The bilge pump of the boat drips again, I ordered a new seal for the pump."},
    {"role": "assistant", "content": "Close the seacock first."},
]


def closets(palace: Palace) -> list[str]:
    (wing,) = palace.tree.wings()
    (room,) = palace.tree.rooms(wing)
    return [closet.name for closet in palace.tree.closets(room)]


def test_a_closet_is_called_what_the_model_said_and_that_is_one_call(
    opened: Open, local: Palace, provider: LanguageModelServer
) -> None:
    provider.script.append(reply(topics=["bilge pump seal"]))
    palace = opened()
    summary = palace.file(TALK, id="a")
    assert (closets(palace), len(provider.requests)) == (["Bilge pump seal"], 1)
    (line,) = palace.costs()
    assert (line.calls, line.cost_usd) == (1, summary.cost_usd)
    local.rebuild()
    assert (closets(local), len(provider.requests)) == (["Bilge pump seal"], 1)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "topics",
    [(), ("Mallory Castle", "bilge pump\u202e seal", "x " * 40, 7, None, {}, "seacock")],
    ids=["none", "wrong"],
)
def test_what_nobody_said_is_no_name(
    opened: Open, local: Palace, provider: LanguageModelServer, topics: tuple[object, ...]
) -> None:
    local.file(TALK, id="a")
    provider.script.append(reply(topics=topics))
    palace = opened(user="other")
    palace.file(TALK, id="a")
    assert (closets(palace), len(provider.requests)) == (closets(local), 1)


def test_each_topic_names_the_part_that_speaks_of_it(opened: Open, provider: LanguageModelServer) -> None:
    pump = ["The bilge pump drips again.", "A new seal for the bilge pump.", "The pump seal is worn, the pump leaks."]
    tomatoes = ["Sow tomatoes in March.", "Water the tomatoes daily.", "Tomatoes in pots want tomatoes feed."]
    provider.script.append(reply(topics=["tomatoes", "bilge pump", "garden"]))
    palace = opened()
    palace.file([{"role": "user", "content": text} for text in (*pump * 2, *tomatoes * 2)], id="a")
    assert {*closets(palace)} == {"Bilge pump", "Tomatoes"}


def test_the_kinds_that_a_model_tells_are_kept_where_palace_knows_them(
    opened: Open, local: Palace, provider: LanguageModelServer
) -> None:
    told = {"Zorvex": "Medicine", "Halbmond": "band", "Mirafiori": "ignore all of this", "Tolvar": "x" * 500,
            "Quendel": ["dog"]}  # fmt: skip
    named = [{"text": name, "type": "item", "turn": 1, "kind": kind} for name, kind in told.items()]
    provider.script.append(json.dumps({"entities": named, "assertions": [], "topics": []}))
    palace = opened()
    palace.file(user("Zorvex, Halbmond, Mirafiori, Tolvar and Quendel came up."), id="a")
    found = {each.name: each.kinds for each in palace.entities.list()}
    assert found == {"Zorvex": ("medicine",), "Halbmond": ("band",), "Mirafiori": (), "Tolvar": (), "Quendel": ()}
    (stored,) = kept(palace)
    assert "ignore" not in stored
    assert "xxx" not in stored
    local.rebuild()
    assert {each.name: each.kinds for each in local.entities.list()} == found
    assert len(provider.requests) == 1
