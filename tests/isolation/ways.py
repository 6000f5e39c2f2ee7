"""What a stranger tries that takes more than one call."""

from __future__ import annotations

import io
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from palace import (
    CallRecord,
    Conversation,
    ConversationStep,
    FiledTurn,
    Palace,
    Readers,
    Reading,
    Role,
    StepVersion,
    SummaryBuffer,
    TextReader,
    Turn,
    UserSession,
    Work,
)
from tests.isolation.guess import Guess

OWN_WING, OWN_ROOM = "Bees", "W-001/R-01"
OVERHEARD = StepVersion("overheard", 1)
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def _read_as_theirs(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read whatever it is as a conversation that goes by the name and the id of what they mined."""
    yield Conversation("openai", (Turn(Role.USER, "Bees hum."),), source_id="cinnabar")


OWN_READERS = Readers(text=(TextReader("planted", lambda _: True, _read_as_theirs),))


@dataclass(frozen=True, slots=True)
class Overheard(ConversationStep):
    """Keeps whatever conversation it is given, and asks for those of everybody."""

    made: StepVersion = OVERHEARD
    calls_model: bool = False
    kept: list[str] = field(default_factory=list)

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> list[str]:
        work.record("overheard", [CallRecord("planted", 1, Decimal(1), 1.0, "ok")])
        return [turn.content for turn in turns]

    def write(self, session: UserSession, conversation_id: int, made: list[str]) -> None:
        self.kept.extend(made)


def opened_with_a_step(palace: Palace, guess: Guess) -> object:
    step = Overheard()
    given = palace._opened.embedders.given
    with Palace.open(palace._opened.settings, user=palace.user, embedder=given, steps=[step]) as opened:
        opened.embeddings.backfill()
        return step.kept, opened.status().steps, opened.costs()


def exported(palace: Palace, wing: str | None = None) -> tuple[object, str]:
    stream = io.BytesIO()
    return palace.transfer.export(stream, wing=wing), stream.getvalue().decode()


def pages(palace: Palace, folder: Path) -> object:
    written = palace.transfer.pages(folder, force=True)
    return written, [path.read_text() for path in sorted(folder.rglob("*.html"))]


def served(palace: Palace) -> str:
    asked = {"palace-sync": 1, "machine": "thief", "palace": "0" * 16, "pair": True}
    asked |= {"ask": "give", "have": ""}
    told, more = io.BytesIO(), b'\n{"ask": "have"}\n{"ask": "done"}\n'
    palace.answer_sync(io.BytesIO(json.dumps(asked).encode() + more), told)
    return re.sub("[0-9a-f]{32,}", "<digest>", told.getvalue().decode().partition("\n")[2])


def synced(palace: Palace, beside: Path) -> object:
    folder = beside.with_name(f"shared-{uuid.uuid4()}")
    folder.mkdir()
    return palace.sync(folder, key=folder.with_suffix(".key"))


def exported_to(palace: Palace, path: Path) -> object:
    return palace.transfer.export(path)


def mined_by_them(guess: Guess) -> list[dict[str, str]]:
    said = {"user": guess.cast.secret, "assistant": guess.cast.reply}
    return [{"role": role, "content": content} for role, content in said.items()]


def read_by_a_model(palace: Palace) -> Any:
    named = palace._opened.settings.model_copy(update={"extraction_model": "nobody/at-all", "extraction_parallel": 1})
    return type(palace.extraction)(replace(palace._opened, settings=named))


def summed_up(palace: Palace, guess: Guess) -> object:
    summariser = palace.working.summariser("nobody/at-all", timeout=5)
    kept = SummaryBuffer(summariser, budget=50, least=1).keep(mined_by_them(guess) * 20)
    return len(kept.messages), kept.warnings, palace.costs()


def summed_up_as(palace: Palace, guess: Guess, session: str) -> object:
    memory = SummaryBuffer(palace.working.summariser("nobody/at-all", timeout=5), budget=50, least=1)
    kept = palace.working.keep(mined_by_them(guess) * 20, session=session, memory=memory)
    return kept.checkpoint, kept.warnings


def turned(palace: Palace, guess: Guess, message: str) -> object:
    turn = palace.turn(message)
    return turn.block, turn.hits, turn.notes, turn.finish(guess.cast.wing).is_filed


def messages_of(palace: Palace, messages: list[dict[str, str]]) -> object:
    turn = palace.turns.take_request(messages)
    return turn and (turn.block, turn.hits, len(turn.messages), [len(str(each)) for each in turn.messages])


def used_after_closing(palace: Palace, guess: Guess) -> object:
    palace.close()
    return palace.recall(guess.cast.query)


def imported_by_the_empty_handed(palace: Palace, guess: Guess) -> object:
    palace.forget_everything()
    return palace.transfer.load(guess.export)
