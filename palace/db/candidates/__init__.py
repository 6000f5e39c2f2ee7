"""Read-only queries of the arms of recall, which propose drawers."""
