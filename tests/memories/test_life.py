"""How memories end, what use does to them, how several become one, and forgetting by scope."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from palace import BadRequest, Memory, NotFound, Palace
from palace.db.memory_life import MemoryUse
from palace.memories.aging import usefulness
from palace.memories.using import corrected_by, used_by
from palace.models import Drawer
from palace.testing import LanguageModelServer, ModelRequest
from palace.worker.runner import Until, Worker
from tests.held import execute

NOW = datetime.now(UTC)


def _age(palace: Palace, days: int) -> None:
    execute(
        palace,
        "UPDATE drawer SET filed_at = now() - make_interval(days => :days) WHERE user_id = :user_id",
        "UPDATE memory SET updated_at = now() - make_interval(days => :days) WHERE user_id = :user_id",
        days=days,
    )


def _active(palace: Palace) -> list[str]:
    return sorted(each.content for each in palace.memories.list() if each.is_active(datetime.now(UTC)))


def test_unused_episodes_and_how_tos_expire_by_the_settings_and_facts_stay(palace: Palace) -> None:
    for text, kind in (("the trip", "episodic"), ("the recipe", "procedural"), ("the budget", "semantic")):
        palace.memories.store(f"This is about {text}", kind)
    _age(palace, 100)
    assert palace.memories.sweep().expired == 1
    assert _active(palace) == ["This is about the budget", "This is about the recipe"]
    assert not palace.memories.retrieve("the trip", types=["episodic"], threshold=0)
    palace.settings.set("memory_days_procedural", 50)
    assert palace.memories.sweep().expired == 1
    assert palace.memories.sweep().expired == 0


def test_accepting_or_pinning_an_expired_memory_brings_it_back_for_good(palace: Palace) -> None:
    one = palace.memories.store("On Monday we sailed to Vigo", "episodic")
    other = palace.memories.store("In June the mast was repaired", "episodic")
    _age(palace, 100)
    assert palace.memories.sweep().expired == 2
    assert palace.memories.accept(str(one.id)).is_active(datetime.now(UTC))
    palace.memories.pin(str(other.id))
    assert palace.memories.sweep().expired == 0
    assert len(_active(palace)) == 2


def test_a_memory_that_is_pinned_during_a_sweep_stays(palace: Palace) -> None:
    palace.memories.store("On Monday we sailed to Vigo", "episodic")
    _age(palace, 100)
    with ThreadPoolExecutor() as threads:
        with palace._opened.session() as session:
            pin = sa.text("UPDATE memory SET is_pinned = true WHERE user_id = :user_id")
            session.connection.execute(pin, {"user_id": session.user_id})
            sweeping = threads.submit(palace.memories.sweep)
            time.sleep(0.3)
        assert sweeping.result().expired == 0
    assert _active(palace) == ["On Monday we sailed to Vigo"]


def test_disuse_lowers_importance_before_a_memory_expires(palace: Palace) -> None:
    stored = palace.memories.store("The harbour master is called Rui", importance=0.15)
    _age(palace, 200)
    assert palace.memories.sweep().faded == 1
    assert palace.memories.get(str(stored.id)).importance == pytest.approx(0.075)
    assert palace.memories.sweep().faded == 0
    _age(palace, 200)
    swept = palace.memories.sweep()
    assert (swept.faded, swept.expired) == (1, 1)
    assert palace.memories.accept(str(stored.id)).importance == 0.5


def test_over_the_quota_the_least_useful_expire_and_pinned_ones_never(palace: Palace) -> None:
    palace.memories.pin(str(palace.memories.store("Least but pinned", importance=0.0).id))
    palace.memories.store("Hardly of any use", importance=0.1)
    palace.memories.store("Very important indeed", importance=0.9)
    palace.settings.set("memory_quota", 1)
    assert palace.memories.sweep().over_quota == 1
    assert _active(palace) == ["Least but pinned", "Very important indeed"]


def test_usefulness_grows_with_use_and_falls_with_corrections_and_time() -> None:
    usual = MemoryUse(1, 0.5, 0.8, 1, 2, 0, NOW)
    for better, worse in (
        (usual._replace(used=3), usual),
        (usual._replace(importance=0.6), usual),
        (usual, usual._replace(corrected=1)),
        (usual, usual._replace(confidence=0.4)),
        (usual, usual._replace(touched_at=NOW - timedelta(days=90))),
    ):
        assert usefulness(better, NOW) > usefulness(worse, NOW)


def _drawer(palace: Palace, text: str) -> Drawer:
    return palace.note(text)


def test_a_reply_used_what_has_words_that_the_person_did_not_say(palace: Palace) -> None:
    berth = _drawer(palace, "The boat lies at berth 17 in the marina of Vigo.")
    cat = _drawer(palace, "Our cat Minka eats salmon on Sundays.")
    asked = "Where does the boat lie?"
    assert used_by("It lies at berth 17, marina of Vigo.", asked, [berth, cat]) == (berth,)
    assert used_by("The boat? I do not know where it lies.", asked, [berth, cat]) == ()


def test_the_next_message_corrects_what_it_denies_revokes_or_contradicts(palace: Palace) -> None:
    battery = _drawer(palace, "The efoil has a 12V 20Ah battery.")
    peanuts = _drawer(palace, "Always suggest restaurants with meat dishes.")
    for message, wrong in (
        ("The efoil has a 24V 20Ah battery.", (battery,)),
        ("Never suggest restaurants with meat dishes.", (peanuts,)),
        ("Thanks! And which restaurants have meat dishes?", ()),
        ("Great, the battery fits.", ()),
    ):
        assert corrected_by(message, [battery, peanuts]) == wrong, message


def _turned(palace: Palace, history: list[dict[str, str]], message: str, reply: str) -> None:
    turn = palace.turn(message, history=history, session="efoil")
    turn.finish(reply)
    history += [{"role": "user", "content": message}, {"role": "assistant", "content": reply}]


def test_turns_count_what_was_injected_used_and_corrected_and_move_confidence(own: Palace) -> None:
    fact = own.memories.store("The efoil has a 12V 20Ah battery.", confidence=0.5)
    history: list[dict[str, str]] = []
    _turned(own, history, "Which battery does my efoil have?", "It has a 12V 20Ah battery.")
    known = own.memories.get(str(fact.id))
    assert (known.injected_count, known.used_count, known.corrected_count) == (1, 1, 0)
    assert known.confidence == pytest.approx(0.55)
    _turned(own, history, "No, the efoil has a 24V 20Ah battery.", "Noted: 24V.")
    known = own.memories.get(str(fact.id))
    assert known.corrected_count == 1
    assert known.confidence < 0.5
    (first, *_) = own.impact()
    assert first.memory is not None
    assert (first.memory.id, first.used_count, first.corrected_count) == (fact.id, 1, 1)
    assert own.impact(wing="Memories", limit=1)[0].drawer.id == fact.drawer.id


def _three(palace: Palace) -> list[Memory]:
    texts = (
        "Bread: flour, water and salt",
        "For a loaf take yeast as well",
        "Bake bread at 230 degrees",
    )
    times = (NOW - timedelta(days=days) for days in (3, 2, 1))
    return [palace.memories.store(text, "procedural", said_at=at) for text, at in zip(texts, times, strict=True)]


def test_several_memories_become_one_that_cites_them_and_come_back(palace: Palace) -> None:
    memories = _three(palace)
    (one,) = palace.memories.consolidate([str(each.id) for each in memories])
    assert (one.content, one.maker) == ("\n".join(each.content for each in memories), "rule")
    assert set(one.evidence) == {each.id for each in memories}
    assert [each.id for each in palace.memories.list()] == [one.id]
    assert palace.memories.get(str(memories[0].id)).superseded_by == one.id
    palace.forget(str(one.id))
    assert {each.id for each in palace.memories.list()} == {each.id for each in memories}


def test_several_memories_come_back_where_the_one_is_rejected_or_its_run_undone(palace: Palace) -> None:
    ids = {each.id for each in _three(palace)}
    palace.memories.consolidate(map(str, ids))
    palace.runs.undo(palace.runs.list()[0].id)
    assert {each.id for each in palace.memories.list(states=["accepted"])} == ids
    (one,) = palace.memories.consolidate(map(str, ids))
    palace.memories.reject(str(one.id))
    assert {each.id for each in palace.memories.list(states=["accepted"])} == ids


@pytest.mark.parametrize("refuse", ["forget", "reject"])
def test_what_was_put_together_and_refused_is_not_put_together_again(own: Palace, refuse: str) -> None:
    for text in ("The boat needs new paint", "The boat needs new paint and a new sail", "The boat needs a new mast"):
        own.memories.store(text)
    ids = {each.id for each in own.memories.list()}
    (one,) = own.memories.consolidate()
    getattr(own.memories, refuse)(str(one.id))
    assert own.memories.consolidate() == ()
    with pytest.raises(BadRequest, match="was filed and"):
        own.memories.consolidate(map(str, ids))
    assert {each.id for each in own.memories.list(states=["accepted"])} == ids


def test_what_is_forgotten_while_a_model_words_it_is_not_put_together(palace: Palace) -> None:
    said = palace.note("My bicycle is a blue Koga.")
    koga = palace.memories.store("The bicycle is a blue Koga", evidence=[str(said.pointer)])
    oiled = palace.memories.store("The bicycle was oiled in May")

    class Forgetting(LanguageModelServer):
        def answer(self, request: ModelRequest) -> tuple[int, Iterator[bytes]]:
            palace.forget(str(said.pointer))
            return super().answer(request)

    with Forgetting("The bicycle is a blue Koga and was oiled in May") as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_BASE", server.api_base)
        patch.setenv("OPENAI_API_KEY", "sk-test")
        palace.settings.set("memory_model", "openai/merging")
        with pytest.raises(BadRequest, match="forgotten meanwhile"):
            palace.memories.consolidate([str(koga.id), str(oiled.id)])
    assert [each.content for each in palace.memories.list()] == ["The bicycle was oiled in May"]


def test_a_model_words_them_as_one_unless_it_adds_to_them(palace: Palace, provider: LanguageModelServer) -> None:
    palace.settings.set("memory_model", "openai/merging")
    first, second, third = (str(each.id) for each in _three(palace))
    provider.script += ["Bread: flour, water and salt; take yeast as well.", "Bake bread at 250 degrees."]
    (one,) = palace.memories.consolidate([first, second])
    assert (one.content, one.maker) == ("Bread: flour, water and salt; take yeast as well.", "model")
    (other,) = palace.memories.consolidate([str(one.id), third])
    assert (other.content, other.maker) == (f"{one.content}\nBake bread at 230 degrees", "rule")


def test_a_model_that_refuses_to_merge_is_not_taken_at_its_word(palace: Palace, provider: LanguageModelServer) -> None:
    palace.settings.set("memory_model", "openai/merging")
    provider.script += ["I cannot help with that request."]
    (one,) = palace.memories.consolidate(str(each.id) for each in _three(palace))
    assert one.maker == "rule"


def test_alike_memories_become_one_of_each_type_and_wing_that_loses_nothing(own: Palace) -> None:
    said = ("The boat needs new paint", "The boat needs new paint and a new sail", "The boat needs a new mast")
    boat = [own.memories.store(each, wing="Boat").id for each in said]
    apart = [own.memories.store("The boat needs new paint", wing="Harbour").id]
    apart += [own.memories.store("The boat needs new paint", "episodic", wing="Boat").id]
    apart += [own.memories.store("Tomas Peeters leads the choir", wing="Boat").id]
    assert own.memories.consolidate(wing="Harbour") == ()
    (one,) = own.memories.consolidate()
    assert one.content == "The boat needs new paint and a new sail\nThe boat needs a new mast"
    assert set(one.evidence) <= set(boat)
    assert {each.id for each in own.memories.list()} == {one.id, *apart}
    own.forget(str(one.id))
    assert one.id not in {each.id for each in own.memories.list()}
    assert {each.content for each in own.memories.list(wing="Boat")} >= set(said)


def test_a_model_writes_lessons_that_cite_what_they_join(own: Palace, provider: LanguageModelServer) -> None:
    own.settings.set("memory_model", "openai/reflecting")
    wrong = [own.memories.store(each) for each in ("Berth 17 is ours", "The gate code is 4711", "Ines is a baker")]
    execute(own, "INSERT INTO drawer_use (user_id, drawer_id, corrected_count) SELECT :user_id, id, 2 FROM drawer")
    joined = {"text": "Ask before you rely on berths or gate codes.", "notes": [1, 2]}
    provider.script += [json.dumps({"lessons": [joined, {"text": "Ask Tomas about Ines.", "notes": [3]}]})]
    first, second = own.memories.reflect()
    assert (first.content, first.maker) == (joined["text"], "model")
    assert set(first.evidence) == {wrong[0].id, wrong[1].id}
    assert (second.maker, second.evidence) == ("rule", (wrong[2].id,))
    assert own.memories.reflect() == ()
    assert len(provider.requests) == 1


def test_only_current_memories_of_one_type_become_one(palace: Palace) -> None:
    first, *_ = _three(palace)
    fact = palace.memories.store("Bread costs three euros")
    for ids in ([str(first.id)], [str(first.id)] * 2, [str(first.id), str(fact.id)]):
        with pytest.raises(BadRequest):
            palace.memories.consolidate(ids)


def test_what_was_corrected_or_changed_twice_becomes_a_lesson(own: Palace) -> None:
    wrong = own.memories.store("Berth 17 is ours")
    execute(own, "INSERT INTO drawer_use (user_id, drawer_id, corrected_count) SELECT :user_id, id, 2 FROM drawer")
    for day, price in enumerate((850, 910, 950)):
        own.memories.store(f"My rent is {price} euros a month.", said_at=NOW - timedelta(days=9 - day))
    first, second = own.memories.reflect()
    assert first.content == "Corrected 2 times, so ask before relying on it: Berth 17 is ours"
    assert second.content == "Changed 2 times, so ask whether it still holds: My rent is 950 euros a month."
    assert (first.type, first.evidence) == ("reflective", (wrong.id,))
    assert [each.id for each in own.memories.reflect()] == [first.id, second.id]


def test_the_memories_of_a_wing_are_forgotten_alone_and_come_back(palace: Palace) -> None:
    said = palace.note("The boat is in Vigo.", wing="Boat").pointer
    for text in ("The boat is in Vigo", "The boat needs paint"):
        palace.memories.store(text, wing="Boat", evidence=[str(said)])
    kept = palace.memories.store("The flat is in Porto")
    assert palace.memories.forget_all(wing="Boat", dry_run=True).removal.drawers == 2
    palace.memories.forget_all(wing="Boat")
    assert [each.id for each in palace.memories.list()] == [kept.id]
    assert palace.show(str(said)).drawer.content == "The boat is in Vigo."
    palace.forgotten.restore("Boat")
    assert len(palace.memories.list()) == 3
    palace.memories.store("Paint the boat in May", "procedural", wing="Boat")
    assert palace.memories.forget_all(type="procedural").removal.drawers == 1
    assert palace.memories.forget_all().removal.drawers == 3
    with pytest.raises(NotFound):
        palace.memories.forget_all(wing="Nowhere")


def test_restoring_a_drawer_restores_the_memories_that_stood_on_it(palace: Palace) -> None:
    said = str(palace.note("My sister Ines works at the harbour.").pointer)
    fact = palace.memories.store("Ines works at the harbour", evidence=[said])
    lesson = palace.memories.store("Ask about Ines", "reflective", evidence=[str(fact.id)])
    palace.forget(said)
    alone = palace.forgotten.restore(str(fact.id))
    assert (alone.drawers, len(alone.warnings)) == (0, 2)
    palace.forgotten.restore(said)
    assert {each.id for each in palace.memories.list()} == {fact.id, lesson.id}


def test_a_worker_sweeps_after_a_job(palace: Palace) -> None:
    stored = palace.memories.store("On Monday we sailed to Vigo", "episodic")
    _age(palace, 100)
    palace.note("The mast is repaired", background=True)
    Worker(palace._opened.settings).run(Until.DONE)
    assert palace.memories.get(str(stored.id)).expires_at is not None
