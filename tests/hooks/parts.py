"""The inner parts of hooks that tests take hold of, named in one place."""

from palace.doctor import check_hooks
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.caller_settings import OTHERS_SECONDS
from palace.hooks.miner import InboxMiner
from palace.hooks.prompt_kind import PromptKind, kind_of_prompt
from palace.hooks.relevance import CERTAIN, LEAST, least_of, relevant_hits
from palace.hooks.server import LONGEST_SECONDS, PLACES, Answer, HookServer
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
    "PromptKind",
    "Unintelligible",
    "answer_request",
    "check_hooks",
    "kind_of_prompt",
    "least_of",
    "place_of",
    "read_event",
    "relevant_hits",
    "rules_of",
]
