"""Projects: folders of a person's machines, and the wings that their memory stands in."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, UserId


class Project(Base):
    """That what is said in a folder belongs to a wing."""

    __tablename__ = "project"
    __table_args__ = (
        CheckConstraint("length(key) BETWEEN 1 AND 1000", name="key"),
        CheckConstraint("sources <@ ARRAY['tools', 'mail', 'chats']", name="sources"),
        ForeignKeyConstraint(["user_id", "wing_id"], ["wing.user_id", "wing.id"], ondelete="CASCADE"),
        Index("ix_project_user_id_wing_id", "user_id", "wing_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[str] = mapped_column(primary_key=True)
    """Where it lies: the path from the home folder on, or from the root."""
    wing_id: Mapped[int]
    sources: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    """What may be recalled there of ``tools``, ``mail`` and ``chats``."""
    created_at: Mapped[CreatedAt]


class ProjectWing(Base):
    """That another wing may be recalled in a project."""

    __tablename__ = "project_wing"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "key"], ["project.user_id", "project.key"], ondelete="CASCADE"),
        ForeignKeyConstraint(["user_id", "wing_id"], ["wing.user_id", "wing.id"], ondelete="CASCADE"),
        Index("ix_project_wing_user_id_wing_id", "user_id", "wing_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[str] = mapped_column(primary_key=True)
    wing_id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[CreatedAt]
