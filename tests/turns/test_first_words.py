"""A palace whose first words are said in turns, before any model was asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from palace import Administration, Palace, Settings, UserSession
from palace.records import Verdict
from palace.store.vectors.generations import activate_first, ensure_generation, hold_generations


def test_what_was_filed_before_there_was_a_generation_is_embedded_in_the_first(
    palace: Palace, settings: Settings
) -> None:
    palace.turn("I'm allergic to cashews.", session="first").finish("Noted.")
    palace.turns.end("first")
    status = palace.status()
    assert [(each.pending, each.embedded > 0) for each in status.embeddings] == [(0, True)]
    assert palace._opened.run(hold_generations) != ()
    checks = {check.name: check.verdict for check in Administration(settings).doctor()}
    assert checks["orphans"] is Verdict.OK


def test_who_files_while_the_first_generation_is_made_is_waited_for(palace: Palace) -> None:
    holding, made = Event(), []

    def make() -> None:
        def first(session: UserSession) -> None:
            generation = ensure_generation(session, model="testing/x", dimension=4, normalised=True)
            holding.set()
            activate_first(session, generation)

        palace._opened.run(first)
        made.append(True)

    with ThreadPoolExecutor(1) as pool:
        with palace._opened.session() as session:
            assert hold_generations(session) == ()
            making = pool.submit(make)
            assert holding.wait(10)
            assert made == []
        making.result(30)
    assert made == [True]
