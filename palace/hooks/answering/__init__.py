"""What a hook is answered: the wake-up view at the beginning of a session, what is recalled for a message."""

from palace.hooks.answering.responding import Ground, answer, answer_request
from palace.hooks.answering.ruling import rules_of

__all__ = ["Ground", "answer", "answer_request", "rules_of"]
