"""What a stranger tries with the palace in outline."""

from __future__ import annotations

from collections.abc import Callable

from palace import Palace
from palace.records.outline import DrawerMark, RoomMark
from tests.isolation.guess import Guess

OUTLINE: dict[str, tuple[Callable[[Palace, Guess], object], ...]] = {
    "outline.wings": (lambda p, g: p.outline.wings(), lambda p, g: p.outline.wings(after=1, limit=1)),
    "outline.wings_hold": (lambda p, g: p.outline.wings_hold([g.wing_record.id]),),
    "outline.rooms": (
        lambda p, g: p.outline.rooms(g.wing_record.id),
        lambda p, g: p.outline.rooms(g.wing_record.id, behind=RoomMark(None, 99)),
    ),
    "outline.closets": (lambda p, g: p.outline.closets(g.room_record.id),),
    "outline.drawers": (
        lambda p, g: p.outline.drawers(g.room_record.id),
        lambda p, g: p.outline.drawers(g.room_record.id, closet_id=None, behind=DrawerMark(-1, -1)),
    ),
    "outline.around": (lambda p, g: [p.outline.around(number, count=9) for number in range(1, 20)],),
    "outline.passages": (lambda p, g: [len(p.outline.passages(number)) for number in range(1, 20)],),
    "outline.find": (
        lambda p, g: p.outline.find(g.number),
        lambda p, g: p.outline.find(g.former_number),
        lambda p, g: p.outline.find(g.former_room),
        lambda p, g: p.outline.find(g.pointer),
        lambda p, g: p.outline.find(g.former_pointer),
    ),
    "outline.change": (lambda p, g: p.outline.change().drawers,),
}
