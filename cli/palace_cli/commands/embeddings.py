"""``palace embeddings``: the models that index the palace."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from palace.models import BackfillSummary, FetchedModel, GenerationStatus
from palace_cli import diagnostics, options
from palace_cli.command import Administration, Palace, administered, answers, show
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import embedded, money
from palace_cli.render.layout import named_values
from palace_cli.render.server import generations_view

app = typer.Typer(help="See, complete and change the embeddings.")
app.callback(invoke_without_command=True)(options.help_when_alone)

Model = Annotated[
    str,
    argument("MODEL", "bundled/all-MiniLM-L6-v2, local:FOLDER, hf:OWNER/NAME, or litellm's name."),
]
Dimension = Annotated[
    int | None,
    option("--dimension", "Its dimension; asked of the model unless given.", "N", min=1, max=4000),
]


def fetched_view(fetched: FetchedModel) -> Table:
    return named_values(
        [("model", fetched.model), ("dimension", str(fetched.dimension)), ("folder", str(fetched.folder))]
    )


def switched_view(switched: GenerationStatus) -> Table:
    return generations_view((switched,))


def backfill_view(summary: BackfillSummary) -> Table:
    return named_values(
        [
            ("passages", embedded(summary.embedded, summary.pending)),
            ("cost", money(summary.cost_usd)),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )


@app.command("status")
def status(user: options.User = None, as_json: options.Json = False) -> None:
    """List the embedding models in use and what each still has to embed.

    Sentences are embedded as well, and passages that are found by their words alone are not: palace status counts each.

    \b
    palace embeddings status
    """
    with open_palace(user) as palace:
        generations = palace.embeddings.status()
        unfinished = palace.embeddings.unfinished()
    show(generations, generations_view, as_json=as_json, nothing="nothing is embedded yet: palace mine FILE starts it")
    diagnostics.warn(unfinished)


@app.command("backfill")
@answers(backfill_view, incomplete=lambda summary: summary.pending)
def backfill(palace: Palace) -> BackfillSummary:
    """Embed what has no embedding yet; exit code 1 if some is left.

    \b
    palace embeddings backfill
    """
    with diagnostics.progress() as progress:
        return palace.embeddings.backfill(progress=progress)


@app.command("switch")
@answers(switched_view)
def switch(palace: Palace, model: Model, dimension: Dimension = None) -> GenerationStatus:
    """Embed everything with another model, then use that one.

    Until then recall goes on with the old one. Interrupted or failed, the same command goes on; one with the
    old model takes it back.

    \b
    palace embeddings switch openai/text-embedding-3-small --dimension 512
    """
    with diagnostics.progress() as progress:
        return palace.embeddings.switch(model, dimension=dimension, progress=progress)


@app.command("fetch")
@answers(fetched_view, opens=administered)
def fetch(
    administration: Administration,
    model: Annotated[str, argument("MODEL", "hf:OWNER/NAME, a model with an ONNX file.")],
) -> FetchedModel:
    """Fetch a model from the Hugging Face hub, to be used offline then.

    \b
    palace embeddings fetch hf:sentence-transformers/all-mpnet-base-v2
    """
    with diagnostics.progress() as progress:
        return administration.fetch_model(model, progress)
