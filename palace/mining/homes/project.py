"""The wing of the project that a conversation was held in."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from palace.mining.filing.place import WingPlace, one_line
from palace.projects import MARK, find_checkout, folder_of, home_folder, is_same, key_of_folder, names_of
from palace.projects.keys import LONGEST_KEY
from palace.records import Check, Verdict, WingKind, WingPointer
from palace.store.database import UserSession
from palace.store.filing import places
from palace.store.projects.held import (
    HeldProject,
    find_project,
    holds_rooms,
    is_hidden,
    is_projects,
    list_projects,
    list_read,
    put_project,
)
from palace.store.sql.locks import Guarded, wait_alone
from palace.text.secrets import redact
from palace.text.slug import slugify

AGENTS = ("claude-code", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode")
"""The readers of sessions that are held in a folder."""
MOST_NAMED = 5
_NUMBER = re.compile(r" \d+$")


def find_project_wing(session: UserSession, folder: str, repository: str = "") -> int | None:
    """Find the wing of the project that a folder on this machine belongs to, or make it; None of any other folder.

    A folder that is not here has a wing where its project here has the same path from the home folder on, and is not
    known to be of another repository, or where its own is known.
    """
    key = key_of_folder(folder)
    if not key:
        return None
    checkout = find_checkout(folder)
    is_here = checkout is not None and (checkout.is_there or checkout.is_repository)
    project = ensure_project(session, key) if is_here else _find_elsewhere(session, key, repository)
    return None if project is None else project.wing_id


def _find_elsewhere(session: UserSession, key: str, repository: str) -> HeldProject | None:
    """Find the project of a folder that is not here, or make that of its repository.

    Sessions of the same folder that do not tell what it is a checkout of go where those are that tell it.
    """
    held, there = find_project(session, key), f"elsewhere{MARK}{key}"[:LONGEST_KEY]
    if held is not None and is_same(folder_of(key, home_folder()), {repository}) is not False:
        return held
    if not repository:
        return find_project(session, there)
    held = find_project(session, repository)
    if held is None:
        projects = list_projects(session)
        here = [each for each in projects if is_same(folder_of(each.key, home_folder()), {repository})]
        known, kind = find_project(session, there), repository.partition(MARK)[0]
        told = [each.key.partition(MARK) for each in projects if known and each.wing_id == known.wing_id]
        is_one = len({each.wing_id for each in here}) == 1
        if not is_one and known and all(mark and each != kind for each, mark, _ in told):
            put_project(session, repository, known.wing_id)
            return known
        held = here[0] if is_one else ensure_project(session, repository, named=key)
    if held is not None:
        put_project(session, there, held.wing_id)
    return held


def find_joined(session: UserSession, key: str) -> HeldProject | None:
    """Find what was filed elsewhere of the repository that a folder's checkout is of, while no folder here has it."""
    told: dict[int, list[HeldProject]] = {}
    for each in list_projects(session):
        told.setdefault(each.wing_id, []).append(each)
    apart = [held for held in told.values() if all(MARK in each.key for each in held)]
    found = [held[0] for held in apart if is_same(folder_of(key, home_folder()), {each.key for each in held})]
    return found[0] if len(found) == 1 else None


def tell_apart(session: UserSession, numbers: Collection[int] | None = None) -> list[Check]:
    """Say which wings of agents' sessions, of all or of these numbers, hooks recall nowhere, and what joins them."""
    projects, checks, others = list_projects(session), [], []
    here = [each for each in projects if MARK not in each.key]
    held = {wing_id for each in here for wing_id in (each.wing_id, *each.further)}
    for wing in list_read(session, AGENTS):
        if wing.id in held or (numbers is not None and wing.number not in numbers):
            continue
        told = {each.key for each in projects if each.wing_id == wing.id}
        alike = [each for each in here if _last(next(names_of(each.key))) == _last(wing.name)]
        called = [each for each in alike if is_same(folder_of(each.key, home_folder()), told) is not False]
        if len(called) == 1:
            finding = f"sessions in {wing.name!r} may be those of {called[0].key}, where hooks do not recall them"
            remedy = f"palace move {wing.pointer} {WingPointer(called[0].wing_number)}"
            checks.append(Check("projects", Verdict.WARNING, finding, remedy))
        else:
            others.append(wing)
    if others:
        more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
        named = ", ".join(f"{wing.name!r} ({wing.pointer})" for wing in others[:MOST_NAMED])
        finding = f"hooks recall what was said in {named}{more} in no folder that is known here"
        checks.append(Check("projects", Verdict.OK, finding, f"palace projects wing FOLDER {others[0].pointer}"))
    return checks


def _last(name: str) -> str:
    return slugify(_NUMBER.sub("", name.rpartition("/")[2]))


def find_wing_of_hash(session: UserSession, folder_hash: str) -> int | None:
    """Find the wing of a project whose folder on this machine has a hash (SHA-256 of its path); None of any other."""
    home = home_folder()
    for project in list_projects(session):
        path = os.fsencode(folder_of(project.key, home))
        if sha256(path).hexdigest() == folder_hash:
            return project.wing_id
    return None


def ensure_project(session: UserSession, key: str, named: str = "") -> HeldProject | None:
    """Find a project, or make it with a wing of its own; None where its folder has no name.

    It goes on in the wing that its repository's sessions from elsewhere have. Else the wing is called like the folder,
    or like the one of a key that a repository is ``named`` after, unless a wing of that name has anything in it, or
    what was forgotten of it may be taken back, or it is another project's: then it is called by a longer part of the
    path. One at a time makes projects, so two never take one wing.
    """
    found = find_project(session, key)
    if found is not None:
        return found
    wait_alone(session, Guarded.PROJECTS)
    found = find_project(session, key)
    if found is not None:
        return found
    if not named and (joined := find_joined(session, key)):
        put_project(session, key, joined.wing_id)
        return find_project(session, key)
    for name in names_of(named or key, home_folder().name):
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

    One of that name that was merged into a project's goes on there. None where the folder has no name.
    """
    key = key_of_folder(folder)
    for name in names_of(key) if key else ():
        place = place_of(name)
        wing_id = None if place is None else places.find_wing(session, place.slug)
        if wing_id is None or not is_projects(session, wing_id) or (place and places.is_merged(session, place.slug)):
            return place
    return None


def place_of(name: str) -> WingPlace | None:
    """Name a project's wing, without secrets; None where nothing of the name can be shown."""
    shown = redact(one_line(name)).text
    return WingPlace(shown, slugify(shown), WingKind.PROJECT) if Path(shown).name.strip() else None
