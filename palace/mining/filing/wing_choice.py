"""Chooses the wing of a new conversation, once, before it is filed."""

from __future__ import annotations

from typing import NamedTuple

from palace.db.database import UserSession
from palace.db.filing import places
from palace.mining.filing.place import WingPlace, is_catch_all, one_line, place_wing
from palace.mining.filing.projects import find_project_wing, find_wing_of_hash, place_elsewhere
from palace.mining.filing.wing_matching import (
    NamedWing,
    Reason,
    WingMatch,
    people_of,
    wing_of_most,
    wing_of_person,
    wing_of_title,
)
from palace.models import Conversation, WingKind


class ChosenWing(NamedTuple):
    """The wing chosen for a conversation."""

    wing_id: int
    wing_match: WingMatch | None = None
    """Why it was chosen, if neither the caller nor the project's name determined it."""


def choose_wing(
    session: UserSession, conversation: Conversation, *, asked: str | int | None, source_name: str
) -> ChosenWing:
    """Find or create the wing of a conversation that has none yet.

    It is the requested one, else the folder's, else the project's (or where most of that was moved), else the one that
    the conversation clearly belongs to, else the source's.
    """
    if isinstance(asked, int):
        return ChosenWing(asked)
    place = place_wing(conversation, asked=asked, source_name=source_name)
    if not asked and conversation.folder:
        wing_id = find_project_wing(session, conversation.folder, conversation.repository)
        if wing_id is not None:
            followed = _find_followed(session, wing_id)
            return ChosenWing(followed.wing.id if followed else wing_id, followed)
        place = place_elsewhere(session, conversation.folder) or place
    elif not asked and conversation.folder_hash:
        wing_id = find_wing_of_hash(session, conversation.folder_hash)
        if wing_id is not None:
            return ChosenWing(wing_id)
    if asked:
        found = None
    elif conversation.project or conversation.folder:
        found = _find_followed(session, places.find_wing(session, place.slug))
    else:
        found = _find_match(session, conversation, place)
    if found is None:
        wing_id = places.ensure_wing(session, slug=place.slug, name=place.name, kind=place.kind)
        kind = place.kind
    else:
        wing_id = found.wing.id
        kind = WingKind.PERSON if found.reason is Reason.PERSON else WingKind.TOPIC
    if kind is not WingKind.TOPIC:
        places.raise_kind(session, wing_id, kind)
    return ChosenWing(wing_id, found)


def list_subjects(session: UserSession) -> list[NamedWing]:
    """Return the wings that are about a subject, with all their names, without the catch-all wings of formats."""
    return [wing for wing in _named_wings(session) if not is_catch_all(wing.slugs)]


def _named_wings(session: UserSession) -> list[NamedWing]:
    names: dict[int, list[tuple[str, str]]] = {}
    for wing_id, slug, name in places.list_wing_names(session):
        names.setdefault(wing_id, []).append((slug, name))
    return [
        NamedWing(wing_id, found[0][1], tuple(name for _, name in found), tuple(slug for slug, _ in found))
        for wing_id, found in names.items()
    ]


def _find_followed(session: UserSession, home: int | None) -> WingMatch | None:
    """Find the wing to which most rooms of a project's wing were moved; a wing merged whole is found by its name."""
    if home is None:
        return None
    wing = wing_of_most(places.count_stood(session, home), _named_wings(session), home)
    return wing and WingMatch(wing, Reason.MOVED)


def _find_match(session: UserSession, conversation: Conversation, place: WingPlace) -> WingMatch | None:
    """Find the wing that a conversation clearly belongs to; None if its default wing exists and is about a subject."""
    wings = _named_wings(session)
    subjects = [wing for wing in wings if not is_catch_all(wing.slugs)]
    if not subjects or any(place.slug in wing.slugs for wing in subjects):
        return None
    title, people = one_line(conversation.title or ""), people_of(conversation)
    if title and (wing := wing_of_title(title, subjects)):
        return WingMatch(wing, Reason.TITLE)
    if wing := wing_of_person(people, subjects):
        return WingMatch(wing, Reason.PERSON)
    return None
