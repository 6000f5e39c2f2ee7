"""The checks of `palace doctor`, ordered so that the most basic come first."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from shlex import quote

from palace.agent.outbox import Outbox
from palace.ai.embedders.names import INSTALL_LANGUAGES, find_languages
from palace.ai.embedders.registry import Embedders
from palace.config.effective import check_consistent
from palace.config.settings import BUNDLED_MODEL, LANGUAGES_MODEL, Settings, load_settings
from palace.config.table import SETTINGS
from palace.db import health
from palace.db.activity import tell_lost
from palace.db.counts import ENGLISH, count_languages, count_vectors, get_counts, get_languages
from palace.db.database import Database, UserSession
from palace.db.generations import list_generations
from palace.db.jobs import list_queued, look_at_queue
from palace.db.memories import count_unsupported
from palace.db.settings import all_settings
from palace.db.transfer.marks import list_peers
from palace.db.tree import list_wings
from palace.db.users import ensure_user
from palace.db.vectors import is_vector_index
from palace.errors import BadRequest, EmbeddingError, OutboxError, PalaceError
from palace.hooks.caller_settings import backlog
from palace.hooks.claim import look
from palace.hooks.failures import Failure, list_failures
from palace.mining.filing.projects import find_unrecalled_wings
from palace.mining.steps.registry import list_step_statuses
from palace.models import Check, KeyState, StepStatus, Verdict
from palace.nlp.languages import is_english
from palace.nlp.pointers import find_wing_number, has_shape
from palace.nlp.sentences import LONGEST_MESSAGE, split_sentences
from palace.opened import OpenPalace, unfinished_switches
from palace.operations.keys import KeyVerbs

REMEDY = "palace rebuild"
SCARCE_BYTES = 1 << 30
MOST_LOST, MOST_KINDS = 20, 4
"""How many lost drawers, and how many kinds of hook failures, one finding names."""
LONG_WAITING = timedelta(minutes=2)
"""How long a job may wait while none runs: a living worker looks for jobs every few seconds."""
LONG_LEFT = timedelta(minutes=5)
"""How long a transcript noted by a hook may wait: a living worker mines it within seconds."""
LONG_RUNNING = timedelta(hours=1)
"""How long a job may run: longer than any conversation takes. Another worker takes over the jobs of a dead one."""
LEAST_OTHERS = 0.1
"""Share of drawers in other languages than English from which their model is worth a command."""
LATELY = timedelta(days=3)
SOON = timedelta(days=7)


def examine(
    settings: Settings, database: Database, find_user: Callable[[Database, str], int] = ensure_user
) -> Iterator[Check]:
    """Run every check, most basic first; ``find_user`` returns the user's id, or raises."""
    try:
        database.open()
    except PalaceError as problem:
        remedy = "palace db upgrade" if "db upgrade" in str(problem) else "palace db status"
        yield Check("server", Verdict.PROBLEM, str(problem), remedy)
        yield from _check_outbox(settings, database, settings.user)
        yield from check_hooks(settings)
        yield from _check_disk(settings)
        return
    yield Check("server", Verdict.OK, f"{database.address} answers")
    embedders = Embedders(settings, is_english=is_english)
    opened = OpenPalace(settings, database.of(find_user(database, settings.user)), settings.user, embedders)
    yield from _check_server(database)
    yield from _check_rows(opened)
    yield from _check_names(opened)
    yield from _check_lost(opened)
    yield from _check_keys(opened)
    yield from _check_queue(opened)
    yield from (
        Check("sync", Verdict.OK, f"last with {peer.name} on {peer.synced_at.astimezone(settings.zone):%Y-%m-%d %H:%M}")
        for peer in opened.run(list_peers)
        if peer.synced_at
    )
    yield from _check_outbox(settings, database, settings.user)
    yield from check_hooks(settings)
    yield _check_settings(opened)
    yield from _check_model(opened)
    yield from _check_languages(opened)
    yield from _check_disk(settings)


