"""Projects: the wing of a folder, and what may be recalled there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from palace.config.checkout import SCHEME, find_checkout, key_of_folder, written_out
from palace.db.database import UserSession
from palace.db.locks import Guarded, wait_alone
from palace.db.projects import (
    HeldProject,
    allow_wings,
    ask_project,
    deny_wings,
    drop_projects,
    find_project,
    list_projects,
    name_wings,
    put_project,
    set_sources,
)
from palace.errors import BadRequest, NotFound
from palace.mining.filing.projects import checkout_keys, ensure_project, find_project_of_remote, find_unrecalled_wings
from palace.models import Check, Project, ProjectScope, SourceKind, intake
from palace.models.intake import repair
from palace.opened import OpenPalace, Verbs
from palace.operations.moving import known_wing, target_wing

__all__ = ["ProjectVerbs", "ask_scope", "project_scope", "scope_of"]


def project_scope(opened: OpenPalace, folder: str | os.PathLike[str]) -> ProjectScope:
    """Return what may be recalled in a folder: its project's wing, and those listed for it.

    A known folder takes one statement; nothing is created. In a folder without a project, or one that cannot be read,
    nothing may be recalled. No text of ``folder`` raises an error.
    """
    key = key_of_folder(folder)
    return opened.run(lambda session: scope_of(session, key)) if key else ProjectScope(key)


def scope_of(session: UserSession, key: str) -> ProjectScope:
    """Return what may be recalled in the project of a key, as ``project_scope`` does."""
    return ask_scope(session, key)()


def ask_scope(session: UserSession, key: str) -> Callable[[], ProjectScope]:
    """Return a function with the result of ``scope_of``, which is read together with others."""
    project = ask_project(session, key)

    def read() -> ProjectScope:
        held = (project.get() or find_project_of_remote(session, key)) if key else None
        if held is None:
            return ProjectScope(key)
        wing_ids = (held.wing_id, *held.further)
        return ProjectScope(key, held.wing_id, held.wing_name, wing_ids, held.sources, wing_number=held.wing_number)

    return read


Folder = str | os.PathLike[str]


class ProjectVerbs(Verbs):
    """Projects: the wing of a folder, and what else may be recalled there."""

    def of(self, folder: Folder) -> ProjectScope:
        """Return what may be recalled in a folder; nothing in one without a project. Creates nothing.

        Its ``scope`` goes to ``palace.recall``, ``palace.recent`` and ``TurnOptions``.
        """
        return project_scope(self._opened, absolute(folder))

    def list(self) -> tuple[Project, ...]:
        """List the projects of folders on this machine, in order of their paths."""
        here = self._opened.run(lambda session: _shown(session, list_projects(session)))
        return tuple(each for each in here if SCHEME not in each.key)

    def unrecalled(self) -> tuple[Check, ...]:
        """Return a check for each wing of agents' sessions that no folder recalls, with the command that changes it."""
        return tuple(self._opened.run(find_unrecalled_wings))

    def assign(self, folder: Folder, wing: str, *, create: bool = False) -> Project:
        """File the sessions of a folder's project in a wing from now on; what was filed stays where it is.

        Several projects may share a wing: then each recalls the messages of the others. ``create`` creates the wing if
        needed.

        Raises:
            NotFound: there is no such folder or wing; BadRequest: the folder can be no project.
        """
        name = intake.text("wing", wing)

        def assign(session: UserSession) -> Project:
            key = _key(session, folder)
            wait_alone(session, Guarded.PROJECTS)
            wing_id = target_wing(session, name, create=create)
            for each in checkout_keys(session, key):
                put_project(session, each, wing_id)
            return _one(session, key)

        return self._opened.run(assign)

    def allow(self, folder: Folder, *, wings: Iterable[str] = (), sources: Iterable[str] = ()) -> Project:
        """Allow more to be recalled in a folder's project: other wings, and further kinds of ``sources``.

        Those are "tools" (tool results), "mail" and "chats" (Slack and similar), in all wings of the project.

        Raises:
            NotFound: there is no such folder or wing; BadRequest: there is no such kind of source.
        """
        return self._change(folder, wings, sources, is_allowed=True)

    def deny(self, folder: Folder, *, wings: Iterable[str] = (), sources: Iterable[str] = ()) -> Project:
        """Revoke that wings, or kinds of sources, are recalled in a folder's project. Its own wing always is.

        Raises:
            NotFound: there is no such folder or wing; BadRequest: there is no such kind of source, or it is its own
                wing.
        """
        return self._change(folder, wings, sources, is_allowed=False)

    def drop(self, folder: Folder) -> bool:
        """Delete the record of a folder's project; its wing stays. Return False if there was none.

        Raises:
            NotFound: there is no such folder.
        """
        return self._opened.run(lambda session: drop_projects(session, checkout_keys(session, _key(session, folder))))

    def _change(self, folder: Folder, wings: Iterable[str], sources: Iterable[str], *, is_allowed: bool) -> Project:
        names = intake.texts("wings", wings)
        kinds = {intake.choice("a source", each, SourceKind) for each in intake.texts("sources", sources)}

        def change(session: UserSession) -> Project:
            key = _key(session, folder)
            project = ensure_project(session, key)
            if project is None:
                raise BadRequest(f"{os.fspath(folder)!r} has no name that a wing could have")
            chosen = {known_wing(session, name) for name in names}
            if not is_allowed and project.wing_id in chosen:
                told = f"{project.wing_name!r} is the project's own wing"
                raise BadRequest(f"{told}: `palace projects wing FOLDER WING` gives it another")
            (allow_wings if is_allowed else deny_wings)(session, key, chosen - {project.wing_id})
            if kinds:
                now = {*project.sources, *kinds} if is_allowed else {*project.sources} - kinds
                set_sources(session, key, now)
            return _one(session, key)

        return self._opened.run(change)


def absolute(folder: Folder) -> str:
    """Return a folder's absolute path.

    Raises:
        BadRequest: it is no path.
    """
    text = os.fspath(folder)
    if not isinstance(text, str):
        raise BadRequest(f"folder must be a path, not {type(folder).__name__}")
    return written_out(text)


def _key(session: UserSession, folder: Folder) -> str:
    checkout = find_checkout(absolute(folder))
    if checkout is not None and checkout.is_there:
        key = key_of_folder(absolute(folder))
        if key:
            return key
        raise BadRequest(f"no project can lie at {os.fspath(folder)!r}")
    named = os.fspath(folder)
    # No key has characters that Postgres cannot hold, and a query with them would fail.
    if repair(named) == (named, False) and find_project(session, named) is not None:
        return named
    raise NotFound(f"there is no folder {named!r} (`palace projects list` lists the projects)")


def _one(session: UserSession, key: str) -> Project:
    held = find_project(session, key)
    assert held is not None
    return _shown(session, [held])[0]


def _shown(session: UserSession, held: Sequence[HeldProject]) -> tuple[Project, ...]:
    wings = name_wings(session, {wing_id for each in held for wing_id in (each.wing_id, *each.further)})
    return tuple(
        Project(each.key, wings[each.wing_id], tuple(map(wings.__getitem__, each.further)), each.sources)
        for each in held
    )
