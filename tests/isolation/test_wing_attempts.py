"""What may look at one wing alone is asked for what stands in another: nothing of that comes out, by any way."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from palace import BadRequest, NotFound, Palace, Palaces, Scope, Settings, to_json
from palace.hooks.answering import HookContext, answer_request
from palace.models.claims import SELF, Action, Claim, Reading
from palace.opened import OpenPalace, SharedResources
from palace.turns import TurnOptions
from tests.conftest import is_night
from tests.graph.mined import claims, said
from tests.hooks.conftest import repository
from tests.protocol.conftest import talk_with, text_of

OURS, THEIRS, FORMERLY = "Alpha", "Zweitens", "Drittens"
SPRING, AUTUMN = "2026-03-01T10:00:00Z", "2026-08-08T10:00:00Z"
"""When something was said in ours; in theirs between the two."""
MAY, JUNE = "2026-05-17T10:00:00Z", "2026-06-19T10:00:00Z"
TELLING = ("montevideo", "quillfirm", "vandermolen", "kx12z", "zweitens", "drittens", "w-002", "2026-05", "2026-06")
ASKED = (
    "Where do I live?",
    "Where does Anna work?",
    "What is the launch code?",
    "Does Anna sing in the choir?",
    "When did I move to Montevideo?",
    "Where does Anna Vandermolen work?",
    "Which room of Zweitens speaks of Quillfirm?",
    "What did I say on 2026-05-17?",
    "Where is the canoe?",
    "montevidoe quilfirm",
)


@dataclass(frozen=True)
class World:
    """A palace with two wings that speak of the same people, and every pointer into the other one."""

    palace: Palace
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    """Numbers of their drawers and rooms, former ones too, with what nobody has."""
    lives: str
    """Where ours says what only theirs puts an end to."""
    works: str
    """Where ours says what ours puts an end to."""


@pytest.fixture(scope="module")
def world(palaces: Palaces) -> World:
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    lives, works, job, sings = said(
        palace,
        "spring",
        ("I live in Leipzig.", SPRING, claims(SELF, "lives_in", "Leipzig")),
        ("Bert works at Brightwell.", SPRING, claims("Bert", "works_at", "Brightwell")),
        ("Anna works at Brightwell.", SPRING, claims("Anna", "works_at", "Brightwell")),
        ("Anna sings in the choir.", SPRING, claims("Anna", "member_of", "choir")),
        wing=OURS,
    )
    talk = [
        {"role": "user", "content": "Is the canoe for sale?", "timestamp": SPRING},
        {"role": "assistant", "content": "The canoe is for sale.", "timestamp": SPRING},
    ]
    (asked,), (answered,) = palace.file(talk, id="sale", wing=OURS).pointers
    leaving = [{"role": "user", "content": "The canoe lies at Quillfirm's pier.", "timestamp": MAY}]
    ((left,),) = palace.file(leaving, id="pier", wing=OURS).pointers
    moved, works_there, sang, code = said(
        palace,
        "may",
        ("I moved to Montevideo.", MAY, claims(SELF, "lives_in", "Montevideo")),
        ("Anna Vandermolen works at Quillfirm.", JUNE, claims("Anna", "works_at", "Quillfirm")),
        ("Anna does not sing any more.", MAY, claims("Anna", "member_of", "choir", Action.ENDS)),
        ("The launch code is KX12Z.", MAY, Reading((), (Claim("launch", "has_code", "KX12Z", Action.HOLDS, 0, 9),))),
        wing=FORMERLY,
    )
    ((coming,),) = palace.file([{"role": "user", "content": "The oars are of ash."}], id="oars", wing=FORMERLY).pointers
    since = ("Bert works at Oakfield.", AUTUMN, claims("Bert", "works_at", "Oakfield"))
    (now,) = said(palace, "now", since, wing=OURS)
    palace.tree.rename(FORMERLY, THEIRS)
    palace.tree.move(str(left.of_room), THEIRS)
    palace.tree.move(str(coming.of_room), OURS)
    there = palace.show(moved).drawer
    with palace._opened.session() as session:
        # As where a room of a conversation was moved: what it answers, and what took its place, stands elsewhere.
        for pointer in (asked, answered):
            session.connection.exec_driver_sql(
                "UPDATE drawer SET answers = %s, replaced_by = %s, replaced_at = %s WHERE id = %s",
                (there.id, there.id, AUTUMN, palace.show(str(pointer)).drawer.id),
            )
    theirs = (moved, works_there, sang, code, left, palace.show(str(left)).drawer.pointer)
    numbers = dict.fromkeys(str(each).removeprefix("§ ") for each in theirs)
    rooms = dict.fromkeys(each.rpartition("/")[0] for each in numbers)
    ours = (str(coming), lives, works, job, sings, str(asked), str(answered), now)
    return World(palace, ours, (*numbers, *rooms, "W-002/R-77/D-001", "W-002/R-77", "W-002"), lives, works)


def leaks(what: object, told: str) -> list[tuple[object, str]]:
    """Name what tells of the other wing."""
    return [(what, told)] if any(word in told.lower() for word in TELLING) else []


def calls_of(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    """List calls that may get at the other wing."""
    for number in world.theirs:
        for written in (number, f"§ {number}", f" {number.lower()} @p Anna "):
            yield from (("show", {"pointer": written, "context": 10}), ("fetch", {"id": written}))
        yield "forget", {"pointer": number}
        yield "forget", {"pointer": number, "confirm": "agreed-00000000"}
    for number in world.ours:
        yield from (("show", {"pointer": number, "context": 10}), ("fetch", {"id": number}))
        yield "forget", {"pointer": number}
        yield "forget", {"pointer": number.removeprefix("§ ").rpartition("/")[0]}
    for query in ASKED:
        yield from (("recall", {"query": query, "max_tokens": 8000}), ("search", {"query": query}))
        yield "recall", {"query": query, "since": "2026-05-01", "until": "2026-06-30"}
    for name in (THEIRS, FORMERLY, "W-002", "Montevideo", "Anna", "I"):
        yield "recall", {"query": "Anna", "wing": name}
        yield "recent", {"wing": name}
        yield "remember", {"text": f"Anna knows {name}.", "wing": name}
        yield from (("timeline", {"entity": name}), ("relations", {"entity": name}))
    yield from (("recent", {"days": 36_525, "max_tokens": 8000}), ("status", {}), ("relations", {}))


def test_a_server_for_one_wing_tells_nothing_of_another(world: World) -> None:
    found, tried = list[tuple[object, str]](), 0

    def ask(profile: str, **bounds: Any) -> None:
        async def try_all(client: Client) -> None:
            nonlocal tried
            found.extend(leaks(profile, str(await client.list_tools()) + str(client.server_capabilities)))
            for name, given in calls_of(world):
                answer = await client.call_tool(name, given)
                tried += 1
                told = f"{text_of(answer)} {json.dumps(answer.structured_content)}"
                for argument in given.values() if answer.is_error or name == "forget" else ():
                    told = told.replace(str(argument).partition(" @")[0].strip(), "")
                found.extend(leaks((profile, bounds, name, given), told))

        talk_with(lambda: world.palace, try_all, profile=profile, **bounds)

    for profile, wing in (("full", OURS), ("chatgpt", "w-001"), ("default", "alpha"), ("readonly", OURS)):
        if is_night() or profile in {"full", "chatgpt"}:
            ask(profile, wing=wing)
    ask("full", wing_ids=(world.palace.tree.wing(OURS).id, 0))
    assert found == []
    assert tried >= 200


def test_a_server_for_a_wing_that_is_not_there_says_what_no_wing_is_called(world: World) -> None:
    for wing in ("W-999", "Zweiten", "alphas"):

        async def ask(client: Client) -> list[str]:
            calls = {name: given for name, given in calls_of(world) if name != "remember"}
            calls["remember"] = {"text": "The oars are long."}
            return [text_of(await client.call_tool(name, given)) for name, given in calls.items()]

        told = talk_with(lambda: world.palace, ask, profile="full", wing=wing)
        assert [leak for each in told for leak in leaks(wing, each)] == []


def test_recall_show_and_turns_of_one_wing_tell_nothing_of_another(world: World) -> None:
    palace, found = world.palace, list[tuple[object, str]]()
    here = TurnOptions(scope=Scope(wing_ids=(palace.tree.wing(OURS).id,)), floor="none")
    for number in world.theirs:
        with pytest.raises((NotFound, BadRequest)):
            palace.show(number, context=5, wing=OURS)
    for number in world.ours:
        found += leaks(number, to_json(palace.show(number, context=5, wing=OURS)))
    for query in ASKED:
        recalled = replace(palace.recall(query, wing=OURS, floor="none", top_k=40, context=5), query="", times=())
        told = to_json(recalled) + palace.context_block(recalled, token_budget=9000)
        found += leaks(query, told)
        found += leaks(query, palace.turn(query, options=here).block) if query in ASKED[:4] else []
    recent = palace.recent(wing=OURS, days=36_525, limit=100)
    assert found + leaks("recent", to_json(recent) + palace.context_block(recent)) == []


def test_what_ended_is_told_where_the_wing_itself_says_so(world: World) -> None:
    palace = world.palace
    assert palace.show(world.lives).drawer.until
    for number, is_over in ((world.lives, False), (world.works, True)):
        shown = palace.show(number, wing=OURS).drawer
        hits = palace.recall(shown.content, wing=OURS, floor="none").hits
        (recalled,) = (hit.drawer for hit in hits if hit.drawer.id == shown.id)
        assert (shown.until, shown.superseded_by) == (recalled.until, recalled.superseded_by)
        assert (shown.until is not None and shown.until.month == 8) is is_over


def test_hooks_of_a_project_tell_nothing_of_another_wing(world: World, settings: Settings, tmp_path: Path) -> None:
    palace, folder = world.palace, repository(tmp_path / "alpha")
    palace.projects.assign(folder, OURS)
    home, opened = tmp_path / "home", palace._opened
    home.mkdir(mode=0o700)
    own = settings.model_copy(update={"user": palace.user, "home": home})
    resources = SharedResources(own, opened.database.shared, opened.embedders, opened.strategy, opened.steps)
    context = HookContext(
        home, palace.user, lambda user: OpenPalace.of(resources, user=user, make_user=False), seconds=30
    )
    found, given = list[tuple[object, str]](), 0
    for event, prompt in (("SessionStart", ""), *(("UserPromptSubmit", each) for each in ASKED)):
        told = {"session_id": prompt, "cwd": str(folder), "hook_event_name": event, "prompt": prompt}
        sent = json.dumps(told | {"source": "startup"})
        out = answer_request(context, {"v": 1, "event": "", "input": sent, "folder": ""})
        why = to_json(palace.explain_hook(prompt, folder)).replace(json.dumps(prompt), "")
        found, given = found + leaks(prompt, out) + leaks(prompt, why), given + bool(out)
    assert found == []
    assert given


def test_what_was_remembered_and_then_moved_is_not_said_to_be_elsewhere(palace: Palace) -> None:

    async def remember(client: Client) -> str:
        answer = await client.call_tool("remember", {"text": "The oars are long."})
        return f"{text_of(answer)} {json.dumps(answer.structured_content)}"

    palace.note("The oars are of ash.", wing="Boats")
    assert "W-002/R-01" in talk_with(lambda: palace, remember, wing=OURS)
    palace.tree.move("W-002/R-01", "Boats")
    told = talk_with(lambda: palace, remember, wing=OURS)
    assert "Remembered already." in told
    assert "W-001" not in told
    assert "Boats" not in told
