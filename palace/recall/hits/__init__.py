"""From drawers in their order to hits."""
