"""``palace embeddings``: the models that index the palace."""

from __future__ import annotations

import typer
from rich.table import Table

from palace.models import BackfillSummary, FetchedModel, GenerationStatus
from palace_cli import diagnostics
from palace_cli.command import Administration, Answer, Palace, administered, listing, subcommand
from palace_cli.options import argument, option
from palace_cli.render.figures import embedded
from palace_cli.render.layout import named_values
from palace_cli.render.server import generations_view

app = typer.Typer(help="See, complete and change the embeddings.")


def fetched_view(fetched: FetchedModel) -> Table:
    return named_values({"model": fetched.model, "dimension": str(fetched.dimension), "folder": fetched.folder})


def backfill_view(summary: BackfillSummary) -> Table:
    done = embedded(summary.embedded, summary.pending)
    return named_values({"passages": done, "cost": summary.cost_usd, "time": summary.seconds})


@listing(app, "status", generations_view, nothing="nothing is embedded yet: palace mine FILE starts it")
def status(palace: Palace) -> Answer:
    """List the embedding models in use and what each still has to embed.

    Sentences are embedded as well, and passages that are found by their words alone are not: palace status counts each.

    \b
    palace embeddings
    """
    return Answer(palace.embeddings.status(), warnings=palace.embeddings.unfinished())


@subcommand(app, "backfill", backfill_view, incomplete=lambda summary: summary.pending)
def backfill(palace: Palace) -> BackfillSummary:
    """Embed what has no embedding yet; exit code 1 if some is left.

    \b
    palace embeddings backfill
    """
    with diagnostics.progress() as progress:
        return palace.embeddings.backfill(progress=progress)


@subcommand(app, "switch", lambda switched: generations_view((switched,)))
def switch(
    palace: Palace,
    model: str = argument(
        "MODEL", "bundled/all-MiniLM-L6-v2, bundled/languages, local:FOLDER, hf:OWNER/NAME, or litellm's name."
    ),
    dimension: int | None = option(
        "--dimension", "Its dimension; asked of the model unless given.", "N", min=1, max=4000
    ),
) -> GenerationStatus:
    """Embed everything with another model, then use that one.

    Until then recall goes on with the old one. Interrupted or failed, the same command goes on; one with the
    old model takes it back.

    \b
    palace embeddings switch openai/text-embedding-3-small --dimension 512
    """
    with diagnostics.progress() as progress:
        return palace.embeddings.switch(model, dimension=dimension, progress=progress)


@subcommand(app, "fetch", fetched_view, opens=administered)
def fetch(
    administration: Administration,
    model: str = argument("MODEL", "hf:OWNER/NAME, a model with an ONNX file."),
) -> FetchedModel:
    """Fetch a model from the Hugging Face hub, to be used offline then.

    \b
    palace embeddings fetch hf:sentence-transformers/all-mpnet-base-v2
    """
    with diagnostics.progress() as progress:
        return administration.fetch_model(model, progress)
