"""The tags of drawers: whom and what they are about, under the names that are in use now.

They are read from what drawers name and claim, and from names noted with them that the palace knows from elsewhere.
None is stored as such: whatever is merged, renamed or forgotten, they follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import tzinfo

from palace.db.database import UserSession
from palace.db.graph.tags import FoundTag, list_tags
from palace.graph.naming import SELF_KEY
from palace.models import Drawer, Hit, Tag, TagKind
from palace.models.claims import EntityType
from palace.nlp.aaak import day_told, in_order

MOST = 20
"""Of one drawer: those with a name first, then as they stand in it."""

AROUND = 120
"""Characters on either side of a time that tell whether it was or will be."""

KINDS = {
    EntityType.PERSON: TagKind.PERSON,
    EntityType.PLACE: TagKind.PLACE,
    EntityType.EVENT: TagKind.EVENT,
    EntityType.ITEM: TagKind.ITEM,
    EntityType.ORGANISATION: TagKind.ITEM,
    EntityType.PROJECT: TagKind.ITEM,
    EntityType.TIME: TagKind.TIME,
}


def with_tags(
    session: UserSession, drawers: Sequence[Drawer], zone: tzinfo, *, as_said: bool = False
) -> dict[int, Drawer]:
    """Map the ids of drawers to them with their tags; days are those in ``zone``.

    ``as_said`` tells nothing that others say: each has the name it has in the drawer's own conversation.
    """
    by_id = {drawer.id: drawer for drawer in drawers}
    found: dict[int, list[FoundTag]] = defaultdict(list)
    for one in list_tags(session, by_id, self_key=SELF_KEY, most=MOST, as_said=as_said):
        found[one.drawer_id].append(one)
    tagged = {
        drawer_id: replace(by_id[drawer_id], tags=tuple(in_order(_tag(one, by_id[drawer_id], zone) for one in each)))
        for drawer_id, each in found.items()
    }
    return by_id | tagged


def hits_with_tags(
    session: UserSession, hits: Iterable[Hit], zone: tzinfo, *, as_said: bool = False
) -> tuple[Hit, ...]:
    """Return hits whose drawers have their tags; those beside them have none."""
    kept = tuple(hits)
    tagged = with_tags(session, [hit.drawer for hit in kept], zone, as_said=as_said)
    return tuple(replace(hit, drawer=tagged[hit.drawer.id]) for hit in kept)


def _tag(one: FoundTag, drawer: Drawer, zone: tzinfo) -> Tag:
    kind = KINDS[one.type]
    if kind is not TagKind.TIME:
        return Tag(kind, one.name)
    around = ""
    if one.start is not None and one.end is not None:
        around = drawer.content[max(0, one.start - AROUND) : one.end + AROUND]
    return Tag(kind, day_told(drawer.content[one.start : one.end] or one.name, drawer.said_at, zone, around))
