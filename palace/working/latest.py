"""Which messages are the latest that there is room for. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.working.exchanges import Exchange, Group


def latest(exchanges: Sequence[Exchange], *, room: int, least: int) -> list[Group]:
    """Choose the latest groups that fit, in the order in which they were said.

    ``room`` is what they may cost together; the latest ``least`` messages are chosen although they cost more. Where an
    exchange does not fit as a whole, its latest groups are chosen behind the user's message that it began with, which
    is left out only with all of them.
    """
    chosen: list[list[Group]] = []
    used = count = 0
    for head, *rest in reversed(exchanges):
        taken: list[Group] = []
        for group in reversed(rest):
            if count >= least and used + head.cost + group.cost > room:
                break
            taken.append(group)
            used, count = used + group.cost, count + group.size
        is_alone = not rest and (count < least or used + head.cost <= room)
        if not taken and not is_alone:
            break
        chosen.append([head, *reversed(taken)])
        used, count = used + head.cost, count + head.size
        if len(taken) < len(rest):
            break
    return [group for groups in reversed(chosen) for group in groups]
