"""What observers are told of what Palace does: spans, figures and lines of the log, and never a word of anybody's."""

from __future__ import annotations

from palace.telemetry.operations import ModelCall, Operation, memory, model_call, work

__all__ = ["ModelCall", "Operation", "memory", "model_call", "work"]
