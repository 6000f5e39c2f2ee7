"""The inner parts of hooks that tests take hold of, named in one place."""

from palace.doctor import check_hooks
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.caller_settings import OTHERS_SECONDS
from palace.hooks.miner import InboxMiner
from palace.hooks.server import PLACES, HookServer
from palace_hook.events import MOST_BYTES, Unintelligible, read_event
from palace_hook.notes import place_of

__all__ = [
    "MOST_BYTES",
    "OTHERS_SECONDS",
    "PLACES",
    "HookContext",
    "HookServer",
    "InboxMiner",
    "Unintelligible",
    "answer_request",
    "check_hooks",
    "place_of",
    "read_event",
]
