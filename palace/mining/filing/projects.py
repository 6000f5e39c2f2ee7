"""Finds or creates the wing of the project that a conversation took place in."""

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
    is_left_over,
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
"""Readers whose sessions take place in a folder."""
MOST_NAMED = 5
_ADDED = re.compile(r" [2-9]$")


def find_project_wing(session: UserSession, folder: str, repository: str = "") -> int | None:
    """Return the wing of the project that a folder belongs to, creating it if needed; None if there is no such project.

    For a folder that is not on this machine: the project of the same path, unless its checkout is of another
    repository; else the project of ``repository``.
    """
    key = key_of_folder(folder)
    if not key:
        return None
    checkout = find_checkout(folder)
    is_here = checkout is not None and (checkout.is_there or checkout.is_repository)
    project = ensure_project(session, key) if is_here else _find_elsewhere(session, folder, key, repository)
    return None if project is None else project.wing_id


def adopt_wing(session: UserSession, folder: str, wing_id: int) -> None:
    """Give a project's wing that came from another machine to the folder here in which its sessions took place.

    A folder that has a project already, and a wing that is another's, keep what they have.
    """
    key, checkout = key_of_folder(folder), find_checkout(folder)
    if not key or checkout is None or not checkout.is_there or find_project(session, key):
        return
    wait_alone(session, Guarded.PROJECTS)
    if is_left_over(session, wing_id) and not (find_project(session, key) or find_project_of_remote(session, key)):
        put_project(session, key, wing_id)


def _find_elsewhere(session: UserSession, folder: str, key: str, repository: str) -> HeldProject | None:
    """Find the project of a folder on another machine, or create that of its repository, and record the mapping.

    Sessions of the folder that name no repository go with those that do. Without those, the folder gets a wing of its
    own, unless a wing of the same name exists, which may belong to another folder.
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
    """Create a project for a folder on another machine; None if a wing of its name exists, maybe of another folder."""
    place = place_elsewhere(session, folder)
    if len(elsewhere) > LONGEST_KEY or place is None or places.find_wing(session, place.slug) is not None:
        return None
    wait_alone(session, Guarded.PROJECTS)
    wing_id = places.ensure_wing(session, slug=place.slug, name=place.name, kind=place.kind)
    put_project(session, elsewhere, wing_id)
    return find_project(session, elsewhere)


def _find_open(session: UserSession, elsewhere: str, repository: str) -> HeldProject | None:
    """Find a remote folder's project, if its wing has no local folder and no other repository of this kind."""
    known, kind = find_project(session, elsewhere), repository.partition(SCHEME)[0] + SCHEME
    told = [each.key for each in list_projects(session) if known and each.wing_id == known.wing_id]
    return None if any(SCHEME not in each or each.startswith(kind) for each in told) else known


def find_project_of_remote(session: UserSession, key: str) -> HeldProject | None:
    """Find the only project of the repository checked out in a folder whose wing has no local folder yet, or None."""
    told: dict[int, list[HeldProject]] = {}
    for each in list_projects(session):
        told.setdefault(each.wing_id, []).append(each)
    elsewhere = [held for held in told.values() if all(SCHEME in each.key for each in held)]
    found = [held[0] for held in elsewhere if matches_checkout(key, {each.key for each in held})]
    return found[0] if len(found) == 1 else None


def checkout_keys(session: UserSession, key: str) -> set[str]:
    """Return the key of a folder's project, and the keys of its repository that lead to the same wing."""
    wing_ids = {each.key: each.wing_id for each in list_projects(session)}
    return {key} | {each for each in wing_ids if wing_ids[each] == wing_ids.get(key) and matches_checkout(key, {each})}


def list_session_wings(session: UserSession) -> set[int]:
    """List the numbers of the wings with sessions of agents."""
    return {wing.number for wing in list_wings_of_readers(session, AGENTS)}


def find_unrecalled_wings(session: UserSession, numbers: Collection[int] | None = None) -> list[Check]:
    """Report which wings of agents' sessions are recalled in no folder; ``numbers`` limits the check to these wings."""
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
        finding = f"the sessions in {named}{more} belong to no folder here, so no prompt here is given anything of them"
        checks.append(Check("projects", Verdict.OK, finding, f"palace projects wing FOLDER {others[0].pointer}"))
    return checks


def _is_called(key: str, wing_name: str) -> bool:
    """Check whether a wing is named like a folder, apart from a number that Palace may have added."""
    folder, name = (each.rpartition("/")[2] for each in (next(names_of(key)), wing_name))
    return slugify(folder) in {slugify(name), slugify(_ADDED.sub("", name))} - {slugify("")}


def find_wing_of_hash(session: UserSession, folder_hash: str) -> int | None:
    """Find the wing of the local project folder whose path has this SHA-256 hash, or None."""
    home = home_folder()
    paths = ((os.fsencode(folder_of(each.key, home)), each.wing_id) for each in list_projects(session))
    return next((wing_id for path, wing_id in paths if sha256(path).hexdigest() == folder_hash), None)


def ensure_project(
    session: UserSession, key: str, named: str = "", joined: HeldProject | None = None
) -> HeldProject | None:
    """Find a project, or create it with a wing of its own; return None if its folder has no name.

    A project ``joined`` with another one shares its wing. Otherwise the wing is named after the folder (of ``named``,
    for a repository), or after a longer part of its path if a wing of that name has rooms, was forgotten and may be
    restored, or belongs to another project. A lock ensures that two projects never take the same wing.
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
    """Return the shortest name for the wing of a remote folder that is not the name of another project's wing.

    A name whose wing was merged into a project's may be used. None if the folder has no name.
    """
    key = key_of_folder(folder)
    for name in names_of(key) if key else ():
        place = place_of(name)
        wing_id = None if place is None else places.find_wing(session, place.slug)
        if wing_id is None or not is_projects(session, wing_id) or (place and places.is_merged(session, place.slug)):
            return place
    return None


def place_of(name: str) -> WingPlace | None:
    """Return a project wing of this name, redacted; None if nothing of the name remains."""
    shown = redact(one_line(name)).text
    return WingPlace(shown, slugify(shown), WingKind.PROJECT) if Path(shown).name.strip() else None
