"""Changing configurations as text: what is not ours keeps every byte. Pure.

Each change is made to the text and then proved: what the text says afterwards must be what it said before and ours,
else the change is refused. So a guess of where something stands can be wrong without harm.
"""
