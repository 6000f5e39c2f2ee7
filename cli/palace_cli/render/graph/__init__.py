"""Relations, timelines and neighbourhoods: tables, a tree, Graphviz, a picture."""
