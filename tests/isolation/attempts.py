"""What a stranger tries with each public method of the façade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from palace import AgentRequest, Palace, Pointer, ReActAgent, ReviewKey
from tests.isolation.guess import Guess
from tests.isolation.ways import (
    LONG_AGO,
    OWN_READERS,
    OWN_ROOM,
    OWN_WING,
    exported,
    exported_to,
    imported_by_the_empty_handed,
    messages_of,
    mined_by_them,
    opened_with_a_step,
    pages,
    read_by_a_model,
    served,
    summed_up,
    summed_up_as,
    synced,
    turned,
    used_after_closing,
)

Attempt = Callable[[Palace, Guess], object]

# Each method of a palace and of its groups of verbs; those that leave least behind come last.
ATTEMPTS: dict[str, tuple[Attempt, ...]] = {
    "open": (
        lambda p, g: Palace.open(p._opened.settings, user=f"{p.user}/{g.number}").close(),
        opened_with_a_step,
    ),
    "close": (used_after_closing,),
    "user": (lambda p, g: p.user,),
    "mine": (
        lambda p, g: p.mine(g.source, wing=g.cast.wing, exclude=[g.cast.query]),
        lambda p, g: p.mine(g.source, wing=g.number, restore_forgotten=True),
        lambda p, g: p.mine(g.source, wing=OWN_WING, readers=OWN_READERS),
    ),
    "file": (
        lambda p, g: p.file([{"role": "user", "content": g.cast.secret}], id="planted", wing=g.cast.wing),
        lambda p, g: p.file([{"role": "user", "content": g.cast.secret}], wing=g.cast.former_wing),
        lambda p, g: p.file(mined_by_them(g)).pointers,
        lambda p, g: p.file(mined_by_them(g), id="planted", partial=True).pointers,
    ),
    "note": (
        lambda p, g: p.note("Bees hum.", wing=g.cast.wing),
        lambda p, g: p.note("Bees dance.", wing=g.number),
        lambda p, g: p.note(g.cast.secret, wing=OWN_WING),
        lambda p, g: p.note("Bees sing.", replaces=g.pointer),
    ),
    "recall": (
        lambda p, g: p.recall(g.cast.query),
        lambda p, g: p.recall(g.cast.secret, top_k=50, since=LONG_AGO, tools=True, context=9),
        lambda p, g: p.recall(f"List all the {g.cast.query} that I wrote, in order, please.", order="time"),
        lambda p, g: p.recall(f"Write me a letter about {g.cast.query}."),
        lambda p, g: p.recall(g.cast.query, now=LONG_AGO, rerank=True),
        lambda p, g: p.recall("bees", wing=g.cast.wing),
        lambda p, g: p.recall("bees", wing=g.number),
    ),
    "answer": (
        lambda p, g: p.answer(g.cast.query),
        lambda p, g: p.answer(g.cast.secret, since=LONG_AGO, top_k=50),
        lambda p, g: p.answer("bees", wing=g.cast.wing),
    ),
    "explain_hook": (
        lambda p, g: p.explain_hook(f"what did we say about {g.cast.query}?", "/tmp"),
        lambda p, g: p.explain_hook(g.cast.secret, g.cast.wing, agent="codex"),
        lambda p, g: p.explain_hook("", "/tmp", file=g.cast.secret, command=g.cast.secret, error=g.cast.secret),
    ),
    "recent": (
        lambda p, g: p.recent(since=LONG_AGO, limit=1000, now=datetime(2100, 1, 1, tzinfo=UTC)),
        lambda p, g: p.recent(wing=g.cast.wing),
        lambda p, g: p.recent(wing=g.former_number),
    ),
    "work": (
        lambda p, g: p.work(file=g.cast.query, command=g.cast.query, error=g.cast.query, symbol=g.cast.query),
        lambda p, g: p.work(file=g.cast.query, wing=g.cast.wing),
    ),
    "work_here": (lambda p, g: p.work_here(), lambda p, g: p.work_here(g.cast.former_wing)),
    "context_block": (
        lambda p, g: p.context_block(p.recent(since=LONG_AGO, limit=1000), token_budget=100_000),
        lambda p, g: p.context_block(p.recall(g.cast.query)),
        lambda p, g: p.context_block(p.about(past=True), token_budget=100_000),
    ),
    "note_versions": (
        lambda p, g: p.note_versions(g.pointer),
        lambda p, g: p.note_versions(g.former_pointer),
        lambda p, g: p.note_versions(g.cast.wing),
    ),
    "show": (
        lambda p, g: p.show(g.pointer),
        lambda p, g: p.show(g.former_pointer, context=9),
    ),
    "relations": (
        lambda p, g: p.relations(g.cast.former_wing),
        lambda p, g: p.relations("I", as_of=LONG_AGO, about=g.cast.query),
        lambda p, g: p.relations(about=g.cast.query, believed=datetime(2100, 1, 1, tzinfo=UTC), limit=1000),
    ),
    "about": (
        lambda p, g: p.about(limit=1000, past=True),
        lambda p, g: p.about(g.cast.former_wing),
    ),
    "timeline": (
        lambda p, g: p.timeline(g.cast.former_wing),
        lambda p, g: p.timeline("me", about=g.cast.query, limit=1),
    ),
    "graph": (
        lambda p, g: p.graph(g.cast.former_wing),
        lambda p, g: p.graph("I", hops=5, as_of=LONG_AGO, past=True, limit=1000),
    ),
    "status": (lambda p, g: p.status(),),
    "activity": (
        lambda p, g: p.activity(limit=1000),
        lambda p, g: p.activity(kind="mined"),
    ),
    "costs": (
        lambda p, g: p.costs(),
        lambda p, g: p.costs(by="conversation"),
        lambda p, g: p.costs(by="source"),
    ),
    "scrub": (
        lambda p, g: p.scrub(wing=g.cast.wing),
        lambda p, g: p.scrub(dry_run=True),
        lambda p, g: p.scrub(),
    ),
    "rebuild": (
        lambda p, g: p.rebuild(wing=g.cast.wing),
        lambda p, g: p.rebuild(),
    ),
    "extraction.estimate": (
        lambda p, g: p.extraction.estimate(wing=g.cast.wing),
        lambda p, g: read_by_a_model(p).estimate(),
    ),
    "extraction.run": (lambda p, g: p.extraction.run(), lambda p, g: read_by_a_model(p).run()),
    "working.summariser": (summed_up,),
    "working.keep": (
        lambda p, g: len(p.working.keep(mined_by_them(g) * 20, session="summed").messages),
        lambda p, g: summed_up_as(p, g, "summed"),
    ),
    "working.memory": (lambda p, g: p.working.memory(agent=g.cast.former_wing).name,),
    "working.sessions": (lambda p, g: p.working.sessions(),),
    "working.drop": (lambda p, g: p.working.drop("summed"),),
    "turn": (
        lambda p, g: turned(p, g, g.cast.query),
        lambda p, g: turned(p, g, ""),
        lambda p, g: p.turn(g.cast.query, history=mined_by_them(g), session=g.cast.wing, agent=g.cast.wing).block,
    ),
    "turns.take": (lambda p, g: p.turns.take(g.cast.query, mined_by_them(g)).block,),
    "turns.take_request": (lambda p, g: messages_of(p, mined_by_them(g)),),
    "turns.end": (lambda p, g: p.turns.end(g.cast.wing), lambda p, g: p.turns.end("cinnabar")),
    "turns.history": (
        lambda p, g: p.turns.history(g.cast.wing),
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
        lambda p, g: p.forget(g.pointer, now=True),
        lambda p, g: p.forget(g.pointer, versions=True),
        lambda p, g: p.forget(g.former_room, conversation=True),
        lambda p, g: p.forget(g.room, closet=g.closet),
        lambda p, g: p.forget(OWN_ROOM, closet=g.closet),
        lambda p, g: p.forget(g.cast.wing),
        lambda p, g: p.forget(g.number),
        lambda p, g: p.forget(OWN_WING),
    ),
    "forgotten.list": (lambda p, g: p.forgotten.list(),),
    "forgotten.restore": (
        lambda p, g: p.forgotten.restore(g.pointer),
        lambda p, g: p.forgotten.restore(g.room),
        lambda p, g: p.forgotten.restore(g.cast.wing),
    ),
    "forgotten.ask": (lambda p, g: p.forgotten.ask(g.pointer), lambda p, g: p.forgotten.ask(g.cast.wing)),
    "forget_everything": (
        lambda p, g: p.forget_everything(dry_run=True),
        lambda p, g: p.forget_everything(),
        lambda p, g: p.recall(g.cast.query),
    ),
    "tree.contents": (
        lambda p, g: p.tree.contents(),
        lambda p, g: p.tree.contents(g.room),
        lambda p, g: p.tree.contents(g.room, closet=g.closet),
        lambda p, g: p.tree.contents(OWN_ROOM, closet=g.closet),
    ),
    "tree.calendar": (
        lambda p, g: p.tree.calendar(),
        lambda p, g: p.tree.calendar(wing=g.former_number, slots=1, since=LONG_AGO),
    ),
    "tree.wings": (
        lambda p, g: p.tree.wings(),
        lambda p, g: p.tree.wings(limit=1, offset=1),
        lambda p, g: p.tree.wings(ids=[g.wing_record.id]),
        lambda p, g: p.tree.wings(after=1, counted=False),
    ),
    "tree.latest_rooms": (
        lambda p, g: p.tree.latest_rooms(g.wing_record.id),
        lambda p, g: p.tree.latest_rooms(g.wing_record.id, behind=g.room_record),
    ),
    "tree.drawers_behind": (
        lambda p, g: p.tree.drawers_behind(g.room_record.id, None),
        lambda p, g: p.tree.drawers_behind(g.room_record.id, (-1, -1), closet_id=0),
    ),
    "tree.around": (lambda p, g: [p.tree.around(number, count=9) for number in range(1, 20)],),
    "tree.passages": (lambda p, g: [len(p.tree.passages(number)) for number in range(1, 20)],),
    "tree.change": (lambda p, g: p.tree.change()[2],),
    "tree.wing": (
        lambda p, g: p.tree.wing(g.cast.wing),
        lambda p, g: p.tree.wing(g.number),
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
        lambda p, g: p.tree.rename(g.former_room, "Mine now"),
        lambda p, g: p.tree.rename(OWN_WING, g.cast.wing),
    ),
    "tree.suggest_moves": (lambda p, g: p.tree.suggest_moves(limit=1000),),
    "tree.move": (
        lambda p, g: p.tree.move(g.room, OWN_WING),
        lambda p, g: p.tree.move(g.cast.wing, OWN_WING),
        lambda p, g: p.tree.move(OWN_ROOM, g.cast.wing),
        lambda p, g: p.tree.move(OWN_ROOM, g.cast.wing, create=True),
        lambda p, g: p.tree.wings(),
    ),
    "jobs.list": (lambda p, g: p.jobs.list(limit=1000), lambda p, g: p.jobs.list(state="waiting")),
    "jobs.counts": (lambda p, g: p.jobs.counts(),),
    "jobs.show": (lambda p, g: p.jobs.show(g.job_id),),
    "jobs.retry": (lambda p, g: p.jobs.retry(g.job_id),),
    "jobs.cancel": (lambda p, g: p.jobs.cancel(g.job_id),),
    "jobs.is_left": (lambda p, g: p.jobs.is_left(g.run_id), lambda p, g: p.jobs.is_left(None)),
    "jobs.enqueue": (lambda p, g: p.jobs.enqueue(),),
    "keys.create": (lambda p, g: p.keys.create("mine", wings=[g.cast.wing]),),
    "keys.list": (lambda p, g: p.keys.list(),),
    "grants.list": (lambda p, g: p.grants.list(),),
    "grants.revoke": (lambda p, g: p.grants.revoke(g.grant_id),),
    "keys.revoke": (lambda p, g: p.keys.revoke(g.key_id),),
    "keys.rotate": (lambda p, g: p.keys.rotate(g.key_id, hours=1),),
    "keys.audit": (lambda p, g: [entry.target for entry in p.keys.audit(limit=1000)],),
    "memory_files.run": (
        lambda p, g: p.memory_files.run({"command": "view", "path": "/memories"}, wing=g.cast.wing),
        lambda p, g: p.memory_files.run({"command": "view", "path": "/memories"}, wing=g.number),
        lambda p, g: p.memory_files.run({"command": "delete", "path": "/memories/plans"}, wing=g.cast.wing),
    ),
    "memories.store": (
        lambda p, g: p.memories.store("Bees hum.", wing=g.cast.wing),
        lambda p, g: p.memories.store("Bees dance.", wing=g.number),
        lambda p, g: p.memories.store("Bees sing.", evidence=[g.pointer]),
        lambda p, g: p.memories.store(g.cast.secret, wing=OWN_WING).content,
    ),
    "memories.get": (lambda p, g: p.memories.get(g.memory), lambda p, g: p.memories.get(g.cast.wing)),
    "memories.retrieve": (
        lambda p, g: p.memories.retrieve(g.cast.query, threshold=0, limit=50),
        lambda p, g: p.memories.retrieve("bees", wing=g.cast.wing),
    ),
    "memories.list": (lambda p, g: p.memories.list(limit=1000), lambda p, g: p.memories.list(wing=g.former_number)),
    "memories.among": (lambda p, g: p.memories.among([replace(p.note("Bees nap."), id=g.memory_id)]),),
    "memories.evidence": (
        lambda p, g: p.memories.evidence(
            replace(memory, drawer=replace(memory.drawer, id=g.memory_id), evidence=(Pointer(1, 1, 1),))
            for memory in [p.memories.store("Bees doze.")]
        ),
    ),
    "memories.versions": (lambda p, g: p.memories.versions(g.memory),),
    "memories.update": (lambda p, g: p.memories.update(g.memory, "Bees sleep."),),
    "memories.pin": (lambda p, g: p.memories.pin(g.memory),),
    "memories.accept": (lambda p, g: p.memories.accept(g.memory),),
    "memories.reject": (lambda p, g: p.memories.reject(g.memory, g.cast.query),),
    "memories.conflicts": (lambda p, g: p.memories.conflicts(),),
    "memories.resolve": (lambda p, g: p.memories.resolve(g.memory),),
    "memories.consolidate": (
        lambda p, g: p.memories.consolidate([g.memory, g.memory]),
        lambda p, g: p.memories.consolidate([g.memory, str(p.memories.store("Bees rest.").id)]),
        lambda p, g: p.memories.consolidate(wing=g.cast.wing),
    ),
    "memories.reflect": (lambda p, g: p.memories.reflect(),),
    "memories.forget_all": (
        lambda p, g: p.memories.forget_all(wing=g.cast.wing),
        lambda p, g: p.memories.forget_all(wing=g.number, dry_run=True),
        lambda p, g: p.memories.forget_all(type="semantic"),
    ),
    "evaluation.capture": (lambda p, g: p.evaluation.capture(on=True),),
    "evaluation.is_capturing": (lambda p, g: p.evaluation.is_capturing,),
    "evaluation.captured": (lambda p, g: p.evaluation.captured(),),
    "evaluation.replay": (lambda p, g: p.evaluation.replay(),),
    "evaluation.clear": (lambda p, g: p.evaluation.clear(),),
    "hand_overs": (lambda p, g: p.hand_overs(),),
    "impact": (lambda p, g: p.impact(limit=1000), lambda p, g: p.impact(wing=g.cast.wing)),
    "memories.sweep": (lambda p, g: p.memories.sweep(),),
    "memories.forget": (lambda p, g: p.memories.forget(g.memory),),
    "memories.make": (
        lambda p, g: p.memories.make(g.pointer),
        lambda p, g: p.memories.make(wing=g.cast.wing),
    ),
    "answers.begin": (lambda p, g: p.answers.begin(g.cast.former_wing, g.cast.secret.encode()),),
    "answers.renew": (lambda p, g: p.answers.renew(g.cast.former_wing),),
    "answers.end": (lambda p, g: p.answers.end(g.cast.former_wing, None),),
    "tree.all_drawers": (
        lambda p, g: p.tree.all_drawers(wings=[g.wing_record]),
        lambda p, g: p.tree.all_drawers(room=g.room_record),
    ),
    "jobs.of": (lambda p, g: p.jobs.of(g.pointer),),
    "keys.enter": (lambda p, g: p.keys.enter(g.key_id, "recall"),),
    "projects.of": (lambda p, g: p.projects.of("/" + g.cast.former_wing), lambda p, g: p.projects.of(g.cast.wing)),
    "projects.list": (lambda p, g: p.projects.list(),),
    "projects.unrecalled": (lambda p, g: p.projects.unrecalled(),),
    "projects.allow": (
        lambda p, g: p.projects.allow(g.cast.former_wing, wings=[g.cast.wing], sources=["mail"]),
        lambda p, g: p.projects.allow("/", wings=[g.number]),
    ),
    "projects.deny": (lambda p, g: p.projects.deny(g.cast.former_wing, wings=[g.cast.wing], sources=["mail"]),),
    "projects.assign": (
        lambda p, g: p.projects.assign(g.cast.former_wing, g.cast.wing),
        lambda p, g: p.projects.assign("/tmp", g.number),
    ),
    "projects.drop": (lambda p, g: p.projects.drop(g.cast.former_wing),),
    "review.counts": (lambda p, g: p.review.counts(),),
    "review.filed": (lambda p, g: p.review.filed(limit=1000),),
    "review.drawers": (lambda p, g: p.review.drawers(g.run_id),),
    "review.redacted": (lambda p, g: p.review.redacted(limit=1000),),
    "review.changed": (lambda p, g: p.review.changed(limit=1000),),
    "review.seen": (
        lambda p, g: p.review.seen("filed", [ReviewKey(g.run_id)]),
        lambda p, g: p.review.seen("redacted", [ReviewKey(1, 1)]),
    ),
    "review.unseen": (lambda p, g: p.review.unseen("filed", [ReviewKey(g.run_id)]),),
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
        lambda p, g: p.entities.split(g.cast.former_wing, wing=g.cast.wing),
        lambda p, g: p.entities.split("I", conversation=g.room, to="Mine"),
        lambda p, g: p.entities.split("I", other=g.cast.former_wing),
    ),
    "entities.rename": (
        lambda p, g: p.entities.rename(g.cast.former_wing, "Mine"),
        lambda p, g: p.entities.rename("I", g.cast.former_wing),
    ),
    "corrections.add": (lambda p, g: p.corrections.add("I", "owns", g.cast.former_wing),),
    "corrections.end": (lambda p, g: p.corrections.end(g.cast.former_wing, "is", g.cast.query),),
    "corrections.reject": (lambda p, g: p.corrections.reject(g.cast.former_wing, "is", g.cast.query),),
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
        lambda p, g: exported(p),
        lambda p, g: exported(p, wing=g.cast.wing),
        lambda p, g: exported_to(p, g.source),
    ),
    "transfer.pages": (
        lambda p, g: pages(p, g.source.with_name("pages")),
        lambda p, g: p.transfer.pages(g.source.with_name("theirs"), wing=g.cast.wing),
    ),
    "answer_sync": (lambda p, g: served(p),),
    "sync_status": (lambda p, g: p.sync_status().peers,),
    "unpair": (lambda p, g: p.unpair("ssh://laptop"),),
    "sync": (lambda p, g: synced(p, g.source),),
    "transfer.load": (
        lambda p, g: p.transfer.load(g.export),
        imported_by_the_empty_handed,
        lambda p, g: p.transfer.load(g.export),
    ),
}
LASTING = (
    *("open", "close", "mine", "file", "note", "turn", "turns.take", "turns.take_request", "working.keep", "scrub"),
    *("extraction.run", "working.summariser", "working.drop", "forget", "forget_everything", "runs.undo", "rebuild"),
    *("tree.rename", "tree.move", "projects.allow", "projects.assign", "entities.merge", "entities.split"),
    *("entities.rename", "settings.set", "settings.reset", "transfer.load", "review.seen", "embeddings.switch"),
    *("corrections.add", "memories.store", "memories.consolidate"),
)
"""What leaves behind something of the stranger's own, which what is tried next would tell: another is sent then."""

AgentAttempt = Callable[[ReActAgent, AgentRequest], object]

# Each method of an agent, with a request that belongs to somebody else's collection or conversation.
AGENT_ATTEMPTS: dict[str, tuple[AgentAttempt, ...]] = {
    "run": (
        lambda a, r: a.run(r.question).steps,
        lambda a, r: a.run(r.question, conversation_id=r.conversation_id).steps,
        lambda a, r: a.run(r.question, user=r.user),
        lambda a, r: a.run({**dict(r), "user": None, "group": None}).steps,
    ),
    "end": (
        lambda a, r: a.end(r.conversation_id or ""),
        lambda a, r: a.end(r.conversation_id or "", user=r.user, group=r.group),
    ),
    "purge": (lambda a, _: a.purge(), lambda a, r: a.purge(user=r.user, group=r.group)),
    "close": (lambda a, _: a.close(),),
}
