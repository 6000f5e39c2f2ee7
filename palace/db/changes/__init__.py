"""Later changes by the user: forgetting, undoing, moving, renaming.

Lock order within a transaction: runs, then wings, both in order of id, then as in ``palace.db.filing``.
"""
