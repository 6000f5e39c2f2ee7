"""The settings that are a user's own, or an agent's: one row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from palace.config.kinds import FLAG, LINE, Kind, Value, number, one_of, pairs, several, some_of, whole
from palace.errors import BadRequest

LARGEST_TOP_K = 1000
LONGEST_AGENT = 200
"""Characters of an agent's name."""
MOST_TOKENS = 100_000
"""Tokens of a block: as much as a window holds beside everything else."""
FLOORS = ("none", "low", "normal", "strict")
RULES = ("greeting", "tool", "knowledge")
QUERIES = ("local", "prepend", "llm", "rewrite", "hyde")
ASKING = ("llm", "rewrite", "hyde")
"""Ways to write a query that a language model takes part in."""
WORKING = ("none", "buffer_window", "token_window", "summary_buffer")
MOST_MESSAGES = 100_000
MOST_KEPT = 100_000_000
"""Tokens of a working memory."""
LEAST_SHARE = 0.01
SECRETS = "secrets_"
"""How settings begin that say what is taken out of messages."""
ACCOUNTS = ("show", "mask", "remove")
INJECTIONS = ("memory_context", "memories", "none")


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that somebody sets."""

    name: str
    kind: Kind
    means: str
    """One line for a person."""
    field: str
    """What it is called in the environment (``PALACE_…``, in capitals) and in ``config.toml``."""
    of_agents: bool = True
    """Whether an agent may have its own; what is of the whole palace has one value."""

    @property
    def is_of_secrets(self) -> bool:
        """Whether it says what is taken out of messages before they are filed."""
        return self.name.startswith(SECRETS)

    def check(self, value: object) -> Value:
        """Take a value.

        Raises:
            BadRequest: it may not be that.
        """
        try:
            return self.kind.check(value)
        except ValueError as problem:
            # What somebody lets pass may be a secret all the same.
            not_that = "" if self.is_of_secrets else f", not {_shown(value)}"
            raise BadRequest(f"{self.name} must be {self.kind.wanted}{not_that}") from problem

    def read(self, text: str) -> Value:
        """Take a value that is written as a text.

        Raises:
            BadRequest: it may not be that.
        """
        return self.check(self.kind.read(text))

    def accepts(self, value: object) -> bool:
        """Tell whether a value may be."""
        try:
            self.kind.check(value)
        except ValueError:
            return False
        return True


def _row(name: str, kind: Kind, means: str, *, field: str = "", of_agents: bool = True) -> Setting:
    return Setting(name, kind, means, field or name, of_agents)


SETTINGS: tuple[Setting, ...] = (
    _row("enabled", FLAG, "whether agents are given anything that is remembered"),
    _row("auto_mine", FLAG, "whether what is said to agents is filed by itself"),
    _row("top_k", whole(1, LARGEST_TOP_K), "hits that are given back; without it 5, up to 15 of all of a kind"),
    _row("floor", one_of(FLOORS), "how much is kept back for not being relevant"),
    _row("similarity_threshold", number(0, 1), "the similarity below which a hit is kept back; 0 keeps back none"),
    _row("use_rerank", FLAG, "whether a language model puts the hits in front that answer", field="rerank"),
    _row("rerank_model", LINE, "which one, as litellm names it"),
    _row("embedding_model", LINE, "the model that the palace is embedded with", of_agents=False),
    _row("gate", some_of(RULES), "which messages need no recall"),
    _row("query_strategy", one_of(QUERIES), "how a vague message becomes a query"),
    _row("query_model", LINE, "the language model that writes queries, where one is to"),
    _row(
        "injection", one_of(INJECTIONS), "the shape in which an agent is given what is recalled; none gives it no text"
    ),
    _row("injection_tokens", whole(1, MOST_TOKENS), "tokens that it takes at most"),
    _row("accounts", one_of(ACCOUNTS), "what models are given of account numbers"),
    _row("working_memory", one_of(WORKING), "what of a long conversation is sent with the next request"),
    _row("working_messages", whole(1, MOST_MESSAGES), "messages that buffer_window keeps"),
    _row("working_tokens", whole(1, MOST_KEPT), "tokens that token_window and summary_buffer keep"),
    _row("working_least", whole(1, MOST_MESSAGES), "messages that these keep in any case; without it 5 and 10"),
    _row("summary_model", LINE, "the language model that sums conversations up"),
    _row("summary_trigger", number(LEAST_SHARE, 1), "the share of the tokens above which it is asked to"),
    _row("summary_target", number(LEAST_SHARE, 1), "the share of them that is left then"),
    _row("summary_recent", number(LEAST_SHARE, 0.99), "the share of that which the latest messages have"),
    _row("secrets_off", several(500), "kinds and rules of secrets that are not heeded", of_agents=False),
    _row("secrets_allowed", several(10_000), "values that are never taken out of messages", of_agents=False),
    _row("secrets_patterns", pairs(100), "patterns of your own that are, by name", of_agents=False),
    _row("chat_model", LINE, "the language model that `palace chat` talks with"),
    _row("chat_api_base", LINE, "the address of a server of one's own that it runs on"),
    _row("forget_grace", number(0, 365), "days for which what is forgotten can be restored", of_agents=False),
)

_BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


def get_setting(name: object) -> Setting:
    """Get a setting by its name, in any case, dashes for underscores.

    Raises:
        BadRequest: there is none; the one most like it is named.
    """
    if not isinstance(name, str):
        raise BadRequest(f"the name of a setting must be a text, not {_shown(name)}")
    folded = name.strip().lower().replace("-", "_")
    if folded in _BY_NAME:
        return _BY_NAME[folded]
    by_field = {setting.field: setting.name for setting in SETTINGS}
    alike = get_close_matches(folded.removeprefix("palace_"), [*_BY_NAME, *by_field], n=1)
    meant = f": did you mean {by_field.get(alike[0], alike[0])!r}?" if alike else ""
    raise BadRequest(f"there is no setting {_shown(name)} of a user's own{meant} (`palace settings` lists them)")


def check_agent(agent: object) -> str:
    """Take an agent's name; None stands for the user's own settings and gives "".

    Raises:
        BadRequest: it is no name.
    """
    if agent is None:
        return ""
    name = " ".join(agent.split()) if isinstance(agent, str) else ""
    if not 0 < len(name) <= LONGEST_AGENT or not name.isprintable():
        raise BadRequest(f"agent must be a name of 1 to {LONGEST_AGENT} characters, not {_shown(agent)}")
    return name


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
