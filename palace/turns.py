"""The turn loop: what an agent does with memory around each message of a person."""

from palace.agent.gate import Classifier, Decision, FoldedNames, Rules, gate
from palace.agent.options import TurnOptions
from palace.agent.outbox import Emptied
from palace.agent.query import Query, query
from palace.agent.turn import Finished, Turn
from palace.agent.wrap import remember

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