def _check_server(database: Database) -> Iterator[Check]:
    facts = health.get_server_facts(database)
    yield Check("extension", Verdict.OK, f"Postgres {facts.version}, pgvector {facts.vector_version}")
    yield Check("schema", Verdict.OK, f"{database.schema.name} is at this program's revision")
    yield from _check_role(database, facts)
    if facts.broken_indexes:
        finding = f"not valid: {', '.join(facts.broken_indexes)}"
        yield Check("indexes", Verdict.PROBLEM, finding, _index_remedy(database, facts.broken_indexes))
    else:
        yield Check("indexes", Verdict.OK, "all valid")


def _check_role(database: Database, facts: health.ServerFacts) -> Iterator[Check]:
    if facts.bypasses_policies:
        finding = "everyday work runs as a role that row-level security does not bind"
        yield Check("role", Verdict.PROBLEM, finding, "connect as a role that is neither superuser nor BYPASSRLS")
    elif facts.runtime_role_logs_in:
        finding = (
            "the runtime role may log in, so each of its members can change its password and its settings for all:"
            " everybody logs in as a member (PALACE_DATABASE_URL), then the role is closed; an administrator runs"
        )
        statements = health.CLOSE_RUNTIME_ROLE if facts.is_logged_in_as_it else health.CLOSE_RUNTIME_ROLE[1:]
        remedy = "palace db upgrade" if database.server else " ".join(statements)
        yield Check("role", Verdict.WARNING, finding, remedy)
    else:
        yield Check("role", Verdict.OK, "everyday work is bound by row-level security")
    if facts.makes_in_public:
        finding = "everybody may make functions and operators in the schema public, where others look theirs up"
        yield Check("public", Verdict.WARNING, finding, f"its owner runs {health.CLOSE_PUBLIC}")


def _index_remedy(database: Database, broken: Sequence[str]) -> str:
    if all(is_vector_index(name) for name in broken):
        return REMEDY if database.may_own else f"{REMEDY}, with PALACE_DATABASE_OWNER_URL set"
    return "; ".join(f"REINDEX INDEX CONCURRENTLY {database.schema.name}.{name}" for name in broken)


def _check_rows(opened: OpenPalace) -> Iterator[Check]:
    with opened.session() as session:
        found, counts, languages = health.take_inventory(session), get_counts(session), count_languages(session)
        uncut = sum(bool(split_sentences(said)) for said in health.iter_uncut(session, longest=LONGEST_MESSAGE))
        unindexed, vectors = opened.find_unindexed(session), count_vectors(session)
        generations, steps = list_generations(session), list_step_statuses(session, opened.steps)
        faults, unsupported = health.count_graph_faults(session), count_unsupported(session)
    yield from _check_index(found, counts, languages)
    yield _check_graph(faults)
    if unsupported:
        finding = f"{unsupported:,} memories cite drawers that are gone"
        yield Check("memories", Verdict.WARNING, finding, "palace.memories.list() shows evidence; forget these")
    if uncut:
        yield Check("sentences", Verdict.WARNING, f"{uncut:,} messages have no sentence vectors", REMEDY)
    if found.hollow:
        finding = f"{found.hollow:,} conversations hold no drawer: their mining was interrupted"
        yield Check("conversations", Verdict.WARNING, finding, "mine the same source again")
    yield from (_pending(step) for step in steps if step.pending)
    for unfinished in unfinished_switches(generations):
        finding, _, remedy = unfinished.partition(": ")
        yield Check("switch", Verdict.WARNING, finding, remedy)
    if unindexed is not None:
        finding = f"{vectors:,} passages and sentences are compared one by one"
        remedy = "palace embeddings backfill, on a shared server with PALACE_DATABASE_OWNER_URL set"
        yield Check("vector index", Verdict.WARNING, finding, remedy)


def _pending(step: StepStatus) -> Check:
    """Report how many conversations wait for an index step, and the last failure if it failed."""
    finding = f"{step.pending:,} conversations wait for the step {step.name}"
    if step.failed:
        finding += f", {step.failed:,} of them because it failed, last with: {step.failure}"
    return Check("pending", Verdict.WARNING, finding, "palace embeddings backfill")


