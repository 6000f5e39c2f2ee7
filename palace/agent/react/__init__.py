"""Agents that think, act and observe: ``ReActLoop`` without memory, ``ReActAgent`` with one."""

from __future__ import annotations

from palace.agent.react.agent import ReActAgent
from palace.agent.react.loop import ReActLoop

__all__ = ["ReActAgent", "ReActLoop"]
