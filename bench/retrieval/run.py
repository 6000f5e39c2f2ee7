"""One run: a file, a haystack, a variant; mined, asked and logged, and taken up again where it was interrupted."""

from __future__ import annotations

import dataclasses
import re
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.harness import Figures, manifest, progress, revision
from bench.retrieval import product
from bench.retrieval.baselines import KINDS, Corpus, Options, rank
from bench.retrieval.dataset import Benchmark, Dataset, Haystack, Question
from bench.retrieval.embeddings import KeptEmbeddings
from bench.retrieval.log import Entry, Log, Ranking, entry_of
from palace import Administration, BadRequest, Embedder, Palace, Settings, Strategy

VARIANTS = Path(__file__).parents[1] / "variants"
PRODUCT = "product"
_IDENTITY = ("dataset", "haystack", "variant", "limit", "model", "revision")
"""What must be the same for a log to be gone on with."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to rank, as a file of ``bench/variants`` describes it."""

    name: str
    description: str
    ranking: str
    """``product``, or one of the baselines."""
    depth: int = 200
    """Drawers asked of the product to derive an order of sessions from."""
    shuffle_dates: bool = False
    """Whether each session gets another one's date before it is mined: a control, in palaces of its own."""
    options: Options = field(default_factory=Options)
    strategy: Strategy = field(default_factory=Strategy)
    """How the product is to recall, where not as it comes."""

    @property
    def is_product(self) -> bool:
        """Whether a palace is asked."""
        return self.ranking == PRODUCT


def _without(part: str, described: Figures) -> Variant:
    name = f"without-{part}"
    return Variant(name, f"The product, its fusion without: {part}.", PRODUCT, strategy=Strategy.of(described))


ABLATIONS: Mapping[str, Variant] = {
    variant.name: variant
    for variant in (
        *(_without(signal.name, {"weights": {signal.name: 0.0}}) for signal in Strategy().signals),
        _without("neighbours", {"neighbours": {"following": 0.0, "preceding": 0.0}}),
    )
}
"""The product without one thing that ranks at a time: every signal, and what else its fusion does."""


def load_variant(name: str, folder: Path = VARIANTS) -> Variant:
    """Read a variant by name.

    Raises:
        BadRequest: there is none of that name, or its file says something that is not understood.
    """
    path = folder / f"{name}.toml"
    if not path.exists() and name in ABLATIONS:
        return ABLATIONS[name]
    if not path.exists():
        known = ", ".join(sorted((*(each.stem for each in folder.glob("*.toml")), *ABLATIONS)))
        raise BadRequest(f"there is no variant {name!r}: one of {known}")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        own = {"options": Options(**found.get("options", {})), "strategy": Strategy.of(found.get("strategy", {}))}
        variant = Variant(**{**found, **own})
    except (TypeError, BadRequest, tomllib.TOMLDecodeError) as problem:
        raise BadRequest(f"{path}: {problem}") from problem
    if variant.name != name or variant.ranking not in (PRODUCT, *KINDS):
        raise BadRequest(f"{path}: name must be {name!r}, ranking one of {PRODUCT}, {', '.join(KINDS)}")
    return variant


