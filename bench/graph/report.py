"""What a set came to, as figures and as lines of what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from bench.graph.identities import Joined
from bench.graph.measure import Found
from bench.graph.relations import Relations
from bench.graph.spans import Spans
from bench.graph.timelines import Answered, Verdict

TYPES = ("person", "place", "organisation", "event", "item", "project", "time")


def figures(found: Found) -> dict[str, Any]:
    """Give everything as numbers: shares in [0, 1], counts as they are."""
    return {
        "entities": span_figures(found.spans),
        "identities": _identities(found.joined),
        "relations": _relations(found.relations),
        "timelines": {
            "relations": _answers(found.through_relations),
            "recall": _answers(found.through_recall),
        },
    }


def span_figures(spans: Spans) -> dict[str, Any]:
    """Give what was found of names."""
    return {
        "labelled": spans.labelled.total(),
        "found": spans.found.total(),
        "span_f1": round(spans.f1, 4),
        "typed_f1": round(spans.typed_f1, 4),
        "exact_span_f1": round(spans.exact_f1, 4),
        "precision": _share(spans.right.total(), spans.found.total()),
        "recall": _share(spans.right.total(), spans.labelled.total()),
        "by_type": {
            type: {
                "labelled": spans.labelled[type],
                "found": spans.found[type],
                "typed_f1": round(spans.f1_of(type), 4),
            }
            for type in TYPES
            if spans.labelled[type] or spans.found[type]
        },
    }


def missed_lines(found: Found) -> Iterable[str]:
    """List what was missed, made up or is wrong."""
    yield from found.spans.missed
    yield from (f"apart   {one!r} and {other!r}" for one, other in found.joined.apart)
    yield from (f"joined  {one!r} and {other!r}, which are two" for one, other in found.joined.wrongly)
    yield from found.relations.missed
    for way, answers in (("relations", found.through_relations), ("recall", found.through_recall)):
        for each in answers:
            if each.verdict is not Verdict.RIGHT:
                day = f" as of {each.question.as_of}" if each.question.as_of else ""
                day += f", believed on {each.question.believed_on}" if each.question.believed_on else ""
                given = " / ".join(text.replace("\n", " ")[:60] for text in each.given)
                wanted = ", ".join(each.question.answer)
                yield f"{each.verdict:<7} {way} {each.question.id}: {each.question.text}{day}: {wanted}; given: {given}"


def _identities(joined: Joined) -> dict[str, Any]:
    return {
        "pairs": joined.pairs,
        "rightly_joined": joined.rightly,
        "share": _share(joined.rightly, joined.pairs),
        "strangers": joined.strangers,
        "wrongly_joined": len(joined.wrongly),
        "errors": joined.errors,
    }


def _relations(relations: Relations) -> dict[str, Any]:
    wanted, held = relations.wanted.total(), relations.held
    return {
        "labelled": wanted,
        "held": held,
        "precision": _share(relations.right, held),
        "recall": _share(relations.known.total(), wanted),
        "triple_precision": _share(relations.triples_right, held),
        "triple_recall": _share(relations.triples_known.total(), wanted),
        "by_kind": {
            kind: {
                "labelled": relations.wanted[kind],
                "precision": _share(relations.told_right[kind], relations.told[kind]),
                "recall": _share(relations.known[kind], relations.wanted[kind]),
                "triple_recall": _share(relations.triples_known[kind], relations.wanted[kind]),
            }
            for kind in sorted(relations.wanted | relations.told)
        },
        "by_predicate": {
            predicate: {"held": count, "right": relations.right_by[predicate]}
            for predicate, count in sorted(relations.held_by.items())
        },
        "must_nots": relations.must_nots.total(),
        "must_nots_stored": relations.stored.total(),
        "must_nots_share": _share(relations.stored.total(), relations.must_nots.total()),
        "must_nots_by_kind": {
            kind: {"labelled": count, "stored": relations.stored[kind]}
            for kind, count in sorted(relations.must_nots.items())
        },
    }


def _answers(answered: Sequence[Answered]) -> dict[str, Any]:
    found = Counter(each.verdict for each in answered)
    past = [each for each in answered if each.question.is_past]
    return {
        "asked": len(answered),
        **{each.value: found[each] for each in Verdict},
        "right_share": _share(found[Verdict.RIGHT], len(answered)),
        "stale_share": _share(found[Verdict.STALE], len(answered)),
        "right_share_of_the_past": _share(sum(each.verdict is Verdict.RIGHT for each in past), len(past)),
    }


def _share(count: int, whole: int) -> float | None:
    return round(count / whole, 4) if whole else None
