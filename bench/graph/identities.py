"""Which names are one, as labelled, and whether a palace has joined them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Set
from dataclasses import dataclass, field
from itertools import combinations

from bench.graph.words import OCCASIONS, PREPOSITIONS, SELVES, UNITS, Tokens, bare, contains, fold, stem, tokens

SELF = "I"


@dataclass(frozen=True, slots=True)
class Identity:
    """The names of one entity, and what must not be joined with it."""

    canonical: str
    """``SELF`` is the person whose palace it is."""
    type: str
    names: tuple[str, ...]
    never: tuple[str, ...] = ()

    @property
    def all_names(self) -> tuple[str, ...]:
        """The canonical one first, each once; not "I", which is no name."""
        every = dict.fromkeys((self.canonical, *self.names))
        return tuple(name for name in every if name != SELF)


class Names:
    """What a person's names stand for."""

    def __init__(self, identities: Iterable[Identity]) -> None:
        self._known: dict[Tokens, set[str]] = {}
        self._all: dict[str, tuple[str, ...]] = {}
        for each in identities:
            self._all[each.canonical] = each.all_names
            for name in each.all_names:
                self._known.setdefault(bare(name), set()).add(each.canonical)

    def canonicals(self, name: str) -> Set[str]:
        """Give the identities that a name may stand for; ``SELF`` for "I"; none where no label has it."""
        if fold(name).strip() in SELVES:
            return {SELF}
        words = bare(name)
        return self._known.get(words) or self._known.get(_without_occasion(words), set())

    def spellings(self, name: str) -> tuple[str, ...]:
        """List the name and all other names of what it stands for."""
        others = (other for known in sorted(self.canonicals(name)) for other in (known, *self._all.get(known, ())))
        return tuple(dict.fromkeys((name, *others)))

    def widened(self, words: Tokens) -> set[str]:
        """Give words, and those of the other names of what has its name among them."""
        named = {each for name, known in self._known.items() if contains(words, name) for each in known}
        return {*words, *(word for each in named for name in self._all[each] for word in tokens(name))}

    def same(self, found: Collection[str], labelled: str) -> bool:
        """Tell whether what is found under some names is what is labelled."""
        wanted = self.canonicals(labelled)
        known = {each for name in found for each in self.canonicals(name)}
        if wanted and known:
            return bool(wanted & known)
        if SELF in wanted | known:
            return False
        return any(same_value(name, labelled) for name in found)


def same_value(one: str, other: str) -> bool:
    """Compare what has no identity: by numbers, where there are any, and words; a noun may be told more fully."""
    first, second = _told(one), _told(other)
    numbers = [tuple(word for word in words if word[0].isdigit()) for words in (first, second)]
    if numbers[0] != numbers[1]:
        return False
    if numbers[0]:
        return _amounts_agree(first, second)
    return first == second or (_whose(one) == _whose(other) and _tells_more_fully(one, first, second))


@dataclass(slots=True)
class Joined:
    """How many names were joined, rightly and wrongly."""

    pairs: int = 0
    """Pairs of names of one identity."""
    rightly: int = 0
    apart: list[tuple[str, str]] = field(default_factory=list)
    """Those that were not joined, or not known at all."""
    strangers: int = 0
    """Pairs that must not be joined."""
    wrongly: list[tuple[str, str]] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """Names that should be joined and are not, or should not be and are."""
        return len(self.apart) + len(self.wrongly)

    def add(self, other: Joined) -> None:
        """Count another person's names with these."""
        self.pairs += other.pairs
        self.rightly += other.rightly
        self.apart += other.apart
        self.strangers += other.strangers
        self.wrongly += other.wrongly


def judge_joins(identities: Iterable[Identity], entities_of: Callable[[str], Set[int]]) -> Joined:
    """Count the pairs of names that a palace has joined; ``entities_of`` gives the entities that a name stands for.

    Names that must not be joined are those of ``never``, and those of one person's other identities of the type.
    """
    everyone = tuple(identities)
    found = Joined()
    for each in everyone:
        names = (*each.all_names, *([SELF] if each.canonical == SELF else ()))
        for one, other in combinations(names, 2):
            found.pairs += 1
            if entities_of(one) & entities_of(other):
                found.rightly += 1
            else:
                found.apart.append((one, other))
        for stranger in _strangers(each, everyone):
            found.strangers += 1
            # A name that stands for several is joined with none of them.
            known = [entities_of(name) for name in names]
            if any(len(one) == 1 and one <= entities_of(stranger) for one in known):
                found.wrongly.append((each.canonical, stranger))
    return found


def _strangers(of: Identity, everyone: tuple[Identity, ...]) -> tuple[str, ...]:
    own = {bare(name) for name in of.all_names}
    others = (other.canonical for other in everyone if other.canonical > of.canonical and other.type == of.type)
    return tuple(name for name in dict.fromkeys((*of.never, *others)) if bare(name) not in own)


def _told(text: str) -> Tokens:
    words = tuple(word for word in bare(text) if word not in UNITS)
    told = _without_occasion(words) or words
    return tuple(stem(word) if not word[0].isdigit() else word for word in told)


def _without_occasion(words: Tokens) -> Tokens:
    """Take "trip to" and the like off a name."""
    return tuple(word for word in words if word not in OCCASIONS and word not in ("to", "nach"))


def _whose(text: str) -> Tokens:
    before, mark, _ = fold(text).partition("'s ")
    return bare(before) if mark else ()


def _amounts_agree(first: Tokens, second: Tokens) -> bool:
    words = [{word for word in told if not word[0].isdigit()} for told in (first, second)]
    shorter, longer = sorted(words, key=len)
    return all(any(one.startswith(other) or other.startswith(one) for other in longer) for one in shorter)


def _tells_more_fully(text: str, first: Tokens, second: Tokens) -> bool:
    shorter, longer = sorted((first, second), key=len)
    if not shorter or len(shorter) == len(longer):
        return False
    if longer[-len(shorter) :] == shorter:
        return True
    # The head of a noun is its last word; of a name ("Derek Hughes") and before "in" or "of" it may be the first.
    is_name = text[:1].isupper() and len(tokens(text)) > 0
    return longer[: len(shorter)] == shorter and (is_name or longer[len(shorter)] in PREPOSITIONS)
