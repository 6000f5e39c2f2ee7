"""Text that looks like a statement or a setting is text, wherever a person can put it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Palace, PalaceError
from tests.isolation.victim import SECRETS
from tests.isolation.world import World

TEXTS = {
    "set_config": "x'); SELECT set_config('palace.user_id', '{id}', false); --",
    "commit": "x'; COMMIT; SET SESSION palace.user_id = {id}; BEGIN; --",
    "condition": "' OR user_id = {id} OR '1'='1",
    "parameters": ":user_id %(user_id)s %s {{generation}} {{0}} $1 $$",
    "text search": "zirconium & !(bees | vault:*) <-> 'code",
    "nul": "zirconium\0' OR true --",
}

Call = Callable[[Palace, str, Path], object]
PLACES: dict[str, Call] = {
    "query": lambda p, text, _: p.recall(text, context=3),
    "pointer": lambda p, text, _: p.show(text),
    "note": lambda p, text, _: p.note(text),
    "wing of a note": lambda p, text, _: p.note(f"About {text}", wing=text),
    "wing": lambda p, text, _: p.tree.wing(text),
    "new name": lambda p, text, _: p.tree.rename("W-001", text),
    "new wing": lambda p, text, _: p.tree.move("W-001/R-01", text, create=True),
    "closet": lambda p, text, _: p.forget("W-001/R-01", closet=text, dry_run=True),
    "pattern": lambda p, text, source: p.mine(source, exclude=[re.escape(text)]),
    "source": lambda p, text, _: p.mine(text),
    "wing to rebuild": lambda p, text, _: p.rebuild(wing=text),
    "wing to export": lambda p, text, source: p.transfer.export(source.with_name("mine.jsonl"), wing=text),
    "file to import": lambda p, text, _: p.transfer.load(text),
}


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A conversation to mine."""
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([{"role": "user", "content": "The queen is marked with a white dot."}]))
    return path


@pytest.mark.nightly
def test_a_text_sets_nothing_and_finds_nothing(unharmed: World, stranger: Palace, talk: Path) -> None:
    wrong = []
    for name, text in TEXTS.items():
        said = text.format(id=unharmed.victim.user_id)
        for place, call in PLACES.items():
            told = _told(call, stranger, said, talk)
            leaked = [secret for secret in SECRETS[1:] if secret in told]
            if leaked or who_is_at_work(stranger) != str(stranger._opened.database.user_id):
                wrong.append((name, place, told))
    assert wrong == []


def _told(call: Call, stranger: Palace, said: str, talk: Path) -> str:
    try:
        answer = repr(call(stranger, said, talk))
    except PalaceError as problem:
        answer = str(problem)
    except ValueError as problem:
        if "embedded null byte" not in str(problem):  # Python itself refuses such a path.
            raise
        answer = ""
    return answer.replace(said, "").replace(repr(said)[1:-1], "").lower()


def who_is_at_work(palace: Palace) -> str:
    """Ask the connection whose rows it shows."""
    with palace._opened.session() as session:
        return str(session.connection.execute(sa.text("SELECT current_setting('palace.user_id')")).scalar_one())
