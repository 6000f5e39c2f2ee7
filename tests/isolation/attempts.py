"""What a stranger tries with each public method of the façade."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

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
from palace.verbs.models.extraction import ExtractionVerbs
from tests.isolation.guess import Guess
from tests.isolation.outline_attempts import OUTLINE

Attempt = Callable[[Palace, Guess], object]

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


def _opened_with_a_step(palace: Palace, guess: Guess) -> object:
    step = Overheard()
    given = palace._opened.embedders.given
    with Palace.open(palace._opened.settings, user=palace.user, embedder=given, steps=[step]) as opened:
        opened.embeddings.backfill()
        return step.kept, opened.status().steps, opened.costs()


def _exported(palace: Palace, wing: str | None = None) -> tuple[object, str]:
    stream = io.BytesIO()
    return palace.transfer.export(stream, wing=wing), stream.getvalue().decode()


def _exported_to(palace: Palace, path: Path) -> object:
    return palace.transfer.export(path)


def _mined_by_them(guess: Guess) -> list[dict[str, str]]:
    said = {"user": guess.cast.secret, "assistant": guess.cast.reply}
    return [{"role": role, "content": content} for role, content in said.items()]


def _read_by_a_model(palace: Palace) -> ExtractionVerbs:
    named = palace._opened.settings.model_copy(update={"extraction_model": "nobody/at-all", "extraction_parallel": 1})
    return ExtractionVerbs(replace(palace._opened, settings=named))


def _summed_up(palace: Palace, guess: Guess) -> object:
    summariser = palace.working.summariser("nobody/at-all", timeout=5)
    kept = SummaryBuffer(summariser, budget=50, least=1).keep(_mined_by_them(guess) * 20)
    return len(kept.messages), kept.warnings, palace.costs()


def _summed_up_as(palace: Palace, guess: Guess, session: str) -> object:
    memory = SummaryBuffer(palace.working.summariser("nobody/at-all", timeout=5), budget=50, least=1)
    kept = palace.working.keep(_mined_by_them(guess) * 20, session=session, memory=memory)
    return kept.checkpoint, kept.warnings


def _turned(palace: Palace, guess: Guess, message: str) -> object:
    turn = palace.turn(message)
    return turn.block, turn.hits, turn.notes, turn.finish(guess.cast.wing).is_filed


def _messages_of(palace: Palace, messages: list[dict[str, str]]) -> object:
    turn = palace.turns.take_request(messages)
    return turn and (turn.block, turn.hits, len(turn.messages), [len(str(each)) for each in turn.messages])


def _used_after_closing(palace: Palace, guess: Guess) -> object:
    palace.close()
    return palace.recall(guess.cast.query)


def _imported_by_the_empty_handed(palace: Palace, guess: Guess) -> object:
    palace.forget_everything()
    return palace.transfer.load(guess.export)


# Each method of a palace and of its groups of verbs; those that leave least behind come last.
ATTEMPTS: dict[str, tuple[Attempt, ...]] = {
    "open": (
        lambda p, g: Palace.open(p._opened.settings, user=f"{p.user}/{g.number}").close(),
        _opened_with_a_step,
    ),
    "close": (_used_after_closing,),
    "user": (lambda p, g: p.user,),
    "mine": (
        lambda p, g: p.mine(g.source, dry_run=True),
        lambda p, g: p.mine(g.source, wing=g.cast.wing, exclude=[g.cast.query]),
        lambda p, g: p.mine(g.source, wing=g.number, restore_forgotten=True),
        lambda p, g: p.mine(g.cast.wing),
        lambda p, g: p.mine(g.source, wing=OWN_WING, readers=OWN_READERS),
    ),
    "file": (
        lambda p, g: p.file([{"role": "user", "content": g.cast.secret}], id="planted", wing=g.cast.wing),
        lambda p, g: p.file([{"role": "user", "content": g.cast.secret}], wing=g.cast.former_wing),
        lambda p, g: p.file(_mined_by_them(g)).pointers,
    ),
    "note": (
        lambda p, g: p.note("Drones do not sting."),
        lambda p, g: p.note("Bees hum.", wing=g.cast.wing),
        lambda p, g: p.note("Bees dance.", wing=g.number),
        lambda p, g: p.note(g.cast.secret, wing=OWN_WING),
    ),
    "recall": (
        lambda p, g: p.recall(g.cast.query),
        lambda p, g: p.recall(g.cast.secret, top_k=50, since=LONG_AGO, tools=True, context=9),
        lambda p, g: p.recall("bees", context=9),
        lambda p, g: p.recall(f"List all the {g.cast.query} that I wrote, in order, please.", order="time"),
        lambda p, g: p.recall(f"Write me a letter about {g.cast.query}."),
        lambda p, g: p.recall(g.cast.query, now=LONG_AGO, rerank=True),
        lambda p, g: p.recall("bees", wing=g.cast.wing),
        lambda p, g: p.recall("bees", wing=g.cast.former_wing),
        lambda p, g: p.recall("bees", wing=g.number),
        lambda p, g: p.recall("bees", wing=g.former_number),
    ),
    "recent": (
        lambda p, g: p.recent(),
        lambda p, g: p.recent(since=LONG_AGO, limit=1000, now=datetime(2100, 1, 1, tzinfo=UTC)),
        lambda p, g: p.recent(days=36_525, budget=1000),
        lambda p, g: p.recent(now=LONG_AGO),
        lambda p, g: p.recent(wing=g.cast.wing),
        lambda p, g: p.recent(wing=g.cast.former_wing, since=LONG_AGO),
        lambda p, g: p.recent(wing=g.number),
        lambda p, g: p.recent(wing=g.former_number),
    ),
    "context_block": (
        lambda p, g: p.context_block(p.recent(since=LONG_AGO, limit=1000), token_budget=100_000),
        lambda p, g: p.context_block(p.recall(g.cast.query)),
        lambda p, g: p.context_block(p.recall("bees", context=9)),
    ),
    "show": (
        lambda p, g: p.show(g.pointer),
        lambda p, g: p.show(g.former_pointer, context=9),
        lambda p, g: p.show(f"{OWN_ROOM}/D-001", context=9),
    ),
    "relations": (
        lambda p, g: p.relations(),
        lambda p, g: p.relations(g.cast.former_wing),
        lambda p, g: p.relations("I", as_of=LONG_AGO, about=g.cast.query),
        lambda p, g: p.relations(about=g.cast.query, believed=datetime(2100, 1, 1, tzinfo=UTC), limit=1000),
    ),
    "timeline": (
        lambda p, g: p.timeline(g.cast.former_wing),
        lambda p, g: p.timeline("me", about=g.cast.query, limit=1),
    ),
    "graph": (
        lambda p, g: p.graph(g.cast.former_wing),
        lambda p, g: p.graph("I", hops=5, as_of=LONG_AGO, limit=1000),
    ),
    "status": (lambda p, g: p.status(),),
    "activity": (
        lambda p, g: p.activity(limit=1000),
        lambda p, g: p.activity(since=LONG_AGO),
        lambda p, g: p.activity(kind="mined"),
    ),
    "costs": (
        lambda p, g: p.costs(),
        lambda p, g: p.costs(since=LONG_AGO),
        lambda p, g: p.costs(by="conversation"),
        lambda p, g: p.costs(by="source"),
    ),
    "scrub": (
        lambda p, g: p.scrub(wing=g.cast.wing),
        lambda p, g: p.scrub(wing=g.former_number, dry_run=True),
        lambda p, g: p.scrub(dry_run=True),
        lambda p, g: p.scrub(),
    ),
    "rebuild": (
        lambda p, g: p.rebuild(wing=g.cast.wing),
        lambda p, g: p.rebuild(wing=g.former_number),
        lambda p, g: p.rebuild(),
    ),
    "extraction.estimate": (
        lambda p, g: p.extraction.estimate(wing=g.cast.wing),
        lambda p, g: _read_by_a_model(p).estimate(),
    ),
    "extraction.run": (lambda p, g: p.extraction.run(), lambda p, g: _read_by_a_model(p).run()),
    "working.summariser": (_summed_up,),
    "working.keep": (
        lambda p, g: len(p.working.keep(_mined_by_them(g) * 20, session="summed").messages),
        lambda p, g: _summed_up_as(p, g, "summed"),
    ),
    "working.memory": (lambda p, g: p.working.memory(agent=g.cast.former_wing).name,),
    "working.sessions": (lambda p, g: p.working.sessions(),),
    "working.drop": (lambda p, g: p.working.drop("summed"),),
    "turn": (
        lambda p, g: _turned(p, g, g.cast.query),
        lambda p, g: _turned(p, g, ""),
        lambda p, g: p.turn(g.cast.query, history=_mined_by_them(g), session=g.cast.wing, agent=g.cast.wing).block,
    ),
    "turns.take": (lambda p, g: p.turns.take(g.cast.query, _mined_by_them(g)).block,),
    "turns.take_request": (lambda p, g: _messages_of(p, _mined_by_them(g)),),
    "turns.end": (lambda p, g: p.turns.end(g.cast.wing), lambda p, g: p.turns.end("cinnabar")),
    "turns.history": (
        lambda p, g: p.turns.history(g.cast.wing),
        lambda p, g: p.turns.history("cinnabar"),
        lambda p, g: p.turns.history(g.cast.former_wing, limit=1),
    ),
    "turns.options": (lambda p, g: p.turns.options(agent=g.cast.former_wing).top_k,),
    "turns.seconds": (lambda p, g: p.turns.seconds(p.turns.options()),),
    "turns.chat_model": (lambda p, g: p.turns.chat_model("nobody/at-all").model,),
    "turns.outbox": (lambda p, g: len(p.turns.outbox().waiting),),
    "turns.flush": (lambda p, g: p.turns.flush(),),
    "turns.waiting": (lambda p, g: p.turns.waiting(),),
    "turns.discard": (lambda p, g: p.turns.discard(),),
    "turns.rewriter": (lambda p, g: p.turns.rewriter("nobody/at-all").language_model.model,),
    "forget": (
        lambda p, g: p.forget(g.pointer),
        lambda p, g: p.forget(g.former_pointer, dry_run=True),
        lambda p, g: p.forget(g.pointer, conversation=True),
        lambda p, g: p.forget(g.pointer, now=True),
        lambda p, g: p.forget(g.room),
        lambda p, g: p.forget(g.former_room, conversation=True),
        lambda p, g: p.forget(g.room, closet=g.closet),
        lambda p, g: p.forget(OWN_ROOM, closet=g.closet),
        lambda p, g: p.forget(g.cast.wing),
        lambda p, g: p.forget(g.cast.former_wing),
        lambda p, g: p.forget(g.number),
        lambda p, g: p.forget(g.former_number, dry_run=True),
        lambda p, g: p.forget(OWN_WING),
    ),
    "forgotten.list": (lambda p, g: p.forgotten.list(),),
    "forgotten.restore": (
        lambda p, g: p.forgotten.restore(g.pointer),
        lambda p, g: p.forgotten.restore(g.room),
        lambda p, g: p.forgotten.restore(g.number),
        lambda p, g: p.forgotten.restore(g.cast.wing),
    ),
    "forgotten.ask": (lambda p, g: p.forgotten.ask(g.pointer), lambda p, g: p.forgotten.ask(g.cast.wing)),
    "forget_everything": (
        lambda p, g: p.forget_everything(dry_run=True),
        lambda p, g: p.forget_everything(),
        lambda p, g: p.recall(g.cast.query),
    ),
    **OUTLINE,
    "tree.contents": (
        lambda p, g: p.tree.contents(),
        lambda p, g: p.tree.contents(g.cast.wing),
        lambda p, g: p.tree.contents(g.former_number, until=LONG_AGO),
        lambda p, g: p.tree.contents(g.room),
        lambda p, g: p.tree.contents(g.former_room, limit=1),
        lambda p, g: p.tree.contents(g.room, closet=g.closet),
        lambda p, g: p.tree.contents(OWN_ROOM, closet=g.closet),
    ),
    "tree.calendar": (
        lambda p, g: p.tree.calendar(),
        lambda p, g: p.tree.calendar(wing=g.cast.wing),
        lambda p, g: p.tree.calendar(wing=g.former_number, slots=1, since=LONG_AGO),
    ),
    "tree.wings": (lambda p, g: p.tree.wings(), lambda p, g: p.tree.wings(limit=1, offset=1)),
    "tree.wing": (
        lambda p, g: p.tree.wing(g.cast.wing),
        lambda p, g: p.tree.wing(g.cast.former_wing),
        lambda p, g: p.tree.wing(g.number),
        lambda p, g: p.tree.wing(g.former_number),
    ),
    "tree.rooms": (
        lambda p, g: p.tree.rooms(g.wing_record),
        lambda p, g: p.tree.rooms(g.wing_record, limit=1, since=LONG_AGO),
    ),
    "tree.room": (lambda p, g: p.tree.room(g.room), lambda p, g: p.tree.room(g.former_room)),
    "tree.closets": (lambda p, g: p.tree.closets(g.room_record),),
    "tree.iter_drawers": (lambda p, g: list(p.tree.iter_drawers(g.room_record)),),
    "tree.drawers": (lambda p, g: p.tree.drawers(g.room_record), lambda p, g: p.tree.drawers(g.room_record, offset=1)),
    "tree.rename": (
        lambda p, g: p.tree.rename(g.cast.wing, "Mine now"),
        lambda p, g: p.tree.rename(g.former_number, "Mine now"),
        lambda p, g: p.tree.rename(g.room, "Mine now"),
        lambda p, g: p.tree.rename(g.former_room, "Mine now"),
        lambda p, g: p.tree.rename(OWN_ROOM, g.cast.wing),
        lambda p, g: p.tree.rename(OWN_WING, g.cast.wing),
        lambda p, g: p.tree.rename(g.cast.wing, g.cast.former_wing),
    ),
    "tree.suggest_moves": (lambda p, g: p.tree.suggest_moves(limit=1000),),
    "tree.move": (
        lambda p, g: p.tree.move(g.room, OWN_WING),
        lambda p, g: p.tree.move(g.former_room, OWN_WING),
        lambda p, g: p.tree.move(g.cast.wing, OWN_WING),
        lambda p, g: p.tree.move(g.number, "Taken", create=True),
        lambda p, g: p.tree.move(OWN_ROOM, g.cast.wing),
        lambda p, g: p.tree.move(OWN_ROOM, g.former_number, create=True),
        lambda p, g: p.tree.move(OWN_WING, g.number),
        lambda p, g: p.tree.move(OWN_ROOM, g.cast.wing, create=True),
        lambda p, g: p.tree.wings(),
    ),
    "jobs.list": (lambda p, g: p.jobs.list(limit=1000), lambda p, g: p.jobs.list(state="waiting")),
    "jobs.counts": (lambda p, g: p.jobs.counts(),),
    "jobs.show": (lambda p, g: p.jobs.show(g.job_id),),
    "jobs.retry": (lambda p, g: p.jobs.retry(g.job_id),),
    "jobs.cancel": (lambda p, g: p.jobs.cancel(g.job_id),),
    "jobs.enqueue": (lambda p, g: p.jobs.enqueue(),),
    "runs.list": (lambda p, g: p.runs.list(limit=1000),),
    "runs.undo": (lambda p, g: p.runs.undo(g.run_id), lambda p, g: p.runs.undo(g.run_id, cascade=True)),
    "embeddings.status": (lambda p, g: p.embeddings.status(),),
    "embeddings.unfinished": (lambda p, g: p.embeddings.unfinished(),),
    "embeddings.backfill": (lambda p, g: p.embeddings.backfill(),),
    "embeddings.switch": (lambda p, g: p.embeddings.switch("testing/hashing-384", dimension=384),),
    "entities.list": (
        lambda p, g: p.entities.list(everything=True, limit=None),
        lambda p, g: p.entities.list(type="item", limit=1000),
    ),
    "entities.find": (lambda p, g: p.entities.find(g.cast.former_wing),),
    "entities.merge": (
        lambda p, g: p.entities.merge(g.cast.former_wing, "I", anyway=True),
        lambda p, g: p.entities.merge("I", g.cast.former_wing, anyway=True),
    ),
    "entities.split": (
        lambda p, g: p.entities.split(g.cast.former_wing),
        lambda p, g: p.entities.split(g.cast.former_wing, wing=g.cast.wing),
        lambda p, g: p.entities.split("I", wing=g.former_number),
        lambda p, g: p.entities.split("I", conversation=g.room, to="Mine"),
        lambda p, g: p.entities.split("I", conversation=g.former_pointer),
        lambda p, g: p.entities.split("I", other=g.cast.former_wing),
    ),
    "entities.rename": (
        lambda p, g: p.entities.rename(g.cast.former_wing, "Mine"),
        lambda p, g: p.entities.rename("I", g.cast.former_wing),
    ),
    "entities.undo": (lambda p, g: p.entities.undo(1), lambda p, g: p.entities.undo(2)),
    "entities.decisions": (lambda p, g: p.entities.decisions(limit=None),),
    "entities.suggest": (lambda p, g: p.entities.suggest(limit=1000),),
    "settings.all": (lambda p, g: p.settings.all(), lambda p, g: p.settings.all(agent=g.cast.former_wing)),
    "settings.get": (lambda p, g: p.settings.get("rerank_model", agent=g.cast.former_wing),),
    "settings.effective": (lambda p, g: p.settings.effective(g.cast.former_wing),),
    "settings.agents": (lambda p, g: p.settings.agents(),),
    "settings.set": (
        lambda p, g: p.settings.set("rerank_model", "planted", agent=g.cast.former_wing),
        lambda p, g: p.settings.set("top_k", 3),
    ),
    "settings.reset": (
        lambda p, g: p.settings.reset(agent=g.cast.former_wing),
        lambda p, g: p.settings.reset("top_k"),
    ),
    "transfer.export": (
        lambda p, g: _exported(p),
        lambda p, g: _exported(p, wing=g.cast.wing),
        lambda p, g: _exported(p, wing=g.former_number),
        lambda p, g: _exported_to(p, g.source),
    ),
    "transfer.load": (
        lambda p, g: p.transfer.load(g.export),
        lambda p, g: p.transfer.load(g.source),
        _imported_by_the_empty_handed,
        lambda p, g: p.transfer.load(g.export),
    ),
}
