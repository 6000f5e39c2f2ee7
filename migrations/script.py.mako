"""${message}."""

from __future__ import annotations

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "raise SystemExit('an empty migration')"}


def downgrade() -> None:
    ${downgrades if downgrades else "raise SystemExit('an empty migration')"}
