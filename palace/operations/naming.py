"""Find an entity by a name that a person types."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial

from palace.db.database import UserSession
from palace.db.graph.asked import NamedEntity, get_named, list_going_by
from palace.db.graph.listing import find_called, get_entities, list_names
from palace.errors import BadRequest, NotFound
from palace.graph.names import SELF_KEY, TIMES, fold_name
from palace.models import intake
from palace.models.claims import EntityType
from palace.models.graph import Entity
from palace.models.intake import repair
from palace.nlp.spelling import did_you_mean

LONGEST = 200
"""Characters of a name."""
SELVES = frozenset((SELF_KEY, "me", "myself", "ich", "mich"))
_TYPED = re.compile(r"(?s)(?P<name>.*\S)\s+\((?P<type>[a-z]+)\)")


def name_given(what: str, value: object) -> str:
    """Return a name that a person typed, with single spaces.

    Raises:
        BadRequest: it is no string, has neither letters nor digits, or is longer than a name.
    """
    # A terminal may pass characters that the database cannot hold: they match nothing, but are no error.
    name = " ".join(repair(intake.text(what, value))[0].split())
    if not fold_name(name):
        raise BadRequest(f"{what} must be a name, with a letter or a digit in it")
    if len(name) > LONGEST:
        raise BadRequest(f"{what} has {len(name):,} characters, a name has {LONGEST} at most")
    return name


def find_entity(
    session: UserSession, name: str, *, person: Sequence[str] = (), where: Collection[int] | None = None
) -> Entity:
    """Find an entity as ``find_named`` does; return it with its aliases and mentions."""
    return get_entities(session, [find_named(session, name, person=person, where=where).id])[0]


def find_named(
    session: UserSession, name: str, *, person: Sequence[str] = (), where: Collection[int] | None = None
) -> NamedEntity:
    """Find an entity by its name, else by one of its aliases; case and accents do not matter.

    A type as in "Austin (place)" selects among several; otherwise the only one with a proper name is chosen. ``person``
    are the names of the palace's owner. Aliases in the conversations ``where`` take precedence over everything else.

    Raises:
        NotFound: there is none; the message suggests similar names.
        BadRequest: there are several.
    """
    typed = _TYPED.fullmatch(name)
    type_ = typed["type"] if typed and typed["type"] in set(EntityType) else None
    folded = fold_name(typed["name"]) if typed and type_ else fold_name(name)
    if folded in SELVES or (folded in map(fold_name, person) and not list_going_by(session, folded)):
        folded = SELF_KEY
    ways: list[Callable[[UserSession, str], list[NamedEntity]]] = [list_going_by, _list_called]
    if where is not None:
        ways.insert(0, partial(_list_called, where=where))
    for find in ways:
        found = find(session, folded) or find(session, TIMES + folded)
        wanted = [each for each in found if type_ is None or each.type.value == type_]
        wanted = [each for each in wanted if each.is_named] or wanted
        if len(wanted) == 1:
            return wanted[0]
        if wanted:
            raise BadRequest(f"{name!r} may be {_listed(wanted)}: say which")
    raise NotFound(_unknown(session, name))


def _list_called(session: UserSession, folded: str, where: Collection[int] | None = None) -> list[NamedEntity]:
    return get_named(session, find_called(session, folded, where=where))


def shown(entity: Entity | NamedEntity) -> str:
    """Return an entity's name with its type: "Austin (place)"."""
    return f"{entity.name} ({entity.type})"


def _listed(entities: Sequence[NamedEntity]) -> str:
    names = [repr(shown(each)) for each in entities[:5]]
    more = [f"{len(entities) - 5} more"] if len(entities) > 5 else []
    return " or ".join(names + more)


def _unknown(session: UserSession, name: str) -> str:
    meant = did_you_mean(name, list_names(session))
    return f"nobody and nothing is called {name!r}{meant} (`palace entities` lists who and what is known)"
