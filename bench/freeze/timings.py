"""What mining and recall take, as ratios to the embedder; reported by ``compare``, never judged."""

from __future__ import annotations

from collections.abc import Iterator

from bench.freeze.context import Context, Line
from bench.scale import corpus, measure

DRAWERS, QUICK_DRAWERS = 1000, 200
QUERIES, QUICK_QUERIES = 100, 30


def timings(context: Context) -> Iterator[Line]:
    """Mine made-up texts against the embedder alone, then recall sentences of them against embedding the query."""
    drawers, count = (QUICK_DRAWERS, QUICK_QUERIES) if context.is_quick else (DRAWERS, QUERIES)
    with context.ground("timings") as ground:
        export = ground.folder / "export.jsonl"
        corpus.write_export(export, corpus.synthetic_conversations(), drawers=drawers)
        mined = measure.mining(ground.settings, export)
        yield {"id": "mining, to embedding the same passages", "ratio": round(1 / mined["ratio_to_raw"], 3)}
        queries = measure.own_sentences(ground.settings, count=count)
        steps = measure.recall(ground.settings, {"steps": queries})["steps"]
        embedding = steps["embed_ms"]["p50"]
        yield {"id": "embedding a query", "milliseconds": round(embedding, 2)}
        for name, measured in steps.items():
            if name.endswith("_ms"):
                ratios = {share: round(value / embedding, 3) for share, value in measured.items()}
                yield {"id": f"recall, {name.removesuffix('_ms')}", **ratios}
