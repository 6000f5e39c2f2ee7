"""How turns are taken."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from palace.errors import BadRequest
from palace.records import FloorLevel, Scope
from palace.settings.personal.table import LARGEST_TOP_K
from palace.turns.gate import Rules
from palace.turns.injection.placing import PLACES, Place
from palace.turns.injection.writing import FORMATS, Format
from palace.turns.query.asking import Rewriter
from palace.working.kept import WorkingMemory

QueryStrategy = Literal["local", "prepend", "llm", "rewrite", "hyde"]
QUERY_STRATEGIES: tuple[QueryStrategy, ...] = ("local", "prepend", "llm", "rewrite", "hyde")
LONGEST_TURN_SECONDS = 600.0
LARGEST_BUDGET = 1_000_000


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
        _one_of("format", self.format, FORMATS)
        _one_of("place", self.place, PLACES)
        _one_of("strategy", self.strategy, QUERY_STRATEGIES)
        _one_of("floor", self.floor, tuple(FloorLevel))
        _share("least_similarity", self.least_similarity)
        _number("top_k", self.top_k, 1, LARGEST_TOP_K)
        _number("token_budget", self.token_budget, 1, LARGEST_BUDGET)
        _number("keep_days", self.keep_days, 1, 3650)
        _seconds("timeout", self.timeout)
        if self.working is not None and not callable(getattr(self.working, "keep", None)):
            raise BadRequest(f"working must be a working memory, not {type(self.working).__name__}: see TokenWindow")
        if self.scope is not None and not isinstance(self.scope, Scope):
            raise BadRequest(
                f"scope must be a Scope, as `palace.projects.of` gives it, not {type(self.scope).__name__}"
            )
        if self.strategy not in ("local", "prepend") and self.rewriter is None:
            raise BadRequest(
                f"the strategy {self.strategy!r} needs a model: give rewriter=palace.turns.rewriter(MODEL)"
            )


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise BadRequest(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def _seconds(name: str, value: object) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadRequest(f"{name} must be a number of seconds, not {value!r}")
    if not 0 < value <= LONGEST_TURN_SECONDS:
        raise BadRequest(f"{name} must be up to {LONGEST_TURN_SECONDS:g} seconds, not {value}")


def _share(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise BadRequest(f"{name} must be a number from 0 to 1, not {value!r}")


def _number(name: str, value: int | None, least: int, most: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadRequest(f"{name} must be a whole number from {least} to {most:,}, not {value!r}")
