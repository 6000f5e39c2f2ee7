"""When what was said in a session is worth another look, or is over. Pure."""

from palace.turns.session.triggers import Due, Pace, Seen, due, has_drifted

__all__ = ["Due", "Pace", "Seen", "due", "has_drifted"]