@dataclass(frozen=True, slots=True)
class Run:
    """What is measured, and where what comes of it is kept."""

    benchmark: Benchmark
    dataset: Dataset
    haystack: str
    """``official`` or ``pooled``."""
    variant: Variant
    settings: Settings
    """Of the palace to measure in; the schema is the run's own."""
    embedder: Embedder
    out: Path
    limit: int | None = None

    @property
    def name(self) -> str:
        """The run's name, which its files bear."""
        cut = f"-first{self.limit}" if self.limit else ""
        return f"{self.dataset.name}-{self.haystack}-{self.variant.name}{cut}"

    @property
    def log(self) -> Log[Entry]:
        """The log of rankings."""
        return Log(self.out / "retrieval_logs" / f"{self.name}.jsonl", Entry)

    def kept_embeddings(self) -> KeptEmbeddings:
        """Give the embedder that embeds equal texts once."""
        return KeptEmbeddings(self.embedder, self.out / "embeddings")

    def palace(self, haystack: Haystack, embedder: Embedder | None = None) -> Palace:
        """Open a haystack's palace: it is a user of its own."""
        return Palace.open(self.settings, user=haystack.id, embedder=embedder or self.embedder)

    def by_haystack(self, questions: Sequence[Question]) -> Iterator[tuple[Haystack, list[Question]]]:
        """Group questions by the haystack they are asked of, in their order."""
        for name, asked in groupby(questions, key=lambda question: question.haystack):
            yield self.dataset.haystacks[name], list(asked)

    def manifest(self) -> Figures:
        """Say what this run is, on what it was measured, and what was wrong with the file."""
        variant = self.variant
        shown: Figures = {name: getattr(variant, name) for name in ("name", "ranking", "depth", "shuffle_dates")}
        shown["strategy"] = variant.strategy.describe()
        return {
            **manifest(self.dataset.name),
            "benchmark": self.benchmark.name,
            "dataset": {"name": self.dataset.name, "sha256": self.dataset.sha256},
            "haystack": self.haystack,
            "limit": self.limit,
            "questions": len(self.dataset.questions),
            "problems": self.dataset.problems.counts(),
            "variant": shown if variant.is_product else {**shown, "options": dataclasses.asdict(variant.options)},
            "model": self.embedder.model,
            "settings": self.settings.model_dump(mode="json", exclude={"home", "user", "database_schema"}),
            "revision": revision(),
        }


def schema_name(benchmark: str, haystack: str, sha256: str, *, shuffled: bool = False) -> str:
    """Name the schema of a file's palaces: another for another file or shuffled dates, the same for every variant."""
    dates = "shuffled_" if shuffled else ""
    return f"bench_{re.sub(r'[^a-z]', '_', benchmark)}_{haystack}_{dates}{sha256[:8]}"


def ingest(run: Run) -> dict[str, Any]:
    """Mine every haystack that is not mined yet; give what it came to, and the rate with the embedder in it."""
    Administration(run.settings).upgrade()
    embedder, folder = run.kept_embeddings(), run.out / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    started, mined = time.monotonic(), []
    for number, haystack in progress("mined", run.dataset.haystacks.values(), total=len(run.dataset.haystacks)):
        with run.palace(haystack, embedder) as palace:
            mined.append(product.mine(palace, haystack, run.benchmark.source(haystack), folder))
        if number % 20 == 0:
            embedder.save()
    embedder.save()
    new = [each for each in mined if each]
    drawers, seconds = sum(each.drawers for each in new), sum(each.seconds for each in new)
    return {
        "haystacks": len(mined),
        "haystacks_mined_before": len(mined) - len(new),
        "drawers": drawers,
        "passages": sum(each.passages for each in new),
        "seconds": round(time.monotonic() - started, 1),
        "drawers_per_second": round(drawers / seconds, 1) if seconds else None,
    }


def retrieve(run: Run, *, fresh: bool = False) -> Path:
    """Ask every question that is not in the log yet, a line each; give the log.

    Raises:
        BadRequest: the log that is there is of another run, and not to be replaced.
    """
    log = run.log
    log.begin(run.manifest(), _IDENTITY, fresh=fresh)
    asked = log.latest()
    waiting = [question for question in run.dataset.questions if question.id not in asked]
    rankings = _from_palace(run, waiting) if run.variant.is_product else _offline(run, waiting)
    for _, (question, ranking) in progress("asked", rankings, total=len(waiting)):
        log.append(entry_of(question, ranking, run.dataset.haystacks[question.haystack]))
    return log.path


def _from_palace(run: Run, questions: list[Question]) -> Iterator[tuple[Question, Ranking]]:
    # The model runs for every question, as it does for a person: what is kept of earlier runs would flatter the times.
    run.embedder.embed_queries(["ready"])
    variant = run.variant
    for haystack, asked in run.by_haystack(questions):
        with run.palace(haystack) as palace:
            places = product.Places.of(palace, haystack)
            for question in asked:
                yield question, product.ask(palace, places, question, depth=variant.depth, strategy=variant.strategy)


def _offline(run: Run, questions: list[Question]) -> Iterator[tuple[Question, Ranking]]:
    embedder = run.kept_embeddings()
    for haystack, asked in run.by_haystack(questions):
        corpus = Corpus(haystack, embedder, run.variant.options)
        for question in asked:
            yield question, rank(run.variant.ranking, corpus, question)
    embedder.save()
