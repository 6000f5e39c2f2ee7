"""Relations made by hand, for what is pure."""

from __future__ import annotations

from datetime import UTC, datetime

from palace.models import Pointer, Precision, Relation

SEEN_FROM = datetime(2026, 9, 1, 12, tzinfo=UTC)
IDS: dict[str, int] = {}
"""Of entities, by name."""


def made(
    subject: str,
    predicate: str,
    target: str,
    since: datetime | None = datetime(2025, 5, 1, tzinfo=UTC),
    until: datetime | None = None,
    *,
    precision: tuple[Precision, Precision | None] = (Precision.DAY, None),
    is_value: bool = False,
    number: int | None = None,
) -> Relation:
    """Make a relation; the same name is the same entity wherever it stands, unless the object is a value."""
    subject_id, object_id = (IDS.setdefault(name, len(IDS) + 1) for name in (subject, target))
    return Relation(
        id=number if number is not None else hash((subject, predicate, target, since)) % 10**9,
        subject=subject,
        subject_id=subject_id,
        predicate=predicate,
        object=target,
        object_id=None if is_value else object_id,
        valid_from=since,
        from_precision=precision[0],
        valid_to=until,
        to_precision=precision[1] or (precision[0] if until else None),
        recorded_at=datetime(2025, 5, 1, tzinfo=UTC),
        superseded_at=None,
        evidence=(Pointer(1, 1, 1),),
    )
