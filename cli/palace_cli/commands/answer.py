"""``palace answer``: an answer to a question, with the drawers that support it."""

from __future__ import annotations

from datetime import datetime

from rich.console import Group
from rich.text import Text

from palace.models import QuestionAnswer
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import argument, option, since, until
from palace_cli.render.drawer import said
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, CITED


def answer(
    question: list[str] = argument("QUESTION...", "A question in plain words."),
    *,
    top_k: int = option("--top-k", "Most hits to answer from.", "N", default=10, min=1, max=1000),
    wing: options.Wing = None,
    since: datetime | None = since("--since", "Only what was said from then on."),
    until: datetime | None = until("--until", "Only what was said up to then; a date includes its day."),
    now: datetime | None = since("--now", "The time of the question, by default now. Filters nothing."),
    model: str | None = option("--model", "The language model; chat_model by default.", "MODEL"),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Answer a question, with the pointers of the drawers that support each statement.

    The setting chat_model or --model names the language model that writes the answer; it also says what the drawers do
    not say. Without a model, the answer is the best sentences of the drawers.

    \b
    palace answer "which battery did I buy, and what did it cost?"
    palace answer "where does Piet live now?" --model ollama/llama3.2
    """
    with open_palace(user, embeds_at_once=True) as palace:
        found = palace.answer(
            " ".join(question), top_k=top_k, wing=wing, since=since, until=until, now=now, model=model
        )
    output.present(found, _view, as_json=as_json)
    diagnostics.warn((*found.recollection.warnings, *found.warnings))
    if found.unknown and not as_json:
        by = "the model says it does not know: " if found.model else "not known: " if found.statements else ""
        diagnostics.remark(f"{by}{one_line(found.unknown)}")


def _view(found: QuestionAnswer) -> Group:
    drawers = {hit.drawer.pointer: hit.drawer for hit in found.recollection.hits}
    parts: list[Text] = []
    for each in found.statements:
        parts.append(Text(one_line(each.text)))
        parts += [
            Text.assemble(("  ", ""), (str(pointer), CITED), (f"  {said(drawers[pointer], now=None)}", ASIDE))
            for pointer in each.pointers
        ]
    return Group(*parts)
