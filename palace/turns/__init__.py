"""The turn loop: what an agent does with memory around each message of a person."""

from palace.turns.gate import Classifier, Decision, FoldedNames, Rules, gate
from palace.turns.options import TurnOptions
from palace.turns.outbox import Emptied
from palace.turns.query import Query, query
from palace.turns.turn import Finished, Turn
from palace.turns.wrap import remember

__all__ = [
    "Classifier",
    "Decision",
    "Emptied",
    "Finished",
    "FoldedNames",
    "Query",
    "Rules",
    "Turn",
    "TurnOptions",
    "gate",
    "query",
    "remember",
]
