"""Keeping what is restored out of a wing that has its wing's name by now, and is some project's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from shlex import quote

from palace.files.hidden import HiddenParts
from palace.files.lines import WingLine
from palace.projects import numbered
from palace.store.database import UserSession
from palace.store.filing.places import find_wing
from palace.store.projects.held import is_projects
from palace.store.transfer.places import find_same_wing, is_made_of
from palace.text.slug import slugify


@dataclass(frozen=True, slots=True)
class Apart:
    """What is to be filed again, each in the wing that it may stand in."""

    parts: Sequence[HiddenParts]
    told: tuple[str, ...]
    """Which wings are called otherwise than they were, and why."""


def keep_apart(session: UserSession, parts: Sequence[HiddenParts]) -> Apart:
    """Give each wing that is gone a name which is no other's project's: that would recall what is restored."""
    lines = {each.wing.number: each.wing for each in parts}
    chosen = {number: _free(session, line) for number, line in lines.items()}
    told = tuple(_told(line, chosen[number]) for number, line in lines.items() if chosen[number].slug != line.slug)
    return Apart([replace(each, wing=chosen[each.wing.number]) for each in parts], told)


def _free(session: UserSession, line: WingLine) -> WingLine:
    if find_same_wing(session, line) is not None:
        return line
    return next(named for named in _named(line) if _is_free(session, named, is_former=named is line))


def _named(line: WingLine) -> Iterable[WingLine]:
    further = (replace(line, name=name, slug=slugify(name)) for name in numbered(line.name))
    return chain([line], further)


def _is_free(session: UserSession, line: WingLine, *, is_former: bool) -> bool:
    found = find_wing(session, line.slug)
    if found is None or is_made_of(session, found, line):
        return True
    return is_former and not is_projects(session, found)


def _told(was: WingLine, now: WingLine) -> str:
    merge = f"palace move {quote(now.name)} {quote(was.name)}"
    return f"the wing {was.name!r} is a project's by now: this stands in {now.name!r}, and `{merge}` puts it there"
