"""Agents that think, act and observe: ``ReActLoop`` keeps nothing, ``ReActAgent`` is used alike and remembers."""

from __future__ import annotations

from palace.agent.react.agent import ReActAgent
from palace.agent.react.loop import ReActLoop

__all__ = ["ReActAgent", "ReActLoop"]
