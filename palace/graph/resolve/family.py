"""Join names within a family: equal ones, shortened ones, and genitives with an s. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from palace.graph.names import (
    FESTIVAL,
    Sort,
    bare_words,
    family_of,
    fullness,
    may_stand_for,
    usual_name,
    without_genitive,
)
from palace.graph.resolve.called import NounNames
from palace.graph.resolve.groups import NOWHERE, Groups, Place
from palace.nlp.names.lexicon import given_names


class _Form(NamedTuple):
    """A name of one sort, with its rows."""

    folded: str
    sort: Sort
    places: tuple[Place, ...]


def join_families(groups: Groups, parted: frozenset[frozenset[str]], nouns: NounNames) -> None:
    """Join rows of the same name, short names with the fuller one they stand for, and genitives.

    A short name stands for the fuller one in its conversation, else for the only one that exists. An ambiguous one
    stays separate. ``parted`` are pairs of names that are never joined; ``nouns`` keeps apart people with the same
    first name.
    """
    for forms in _families(groups):
        done: dict[str, list[_Form]] = defaultdict(list)
        for _, level in groupby(forms, key=lambda form: fullness(form.folded)[0]):
            equal = list(level)
            for form in equal:
                _place(groups, form, _fuller(form, done, parted), nouns)
                for word in _words_of(form):
                    done[word].append(form)
            _join_genitives(groups, equal, parted)


def _families(groups: Groups) -> Iterator[list[_Form]]:
    """Yield the families of each sort, with their forms from the fullest to the barest."""
    places: dict[tuple[str, Sort], list[Place]] = defaultdict(list)
    for place in groups.rows:
        sort = groups.sorts[place]
        places[usual_name(place.folded) if sort is Sort.PLACE else place.folded, sort].append(place)
    families: dict[tuple[str, Sort], list[_Form]] = defaultdict(list)
    for (folded, sort), same in places.items():
        rows = [groups.rows[place] for place in same]
        # A mere noun has no family: only claims join it with a name. Times have none either.
        is_alone = sort is Sort.TIME or not any(row.is_named for row in rows)
        family = f"\n{folded}" if is_alone else family_of(folded)
        families[family, sort].append(_Form(folded, sort, tuple(same)))
    for key in sorted(families):
        yield sorted(families[key], key=lambda form: (tuple(-each for each in fullness(form.folded)), form.folded))


def _words_of(form: _Form) -> Iterator[str]:
    """Yield the words of a name, after "" as a key for all names."""
    return iter(dict.fromkeys(("", *form.folded.replace(",", "").split())))


def _second_word(form: _Form) -> str:
    """Return the second word, which every fuller name has too; "" if there is none that narrows the search."""
    words = bare_words(form.folded)
    return words[1] if len(words) > 1 and len(words[1]) > 1 and words[1] not in FESTIVAL else ""


def _fuller(form: _Form, done: Mapping[str, Sequence[_Form]], parted: frozenset[frozenset[str]]) -> list[_Form]:
    own = any(place.conversation_id == NOWHERE for place in form.places)
    return [
        each
        for each in done.get(_second_word(form), ())
        if may_stand_for(form.folded, each.folded, form.sort)
        and frozenset((form.folded, each.folded)) not in parted
        # A short name of the palace's owner stands only for their own full name.
        and (not own or any(place.conversation_id == NOWHERE for place in each.places))
    ]


def _place(groups: Groups, form: _Form, fuller: Sequence[_Form], nouns: NounNames) -> None:
    """Join each row of a form with the one that it stands for, and the remaining rows with each other."""
    left: list[int] = []
    # Choose for all rows before joining any, because joining changes the groups.
    standing = {each.folded: _standing(groups, each) for each in fuller}
    fitting = [_fitting(place, standing, nouns) for place in form.places]
    for place, found in zip(form.places, fitting, strict=True):
        if len(found) == 1:
            groups.join(groups.of(place), *found)
        else:
            left.append(groups.of(place))
    for group in left[1:]:
        groups.join(group, left[0])


def _standing(groups: Groups, form: _Form) -> dict[int | None, set[int]]:
    """Return the groups of a form by conversation, and all of them under None."""
    found: dict[int | None, set[int]] = defaultdict(set)
    for place in form.places:
        found[place.conversation_id].add(groups.of(place))
    return {None: set().union(*found.values()), **found}


def _fitting(place: Place, fuller: Mapping[str, Mapping[int | None, set[int]]], nouns: NounNames) -> set[int]:
    """Return the groups that a row may stand for: those in its conversation, or if there are none, all."""
    here: set[int] = set()
    anywhere: set[int] = set()
    for folded, standing in fuller.items():
        if not nouns.keeps_apart(place, folded, is_here=place.conversation_id in standing):
            here |= standing.get(place.conversation_id, set())
            anywhere |= standing[None]
    return here or anywhere


def _join_genitives(groups: Groups, forms: Sequence[_Form], parted: frozenset[frozenset[str]]) -> None:
    """Join "annas" with the only Anna, unless "Annas" is a known given name."""
    known = {form.folded: form for form in forms if form.sort is Sort.PERSON}
    for form in known.values():
        whose = known.get(without_genitive(form.folded))
        if whose is None or whose is form or form.folded in given_names():
            continue
        into = {groups.of(place) for place in whose.places}
        if len(into) == 1 and frozenset((form.folded, whose.folded)) not in parted:
            for place in form.places:
                groups.join(groups.of(place), *into)