def _check_index(found: health.Inventory, counts: Mapping[str, int], languages: Mapping[str, int]) -> Iterator[Check]:
    """Compare passages, sentences, closets and counts, all of which can be rebuilt, with the drawers."""
    there = f"{found.drawers:,} drawers, {found.passages:,} passages, {found.sentences:,} sentences"
    if {"drawer": found.drawers, "passage": found.passages, "sentence": found.sentences, **languages} == counts:
        yield Check("counts", Verdict.OK, there)
    else:
        finding = f"{there}, counted as {counts}"
        yield Check("counts", Verdict.PROBLEM, finding, REMEDY)
    orphans = f"{found.unindexed:,} passages lack an embedding row, {found.leftover:,} embeddings lack a generation"
    passages = f"{found.uncovered:,} drawers are not covered by their passages: recall cannot find all that they say"
    closets = f"{found.unplaced:,} drawers stand in no closet, {found.empty_closets:,} closets hold none"
    for name, wrong, finding in (
        ("orphans", found.unindexed + found.leftover, orphans),
        ("passages", found.uncovered, passages),
        ("closets", found.unplaced + found.empty_closets, closets),
    ):
        yield Check(name, Verdict.PROBLEM, finding, REMEDY) if wrong else Check(name, Verdict.OK, "none amiss")


def _check_graph(found: health.GraphFaults) -> Check:
    """Check that entities, relations and names agree with the claims that were read."""
    if not any(found):
        return Check("graph", Verdict.OK, "none amiss")
    finding = (
        f"{found.unresolved:,} names stand for nothing, {found.nameless:,} entities have no name,"
        f" {found.unsupported:,} relations have no evidence,"
        f" {found.untold:,} names noted with drawers are told by none"
    )
    return Check("graph", Verdict.PROBLEM, finding, REMEDY)


def _check_settings(opened: OpenPalace) -> Check:
    """Report settings stored in the palace that are unknown, have unusable values, or contradict each other."""
    stored = opened.run(all_settings)
    known = {setting.name: setting for setting in SETTINGS}
    lost = sorted({name for (_, name), value in stored.items() if name not in known or not known[name].accepts(value)})
    if lost:
        finding = f"settings that this program does not know, or whose values may not be: {', '.join(lost)}"
        return Check("settings", Verdict.WARNING, finding, "palace settings")
    try:
        check_consistent(opened.settings, stored, {agent for agent, _ in stored})
    except BadRequest as problem:
        return Check("settings", Verdict.WARNING, str(problem), "palace settings explain NAME")
    return Check("settings", Verdict.OK, f"{len(stored):,} set in the palace" if stored else "none set in the palace")


def _check_model(opened: OpenPalace) -> Iterator[Check]:
    generation = opened.find_generation()
    model = generation.model if generation else opened.effective().embedding_model
    try:
        found = opened.find_model()
        embedder = found[1] if found else opened.embedders.first(model)
        width = embedder.embed_passages(["palace"]).vectors.shape[1]
    except EmbeddingError as problem:
        yield Check(
            "model",
            Verdict.PROBLEM,
            str(problem),
            "recall goes on by keywords; mend the model, then run again",
        )
        return
    if generation and width != generation.dimension:
        finding = f"{model} gives {width} numbers, the palace's embeddings have {generation.dimension}"
        yield Check("model", Verdict.PROBLEM, finding, f"palace embeddings switch {quote(model)}")
    else:
        yield Check("model", Verdict.OK, f"{model} answers with {width} numbers")


def _check_languages(opened: OpenPalace) -> Iterator[Check]:
    """Say what the extra ``languages`` would bring, or that it is missing where the palace was embedded with it."""
    generation = opened.find_generation()
    counts = opened.run(get_languages)
    total = sum(counts.values())
    others = total - counts[ENGLISH]
    if generation is None or others < LEAST_OTHERS * total or not others:
        return
    switch = f"palace embeddings switch {LANGUAGES_MODEL}"
    remedy = " and ".join([switch] if find_languages() else [INSTALL_LANGUAGES, switch])
    if generation.model == BUNDLED_MODEL:
        finding = f"{others:,} of {total:,} drawers are not in English, and are found by their words alone"
        yield Check("languages", Verdict.WARNING, finding, remedy)
    elif generation.model == LANGUAGES_MODEL and not find_languages():
        finding = f"{others:,} of {total:,} drawers are not in English, whose model is not installed here"
        yield Check("languages", Verdict.WARNING, finding, INSTALL_LANGUAGES)


