"""Projects: which wing belongs to a folder, and what may be recalled there."""

from __future__ import annotations

from palace.verbs.projects.scope import project_scope
from palace.verbs.projects.verbs import ProjectVerbs

__all__ = ["ProjectVerbs", "project_scope"]
