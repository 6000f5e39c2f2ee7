"""What observers are told of what Palace does: spans, figures and lines of the log, and never a word of anybody's."""

from __future__ import annotations

from palace.telemetry.models import ModelCall, model_call
from palace.telemetry.operations import Operation, memory, work

__all__ = ["ModelCall", "Operation", "memory", "model_call", "work"]
