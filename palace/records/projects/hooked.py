"""What a hook would answer a prompt, and why."""

from __future__ import annotations

from dataclasses import dataclass

from palace.records.place import Pointer


@dataclass(frozen=True, slots=True)
class HookHit:
    """A drawer that was found for a prompt, and how much it bears on that."""

    pointer: Pointer
    said: str
    """Its beginning, or what of it speaks most for it."""
    confidence: float | None
    """How likely it answers; None for an embedding model that this was not measured for."""
    coverage: float
    """The share of the prompt's words that it says, rarer ones counting for more."""
    bears: float
    """What is held against ``least``: both together, or for work the confidence alone."""
    is_kept: bool
    """Whether it would be put beside the prompt."""


@dataclass(frozen=True, slots=True)
class HookReason:
    """What a hook would answer a prompt in a session of its own, and what kept back the rest."""

    prompt: str
    project: str
    """The key of the project; "" where the folder has none."""
    wings: tuple[str, ...]
    """Names of the wings that it is recalled from."""
    gate: str
    """The rule of the gate that decided; "" where it was not asked."""
    gate_reason: str
    wants: str
    """What the prompt is taken to want: "asks_back", "asks", "error", "works" or "shows"; "" where it was not read."""
    least: float | None
    """What the best hit must bear on such a prompt; None where memory was not looked at."""
    hits: tuple[HookHit, ...]
    """What was found, the best first."""
    silent: str
    """Why nothing would be answered, on one line; "" where something would."""
    block: str
    """What would be put beside the prompt."""
