"""A look at one user's palace that is over at once: it starts nothing, changes nothing and waits for nobody.

It speaks to the driver alone. Importing SQLAlchemy and the tables takes longer than a person waits for a completion.
"""
