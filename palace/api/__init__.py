"""The façade: one user's palace, the palaces of several users, and the administration of the server."""
