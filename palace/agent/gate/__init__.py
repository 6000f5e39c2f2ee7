"""The gate: decide whether a message needs recall."""

from palace.agent.gate.deciding import Classifier, Decision, FoldedNames, Rules, gate

__all__ = ["Classifier", "Decision", "FoldedNames", "Rules", "gate"]
