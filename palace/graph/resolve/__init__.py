"""Resolve names to entities, family by family, from the aliases of all conversations. Pure."""

from __future__ import annotations

from palace.graph.names import SELF_KEY, family_of, fold_name
from palace.graph.resolve.groups import usual_of
from palace.graph.resolve.resolution import resolve
from palace.graph.resolve.tied import families_in, families_reached
from palace.models.graph import Resolved

__all__ = ["SELF_KEY", "Resolved", "families_in", "families_reached", "family_of", "fold_name", "resolve", "usual_of"]
