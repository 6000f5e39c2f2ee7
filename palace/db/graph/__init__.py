"""The graph in the database: what was read from drawers, entities, and the relations folded from claims."""
