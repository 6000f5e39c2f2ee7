"""The options of turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

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
    """Options of turns: for all turns of a program, or for a single one."""

    memory: bool = True
    """Whether anything is recalled; messages are filed in any case."""
    files: bool = True
    """Whether messages are filed."""
    top_k: int | None = None
    """Hits in a block, at most; None means five, or up to 15 for a query that asks for all of a kind."""
    token_budget: int = 1500
    """Tokens of a block, at most."""
    format: Format = "memory_context"
    accounts: str = "mask"
    """How a block shows account numbers: "show", "mask" or "remove"."""
    place: Place = "user"
    """Where the block goes: before the text of the user's message, or into a system message before it."""
    timeout: float | None = None
    """Seconds that memory may take to begin a turn, and again to finish it; None means the setting
    ``turn_timeout_seconds`` (1.5)."""
    strategy: QueryStrategy = "local"
    """How the query for a vague message is written."""
    rewriter: Rewriter | None = None
    """The model that writes queries, if the strategy needs one (``palace.turns.rewriter``)."""
    rules: Rules = field(default_factory=Rules)
    """The rules of the gate."""
    floor: str = "normal"
    """The relevance below which hits are left out: "none", "low", "normal" or "strict"."""
    least_similarity: float = 0.0
    """From 0 to 1; hits with a lower similarity are left out."""
    tools: bool = False
    """Whether tool results are recalled as well."""
    model: str | None = None
    """The model whose tokens are counted; without its tokenizer they are estimated, rather too high."""
    wing: str | None = None
    """The wing where a new conversation is filed."""
    working: WorkingMemory | None = None
    """Chooses what of the history is sent; None means the setting ``working_memory``. Messages that are left out can
    still be recalled."""
    scope: Scope | None = None
    """The only part of the palace that is recalled from, as a project allows (``palace.projects.of(FOLDER).scope``)."""
    keep_days: int = 30
    """Days for which a block is repeated with its message in later requests."""

    @property
    def within(self) -> Scope:
        """Return the scope of recall."""
        scope = self.scope or Scope()
        return replace(scope, tools=scope.tools or self.tools)

    def __post_init__(self) -> None:
        """Validate the options.

        Raises:
            BadRequest: a value is invalid.
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


SomeOptions = TurnOptions | Mapping[str, Any] | None
"""Options of a turn; a mapping has some, and the settings the others."""
