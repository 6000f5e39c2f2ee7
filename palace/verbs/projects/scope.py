"""What may be recalled in a folder."""

from __future__ import annotations

import os

from palace.mining.homes.project import find_project_of_remote
from palace.opened import OpenPalace
from palace.projects import key_of_folder
from palace.records import ProjectScope
from palace.store.projects.held import find_project


def project_scope(opened: OpenPalace, folder: str | os.PathLike[str]) -> ProjectScope:
    """Say what may be recalled in a folder: what stands in its project's wing, and in those listed for it.

    By one statement where it is known; nothing is made. Of a folder that is no project's, or that cannot be looked at,
    nothing may be recalled. Whatever text ``folder`` is, nothing is raised because of it.
    """
    key = key_of_folder(folder)
    held = (
        opened.run(lambda session: find_project(session, key) or find_project_of_remote(session, key)) if key else None
    )
    if held is None:
        return ProjectScope(key)
    wing_ids = (held.wing_id, *held.further)
    return ProjectScope(key, held.wing_id, held.wing_name, wing_ids, held.sources, wing_number=held.wing_number)
