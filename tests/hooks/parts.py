"""The inner parts of hooks that tests take hold of, named in one place."""

from palace.doctor import check_hooks
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.askers import OTHERS_SECONDS
from palace.hooks.bearing import CERTAIN, LEAST, bearing_on, least_of
from palace.hooks.miner import InboxMiner
from palace.hooks.server import LONGEST_SECONDS, PLACES, Answer, HookServer
from palace.hooks.stance import Stance, stance_of
from palace.recall.instructions import rules_of
from palace_hook.events import MOST_BYTES, Unintelligible, read_event
from palace_hook.notes import place_of

__all__ = [
    "CERTAIN",
    "LEAST",
    "LONGEST_SECONDS",
    "MOST_BYTES",
    "OTHERS_SECONDS",
    "PLACES",
    "Answer",
    "HookContext",
    "HookServer",
    "InboxMiner",
    "Stance",
    "Unintelligible",
    "answer_request",
    "bearing_on",
    "check_hooks",
    "least_of",
    "place_of",
    "read_event",
    "rules_of",
    "stance_of",
]
