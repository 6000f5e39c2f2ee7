"""The scope of recall, the candidates of its arms, and the features by which they are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from palace.models.place import PassageKey
from palace.models.recall import PlaceKind
from palace.models.source import Role


@dataclass(frozen=True, slots=True)
class Scope:
    """Filters of recall; every filter comes from the caller."""

    wing_ids: tuple[int, ...] | None = None
    """Only drawers in these wings; None for all, and no drawers if it is empty."""
    since: datetime | None = None
    until: datetime | None = None
    tools: bool = False
    """Whether to include arguments and results of tools."""
    role: Role | None = None
    """Only messages of this role."""
    speaker: str | None = None
    """Only messages of this speaker; case does not matter."""
    language: str | None = None
    """Only messages in this language (ISO 639-1), or assumed to be."""
    without_readers: tuple[str, ...] = ()
    """Nothing from conversations of these readers."""
    memories: tuple[str, ...] | None = None
    """Only memories of these types; None for drawers of any kind."""

    @property
    def is_confined(self) -> bool:
        """Whether it is limited to some wings: then nothing of other wings is shown."""
        return self.wing_ids is not None

    @property
    def is_never(self) -> bool:
        """Whether ``since`` and ``until`` exclude every moment."""
        return self.since is not None and self.until is not None and self.since >= self.until

    @property
    def places(self) -> dict[str, list[Any] | None]:
        """Return the parameters for wings and excluded readers in SQL statements."""
        wings = None if self.wing_ids is None else list(self.wing_ids)
        return {"wings": wings, "readers": list(self.without_readers) or None}

    @property
    def filters(self) -> dict[str, Any]:
        """Return the parameters for all filters except ``tools`` in SQL statements."""
        memories = None if self.memories is None else list(self.memories)
        by = {"role": self.role, "speaker": self.speaker, "language": self.language, "memories": memories}
        return {**self.places, "since": self.since, "until": self.until, **by}

    @property
    def is_open(self) -> bool:
        """Whether it filters nothing but tools."""
        return self == Scope(tools=self.tools)


class Candidate(NamedTuple):
    """A passage that an arm proposes."""

    key: PassageKey
    score: float
    """The arm's own score: cosine similarity, or BM25."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A standing statement of the person: an instruction, or what they always, never or preferably do."""

    key: PassageKey
    text: str
    similarity: float
    """Cosine similarity to the query."""
    said_at: datetime
    message: str = ""
    """The whole text of the drawer."""


QUESTION_SIGNS = "?？؟;"
"""Characters that end a question, in Latin, Chinese and Japanese, Arabic, and Greek script."""

WISHES = (
    "(?:i|we) (?:want|wish|need|hope|plan)|(?:i|we)(?:'d|’d| would) (?:like|love|prefer)"
    "|(?:i|we)(?:'|’| a)(?:m|re) looking|(?:ich|wir) (?:will|wollen|möchten?|brauchen?|suchen?|hätten? gerne?)"
)
"""Beginnings, in lower case, of a sentence after a question that explains its purpose."""

BARE_QUESTION = (
    r"^(?:wh(?:at|ich|om?|ose|en|ere|y)(?:['’]s)?|how|w(?:as|e[rnm]|ann|o(?:her|hin)?|arum|ie(?:so)?|elche[mnrs]?)"
    r"|qu(?:i|e|els?|elles?|and|oi)|où|pourquoi|comment|combien)[ ][^.!?。！:;,\n]{3,150}$"
)
"""A question without a question mark, in any case: a pattern for both Python and Postgres."""

LONGEST_QUESTION = 800
"""Bytes beyond which a text is taken to be more than a question."""

FARTHEST_ANSWER = 5
"""Turns after a question in which its answer is searched: it may be split, or come after a question back."""


@dataclass(frozen=True, slots=True)
class Alike:
    """How similar the statements of two drawers are."""

    likeness: float
    """Cosine of the vectors of each that are nearest to the query."""
    shares: bool = False
    """Whether they share a word that is rare in the palace; False where that was not checked."""
    naming: frozenset[int] = frozenset()
    """Ids of those that contain the kind of name that an answer needs; both where any answer will do."""
    changing: frozenset[int] = frozenset()
    """Ids of those that state a change."""
    is_of_one_number: bool = True
    """False where only one of them contains the number that the query asks about."""


@dataclass(slots=True, eq=False)  # a frozen one takes four times as long to make, hundreds of times a query
class Compared:
    """A drawer with all features for ranking, whichever arm proposed it."""

    passage: PassageKey
    """The passage that matches best; never a single sentence."""
    room_id: int
    turn: tuple[int, int]
    """Its conversation and position in it, by which neighbours are found."""
    is_person: bool
    """Whether the person said it, rather than an assistant, a system or a tool."""
    said_at: datetime
    speaks_of_it: bool
    """Whether it mentions a time that the query asks about."""
    similarity: float | None
    """Cosine similarity of its nearest vector; None if it has none, or the query has none."""
    keyword: float
    """BM25 of its best passage."""
    phrase: float
    """BM25 of pairs of adjacent words of the query."""
    coverage: float
    """Share of the query's rare-word weight in its best passage, in [0, 1]."""
    is_replaced: bool = False
    """Whether its source has another text now, or none."""
    replaced_by: int | None = None
    """Id of the drawer that replaced it."""
    asked: str | None = None
    """Its text, if that is short and ends like a question."""
    text: str | None = None
    """Its text, if that is short, and an assistant's or similar to the query."""
    speaker: str | None = None
    """Name of the speaker, if known; it is indexed in front of the text."""
    size: int = 0
    """Bytes of its text."""
    is_dated: bool = True
    """Whether its time is known; else it counts as said when its room began."""
    is_of_kind: bool = False
    """Whether it contains a noun of a kind that the query asks for."""
    is_empty: bool = False
    """Whether it answers nothing: it reports ignorance or completion, or asks what the query asks."""
    named: float = 0.0
    """Share of the query's rare-word weight that is missing from it but in the names of its places, in [0, 1]."""
    named_by: tuple[PlaceKind, ...] = ()
    """The places whose names hold those words, the narrowest first."""
    about: float = 0.0
    """How far it names the people and things of the query, weighted by rarity, in [0, 1]."""
    holds: float = 0.0
    """How far it states what the query asks about those, and was true at the time asked about, in [0, 1]."""
    names_kind: bool = False
    """Whether it names an entity of a kind that the query asks for."""

    @property
    def id(self) -> int:
        """Return the drawer's id."""
        return self.passage.drawer_id
