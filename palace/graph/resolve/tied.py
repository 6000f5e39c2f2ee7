"""Names that are short for another in the same conversation without sharing its first word. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from palace.graph.names import (
    Sort,
    bare_words,
    family_of,
    fold_name,
    fullness,
    initials_of,
    may_be_called,
    may_be_courteous,
    sort_of,
)
from palace.graph.nouns import is_known, noun_of
from palace.graph.resolve.called import NounNames
from palace.graph.resolve.groups import Groups, Place
from palace.models.graph import Alias, Decision


def families_in(aliases: Sequence[Alias]) -> dict[str, str]:
    """Map the folded names of one conversation to the families in which they are resolved.

    The family of a name is its first word; a noun has its own. A name that is short for another in the conversation
    ("octavia" for "skoda octavia") gets the other's family; one that may be short for names of several families gets
    one of its own.
    """
    families: dict[str, str] = {}
    fuller: dict[str, list[Alias]] = defaultdict(list)
    for row in aliases:
        for sign in {*_endings(row.folded), *initials_of(row.folded)} if row.is_named and row.folded else ():
            fuller[sign].append(row)
    for row in aliases:
        own = family_of(row.folded) if row.is_named else _family_of_noun(row.folded)
        sort = sort_of(row.type)
        tied = {
            family_of(other.folded)
            for other in (fuller.get(" ".join(bare_words(row.folded)), ()) if row.is_named and row.folded else ())
            if sort_of(other.type) is sort and may_be_called(row.folded, other.folded, sort)
        }
        families[row.folded] = own if not tied else tied.pop() if len(tied) == 1 else f"{own} |"
    return families


def _endings(folded: str) -> Iterator[str]:
    """Yield the endings of a name, from its second word on."""
    words = bare_words(folded)
    return (" ".join(words[first:]) for first in range(1, len(words)))


def _family_of_noun(folded: str) -> str:
    """Return the family of a noun: "my mum" and "meine Mutter" have the same."""
    noun = noun_of(folded)
    return noun.noun if not noun.owner and is_known(noun.noun) else family_of(folded)


def join_tied(
    groups: Groups, families: Mapping[tuple[int, str], str], parted: frozenset[frozenset[str]], nouns: NounNames
) -> None:
    """Join rows of short names with the longer one in the same conversation.

    The same name in other conversations is joined as well, unless it means several. ``families`` has the family of each
    row.
    """
    tied = [
        place
        for place in groups.rows
        if families.get(place, "") not in ("", family_of(place.folded)) and not nouns.is_courtesy_of(place)
    ]
    forms: dict[tuple[str, Sort], list[Place]] = defaultdict(list)
    for place in tied:
        forms[place.folded, groups.sorts[place]].append(place)
    here: dict[tuple[int, Sort, str], list[Place]] = defaultdict(list)
    conversations = {place.conversation_id for place in tied}
    for place, row in groups.rows.items():
        if row.is_named and place.conversation_id in conversations:
            here[place.conversation_id, groups.sorts[place], family_of(place.folded)].append(place)
    for folded, sort in sorted(forms, key=lambda form: (tuple(-each for each in fullness(form[0])), form)):
        meant = {
            place: _meant_here(groups, place, here.get((place.conversation_id, sort, families[place]), ()), parted)
            for place in forms[folded, sort]
        }
        _join_form(groups, folded, sort, meant)


def _meant_here(groups: Groups, place: Place, beside: Sequence[Place], parted: frozenset[frozenset[str]]) -> int | None:
    """Return the group that a row is short for, among names ``beside`` it of its sort and family."""
    sort = groups.sorts[place]
    found = {
        groups.of(full)
        for full in beside
        if may_be_called(place.folded, full.folded, sort)
        and may_be_courteous(place.folded, full.folded)
        and frozenset((place.folded, full.folded)) not in parted
    }
    return found.pop() if len(found) == 1 else None


def _join_form(groups: Groups, folded: str, sort: Sort, meant: Mapping[Place, int | None]) -> None:
    """Join the rows of a name that are still separate; ``meant`` has the groups found in their conversations."""
    places = [place for place in groups.by_name[folded] if groups.sorts[place] is sort]
    by_itself = {
        group: all(each.folded == folded for each in groups.members(group)) for group in {*map(groups.of, places)}
    }
    alone = [place for place in places if by_itself[groups.of(place)]]
    everywhere = {target for target in meant.values() if target is not None}
    only = next(iter(everywhere)) if len(everywhere) == 1 else None
    joined: dict[int, list[Place]] = defaultdict(list)
    for place in alone:
        target = meant.get(place, only)
        if target is not None and place.conversation_id:
            joined[target].append(place)
    for target, places in joined.items():
        groups.join(groups.part(places), target)


def families_reached(
    families: Iterable[str], called: Sequence[tuple[int, str, str]], decisions: Iterable[Decision]
) -> frozenset[str]:
    """Return families with all that are tied to them, by claims ("my sister" called "Anna") and decisions.

    ``called`` is (conversation_id, folded noun, folded name), of all conversations.
    """
    ties: dict[str, set[str]] = defaultdict(set)
    pairs = [(noun, name) for _, noun, name in called]
    pairs += [(noun, noun_of(noun).noun) for _, noun, _ in called]
    pairs += [(fold_name(each.name), fold_name(each.other)) for each in decisions if each.undone_at is None]
    for one, other in pairs:
        ties[family_of(one)].add(family_of(other))
        ties[family_of(other)].add(family_of(one))
    reached: set[str] = set()
    ahead = list(families)
    while ahead:
        family = ahead.pop()
        if family not in reached:
            reached.add(family)
            ahead += ties.get(family, ())
    return frozenset(reached)
