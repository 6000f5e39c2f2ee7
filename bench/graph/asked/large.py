"""A palace of many relations, and how fast it tells what held on a day."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.metrics import percentiles
from palace import Palace

PREDICATES, PERIODS = 5, 4
"""Of each entity: predicates, and the values that each of them had one after another, a year each."""
ASKED = 200
MANY = 10_000
"""Relations from which on the server looks at tables by itself."""
SEED = 12
BEGUN = datetime(2020, 1, 1, tzinfo=UTC)

_FILL = (
    """
    INSERT INTO entity (user_id, key, name, type, is_named)
    SELECT %(user)s, 'thing ' || one, 'Thing ' || one, 'item', true FROM generate_series(1, %(entities)s) AS one""",
    """
    INSERT INTO alias (user_id, conversation_id, folded, name, type, is_named, count, family, entity_id)
    SELECT user_id, %(conversation)s, key, name, type, true, 1, split_part(key, ' ', 1), id FROM entity
    WHERE user_id = %(user)s AND key LIKE 'thing %%'""",
    """
    INSERT INTO assertion (user_id, drawer_id, conversation_id, ordinal, subject, predicate, object, action, char_start,
                           char_end)
    SELECT user_id, %(drawer)s, %(conversation)s, 0, folded, 'has_part' || predicate, 'value ' || period, 'begins', 0, 1
    FROM alias, generate_series(1, %(predicates)s) AS predicate, generate_series(1, %(periods)s) AS period
    WHERE user_id = %(user)s AND folded LIKE 'thing %%'""",
    """
    INSERT INTO relation (user_id, subject_id, predicate, ordinal, object, is_single, valid_from, from_precision,
                          valid_to, to_precision, recorded_at)
    SELECT user_id, id, 'has_part' || predicate, period, 'value ' || period, true,
           %(begun)s + make_interval(years => period - 1), 'day',
           CASE WHEN period < %(periods)s THEN %(begun)s + make_interval(years => period) END,
           CASE WHEN period < %(periods)s THEN 'day' END, %(begun)s + make_interval(years => period - 1)
    FROM entity, generate_series(1, %(predicates)s) AS predicate, generate_series(1, %(periods)s) AS period
    WHERE user_id = %(user)s AND key LIKE 'thing %%'""",
    """
    INSERT INTO evidence (user_id, relation_id, assertion_id, closes)
    SELECT r.user_id, r.id, a.id, false
    FROM relation r JOIN entity e ON e.user_id = r.user_id AND e.id = r.subject_id
    JOIN assertion a ON a.user_id = r.user_id AND a.conversation_id = %(conversation)s AND a.subject = e.key
         AND a.predicate = r.predicate AND a.object = r.object
    WHERE r.user_id = %(user)s""",
)

_SEEN = """
    SELECT bool_and(last_autoanalyze IS NOT NULL) FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND relname IN ('assertion', 'relation', 'evidence')"""


def fill(palace: Palace, relations: int) -> int:
    """Put so many relations into a palace that was just made; give the number of entities they are of."""
    entities = max(1, relations // (PREDICATES * PERIODS))
    palace.file(
        [{"role": "user", "content": "All that there is to be said of things.", "timestamp": BEGUN.isoformat()}]
    )
    with palace._opened.session() as session:
        run = session.connection.exec_driver_sql
        drawer, conversation = run("SELECT id, conversation_id FROM drawer").one()
        given = {
            "user": session.user_id,
            "entities": entities,
            "conversation": conversation,
            "drawer": drawer,
            "predicates": PREDICATES,
            "periods": PERIODS,
            "begun": BEGUN,
        }
        for statement in _FILL:
            run(statement, given)
    if relations >= MANY:
        _wait_for_statistics(palace)
    return entities


def _wait_for_statistics(palace: Palace) -> None:
    """Wait, for three minutes at most, until the server has looked at the tables, as it does within a minute."""
    for _ in range(90):
        with palace._opened.session() as session:
            seen = session.connection.exec_driver_sql(_SEEN).scalar_one()
        if seen:
            return
        time.sleep(2)


def time_as_of(palace: Palace, entities: int) -> dict[str, Any]:
    """Ask what held of entities drawn by lot, on days drawn by lot; milliseconds a question."""
    chance = random.Random(SEED)
    spent = []
    for _ in range(ASKED):
        name, day = f"Thing {chance.randint(1, entities)}", BEGUN + timedelta(days=chance.randrange(365 * PERIODS))
        begun = time.perf_counter()
        found = palace.relations(name, as_of=day)
        spent.append(1000 * (time.perf_counter() - begun))
        assert len(found) == PREDICATES, f"{name} has {len(found)} relations on {day:%Y-%m-%d}"
    return {"relations": entities * PREDICATES * PERIODS, "asked": ASKED, "milliseconds": percentiles(spent)}
