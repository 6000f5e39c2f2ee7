"""The store against LangGraph's own in memory, and LangGraph's checkpointer on the palace's server."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from palace import Administration, BadRequest, Palace, Palaces, load_settings
from palace_frameworks.langgraph import PalaceStore

Call = Callable[[BaseStore], Any]

NAMESPACES = (("users", "mara"), ("users", "Mara"), ("users-mara",), ("users", "mara", "trips"), ("地図", "ü b"))
AWKWARD: tuple[dict[str, Any], ...] = (
    {},
    {"text": ""},
    {
        "text": 'She said "no\\" twice\n\ttab \x00 nul \ud800 lone',
        "emoji": "🦩",
        "deep": [{"a": [None, True, 1.5, -0]}],
    },
    {"nested": {"k" * 300: ["x"] * 50}},
)


def plain(result: Any) -> Any:
    """What a result says, without times and scores."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    return (result.namespace, result.key, result.value) if hasattr(result, "key") else result


def unordered(result: Any) -> Any:
    """The same where the order is not promised."""
    return sorted(map(repr, plain(result)))


def filled(store: BaseStore) -> BaseStore:
    """Store a few items, change one and delete one."""
    for number, namespace in enumerate(NAMESPACES):
        store.put(namespace, "prefs", {"theme": "dark", "number": number, "deep": {"on": number % 2 == 0}})
        store.put(namespace, f"key {number}", {"number": str(number)})
    store.put(("users", "mara"), "prefs", {"theme": "light", "number": 7})
    store.delete(("users", "Mara"), "key 1")
    store.delete(("users", "Mara"), "never there")
    return store


ASKED: tuple[Call, ...] = (
    lambda s: plain(s.get(("users", "mara"), "prefs")),
    lambda s: plain(s.get(("users", "mara"), "nothing")),
    lambda s: plain(s.get(("users", "Mara"), "key 1")),
    lambda s: unordered(s.search((), limit=50)),
    lambda s: unordered(s.search(("users",), limit=50)),
    lambda s: unordered(s.search(("users", "mara"), limit=50)),
    lambda s: unordered(s.search(("nobody",))),
    lambda s: unordered(s.search((), filter={"theme": "dark"}, limit=50)),
    lambda s: unordered(s.search((), filter={"number": 7})),
    lambda s: unordered(s.search(("地図",), filter={"number": {"$gte": 4, "$ne": 9}, "deep": {"on": True}})),
    lambda s: len(s.search((), limit=3)),
    lambda s: len(s.search((), limit=50, offset=6)),
    lambda s: s.list_namespaces(),
    lambda s: s.list_namespaces(prefix=("users",)),
    lambda s: s.list_namespaces(prefix=("users", "*"), max_depth=2),
    lambda s: s.list_namespaces(suffix=("mara",)),
    lambda s: s.list_namespaces(limit=2, offset=1),
    lambda s: plain(s.get(("users",), "prefs")),
)


def test_it_answers_as_the_store_in_memory_does(palace: Palace) -> None:
    ours, theirs = filled(PalaceStore(palace)), filled(InMemoryStore())
    answers = [ask(theirs) for ask in ASKED]
    assert [ask(ours) for ask in ASKED] == answers
    anew = PalaceStore(palace)
    assert [ask(anew) for ask in ASKED] == answers


def test_a_batch_reads_before_it_writes_and_writes_the_last_value(palace: Palace) -> None:
    ours, theirs = PalaceStore(palace), InMemoryStore()
    at = ("a",)
    ops: list[Op] = [
        PutOp(at, "k", {"v": 1}),
        GetOp(at, "k"),
        PutOp(at, "k", {"v": 2}),
        SearchOp(at),
        PutOp(at, "l", None),
    ]
    assert plain(ours.batch(ops)) == plain(theirs.batch(ops))
    assert plain(ours.get(at, "k")) == plain(theirs.get(at, "k")) == (at, "k", {"v": 2})
    assert plain(asyncio.run(ours.abatch([GetOp(at, "k")]))) == [(at, "k", {"v": 2})]


def test_a_changed_value_is_a_version_and_the_former_stays_in_the_palace(palace: Palace) -> None:
    store = PalaceStore(palace)
    for tea in ("green", "black", "green", "green"):
        store.put(("u",), "tea", {"likes": f"{tea} tea"})
    item = store.get(("u",), "tea")
    assert item is not None
    assert item.value == {"likes": "green tea"}
    assert item.created_at < item.updated_at
    (wing,) = palace.tree.wings()
    drawers = palace.tree.all_drawers(wings=[wing])
    assert [drawer.replaced_at is None for drawer in drawers] == [False, False, True]
    store.delete(("u",), "tea")
    assert store.get(("u",), "tea") is None
    assert store.list_namespaces() == []
    store.put(("u",), "tea", {"likes": "green tea"})
    assert plain(store.search(("u",))) == [(("u",), "tea", {"likes": "green tea"})]


