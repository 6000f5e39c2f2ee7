"""The gate: whether a message needs memory at all."""

from palace.agent.gate.deciding import Classifier, Decision, FoldedNames, Rules, gate

__all__ = ["Classifier", "Decision", "FoldedNames", "Rules", "gate"]
