"""The checks of `palace doctor`, in the order in which one failing makes the next pointless."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from palace.ai.embedders.registry import Embedders
from palace.config.effective import check_consistent
from palace.config.settings import Settings
from palace.config.table import SETTINGS
from palace.db import health
from palace.db.counts import count_languages, count_vectors, get_counts
from palace.db.database import Database
from palace.db.generations import list_generations
from palace.db.settings import all_settings
from palace.db.users import ensure_user
from palace.db.vectors import is_vector_index
from palace.doctor.background import check_outbox, check_queue
from palace.doctor.hooks import check_hooks
from palace.doctor.names import check_lost, check_names
from palace.errors import BadRequest, EmbeddingError, PalaceError
from palace.mining.steps.registry import list_step_statuses
from palace.models import Check, StepStatus, Verdict
from palace.nlp.sentences import LONGEST_MESSAGE, split_sentences
from palace.opened import OpenPalace, unfinished_switches

SCARCE_BYTES = 1 << 30
REMEDY = "palace rebuild"


def examine(
    settings: Settings, database: Database, find_user: Callable[[Database, str], int] = ensure_user
) -> Iterator[Check]:
    """Check everything that can be checked, most basic first; ``find_user`` gives the user's id, or raises."""
    try:
        database.open()
    except PalaceError as problem:
        remedy = "palace db upgrade" if "db upgrade" in str(problem) else "palace db status"
        yield Check("server", Verdict.PROBLEM, str(problem), remedy)
        yield from check_outbox(settings, database, settings.user)
        yield from check_hooks(settings)
        yield from _check_disk(settings)
        return
    yield Check("server", Verdict.OK, f"{database.address} answers")
    opened = OpenPalace(settings, database.of(find_user(database, settings.user)), settings.user, Embedders(settings))
    yield from _check_server(database)
    yield from _check_rows(opened)
    yield from check_names(opened)
    yield from check_lost(opened)
    yield from check_queue(opened)
    yield from check_outbox(settings, database, settings.user)
    yield from check_hooks(settings)
    yield _check_settings(opened)
    yield from _check_model(opened)
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
        faults = health.count_graph_faults(session)
    yield from _check_index(found, counts, languages)
    yield _check_graph(faults)
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
    """Say how many conversations wait for an index step, and why if it failed."""
    finding = f"{step.pending:,} conversations wait for the step {step.name}"
    if step.failed:
        finding += f", {step.failed:,} of them because it failed, last with: {step.failure}"
    return Check("pending", Verdict.WARNING, finding, "palace embeddings backfill")


def _check_index(found: health.Inventory, counts: Mapping[str, int], languages: Mapping[str, int]) -> Iterator[Check]:
    """Compare what can be made afresh from the drawers with the drawers."""
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
    """Say whether the graph follows from what was read."""
    if not any(found):
        return Check("graph", Verdict.OK, "none amiss")
    finding = (
        f"{found.unresolved:,} names stand for nothing, {found.nameless:,} entities have no name,"
        f" {found.unsupported:,} relations have no evidence,"
        f" {found.untold:,} names noted with drawers are told by none"
    )
    return Check("graph", Verdict.PROBLEM, finding, REMEDY)


def _check_settings(opened: OpenPalace) -> Check:
    """Say which of the user's own settings count for nothing, because another version wrote them, or disagree."""
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


def _check_disk(settings: Settings) -> Iterator[Check]:
    if settings.database_url:
        return
    folder = next(path for path in (settings.home_folder, *settings.home_folder.parents) if path.exists())
    free = shutil.disk_usage(Path(folder)).free
    finding = f"{free / (1 << 30):.1f} GB free at {settings.home_folder}"
    if free < SCARCE_BYTES:
        yield Check("disk", Verdict.WARNING, finding, "free some space, or set PALACE_HOME to a larger disk")
    else:
        yield Check("disk", Verdict.OK, finding)
