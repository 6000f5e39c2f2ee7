"""The wing of the project that a conversation was held in."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from palace.mining.filing.place import WingPlace, one_line
from palace.projects import find_checkout, folder_of, home_folder, key_of_folder, names_of
from palace.records import WingKind
from palace.store.database import UserSession
from palace.store.filing import places
from palace.store.projects.held import (
    HeldProject,
    find_project,
    holds_rooms,
    is_hidden,
    is_projects,
    list_projects,
    put_project,
)
from palace.store.sql.locks import Guarded, wait_alone
from palace.text.secrets import redact
from palace.text.slug import slugify


def find_project_wing(session: UserSession, folder: str) -> int | None:
    """Find the wing of the project that a folder on this machine belongs to, or make it; None of any other folder.

    A folder that is not here has a wing where its project has one here by the same path from the home folder on.
    """
    key = key_of_folder(folder)
    if not key:
        return None
    checkout = find_checkout(folder)
    is_here = checkout is not None and (checkout.is_there or checkout.is_repository)
    project = ensure_project(session, key) if is_here else find_project(session, key)
    return None if project is None else project.wing_id


def find_wing_of_hash(session: UserSession, folder_hash: str) -> int | None:
    """Find the wing of a project whose folder on this machine has a hash (SHA-256 of its path); None of any other."""
    home = home_folder()
    for project in list_projects(session):
        path = os.fsencode(folder_of(project.key, home))
        if sha256(path).hexdigest() == folder_hash:
            return project.wing_id
    return None


def ensure_project(session: UserSession, key: str) -> HeldProject | None:
    """Find a project, or make it with a wing of its own; None where its folder has no name.

    The wing is called like the folder, unless a wing of that name has anything in it, or what was forgotten of it may
    be taken back, or it is another project's: then it is called by a longer part of the path. One at a time makes
    projects, so two never take one wing.
    """
    found = find_project(session, key)
    if found is not None:
        return found
    wait_alone(session, Guarded.PROJECTS)
    found = find_project(session, key)
    if found is not None:
        return found
    for name in names_of(key, home_folder().name):
        place = place_of(name)
        if place is None:
            return None
        if is_hidden(session, place.slug):
            continue
        wing_id = places.find_wing(session, place.slug)
        if wing_id is None:
            wing_id = places.ensure_wing(session, slug=place.slug, name=place.name, kind=place.kind)
        elif is_projects(session, wing_id) or holds_rooms(session, wing_id):
            continue
        places.raise_kind(session, wing_id, WingKind.PROJECT)
        put_project(session, key, wing_id)
        break
    return find_project(session, key)


def place_elsewhere(session: UserSession, folder: str) -> WingPlace | None:
    """Name the wing of a folder that is not here, as short as it can be without being that of a project that is.

    None where the folder has no name.
    """
    key = key_of_folder(folder)
    for name in names_of(key) if key else ():
        place = place_of(name)
        wing_id = None if place is None else places.find_wing(session, place.slug)
        if wing_id is None or not is_projects(session, wing_id):
            return place
    return None


def place_of(name: str) -> WingPlace | None:
    """Name a project's wing, without secrets; None where nothing of the name can be shown."""
    shown = redact(one_line(name)).text
    return WingPlace(shown, slugify(shown), WingKind.PROJECT) if Path(shown).name.strip() else None
