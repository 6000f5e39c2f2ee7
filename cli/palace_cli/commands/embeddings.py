"""``palace embeddings``: the models that index the palace."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from palace.records import BackfillSummary, FetchedModel
from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import administration, open_palace
from palace_cli.render.figures import embedded, money
from palace_cli.render.generations import generations_view
from palace_cli.render.layout import named_values

app = typer.Typer(help="See, complete and change the embeddings.")
app.callback(invoke_without_command=True)(options.help_when_alone)

Model = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="bundled/all-MiniLM-L6-v2, local:FOLDER, hf:OWNER/NAME, or litellm's name."),
]
Dimension = Annotated[
    int | None,
    typer.Option("--dimension", metavar="N", min=1, max=4000, help="Its dimension; asked of the model unless given."),
]


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
    if generations or as_json:
        output.present(generations, generations_view, as_json=as_json)
    if not generations:
        diagnostics.remark("nothing is embedded yet: palace mine FILE starts it")
    diagnostics.warn(unfinished)


@app.command("backfill")
def backfill(user: options.User = None, as_json: options.Json = False) -> None:
    """Embed what has no embedding yet; exit code 1 if some is left.

    \b
    palace embeddings backfill
    """
    with open_palace(user) as palace, diagnostics.progress() as progress:
        summary = palace.embeddings.backfill(progress=progress)
    output.present(summary, backfill_view, as_json=as_json)
    diagnostics.warn(summary.warnings)
    if summary.pending:
        raise typer.Exit(ExitCode.INCOMPLETE)


@app.command("switch")
def switch(model: Model, dimension: Dimension = None, user: options.User = None, as_json: options.Json = False) -> None:
    """Embed everything with another model, then use that one.

    Until then recall goes on with the old one. Interrupted or failed, the same command goes on; one with the
    old model takes it back.

    \b
    palace embeddings switch openai/text-embedding-3-small --dimension 512
    """
    with open_palace(user) as palace, diagnostics.progress() as progress:
        generation = palace.embeddings.switch(model, dimension=dimension, progress=progress)
    output.present(generation, lambda switched: generations_view((switched,)), as_json=as_json)


@app.command("fetch")
def fetch(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="hf:OWNER/NAME, a model with an ONNX file.")],
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Fetch a model from the Hugging Face hub, to be used offline then.

    \b
    palace embeddings fetch hf:sentence-transformers/all-mpnet-base-v2
    """
    with diagnostics.progress() as progress:
        fetched = administration(user).fetch_model(model, progress)
    output.present(fetched, fetched_view, as_json=as_json)


def fetched_view(fetched: FetchedModel) -> Table:
    """Show where a model is, and what it is called."""
    return named_values(
        [("model", fetched.model), ("dimension", str(fetched.dimension)), ("folder", str(fetched.folder))]
    )


def backfill_view(summary: BackfillSummary) -> Table:
    """Show what a backfill did."""
    return named_values(
        [
            ("passages", embedded(summary.embedded, summary.pending)),
            ("cost", money(summary.cost_usd)),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )
