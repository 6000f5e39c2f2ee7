"""How many of a user's passages hold a word: what tells a rare word from a common one."""

from __future__ import annotations

from sqlalchemy import ARRAY, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, OwnId, UserId


class TermCount(Base):
    """In how many passages of a user's a lexeme stands, as of the last fold; passages of tools not counted."""

    __tablename__ = "term_count"

    user_id: Mapped[UserId]
    lexeme: Mapped[str] = mapped_column(primary_key=True)
    passage_count: Mapped[int] = mapped_column(Integer)


class TermDelta(Base):
    """A change of many counts, appended by whoever filed or removed passages and folded later."""

    __tablename__ = "term_delta"

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    lexemes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    amounts: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    """As many as there are lexemes; negative for what was removed."""
