"""Conversations that a model is asked about, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import sqlalchemy as sa

from palace import Palace
from palace.mining.extraction.asking import Asking
from palace.mining.extraction.extractor import Extractor, extractor_for
from palace.mining.extraction.said import as_said, turns_of
from palace.mining.extraction.windows import SaidTurn
from palace.records.graph import StoredReply
from palace.settings import Settings
from palace.store.extraction.replies import list_replies
from palace.store.filing.closets import list_turns

MODEL = "openai/gpt-4o-mini"
ANNA = [
    {"role": "user", "content": "My sister Anna Berg lives in Ghent."},
    {"role": "assistant", "content": "Is the Café Brinkmann near her?"},
    {"role": "user", "content": "No idea. Her dog is Biscuit."},
]


def extractor(settings: Settings, **changes: object) -> Extractor:
    made = extractor_for(settings.model_copy(update={"extraction_model": MODEL, **changes}))
    assert made is not None
    return made


def filed(palace: Palace, messages: Sequence[dict[str, str]], id: str = "a") -> tuple[int, int]:
    """File a conversation; give its number and that of its last run."""
    run = palace.file(messages, id=id).run_id
    assert run is not None
    with palace._opened.session() as session:
        query = sa.text("SELECT id FROM conversation WHERE user_id = :user_id AND identity LIKE :id")
        return int(session.execute(query, {"id": f"%:{id}"}).scalar_one()), run


def turns(palace: Palace, conversation_id: int) -> list[SaidTurn]:
    found = palace._opened.run(lambda session: list_turns(session, conversation_id))
    return turns_of(found, as_said(found, (), palace._opened.settings.zone))


def asking(palace: Palace, *, run: int | None = None, **changes: object) -> Asking:
    made = extractor(palace._opened.settings, **changes)
    return Asking(palace._opened.database, made, run, sends_all=run is None)


def ask(palace: Palace, made: Asking, *conversations: int) -> Asking:
    made.ask(conversations, lambda number: turns(palace, number))
    return made


def kept(palace: Palace, conversation_id: int) -> list[StoredReply]:
    return palace._opened.run(lambda session: list_replies(session, conversation_id))


def reply(*entities: tuple[str, str, int], claims: Sequence[tuple[str, str, str, int]] = ()) -> str:
    named = [{"text": text, "type": type, "turn": turn} for text, type, turn in entities]
    told = [
        {"subject": subject, "predicate": predicate, "object": target, "turn": turn}
        for subject, predicate, target, turn in claims
    ]
    return json.dumps({"entities": named, "assertions": told, "topics": []})


GHENT = reply(("Anna Berg", "person", 1), ("Ghent", "place", 1), claims=[("Anna Berg", "lives_in", "Ghent", 1)])


def outcomes(palace: Palace) -> list[str]:
    with palace._opened.session() as session:
        query = sa.text("SELECT outcome FROM cost_entry WHERE user_id = :user_id ORDER BY id")
        return list(session.execute(query).scalars())
