"""The queries of exports and imports.

An import keeps to the lock order of filing: the user's row, runs and wings in one transaction at its beginning; then
for each conversation its places in a short one, and its drawers and tombstones in another.
"""