def _check_disk(settings: Settings) -> Iterator[Check]:
    if settings.database_url:
        return
    folder = next(path for path in (settings.home_folder, *settings.home_folder.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    finding = f"{free / (1 << 30):.1f} GB free at {settings.home_folder}"
    if free < SCARCE_BYTES:
        yield Check("disk", Verdict.WARNING, finding, "free some space, or set PALACE_HOME to a larger disk")
    else:
        yield Check("disk", Verdict.OK, finding)


def _check_names(opened: OpenPalace) -> Iterator[Check]:
    """Warn of wings whose name looks like another wing's pointer, and of wings of sessions that no folder here recalls.

    Earlier versions allowed such names; who uses one reaches another wing, or none.
    """
    for wing in opened.run(list_wings):
        if has_shape(wing.name) and find_wing_number(wing.name) != wing.number:
            finding = f"{wing.pointer} is called {wing.name!r}, which means a number and goes before every name"
            yield Check("names", Verdict.WARNING, finding, f"palace rename {wing.pointer} NAME")
    yield from opened.run(find_unrecalled_wings)


def _check_keys(opened: OpenPalace) -> Iterator[Check]:
    """Warn of keys that expire within a week: what uses them is refused then."""
    now = datetime.now(UTC)
    for key in KeyVerbs(opened).list():
        if key.state is KeyState.VALID and key.expires_at is not None and key.expires_at < now + SOON:
            finding = f"the key {key.id} {key.label!r} expires on {key.expires_at:%Y-%m-%d}"
            yield Check("keys", Verdict.WARNING, finding, "palace keys create makes another")


def _check_lost(opened: OpenPalace) -> Iterator[Check]:
    """Report, once, drawers that alone supported a relation this version no longer reads, not what a person stated."""
    lost = opened.run(tell_lost)
    if lost:
        more = f" and {len(lost) - MOST_LOST:,} more (palace activity)" if len(lost) > MOST_LOST else ""
        finding = f"no longer read as something that holds: {', '.join(lost[:MOST_LOST])}{more}; this is said once"
        yield Check("relations", Verdict.WARNING, finding, "palace relations add WHO WHAT WHOM, where it was right")


def _check_queue(opened: OpenPalace) -> Iterator[Check]:
    """Check the user's jobs and what lacks a job; what becomes of the jobs shows whether a worker is alive."""
    with opened.session() as session:
        state, unqueued = look_at_queue(session), _count_unqueued(opened, session)
    of, amiss = _of(opened.user), list[tuple[str, str, str]]()
    if state.failed:
        finding = f"{state.failed:,} jobs failed too often and are not tried again"
        remedy = f"palace jobs list --state failed{of} says why, palace jobs retry ID{of} tries one again"
        amiss.append(("dead letters", finding, remedy))
    if state.waited >= LONG_WAITING and not state.running:
        finding = f"{state.waiting:,} jobs wait, one for {_written(state.waited)}, and nobody works on them"
        amiss.append(("worker", finding, "palace worker"))
    if state.ran >= LONG_RUNNING:
        finding = f"a job has been running for {_written(state.ran)}: its worker may be gone"
        amiss.append(("worker", finding, "palace worker"))
    if unqueued:
        finding = f"{unqueued:,} conversations wait for a step, and no job is there for them"
        amiss.append(("unqueued", finding, f"palace jobs enqueue{of}"))
    for name, finding, remedy in amiss:
        yield Check(name, Verdict.WARNING, finding, remedy)
    if not amiss:
        yield Check("queue", Verdict.OK, f"{state.waiting:,} jobs wait, {state.running:,} run")


def _count_unqueued(opened: OpenPalace, session: UserSession) -> int:
    """Count conversations with a pending step for which no job waits, runs or has failed for good."""
    queued = list_queued(session)
    if None in queued:  # a job for all conversations
        return 0
    return len({each for step in opened.steps for each in step.list_pending(session)} - queued)


def _written(stretch: timedelta) -> str:
    minutes = int(stretch.total_seconds() // 60)
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number:,} {unit}{'' if number == 1 else 's'}"
    return "less than a minute"


def _check_outbox(settings: Settings, database: Database, user: str) -> Iterator[Check]:
    """Check the outbox for exchanges that could not be filed; the server need not answer."""
    outbox = Outbox.of(settings.home_folder, f"{database.address}\n{settings.database_schema}", user)
    try:
        waiting, refused = outbox.count(), outbox.count_refused()
    except OutboxError as problem:
        remedy = f"chmod -R go-w {outbox.path.parent}, or remove what is no file of its own there"
        yield Check("outbox", Verdict.PROBLEM, str(problem), remedy)
        return
    if waiting:
        finding = f"{waiting:,} exchanges wait in {outbox.path} to be filed"
        yield Check(
            "outbox", Verdict.WARNING, finding, f"palace outbox flush{_of(user)} files them, and so does the next turn"
        )
    if refused:
        finding = f"{refused:,} exchanges can never be filed: they are kept in {outbox.refused_path}"
        remedy = f"palace outbox list{_of(user)} says why, palace outbox discard --refused{_of(user)} removes them"
        yield Check("refused", Verdict.WARNING, finding, remedy)
    if not waiting and not refused:
        yield Check("outbox", Verdict.OK, "nothing waits to be filed")


def _of(user: str) -> str:
    """Return the `--user` option for a suggested command; empty where that user is the default."""
    return "" if user == load_settings().user else f" --user {quote(user)}"


def check_hooks(settings: Settings) -> Iterator[Check]:
    """Check who answers hooks, recent failures, and transcripts that wait to be mined; the server need not answer."""
    if not settings.hooks:
        yield Check("hooks", Verdict.OK, "switched off (PALACE_HOOKS)")
        return
    yield _check_hook_worker(settings)
    failed = list_failures(settings.home_folder, since=datetime.now(UTC) - LATELY)
    if failed:
        yield Check("hooks failed", Verdict.WARNING, _counted(failed, settings), "docs/hooks.md says what each means")
    here, elsewhere = backlog(settings)
    long_left = LONG_LEFT.total_seconds()
    if here.waiting and here.seconds >= long_left:
        since = f"{here.seconds / 60:,.0f} minutes"
        many = f"{here.waiting:,} transcripts wait to be mined, one for {since}"
        finding = many if here.waiting > 1 else f"1 transcript waits to be mined, for {since}"
        yield Check("hooks left", Verdict.WARNING, finding, "palace worker --once")
    if elsewhere.waiting and elsewhere.seconds >= long_left:
        wait = "transcript waits" if elsewhere.waiting == 1 else "transcripts wait"
        finding = f"{elsewhere.waiting:,} {wait} for a worker of another database or schema"
        yield Check("hooks left elsewhere", Verdict.WARNING, finding, "palace worker --once, with its settings")


def _check_hook_worker(settings: Settings) -> Check:
    """Report whether a running worker answers hooks; having none is no problem."""
    found = look(settings.home_folder)
    if found is None:
        finding = "no worker answers them: each takes a process of its own"
        starts = settings.worker_starts and not settings.database_url
        return Check("hooks", Verdict.OK, f"{finding}, and starts one" if starts else finding)
    if found.problem:
        finding = f"{found.path}: {found.problem}; each hook takes a process of its own"
        return Check("hooks", Verdict.WARNING, finding, "end that worker: the next hook starts another (palace worker)")
    answered = f"{found.answered:,} so far"
    return Check("hooks", Verdict.OK, f"a worker answers them, this look in {found.milliseconds:.0f} ms, {answered}")


def _counted(failed: Sequence[Failure], settings: Settings) -> str:
    """Describe how many hooks failed, by kind, and when the last did."""
    kinds = Counter(each.code for each in failed).most_common(MOST_KINDS)
    last = failed[-1].at.astimezone(settings.zone)
    told = ", ".join(f"{count:,} {code}" for code, count in kinds)
    return f"{len(failed):,} in the last {LATELY.days} days ({told}), the last {last:%Y-%m-%d %H:%M}"
