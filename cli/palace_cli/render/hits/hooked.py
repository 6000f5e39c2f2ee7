"""Why a hook answers a prompt as it does, step by step."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from palace.records import HookHit, HookReason
from palace_cli.render.layout import named_values
from palace_cli.render.visible import one_line, visible
from palace_cli.terminal.styles import ASIDE, HEADING

_WANTS = {
    "asks_back": "to know what was said or settled",
    "asks": "to know something",
    "error": "an error understood or mended",
    "works": "work done",
    "shows": "work done on what it shows",
}


def reason_view(reason: HookReason) -> RenderableType:
    """Show what each step said, what was found, and what would be answered."""
    gate = f"{reason.gate}: {reason.gate_reason}" if reason.gate else ""
    asked = "" if reason.least is None else f"{reason.least:.2f} of what bears most on it"
    steps = named_values(
        [
            ("project", reason.project or "none"),
            ("wings", ", ".join(reason.wings) or "none"),
            ("gate", gate),
            ("wants", _WANTS.get(reason.wants, "")),
            ("asks for", asked),
        ]
    )
    found = [line for hit in reason.hits for line in (_line(hit), Text(f"    {one_line(hit.said)}"))]
    said = Text(f"nothing is answered: {one_line(reason.silent)}", style=HEADING) if reason.silent else None
    answer = said or Group(Text("answered:", style=HEADING), Text(visible(reason.block)))
    return Group(steps, *found, answer)


def _line(hit: HookHit) -> Text:
    likely = "not measured" if hit.confidence is None else f"{hit.confidence:.2f}"
    kept = "kept" if hit.is_kept else "left out"
    return Text.assemble(
        (str(hit.pointer), HEADING),
        (f"  bears {hit.bears:.2f} (confidence {likely}, words {hit.coverage:.2f}), {kept}", ASIDE),
    )
