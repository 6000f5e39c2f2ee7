"""How turns are taken."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from palace.agent.context_window.windows import WorkingMemory
from palace.agent.gate import Rules
from palace.agent.inject import FORMATS, PLACES, Format, Place
from palace.agent.rewriting import Rewriter
from palace.config.settings import LARGEST_TOP_K
from palace.errors import BadRequest
from palace.models import FloorLevel, Scope

QueryStrategy = Literal["local", "prepend", "llm", "rewrite", "hyde"]
QUERY_STRATEGIES: tuple[QueryStrategy, ...] = ("local", "prepend", "llm", "rewrite", "hyde")
LONGEST_TURN_SECONDS = 600.0
LARGEST_BUDGET = 1_000_000
_CHOICES: dict[str, tuple[str, ...]] = {
    "format": FORMATS,
    "place": PLACES,
    "strategy": QUERY_STRATEGIES,
    "floor": tuple(FloorLevel),
}
_MOST = {"top_k": LARGEST_TOP_K, "token_budget": LARGEST_BUDGET, "keep_days": 3650}


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """How turns are taken; the same for all of a program's, or other ones for a single turn."""

    memory: bool = True
    """Whether anything is recalled; what is said is filed all the same."""
    files: bool = True
    """Whether what is said is filed."""
    top_k: int | None = None
    """Hits that a block has at most; unless given five, up to 15 where all of a kind is asked for."""
    token_budget: int = 1500
    """Tokens that a block has at most."""
    format: Format = "memory_context"
    accounts: str = "mask"
    """What a block shows of account numbers: "show", "mask" or "remove"."""
    place: Place = "user"
    """Where the block stands: in front of the words of the user's message, or as a system message before it."""
    timeout: float | None = None
    """Seconds that memory may take of a turn, and of finishing it, after which the caller goes on without; unless given
    those of the settings (``turn_timeout_seconds``, 1.5)."""
    strategy: QueryStrategy = "local"
    """How a vague message is asked."""
    rewriter: Rewriter | None = None
    """The model that writes queries, where the strategy takes one (``palace.turns.rewriter``)."""
    rules: Rules = field(default_factory=Rules)
    """Those of the gate."""
    floor: str = "normal"
    """How much is kept back: "none", "low", "normal" or "strict"."""
    least_similarity: float = 0.0
    """From 0 to 1; hits of less are kept back."""
    tools: bool = False
    """Whether what tools returned is recalled as well."""
    model: str | None = None
    """Whose tokens the budget counts; reckoned, rather too many, where its tokenizer is not at hand."""
    wing: str | None = None
    """The wing where a new conversation is filed."""
    working: WorkingMemory | None = None
    """What of the history is sent; unless given, what the settings say (``working_memory``).

    What is left out is recalled where it matters.
    """
    scope: Scope | None = None
    """Where is recalled, and nowhere else: what a project allows (``palace.projects.of(FOLDER).scope``)."""
    keep_days: int = 30
    """For how many days a block is repeated beside its message."""

    @property
    def within(self) -> Scope:
        """Where is recalled."""
        scope = self.scope or Scope()
        return replace(scope, tools=scope.tools or self.tools)

    def __post_init__(self) -> None:
        """Check them.

        Raises:
            BadRequest: one of them makes no sense.
        """
        self._check_values()
        if self.working is not None and not callable(getattr(self.working, "keep", None)):
            raise BadRequest(f"working must be a working memory, not {type(self.working).__name__}: see TokenWindow")
        if not isinstance(self.scope, Scope | None):
            raise BadRequest(
                f"scope must be a Scope, as `palace.projects.of` gives it, not {type(self.scope).__name__}"
            )
        if self.strategy not in ("local", "prepend") and self.rewriter is None:
            raise BadRequest(
                f"the strategy {self.strategy!r} needs a model: give rewriter=palace.turns.rewriter(MODEL)"
            )

    def _check_values(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise BadRequest(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")
        for name, most in _MOST.items():
            value = getattr(self, name)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and not (is_whole and 1 <= value <= most):
                raise BadRequest(f"{name} must be a whole number from 1 to {most:,}, not {value!r}")
        if not _is_number(self.least_similarity) or not 0 <= self.least_similarity <= 1:
            raise BadRequest(f"least_similarity must be a number from 0 to 1, not {self.least_similarity!r}")
        if self.timeout is not None and not _is_number(self.timeout):
            raise BadRequest(f"timeout must be a number of seconds, not {self.timeout!r}")
        if self.timeout is not None and not 0 < self.timeout <= LONGEST_TURN_SECONDS:
            raise BadRequest(f"timeout must be up to {LONGEST_TURN_SECONDS:g} seconds, not {self.timeout}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
