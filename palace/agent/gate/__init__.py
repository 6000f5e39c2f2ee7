"""The gate: whether a message needs memory at all."""

from palace.agent.gate.deciding import Classifier, Decision, Rules, gate
from palace.agent.gate.names import FoldedNames

__all__ = ["Classifier", "Decision", "FoldedNames", "Rules", "gate"]
