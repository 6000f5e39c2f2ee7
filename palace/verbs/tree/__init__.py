"""The palace as a tree: walked, moved about in, renamed."""

from palace.verbs.tree.verbs import PAGE, TreeVerbs, get_drawer, show_drawer, wing_to_file_in

__all__ = ["PAGE", "TreeVerbs", "get_drawer", "show_drawer", "wing_to_file_in"]