def test_a_query_is_answered_by_meaning_within_its_namespace(palace: Palace) -> None:
    store = PalaceStore(palace)
    store.put(("mara", "memories"), "1", {"text": "The landlord wants the rent on the third of each month."})
    store.put(("mara", "memories"), "2", {"text": "Her bicycle is a red Gazelle.", "kind": "thing"})
    store.put(("tom", "memories"), "1", {"text": "Tom rides a blue bicycle to work."})
    found = store.search(("mara",), query="what colour is the bicycle?")
    assert found[0].key == "2"
    assert found[0].score is not None
    assert store.search(("mara",), query="what colour is the bicycle?", filter={"kind": "rule"}) == []
    assert len(store.search((), query="bicycle", limit=1)) == 1
    with pytest.raises(BadRequest, match="floor"):
        PalaceStore(palace, floor="knee-high").search((), query="bicycle")


def test_awkward_values_come_back_as_they_were(palace: Palace) -> None:
    store = PalaceStore(palace)
    for number, value in enumerate(AWKWARD):
        key = f"  k{number}\n\x00.'\"%"
        store.put(("a",), key, value)
        assert plain(store.get(("a",), key)) == (("a",), key, value)
    large = {"text": "river bank " * 1_000_000}
    store.put(("a",), "large", large)
    item = store.get(("a",), "large")
    assert item is not None
    assert item.value == large


@pytest.mark.parametrize("value", [{"b": b"\xff"}, {"t": (1, 2)}, {1: "x"}, {"n": float("nan")}, {"s": {1}}])
def test_what_json_cannot_hold_is_refused_in_one_line(palace: Palace, value: Any) -> None:
    store = PalaceStore(palace)
    with pytest.raises(BadRequest, match=r"\Aa value must be JSON[^\n]*\Z"):
        store.put(("a",), "k", value)
    assert store.get(("a",), "k") is None


def test_what_langgraph_refuses_is_refused(palace: Palace) -> None:
    store = PalaceStore(palace)
    for namespace in ((), ("a.b",), ("",), ("langgraph",)):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})
    with pytest.raises(InvalidNamespaceError):
        store.batch([GetOp(("a.b",), "k")])
    with pytest.raises(NotImplementedError):
        store.put(("a",), "k", {}, ttl=5)


def test_secrets_are_replaced_unless_they_are_to_stay(palace: Palace) -> None:
    value = {"said": "My password: tr0ub4dor\nand more", "token": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}
    store = PalaceStore(palace)
    store.put(("a",), "k", value)
    item = store.get(("a",), "k")
    assert item is not None
    assert "sk-proj" not in str(item.value)
    assert "tr0ub" not in str(item.value)
    PalaceStore(palace, keep_secrets=True).put(("a",), "k", value)
    kept = store.get(("a",), "k")
    assert kept is not None
    assert kept.value == value
    with pytest.raises(BadRequest, match=r"keep_secrets=True"):
        store.put(("a",), "k", {"said": 'Password: "qu\\"ote" and more'})
    assert plain(store.get(("a",), "k")) == plain(kept)


def test_another_user_reaches_nothing(palaces: Palaces, palace: Palace) -> None:
    store, other = PalaceStore(palace), PalaceStore(palaces.palace(f"{palace.user}-other"))
    store.put(("a",), "k", {"text": "The spare key is under the blue pot."})
    assert other.get(("a",), "k") is None
    assert other.search((), query="where is the spare key?") == []
    assert other.search(()) == []
    assert other.list_namespaces() == []
    other.delete(("a",), "k")
    other.put(("a",), "k", {"text": "mine"})
    assert plain(store.get(("a",), "k")) == (("a",), "k", {"text": "The spare key is under the blue pot."})


class Told(TypedDict):
    """The state of a graph: how many times it was asked."""

    asked: int


def test_a_graph_keeps_its_threads_and_its_memory_apart_by_user(palaces: Palaces, palace: Palace) -> None:
    def count(state: Told, runtime: Runtime[None]) -> Told:
        assert runtime.store is not None
        runtime.store.put(("runs",), "last", {"asked": state["asked"] + 1})
        return {"asked": state["asked"] + 1}

    builder = StateGraph(Told)
    builder.add_node("count", count)
    builder.add_edge(START, "count")
    builder.add_edge("count", END)
    server = Administration(load_settings())
    thread: Any = {"configurable": {"thread_id": "1"}}
    for user in (palace.user, f"{palace.user}-other"):
        with PostgresSaver.from_conn_string(server.program_address("langgraph", user=user)) as saver:
            saver.setup()
            graph = builder.compile(checkpointer=saver, store=PalaceStore(palaces.palace(user)))
            assert graph.get_state(thread).values == {}
            graph.invoke({"asked": 0}, thread)
            assert graph.get_state(thread).values == {"asked": 1}
    stored = PalaceStore(palaces.palace(f"{palace.user}-other")).get(("runs",), "last")
    assert stored is not None
    assert stored.value == {"asked": 1}


def test_the_savers_on_the_palaces_server_pass_the_conformance_tests_of_langgraph() -> None:
    address = Administration(load_settings()).program_address("langgraph", user=uuid.uuid4().hex)

    @checkpointer_test(name="AsyncPostgresSaver")
    async def saver() -> Any:
        async with AsyncPostgresSaver.from_conn_string(address) as opened:
            await opened.setup()
            yield opened

    report = asyncio.run(validate(saver))
    assert report.passed_all_base(), report


def test_the_program_of_the_page_runs(run_page: Callable[[str], None]) -> None:
    run_page("LangGraph")
