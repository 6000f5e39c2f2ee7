"""What recall looks at, what the arms propose, and what is known of each when it is ranked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from palace.models.place import PassageKey
from palace.models.source import Role


@dataclass(frozen=True, slots=True)
class Scope:
    """Where recall looks; what the caller gives filters, nothing else does."""

    wing_ids: tuple[int, ...] | None = None
    """Only what stands in one of these wings; None for all, nothing where it is empty."""
    since: datetime | None = None
    until: datetime | None = None
    tools: bool = False
    """Consider what tools were told and returned."""
    role: Role | None = None
    """Only what was said in this role."""
    speaker: str | None = None
    """Only what was said by a speaker of this name; case does not matter."""
    language: str | None = None
    """Only what is written in this language (ISO 639-1), or was taken to be."""
    without_readers: tuple[str, ...] = ()
    """Nothing of the conversations that these readers read."""

    @property
    def is_confined(self) -> bool:
        """Whether only some wings are looked at: then nothing is told that stands in others."""
        return self.wing_ids is not None

    @property
    def is_never(self) -> bool:
        """Whether no moment lies from ``since`` on and before ``until``."""
        return self.since is not None and self.until is not None and self.since >= self.until

    @property
    def places(self) -> dict[str, list[Any] | None]:
        """The wings and the readers left out, as statements take them."""
        wings = None if self.wing_ids is None else list(self.wing_ids)
        return {"wings": wings, "readers": list(self.without_readers) or None}

    @property
    def filters(self) -> dict[str, Any]:
        """All that filters but for tools, as statements take it."""
        by = {"role": self.role, "speaker": self.speaker, "language": self.language}
        return {**self.places, "since": self.since, "until": self.until, **by}

    @property
    def is_open(self) -> bool:
        """Whether nothing is filtered out but tools."""
        return self == Scope(tools=self.tools)


class Candidate(NamedTuple):
    """A passage that an arm proposes."""

    key: PassageKey
    score: float
    """The arm's own: cosine similarity, or BM25."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a person said that holds from then on: an instruction, or what they always, never or rather do."""

    key: PassageKey
    text: str
    similarity: float
    """To a query."""
    said_at: datetime


QUESTION_SIGNS = "?？؟;"
"""What ends a question, in Latin, Chinese and Japanese, Arabic, and Greek writing."""

WISHES = (
    "(?:i|we) (?:want|wish|need|hope|plan)|(?:i|we)(?:'d|’d| would) (?:like|love|prefer)"
    "|(?:i|we)(?:'|’| a)(?:m|re) looking|(?:ich|wir) (?:will|wollen|möchten?|brauchen?|suchen?|hätten? gerne?)"
)
"""How a sentence begins, in lower case, that says behind a question what it is asked for."""

BARE_QUESTION = (
    r"^(?:wh(?:at|ich|om?|ose|en|ere|y)(?:['’]s)?|how|w(?:as|e[rnm]|ann|o(?:her|hin)?|arum|ie(?:so)?|elche[mnrs]?)"
    r"|qu(?:i|e|els?|elles?|and|oi)|où|pourquoi|comment|combien)[ ][^.!?。！:;,\n]{3,150}$"
)
"""How a sentence begins, in any case, that may ask without a question mark: a pattern of Python and of Postgres."""

LONGEST_QUESTION = 800
"""Bytes beyond which a text is taken to tell something as well."""

FARTHEST_ANSWER = 5
"""Turns behind a question within which its answer is looked for: it may be split, asked back and made clear first."""


@dataclass(frozen=True, slots=True)
class Alike:
    """How far two drawers say the same kind of thing."""

    likeness: float
    """Cosine of what each says nearest to a query."""
    shares: bool = False
    """Whether both say a word that is rare in the palace; False where that was not looked for."""
    naming: frozenset[int] = frozenset()
    """Which of them, by id, name what an answer must; both where it may be anything."""
    changing: frozenset[int] = frozenset()
    """Which of them, by id, say that something is otherwise than it was."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A drawer compared with a query in every way that ranks it, whichever arm proposed it."""

    passage: PassageKey
    """The passage that speaks most for it; never a single sentence."""
    room_id: int
    turn: tuple[int, int]
    """Its conversation and its place in it: who stands next to whom."""
    is_person: bool
    """Whether the person said it, rather than an assistant, a system or a tool."""
    said_at: datetime
    speaks_of_it: bool
    """Whether it speaks of a time that the query asks for."""
    similarity: float | None
    """Of its nearest vector; None where it has none, or the query has none."""
    keyword: float
    """BM25 of its best passage."""
    phrase: float
    """The same, of the query's words that stand beside each other."""
    coverage: float
    """The share of the query's rare-word weight that one passage holds, in [0, 1]."""
    is_replaced: bool = False
    """Its source says something else in its place by now, or nothing."""
    replaced_by: int | None = None
    """The drawer that took its place, by id."""
    asked: str | None = None
    """Its text, where that is short and ends as a question does."""
    text: str | None = None
    """What it says, where that is short, and an assistant says it or it is near to the query."""
    is_empty: bool = False
    """Whether it answers nothing: it says that nothing is known or that it is done, or it asks what the query asks."""
    speaker: str | None = None
    """The name of who said it, where that is known; it is indexed in front of the text."""
    size: int = 0
    """Bytes of what it says."""
    is_dated: bool = True
    """Whether it is known when it was said; else it counts as said when its room began."""
    speaks_from: datetime | None = None
    """Where the earliest time begins that it speaks of; None where it speaks of none."""
    named: float = 0.0
    """The share of the query's rare-word weight that it lacks and the names of its places hold, in [0, 1]."""
    about: float = 0.0
    """How far it names whom and what the query names, rarer ones more, in [0, 1]."""
    holds: float = 0.0
    """How far it tells what the query asks about those, and held when it asks, in [0, 1]."""
    names_kind: bool = False
    """Whether it names what is known to be of a kind that the query asks for."""
    is_of_kind: bool = False
    """Whether it holds a noun of a kind that the query asks for."""

    @property
    def id(self) -> int:
        """The drawer's id."""
        return self.passage.drawer_id
