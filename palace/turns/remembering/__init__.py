"""Memory around a program's own calls of a model: recall before each, filing after it, the reply as it came."""

from palace.turns.remembering.remember import remember

__all__ = ["remember"]
