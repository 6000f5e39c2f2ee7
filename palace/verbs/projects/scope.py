"""What may be recalled in a folder."""

from __future__ import annotations

import os

from palace.mining.homes.project import find_joined
from palace.opened import OpenPalace
from palace.projects import key_of_folder
from palace.records import ProjectScope
from palace.store.database import UserSession
from palace.store.projects.held import find_project


def project_scope(opened: OpenPalace, folder: str | os.PathLike[str]) -> ProjectScope:
    """Say what may be recalled in a folder: what stands in its project's wing, and in those listed for it.

    By one statement where it is known; nothing is made. Of a folder that is no project's, or that cannot be looked at,
    nothing may be recalled. Whatever text ``folder`` is, nothing is raised because of it.
    """
    key = key_of_folder(folder)
    return opened.run(lambda session: scope_of_key(session, key)) if key else ProjectScope("")


def scope_of_key(session: UserSession, key: str) -> ProjectScope:
    """Say what may be recalled in the project of a key."""
    held = find_project(session, key) or find_joined(session, key)
    if held is None:
        return ProjectScope(key)
    return ProjectScope(
        key,
        held.wing_id,
        held.wing_name,
        (held.wing_id, *held.further),
        held.sources,
        wing_number=held.wing_number,
    )
