"""The inner parts of hooks that tests take hold of, named in one place."""

from palace.doctor.hooks import check_hooks
from palace.hooks.answering import Ground, answer_request, rules_of
from palace.hooks.contract.reading import MOST_BYTES, Unintelligible, read
from palace.hooks.inbox.mining import InboxMiner
from palace.hooks.inbox.whose import OTHERS_SECONDS, place_of, where_of
from palace.hooks.serving.server import LONGEST_SECONDS, PLACES, Answer, HookServer

__all__ = [
    "LONGEST_SECONDS",
    "MOST_BYTES",
    "OTHERS_SECONDS",
    "PLACES",
    "Answer",
    "Ground",
    "HookServer",
    "InboxMiner",
    "Unintelligible",
    "answer_request",
    "check_hooks",
    "place_of",
    "read",
    "rules_of",
    "where_of",
]
