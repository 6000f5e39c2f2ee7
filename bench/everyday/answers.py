"""Filing palaces and asking them, as a program that embeds Palace does; what the answers came to, by set and kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean, median

from bench.everyday.sets import Asked, Load
from bench.retrieval.show import markdown
from palace import Palace, Palaces, Recollection, Strategy

GIVEN = 10
"""Hits that are looked at; a person sees five of them at first."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was given back for a question."""

    question: Asked
    hits: tuple[str, ...]
    """Ids of turns, best first; those that an earlier hit stands for are left out."""
    scores: tuple[float, ...]
    milliseconds: float
    given: tuple[str, ...] = ()
    """Ids of turns of what is given back where nobody says how much, of a question that wants all of its answers."""

    @property
    def all_in_ten(self) -> float:
        """The share of the answers that is among the first ten."""
        return len(self.question.answers & set(self.hits[:GIVEN])) / len(self.question.answers)

    @property
    def all_given(self) -> float:
        """The share of the answers that is in what is given back where nobody says how much."""
        return len(self.question.answers & set(self.given)) / len(self.question.answers)

    @property
    def rank(self) -> int | None:
        """Where the first answer stands, from 1; None where it is not among the hits."""
        return next((place for place, hit in enumerate(self.hits, start=1) if hit in self.question.answers), None)

    def within(self, places: int) -> bool:
        """Tell whether an answer is among the first so many."""
        return self.rank is not None and self.rank <= places


def ask_all(palaces: Palaces, user: str, load: Load, strategy: Strategy | None = None) -> Iterator[Found]:
    """File a palace where it is not there yet, and ask it all of its questions."""
    palace = palaces.palace(user, person=load.person or None)
    turns = file_load(palace, load)
    for question in load.questions:
        yield _ask(palace, turns, question, strategy)


def file_load(palace: Palace, load: Load) -> dict[str, str]:
    """File all talks, and map pointers to the ids of their turns."""
    return dict(_filed(palace, load))


def _filed(palace: Palace, load: Load) -> Iterable[tuple[str, str]]:
    for talk in load.talks:
        messages = [
            {"role": turn.role, "content": turn.text, "timestamp": turn.said_at.isoformat()} for turn in talk.turns
        ]
        summary = palace.file(messages, id=talk.id, title=talk.title)
        for turn, pointers in zip(talk.turns, summary.pointers, strict=True):
            for pointer in pointers:
                yield str(pointer), turn.id


def _ask(palace: Palace, turns: dict[str, str], question: Asked, strategy: Strategy | None) -> Found:
    found = palace.recall(question.text, top_k=GIVEN, now=question.at, strategy=strategy)
    scores, spent = tuple(hit.score for hit in found.hits), found.timings_ms["total"]
    given = palace.recall(question.text, now=question.at, strategy=strategy) if question.is_broad else found
    return Found(question, _turns(turns, found), scores, spent, _turns(turns, given))


def _turns(turns: dict[str, str], found: Recollection) -> tuple[str, ...]:
    """Give the ids of the turns that were found, each once."""
    return tuple(dict.fromkeys(turns[str(hit.drawer.pointer)] for hit in found.hits))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: shares in percent, None where there is nothing to be counted."""

    name: str
    count: int
    first: float | None = None
    """An answer stands first."""
    in_three: float | None = None
    in_five: float | None = None
    in_ten: float | None = None
    silent: float | None = None
    """Nothing was given back though there is an answer."""
    rightly_silent: float | None = None
    """Nothing was given back where there is none."""
    before_others: float | None = None
    """Of the statements about one thing, one that answers stands first."""
    milliseconds: float = 0.0
    all_in_ten: float | None = None
    """Of the answers to questions that want all of them, how many are among the first ten, on average."""
    all_given: float | None = None
    """How many are in what is given back where nobody says how much."""
    given: float | None = None
    """How many hits that is, on average."""


def score(name: str, found: Sequence[Found]) -> Row:
    """Count what was found for some questions."""
    answerable = [each for each in found if each.question.answers]
    unanswerable = [each for each in found if not each.question.answers]
    broad = [each for each in answerable if each.question.is_broad]
    rivals = [each for each in answerable if each.question.others]

    return Row(
        name,
        len(found),
        _share(answerable, lambda each: each.within(1)),
        _share(answerable, lambda each: each.within(3)),
        _share(answerable, lambda each: each.within(5)),
        _share(answerable, lambda each: each.within(10)),
        _share(answerable, lambda each: not each.hits),
        _share(unanswerable, lambda each: not each.hits),
        _share(rivals, is_before_others),
        median(each.milliseconds for each in found),
        100 * fmean(each.all_in_ten for each in broad) if broad else None,
        100 * fmean(each.all_given for each in broad) if broad else None,
        fmean(len(each.given) for each in broad) if broad else None,
    )


def by_kind(name: str, found: Sequence[Found]) -> list[Row]:
    """Count all questions of a set, then each kind of them."""
    kinds = dict.fromkeys(each.question.kind for each in found)
    rows = [score(name, found)]
    if len(kinds) > 1:
        rows += [score(f"{name}, {kind}", [each for each in found if each.question.kind == kind]) for kind in kinds]
    return rows


def is_before_others(found: Found) -> bool:
    """Tell whether an answer stands before whatever else is said about the same thing."""
    stated = [hit for hit in found.hits if hit in found.question.answers | found.question.others]
    return bool(stated) and stated[0] in found.question.answers


def table(rows: Iterable[Row]) -> str:
    """Write rows as a table of Markdown."""
    head = (
        *(
            "questions",
            "n",
            "first",
            "in 3",
            "in 5",
            "in 10",
            "wrongly silent",
            "rightly silent",
            "before others",
            "ms",
        ),
        *("all in 10", "all given", "hits given"),
    )
    return "\n".join(markdown(head, ([_cell(value) for value in astuple(row)] for row in rows)))


def _cell(value: str | float | None) -> str:
    return "–" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _share(found: Sequence[Found], is_so: Callable[[Found], bool]) -> float | None:
    return 100 * sum(map(is_so, found)) / len(found) if found else None
