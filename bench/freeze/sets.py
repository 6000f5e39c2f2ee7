"""The sets of `bench`: what is asked every day, gate, secrets, instructions, the graph and kinds, prompts of hooks.

Of the halves that are kept apart, items are written like any other, and no figure is shown by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from bench.everyday import languages as spoken
from bench.everyday.answers import Found, ask_all, is_before_others
from bench.everyday.sets import PARTS, SIZES, Load, read_loads
from bench.freeze.context import STRATEGY, Context, Line
from bench.gate import judge
from bench.gate import read_messages as read_labelled
from bench.graph.held import Graph, read_graph
from bench.graph.identities import Names
from bench.graph.kinds import measure_kinds
from bench.graph.measure import Found as Judged
from bench.graph.measure import days_said, file_all, judge_user
from bench.graph.relations import corrected_by, dates_agree, says
from bench.graph.report import figures
from bench.graph.sets import LabelledSet, read_kinds, read_set
from bench.graph.spans import Spans
from bench.graph.spans import judge as judge_spans
from bench.graph.timelines import Verdict
from bench.hooks import prompts
from bench.hooks.filled import Filled, filled
from bench.hooks.talks import HOME
from bench.secrets import measure, read_messages
from palace import Palaces
from palace.nlp.instructions import gives_instruction
from palace.nlp.secrets import redact

BENCH = Path(__file__).parents[1]
QUICK_SIZES = (1, 10, 40)
_POINTER = re.compile(r"W-\d+/R-\d+(?:/D-\d+)?")


def digest(text: str) -> str:
    """Stand for a text that is not to be kept."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def everyday(context: Context) -> Iterator[Line]:
    """Ask the everyday sets; the quick ones without the largest palaces."""
    with context.ground("everyday") as ground, ground.palaces() as palaces:
        for part in PARTS:
            for language in ("en", "de"):
                for group, load in read_loads(part, language, sizes=QUICK_SIZES if context.is_quick else SIZES):
                    yield from _asked(palaces, f"{part} {language} {group}", f"{part}-{language}-{load.name}", load)


def languages(context: Context) -> Iterator[Line]:
    """Ask ten languages, by everything and by words alone."""
    words_alone = replace(STRATEGY, arms=spoken.WORDS_ALONE.arms)
    with context.ground("languages") as ground, ground.palaces() as palaces:
        for part in PARTS:
            for load in spoken.loads(part):
                for way, strategy in (("everything", STRATEGY), ("words alone", words_alone)):
                    answers = ask_all(palaces, f"{part}-{load.name}", load, strategy)
                    for found in answers:
                        group = f"{part} {load.name} {found.question.kind} {way}"
                        yield _everyday_line(f"{part} {load.name} {way} {found.question.id}", group, found)


def _asked(palaces: Palaces, group: str, user: str, load: Load) -> Iterator[Line]:
    for found in ask_all(palaces, user, load):
        yield _everyday_line(f"{user} {found.question.id} {found.question.kind}", group, found)


def _everyday_line(name: str, group: str, found: Found) -> Line:
    hits = [[hit, round(score, 4)] for hit, score in zip(found.hits, found.scores, strict=False)]
    line: Line = {"id": name, "of": group, "hits": hits, "scores": _everyday_scores(found)}
    return line | ({"given": found.given} if found.question.is_broad else {})


def _everyday_scores(found: Found) -> dict[str, float]:
    if not found.question.answers:
        return {"rightly silent": float(not found.hits)}
    scores = {"first": found.within(1), "in three": found.within(3), "in five": found.within(5)}
    scores["wrongly silent"] = not found.hits
    if found.question.others:
        scores["before others"] = is_before_others(found)
    given = {"all given": round(found.all_given, 4)} if found.question.is_broad else {}
    return {name: float(value) for name, value in scores.items()} | given


def gate(context: Context) -> Iterator[Line]:  # noqa: ARG001
    """Have the gate judge every message of its sets."""
    for file in sorted((BENCH / "gate" / "sets").glob("*.jsonl")):
        for number, each in enumerate(judge(read_labelled(file)), 1):
            needed, decision = each.labelled.needs_memory, each.decision
            figure = "needed and searched" if needed else "not needed and skipped"
            yield {
                "id": f"{file.stem} {number}",
                "of": file.stem,
                "searched": decision.searched,
                "rule": decision.rule,
                "scores": {figure: float(decision.searched is needed)},
            }


def secrets(context: Context) -> Iterator[Line]:  # noqa: ARG001
    """Redact every message of the sets with planted secrets."""
    for file in sorted((BENCH / "secrets" / "sets").glob("*.jsonl")):
        for number, message in enumerate(read_messages(file), 1):
            found = measure([message])
            share = found.found / found.planted if found.planted else 1.0 - found.false
            yield {
                "id": f"{file.stem} {number}",
                "of": file.stem,
                "found": [[each.start, each.end, each.kind] for each in redact(message.text).findings],
                "scores": {"found" if found.planted else "left alone": round(share, 4)},
            }


def instructions(context: Context) -> Iterator[Line]:  # noqa: ARG001
    """Judge which sentences are instructions that stand; prompts that ask for work at hand are none."""
    said = [(each.id, f"{each.half} {each.kind}", each.text, each.stands) for each in prompts.read_instructions()]
    asked = [(each.id, f"{each.half} prompts", each.prompt, False) for each in prompts.read_prompts("no_memory")]
    for name, group, text, stands in said + asked:
        taken = gives_instruction(text)
        yield {"id": name, "of": group, "taken": taken, "scores": {"right": float(taken is stands)}}


