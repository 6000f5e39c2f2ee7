"""The turn loop: what an agent does with memory around each message of a person."""

from palace.turns.gate import Classifier, Decision, FoldedNames, Rules, gate
from palace.turns.query import Query, query

__all__ = ["Classifier", "Decision", "FoldedNames", "Query", "Rules", "gate", "query"]
