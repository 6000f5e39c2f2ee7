"""Neighbourhoods made by hand, as a palace gives them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC

from palace.graph.walk import walk
from palace.graph.wording import entry, in_order, standing, when
from palace.models import EntityType, Link, Member, Neighbourhood, Relation
from tests.graph.relations_made import IDS, SEEN_FROM

__all__ = ["around", "entry", "in_order", "standing", "when"]


def around(name: str, relations: Sequence[Relation], *, hops: int = 2, most: int = 60) -> Neighbourhood:
    """Give what stands around an entity; all of them are items."""

    def of(ids: Collection[int]) -> list[Relation]:
        return [each for each in relations if each.subject_id in ids or each.object_id in ids]

    found = walk((IDS[name], name), of, hops=hops, most=most)
    members = [
        Member(each.name, EntityType.ITEM if each.entity_id else None, each.hops, each.entity_id)
        for each in found.reached
    ]
    links = [
        Link(one, other, each, when(each, UTC, SEEN_FROM), standing(each, SEEN_FROM))
        for one, other, each in found.links
    ]
    return Neighbourhood(SEEN_FROM, hops, tuple(members), tuple(links), found.left_out)
