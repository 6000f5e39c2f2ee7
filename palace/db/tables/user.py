"""Users: whose palace rows are whose."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import BigInteger, Identity, Integer, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt


class PalaceUser(Base):
    """One user; everything else hangs below and goes when this row goes."""

    __tablename__ = "palace_user"
    __table_args__ = (UniqueConstraint("name"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str]
    wing_seq: Mapped[int] = mapped_column(Integer, server_default="0")
    """The last wing number given out; numbers are never reused."""
    palace_key: Mapped[UUID] = mapped_column(server_default=func.gen_random_uuid())
    """Which palace this is, wherever it is kept: an export carries it, and an empty palace takes it over on import."""
    analysed_drawers: Mapped[int] = mapped_column(Integer, server_default="0")
    """How many drawers the user had when the planner's statistics were last refreshed for them."""
    created_at: Mapped[CreatedAt]
