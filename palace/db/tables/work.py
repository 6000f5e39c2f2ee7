"""The work index: files, commands, errors, symbols and decisions in sessions of coding agents."""

from __future__ import annotations

import sqlalchemy as sa

from palace.db.tables.base import Base, column, optional, owner_id, reference


class WorkAction(Base):
    """An action or decision in a drawer of a coding agent's session."""

    __tablename__ = "work_action"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        reference("fixed_by", "drawer", "SET NULL (fixed_by)"),
        sa.Index("ix_work_action_user_id_kind_key", "user_id", "kind", "key"),
        # Failures of a command.
        sa.Index("ix_work_action_user_id_subject", "user_id", "subject", postgresql_where=sa.text("kind = 'error'")),
        sa.Index(
            "ix_work_action_user_id_program",
            "user_id",
            sa.text("split_part(subject, ' '::text, 1)"),
            postgresql_where=sa.text("kind = 'error'"),
        ),
        sa.Index(
            "ix_work_action_user_id_fixed_by", "user_id", "fixed_by", postgresql_where=sa.text("fixed_by IS NOT NULL")
        ),
        sa.CheckConstraint("kind IN ('file', 'command', 'error', 'symbol', 'decision')", name="kind"),
        sa.CheckConstraint("(char_start IS NULL) = (char_end IS NULL)", name="span"),
    )

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    ordinal = column(sa.Integer, primary_key=True)
    """From 0."""
    kind = column(sa.Text)
    key = column(sa.Text)
    """The lookup key: a file's name, a command or an error in normal form, or a symbol."""
    subject = column(sa.Text)
    """The file's path; the command as it was run; the key of an error's command; a decision's path or symbol."""
    operation = column(sa.Text)
    """Of a file "read", "edit", "create", "delete", "move"; of a command "succeeded", "failed", ""; of an error "open",
    "fixed", "gone"; of a decision "named", "near", "said", or "off" where it was taken back."""
    exit_status = optional(sa.Integer)
    duration_ms = optional(sa.Integer)
    char_start = optional(sa.Integer)
    char_end = optional(sa.Integer)
    """The span of the error's line or the decision in the drawer's content."""
    fixed_by = optional(sa.BigInteger)
    """The drawer of the call after which the error was gone."""
    moved_from = optional(sa.Text)
    """The former path of a file that was moved."""
