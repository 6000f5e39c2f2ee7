"""Projects: which wing belongs to a folder, and what may be recalled there."""

from __future__ import annotations

from palace.verbs.projects.scope import project_scope

__all__ = ["project_scope"]
