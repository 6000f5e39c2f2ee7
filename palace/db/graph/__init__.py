"""The graph in the database: readings of drawers, entities, and the relations folded from claims."""