def graph(context: Context) -> Iterator[Line]:
    """File the labelled sets and judge names, relations and answers; then ask by kinds of things."""
    sessions = context.data / "longmemeval" / "sessions.jsonl.gz"
    for folder in sorted(path.parent for path in (BENCH / "graph" / "sets").glob("*/conversations.jsonl")):
        # A server for each: every set has its users, and the kinds are filed for one of the same name.
        with context.ground("graph") as ground, ground.palaces() as palaces:
            yield from graph_of(palaces, read_set(folder, sessions))
            if (folder / "kinds.jsonl").exists():
                yield from _kinds(palaces, folder)


def graph_of(palaces: Palaces, labelled: LabelledSet) -> Iterator[Line]:
    """File one labelled set and judge it: a line a message, a fact, a question and a user, one for all figures."""
    found = Judged()
    for user in labelled.users:
        palace = palaces.palace(user)
        held = read_graph(palace, file_all(palace, labelled.conversations_of(user)).turns)
        judge_user(found, labelled, user, palace, held)
        yield from _names(labelled, user, held)
        yield from _relations(labelled, user, held)
    for way, answers in (("relations", found.through_relations), ("recall", found.through_recall)):
        for each in answers:
            is_right, is_stale = each.verdict is Verdict.RIGHT, each.verdict is Verdict.STALE
            yield {
                "id": f"{labelled.folder.name} {way} {each.question.id}",
                "of": labelled.folder.name,
                "verdict": each.verdict.value,
                "given": [digest(text) for text in each.given],
                "scores": {f"right through {way}": float(is_right), f"stale through {way}": float(is_stale)},
            }
    counted = figures(found)
    yield {"id": f"{labelled.folder.name} figures", **{name: counted[name] for name in counted if name != "throughput"}}


def _names(labelled: LabelledSet, user: str, held: Graph) -> Iterator[Line]:
    turns = {turn: label for label in labelled.names if (turn := label.turn) in days_said(labelled, user)}
    for turn, label in turns.items():
        counts, spans = Spans(), held.spans.get(turn, ())
        judge_spans(counts, "", label.wanted, label.optional, spans)
        yield {
            "id": f"{labelled.folder.name} names {turn[0]} {turn[1]}",
            "of": labelled.folder.name,
            "names": sorted([each.start, each.end, each.type] for each in spans),
            "scores": {"names, F1": round(counts.f1, 4), "names, typed F1": round(counts.typed_f1, 4)},
        }


def _relations(labelled: LabelledSet, user: str, held: Graph) -> Iterator[Line]:
    said, names = days_said(labelled, user), Names(labelled.identities_of(user))
    facts = [fact for fact in labelled.facts_of(user) if not fact.must_not]
    now = [each for each in (*held.relations, *held.namings) if each.superseded_at is None]
    for fact in facts:
        same, others = [each for each in now if says(names, each, fact)], corrected_by(names, fact, facts)
        known = any(dates_agree(each, fact, said, others) for each in same)
        yield {
            "id": f"{labelled.folder.name} fact {fact.id}",
            "of": labelled.folder.name,
            "scores": {"facts held": float(known), "facts held, whatever the dates": float(bool(same))},
        }
    written = sorted(f"{each.predicate} {digest(str(each))}" for each in held.relations)
    yield {"id": f"{labelled.folder.name} relations of {user}", "held": len(written), "relations": written}


def _kinds(palaces: Palaces, folder: Path) -> Iterator[Line]:
    _, answers = measure_kinds(palaces, read_kinds(folder), [])
    for number, each in enumerate(answers, 1):
        yield {
            "id": f"{folder.name} kinds {number}",
            "of": f"{folder.name} kinds",
            "hits": each.hits,
            "scores": {"all in ten": each.all_in_ten, "share in ten": round(each.share_in_ten, 4)},
        }


def hooks(context: Context) -> Iterator[Line]:
    """Ask every prompt of the hooks' sets in a session of its own."""
    with context.ground("hooks") as ground, filled(ground.settings.home_folder, strategy=STRATEGY) as palace:
        for each in (each for name in prompts.PROMPTS for each in prompts.read_prompts(name)):
            yield _hook_line(palace, each)


def _hook_line(palace: Filled, asked: prompts.Prompt) -> Line:
    block = palace.ask(asked, f"asked-{asked.id}").replace(str(palace.folders), HOME)
    return {
        "id": asked.id,
        "of": f"{asked.half} {asked.set.title().replace('_', '')} {asked.kind}".strip(),
        "drawers": _POINTER.findall(block),
        "characters": len(block),
        "block": digest(block),
        "scores": _hook_scores(block, asked),
    }


def _hook_scores(block: str, asked: prompts.Prompt) -> dict[str, float]:
    if asked.set == "other_client":
        return {"no leak": float(not prompts.leaks(block, asked))}
    if asked.set == "sibling":
        return {"nothing of the other project": float(not prompts.is_right(block, asked))}
    if asked.answers:
        return {"right": float(prompts.is_right(block, asked)), "given": float(bool(block))}
    return {"silent": float(not block)}
