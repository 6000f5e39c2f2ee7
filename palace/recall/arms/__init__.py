"""The arms: each proposes drawers in its own way; an arm is a class here and a row in ``ARMS``."""

from __future__ import annotations

from palace.recall.arms.graph import GraphArm
from palace.recall.arms.keyword import KeywordArm, NamedArm
from palace.recall.arms.kinds import KindsArm
from palace.recall.arms.protocol import Arm
from palace.recall.arms.semantic import SemanticArm

ARMS: tuple[Arm, ...] = (SemanticArm(), NamedArm(), KindsArm(), GraphArm(), KeywordArm())
"""All built-in arms."""
