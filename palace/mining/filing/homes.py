"""The wing of the project that a conversation was held in."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from palace.config.checkout import SCHEME, find_checkout, home_folder, key_of_folder, matches_checkout
from palace.config.project_keys import LONGEST_KEY, folder_of, names_of
from palace.db.database import UserSession
from palace.db.filing import places
from palace.db.locks import Guarded, wait_alone
from palace.db.projects import (
    HeldProject,
    find_project,
    holds_rooms,
    is_hidden,
    is_projects,
    list_projects,
    list_wings_of_readers,
    put_project,
)
from palace.mining.filing.place import WingPlace, one_line
from palace.models import Check, Verdict, WingKind, WingPointer
from palace.nlp.secrets import redact
from palace.nlp.words import slugify

AGENTS = ("claude-code", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode")
"""The readers of sessions that are held in a folder."""
MOST_NAMED = 5
_ADDED = re.compile(r" [2-9]$")


def find_project_wing(session: UserSession, folder: str, repository: str = "") -> int | None:
    """Find the wing of the project that a folder on this machine belongs to, or make it; None of any other folder.

    A folder that is not here: the project with the same path, unless its checkout is of another repository; else the
    project of its repository.
    """
    key = key_of_folder(folder)
    if not key:
        return None
    checkout = find_checkout(folder)
    is_here = checkout is not None and (checkout.is_there or checkout.is_repository)
    project = ensure_project(session, key) if is_here else _find_elsewhere(session, folder, key, repository)
    return None if project is None else project.wing_id


def _find_elsewhere(session: UserSession, folder: str, key: str, repository: str) -> HeldProject | None:
    """Find the project of a folder that is not here, or make that of its repository; remember which it was.

    Sessions of the same folder that do not tell what it is a checkout of go where those are that tell it. Where there
    are none, the folder has a wing of its own, unless one of its name is there that may be of another folder.
    """
    same_path, elsewhere = find_project(session, key), f"elsewhere{SCHEME}{folder}"
    if same_path is not None and matches_checkout(key, {repository}) is not False:
        return same_path
    if not repository:
        return find_project(session, elsewhere) or _begin_elsewhere(session, folder, elsewhere)
    found = find_project(session, repository)
    if found is None:
        here = [each for each in list_projects(session) if matches_checkout(each.key, {repository})]
        wait_alone(session, Guarded.PROJECTS)
        joined = here[0] if len({each.wing_id for each in here}) == 1 else _find_open(session, elsewhere, repository)
        found = ensure_project(session, repository, named=key, joined=joined)
    if found is not None and len(elsewhere) <= LONGEST_KEY:
        put_project(session, elsewhere, found.wing_id)
    return found


def _begin_elsewhere(session: UserSession, folder: str, elsewhere: str) -> HeldProject | None:
    """Make a project of a folder elsewhere; None where there is a wing of its name, which may be of another folder."""
    place = place_elsewhere(session, folder)
    if len(elsewhere) > LONGEST_KEY or place is None or places.find_wing(session, place.slug) is not None:
        return None
    wait_alone(session, Guarded.PROJECTS)
    wing_id = places.ensure_wing(session, slug=place.slug, name=place.name, kind=place.kind)
    put_project(session, elsewhere, wing_id)
    return find_project(session, elsewhere)


def _find_open(session: UserSession, elsewhere: str, repository: str) -> HeldProject | None:
    """Find the project of a folder elsewhere whose wing no folder here has, and no other repository of this kind."""
    known, kind = find_project(session, elsewhere), repository.partition(SCHEME)[0] + SCHEME
    told = [each.key for each in list_projects(session) if known and each.wing_id == known.wing_id]
    return None if any(SCHEME not in each or each.startswith(kind) for each in told) else known


def find_project_of_remote(session: UserSession, key: str) -> HeldProject | None:
    """Find the one project of the repository that a folder's checkout is of, while no folder here has its wing."""
    told: dict[int, list[HeldProject]] = {}
    for each in list_projects(session):
        told.setdefault(each.wing_id, []).append(each)
    elsewhere = [held for held in told.values() if all(SCHEME in each.key for each in held)]
    found = [held[0] for held in elsewhere if matches_checkout(key, {each.key for each in held})]
    return found[0] if len(found) == 1 else None


def checkout_keys(session: UserSession, key: str) -> set[str]:
    """Return the key of a folder's project, and those of its checkout's repository that have the same wing."""
    wing_ids = {each.key: each.wing_id for each in list_projects(session)}
    return {key} | {each for each in wing_ids if wing_ids[each] == wing_ids.get(key) and matches_checkout(key, {each})}


def find_unrecalled_wings(session: UserSession, numbers: Collection[int] | None = None) -> list[Check]:
    """Say which wings of agents' sessions, of all or of these numbers, no folder recalls, and what changes that."""
    projects, checks, others = list_projects(session), [], []
    here = [each for each in projects if SCHEME not in each.key]
    held = {wing_id for each in here for wing_id in (each.wing_id, *each.further)}
    for wing in list_wings_of_readers(session, AGENTS):
        if wing.id in held or (numbers is not None and wing.number not in numbers):
            continue
        told = {each.key for each in projects if each.wing_id == wing.id}
        matches = {each: matches_checkout(each.key, told) for each in here}
        likely = [each for each, same in matches.items() if same or (same is None and _is_called(each.key, wing.name))]
        if len(likely) == 1:
            finding = f"sessions in {wing.name!r} may belong to {likely[0].key}, which does not recall them"
            remedy = f"palace move {wing.pointer} {WingPointer(likely[0].wing_number)}"
            checks.append(Check("projects", Verdict.WARNING, finding, remedy))
        else:
            others.append(wing)
    if others:
        more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
        named = ", ".join(f"{wing.name!r} ({wing.pointer})" for wing in others[:MOST_NAMED])
        finding = f"no folder on this machine recalls the sessions in {named}{more}"
        checks.append(Check("projects", Verdict.OK, finding, f"palace projects wing FOLDER {others[0].pointer}"))
    return checks


def _is_called(key: str, wing_name: str) -> bool:
    """Check whether a wing is called like a folder, but for a number that Palace may have added."""
    folder, name = (each.rpartition("/")[2] for each in (next(names_of(key)), wing_name))
    return slugify(folder) in {slugify(name), slugify(_ADDED.sub("", name))} - {slugify("")}


def find_wing_of_hash(session: UserSession, folder_hash: str) -> int | None:
    """Find the wing of a project whose folder on this machine has a hash (SHA-256 of its path); None of any other."""
    home = home_folder()
    paths = ((os.fsencode(folder_of(each.key, home)), each.wing_id) for each in list_projects(session))
    return next((wing_id for path, wing_id in paths if sha256(path).hexdigest() == folder_hash), None)


def ensure_project(
    session: UserSession, key: str, named: str = "", joined: HeldProject | None = None
) -> HeldProject | None:
    """Find a project, or make it with a wing of its own; None where its folder has no name.

    It goes on in the wing of what it is ``joined`` with: its repository. Else the wing is called like the folder,
    or like the one of a key that a repository is ``named`` after, unless a wing of that name has anything in it, or
    what was forgotten of it may be taken back, or it is another project's: then it is called by a longer part of the
    path. One at a time makes projects, so two never take one wing.
    """
    if found := find_project(session, key):
        return found
    wait_alone(session, Guarded.PROJECTS)
    if found := find_project(session, key):
        return found
    if joined := joined or (None if named else find_project_of_remote(session, key)):
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
