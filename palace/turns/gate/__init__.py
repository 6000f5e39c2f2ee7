"""The gate: whether a message needs memory at all."""

from palace.turns.gate.deciding import Classifier, Decision, Rules, gate
from palace.turns.gate.names import FoldedNames

__all__ = ["Classifier", "Decision", "FoldedNames", "Rules", "gate"]
